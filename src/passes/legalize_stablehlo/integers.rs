// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Integer ops that the machine does not define for all operands, and StableHLO or its implementations do.
//!
//! Division by zero gives -1, all bits set, and the remainder is the dividend; the least integer divided by -1 is itself,
//! with remainder 0 (as in XLA's CPU backend, `llvm_ir::EmitIntegerDivide`). A shift by the width or more, read without
//! sign, gives 0, or copies of the sign. An integer power with a negative exponent is 0 but for the bases 1 and -1.

use super::{
    emit::{At, Integers},
    scalars::undefined,
};
use crate::mlir::{Op, PassResult, Value};

/// Computes one element.
pub(super) fn compute(
    at: At,
    op: Op,
    name: &str,
    signed: bool,
    width: u32,
    args: &[Value],
) -> PassResult<Value> {
    match name {
        "divide" => divide(at, signed, width, args[0], args[1], false),
        "remainder" => divide(at, signed, width, args[0], args[1], true),
        "power" => power(at, signed, width, args[0], args[1]),
        "sign" => sign(at, signed, args[0]),
        "shift_left" => shift(at, "arith.shli", width, args[0], args[1]),
        "shift_right_logical" => shift(at, "arith.shrui", width, args[0], args[1]),
        "shift_right_arithmetic" => shift(at, "arith.shrsi", width, args[0], args[1]),
        _ => Err(undefined(op)),
    }
}

/// Quotient or remainder. The division itself is by 1 where it would trap, which gives the right answer for the least integer
/// by -1. A constant
/// divisor needs no checks.
fn divide(at: At, signed: bool, width: u32, left: Value, right: Value, remainder: bool) -> PassResult<Value> {
    let ty = left.ty();
    let name = match (signed, remainder) {
        (true, false) => "arith.divsi",
        (true, true) => "arith.remsi",
        (false, false) => "arith.divui",
        (false, true) => "arith.remui",
    };
    if constant(right).is_some_and(|divisor| divisor != 0 && divisor != -1) {
        return at.same(name, &[left, right]);
    }
    let (zero, one) = (at.integer(ty, 0)?, at.integer(ty, 1)?);
    let by_zero = at.compare(Integers::Eq, right, zero)?;
    let mut traps = by_zero;
    if signed {
        let least = at.integer(ty, 1_i64.wrapping_shl(width - 1))?;
        let minus_one = at.integer(ty, -1)?;
        let is_least = at.compare(Integers::Eq, left, least)?;
        let by_minus_one = at.compare(Integers::Eq, right, minus_one)?;
        let overflows = at.same("arith.andi", &[is_least, by_minus_one])?;
        traps = at.same("arith.ori", &[by_zero, overflows])?;
    }
    let divisor = at.select(traps, one, right)?;
    let result = at.same(name, &[left, divisor])?;
    let otherwise = if remainder { left } else { at.integer(ty, -1)? };
    at.select(by_zero, otherwise, result)
}

/// The bits of a constant.
fn constant(value: Value) -> Option<i64> {
    let op = value.defining_op().filter(|op| op.name() == "arith.constant")?;
    op.attr("value")?.as_integer_bits()
}

/// -1, 0 or 1.
fn sign(at: At, signed: bool, value: Value) -> PassResult<Value> {
    let ty = value.ty();
    let (zero, one) = (at.integer(ty, 0)?, at.integer(ty, 1)?);
    let is_zero = at.compare(Integers::Eq, value, zero)?;
    let unit = if signed {
        let negative = at.compare(Integers::Slt, value, zero)?;
        let minus_one = at.integer(ty, -1)?;
        at.select(negative, minus_one, one)?
    } else {
        one
    };
    at.select(is_zero, zero, unit)
}

/// A shift, whose upstream op is undefined from the width on. A right shift by width - 1 leaves copies of the sign only.
fn shift(at: At, name: &str, width: u32, value: Value, amount: Value) -> PassResult<Value> {
    let ty = value.ty();
    let limit = at.integer(ty, i64::from(width))?;
    let most = at.integer(ty, i64::from(width) - 1)?;
    let fits = at.compare(Integers::Ult, amount, limit)?;
    let amount = at.select(fits, amount, most)?;
    let shifted = at.same(name, &[value, amount])?;
    if name == "arith.shrsi" {
        return Ok(shifted);
    }
    let zero = at.integer(ty, 0)?;
    at.select(fits, shifted, zero)
}

/// Powers by squaring, in one step for each bit of the exponent.
fn power(at: At, signed: bool, width: u32, base: Value, exponent: Value) -> PassResult<Value> {
    let ty = base.ty();
    let (zero, one) = (at.integer(ty, 0)?, at.integer(ty, 1)?);
    let carried = at.repeat(i64::from(width), &[one, base, exponent], |at, _, carried| {
        let (product, square, rest) = (carried[0], carried[1], carried[2]);
        let bit = at.same("arith.andi", &[rest, one])?;
        let odd = at.compare(Integers::Ne, bit, zero)?;
        let longer = at.same("arith.muli", &[product, square])?;
        Ok(vec![
            at.select(odd, longer, product)?,
            at.same("arith.muli", &[square, square])?,
            at.same("arith.shrui", &[rest, one])?,
        ])
    })?;
    if !signed {
        return Ok(carried[0]);
    }
    let minus_one = at.integer(ty, -1)?;
    let bit = at.same("arith.andi", &[exponent, one])?;
    let odd = at.compare(Integers::Ne, bit, zero)?;
    let is_one = at.compare(Integers::Eq, base, one)?;
    let is_minus_one = at.compare(Integers::Eq, base, minus_one)?;
    let turned = at.select(odd, minus_one, one)?;
    let other = at.select(is_minus_one, turned, zero)?;
    let inverse = at.select(is_one, one, other)?;
    let negative = at.compare(Integers::Slt, exponent, zero)?;
    at.select(negative, inverse, carried[0])
}
