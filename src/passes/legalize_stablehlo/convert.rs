// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Conversions between numbers.
//!
//! Float to float rounds to nearest, ties to even, once: f64 goes to 16 bits by way of an f32 that is rounded to odd
//! (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
//! Float to integer truncates and saturates, and NaN becomes 0, as in XLA; StableHLO leaves both open. Float or integer to
//! truth value is whether it is not zero, true of NaN. Integers of 32 and 64 bits become floats of 16 bits by way of f32,
//! which may round twice, as in XLA.

use super::{
    emit::{At, Floats, Integers},
    types::{DOUBLE, Format, Number, SINGLE},
};
use crate::mlir::{PassResult, Value};

/// Converts a scalar.
pub(super) fn convert(at: At, from: Number, to: Number, value: Value) -> PassResult<Value> {
    if from == to {
        return Ok(value);
    }
    let ty = to.ty(at.context());
    match (from, to) {
        (Number::Float(_), Number::Bool) => {
            let zero = at.float(value.ty(), 0.0)?;
            at.compare_floats(Floats::Une, value, zero)
        }
        (_, Number::Bool) => {
            let zero = at.integer(value.ty(), 0)?;
            at.compare(Integers::Ne, value, zero)
        }
        (Number::Float(from), Number::Float(to)) => float_to_float(at, from, to, value),
        (Number::Float(_), Number::Signed(width)) => {
            let value = convert(at, from, from.computed(), value)?;
            float_to_integer(at, value, to, width, true)
        }
        (Number::Float(_), Number::Unsigned(width)) => {
            let value = convert(at, from, from.computed(), value)?;
            float_to_integer(at, value, to, width, false)
        }
        (_, Number::Float(_)) => {
            let computed = to.computed();
            let name = match from {
                Number::Signed(_) => "arith.sitofp",
                _ => "arith.uitofp",
            };
            let result = at.make(name, &[value], computed.ty(at.context()))?;
            convert(at, computed, to, result)
        }
        (_, Number::Signed(_) | Number::Unsigned(_)) => {
            let name = match (from, from.width().cmp(&to.width())) {
                (_, std::cmp::Ordering::Equal) => return Ok(value),
                (_, std::cmp::Ordering::Greater) => "arith.trunci",
                (Number::Signed(_), _) => "arith.extsi",
                _ => "arith.extui",
            };
            at.make(name, &[value], ty)
        }
    }
}

fn float_to_float(at: At, from: Format, to: Format, value: Value) -> PassResult<Value> {
    let ty = Number::Float(to).ty(at.context());
    let single = SINGLE.ty(at.context());
    match (from.width(), to.width()) {
        (from, to) if from == to => {
            let wide = at.make("arith.extf", &[value], single)?;
            at.make("arith.truncf", &[wide], ty)
        }
        (from, to) if from < to => at.make("arith.extf", &[value], ty),
        (64, 16) => {
            let odd = round_to_odd(at, value)?;
            at.make("arith.truncf", &[odd], ty)
        }
        _ => at.make("arith.truncf", &[value], ty),
    }
}

/// f64 to f32: the neighbour with an odd last bit, where the number is none itself.
fn round_to_odd(at: At, value: Value) -> PassResult<Value> {
    let context = at.context();
    let (single, double) = (SINGLE.ty(context), DOUBLE.ty(context));
    let ty = Number::Signed(32).ty(context);
    let (zero, one) = (at.integer(ty, 0)?, at.integer(ty, 1)?);
    let rounded = at.make("arith.truncf", &[value], single)?;
    let widened = at.make("arith.extf", &[rounded], double)?;
    let bits = at.make("arith.bitcast", &[rounded], ty)?;
    let last = at.same("arith.andi", &[bits, one])?;
    let even = at.compare(Integers::Eq, last, zero)?;
    let [size, rounded_size] = [value, widened].map(|value| at.same("math.absf", &[value]));
    let (size, rounded_size) = (size?, rounded_size?);
    // The bits of the size are in its order, infinity next to the largest number.
    let too_small = at.compare_floats(Floats::Olt, rounded_size, size)?;
    let too_large = at.compare_floats(Floats::Ogt, rounded_size, size)?;
    let up = at.same("arith.addi", &[bits, one])?;
    let down = at.same("arith.subi", &[bits, one])?;
    let down = at.select(too_large, down, bits)?;
    let moved = at.select(too_small, up, down)?;
    let result = at.select(even, moved, bits)?;
    at.make("arith.bitcast", &[result], single)
}

/// The conversion itself is undefined out of range; its result is not picked there.
fn float_to_integer(at: At, value: Value, to: Number, width: u32, signed: bool) -> PassResult<Value> {
    let ty = to.ty(at.context());
    let bits = if signed { width - 1 } else { width };
    let above = 2_f64.powi(bits as i32);
    let (name, below) = if signed {
        ("arith.fptosi", -above)
    } else {
        ("arith.fptoui", 0.0)
    };
    let sign_bit = 1_i64.wrapping_shl(width - 1);
    let (least, greatest) = if signed { (sign_bit, !sign_bit) } else { (0, -1) };
    let inside = at.make(name, &[value], ty)?;
    let (above, below) = (at.float(value.ty(), above)?, at.float(value.ty(), below)?);
    let (least, greatest) = (at.integer(ty, least)?, at.integer(ty, greatest)?);
    let zero = at.integer(ty, 0)?;
    let too_large = at.compare_floats(Floats::Oge, value, above)?;
    let too_small = at.compare_floats(Floats::Ole, value, below)?;
    let is_nan = at.compare_floats(Floats::Une, value, value)?;
    let result = at.select(too_large, greatest, inside)?;
    let result = at.select(too_small, least, result)?;
    at.select(is_nan, zero, result)
}

/// Rounds to a format of fewer bits and back, on the bits: to nearest, ties to even; beyond the largest number to infinity,
/// and below the least normal number to zero, where the exponent loses bits. NaN stays. As XLA's `EmitReducePrecisionIR`.
pub(super) fn reduce_precision(at: At, format: Format, target: Format, value: Value) -> PassResult<Value> {
    let number = Number::Float(format);
    let ty = Number::Signed(format.width()).ty(at.context());
    let mut bits = at.make("arith.bitcast", &[value], ty)?;
    let sign_mask = 1_i64.wrapping_shl(format.width() - 1);
    let infinity = ((1_i64 << format.exponent) - 1) << format.mantissa;
    let sign = at.integer(ty, sign_mask)?;
    let sign = at.same("arith.andi", &[bits, sign])?;
    let infinite = at.integer(ty, infinity)?;
    let infinite = at.same("arith.ori", &[sign, infinite])?;

    if target.mantissa < format.mantissa {
        let dropped = format.mantissa - target.mantissa;
        let one = at.integer(ty, 1)?;
        let distance = at.integer(ty, i64::from(dropped))?;
        let half = at.integer(ty, (1_i64 << (dropped - 1)) - 1)?;
        let kept = at.integer(ty, -(1_i64 << dropped))?;
        let shifted = at.same("arith.shrui", &[bits, distance])?;
        let last = at.same("arith.andi", &[shifted, one])?;
        let bias = at.same("arith.addi", &[last, half])?;
        let sum = at.same("arith.addi", &[bits, bias])?;
        bits = at.same("arith.andi", &[sum, kept])?;
    }
    if target.exponent < format.exponent {
        let bias = |exponent: u32| (1_i64 << (exponent - 1)) - 1;
        let (own, other) = (bias(format.exponent), bias(target.exponent));
        let greatest = at.integer(ty, (own + other) << format.mantissa)?;
        let least = at.integer(ty, (own - other) << format.mantissa)?;
        let mask = at.integer(ty, infinity)?;
        let exponent = at.same("arith.andi", &[bits, mask])?;
        let overflows = at.compare(Integers::Ugt, exponent, greatest)?;
        let underflows = at.compare(Integers::Ule, exponent, least)?;
        let large = at.select(overflows, infinite, bits)?;
        bits = at.select(underflows, sign, large)?;
    }
    let comparable = convert(at, number, number.computed(), value)?;
    let is_nan = at.compare_floats(Floats::Une, comparable, comparable)?;
    let rounded = at.make("arith.bitcast", &[bits], value.ty())?;
    at.select(is_nan, value, rounded)
}
