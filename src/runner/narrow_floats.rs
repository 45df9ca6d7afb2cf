// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Eight-bit floats as integer arithmetic: upstream's way to LLVM knows their storage, and no conversion.
//!
//! Formats: f8E4M3FN, which has no infinity and one NaN a sign, and f8E5M2, which is IEEE-like (OCP 8-bit Floating Point
//! Specification, OFP8, revision 1.0). All of their numbers are numbers of every wider format, so a conversion is exact.
//!
//! Before: loops, with scalar ops. After: no op computes with eight-bit floats; what is left of them is loaded, stored,
//! selected, and taken for its bits. Rounding to eight bits, and arithmetic in them, is refused with an error at the op: what
//! is wanted for numbers that are too large differs between formats and between programs.

use mel::Context;

use super::{
    RunnerError,
    diagnostics::{collect, text},
    lower::NARROW_FLOATS,
};
use crate::{
    diagnostics,
    mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value},
};

/// Expands the ops on eight-bit floats of a module. O(ops).
///
/// # Errors
/// There is an op that is none of those that are known.
pub(super) fn expand(context: &Context, root: Op) -> Result<(), RunnerError> {
    let (outcome, said) = collect(context, || {
        let mut outcome = Ok(());
        // All that cannot be done is said at once.
        for op in root.walk() {
            outcome = outcome.and(expand_op(op));
        }
        outcome
    });
    outcome.map_err(|Failed| RunnerError::Stage {
        name: NARROW_FLOATS.to_owned(),
        diagnostics: text(&said),
    })
}

fn expand_op(op: Op) -> PassResult {
    let is_computation = op.name().starts_with("arith.") || op.name().starts_with("math.");
    let is_eight_bits = |value: Value| value.ty().element().float_width() == Some(8);
    if !is_computation || !op.operands().chain(op.results()).any(is_eight_bits) {
        return Ok(());
    }
    match op.name() {
        "arith.constant" | "arith.bitcast" | "arith.select" => Ok(()),
        "arith.extf" => {
            let value = op.operand(0);
            let Some(format) = Format::of(value.ty()) else {
                return Err(diagnostics::op_error(
                    op,
                    &format!(
                        "converts from {}; expected f8E4M3FN or f8E5M2 of eight-bit floats",
                        value.ty().to_text()
                    ),
                ));
            };
            let widened = Widening { op, format }.emit()?;
            op.result(0).replace_uses_with(widened);
            op.erase();
            Ok(())
        }
        _ => Err(diagnostics::op_error(
            op,
            "computes or rounds to eight-bit floats, which this machine does not; expected conversions from them, and \
             arithmetic in f32 or in what else they are converted to",
        )),
    }
}

/// An eight-bit format.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    mantissa: u32,
}

impl Format {
    fn of(ty: Ty) -> Option<Self> {
        let (exponent, mantissa) = ty.eight_bit_format()?;
        Some(Self { exponent, mantissa })
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn has_infinity(self) -> bool {
        self.exponent == 5
    }
}

/// A conversion that is replaced.
struct Widening {
    op: Op,
    format: Format,
}

/// Bits of f32.
const INFINITY: i64 = 0x7f80_0000;
const NAN: i64 = 0x7fc0_0000;
/// Stored mantissa bits and bias of f32.
const SINGLE: (u32, i64) = (23, 127);

/// Predicates of `arith.cmpi`.
const EQUAL: i64 = 0;
const LESS: i64 = 6;
const AT_LEAST: i64 = 9;

impl Widening {
    /// The number in the type of the result.
    fn emit(&self) -> PassResult<Value> {
        let context = self.op.context();
        let single = Ty::f32(context);
        let Format { exponent, mantissa } = self.format;
        let code = self.make("arith.bitcast", &[self.op.operand(0)], Ty::integer(context, 8))?;
        let code = self.make("arith.extui", &[code], self.bits())?;
        let size = self.with("arith.andi", code, 0x7f)?;
        let sign = self.with("arith.andi", code, 0x80)?;
        let sign = self.with("arith.shli", sign, 24)?;
        // A number with an exponent has it with another bias, and its mantissa at the top of one with more bits.
        let (top, bias) = SINGLE;
        let normal = self.with("arith.shli", size, i64::from(top - mantissa))?;
        let normal = self.with("arith.addi", normal, (bias - self.format.bias()) << top)?;
        // One without is so many of the smallest.
        let smallest = (1 - self.format.bias() - i64::from(mantissa)) as i32;
        let small = self.make("arith.uitofp", &[size], single)?;
        let unit = Attr::float(single, f64::from(smallest).exp2()).ok_or(Failed)?;
        let unit = self.constant(unit, single)?;
        let small = self.make("arith.mulf", &[small, unit], single)?;
        let small = self.make("arith.bitcast", &[small], self.bits())?;
        let has_none = self.compare(LESS, size, 1 << mantissa)?;
        let mut bits = self.select(has_none, small, normal)?;
        let nan = self.number(NAN)?;
        if self.format.has_infinity() {
            let first = ((1 << exponent) - 1) << mantissa;
            let is_infinite = self.compare(EQUAL, size, first)?;
            let infinity = self.number(INFINITY)?;
            let special = self.select(is_infinite, infinity, nan)?;
            let is_special = self.compare(AT_LEAST, size, first)?;
            bits = self.select(is_special, special, bits)?;
        } else {
            let is_nan = self.compare(EQUAL, size, 0x7f)?;
            bits = self.select(is_nan, nan, bits)?;
        }
        let bits = self.make("arith.ori", &[bits, sign], self.bits())?;
        let number = self.make("arith.bitcast", &[bits], single)?;
        let ty = self.op.result(0).ty();
        match ty.float_width() {
            Some(32) => Ok(number),
            Some(64) => self.make("arith.extf", &[number], ty),
            // Exact: both formats of 16 bits have these numbers.
            _ => self.make("arith.truncf", &[number], ty),
        }
    }

    fn bits(&self) -> Ty {
        Ty::integer(self.op.context(), 32)
    }

    fn make(&self, name: &str, operands: &[Value], ty: Ty) -> PassResult<Value> {
        let builder = OpBuilder::new(name, self.op.location())
            .operands(operands.iter().copied())
            .results([ty]);
        Ok(builder.insert_before(self.op)?.result(0))
    }

    fn constant(&self, value: Attr, ty: Ty) -> PassResult<Value> {
        let builder = OpBuilder::new("arith.constant", self.op.location())
            .attr("value", value)
            .results([ty]);
        Ok(builder.insert_before(self.op)?.result(0))
    }

    fn number(&self, value: i64) -> PassResult<Value> {
        let ty = self.bits();
        self.constant(Attr::integer(ty, value).ok_or(Failed)?, ty)
    }

    /// An op on a number and a constant.
    fn with(&self, name: &str, value: Value, constant: i64) -> PassResult<Value> {
        self.make(name, &[value, self.number(constant)?], self.bits())
    }

    fn compare(&self, predicate: i64, value: Value, constant: i64) -> PassResult<Value> {
        let context = self.op.context();
        let builder = OpBuilder::new("arith.cmpi", self.op.location())
            .operands([value, self.number(constant)?])
            .attr("predicate", Attr::i64(context, predicate))
            .results([Ty::integer(context, 1)]);
        Ok(builder.insert_before(self.op)?.result(0))
    }

    fn select(&self, condition: Value, then: Value, other: Value) -> PassResult<Value> {
        self.make("arith.select", &[condition, then, other], self.bits())
    }
}
