// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Elementwise ops, on one element.
//!
//! The old op says what is to be computed: its name, its attributes and the signs of its element types. The scalars that
//! it is computed of are new, and so is the result. Ops that are one upstream op for each kind of number are a table; the
//! rest has a function.
//!
//! Floats of 16 bits are computed in f32 and rounded once, also in comparisons, which that does not change.

use super::{
    attributes::{integer, required, word},
    convert,
    emit::{At, Floats, Integers},
    integers,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

/// Ops that are one upstream op, by what they are of: floats, signed and unsigned integers, truth values. An empty name is
/// one that StableHLO does not define, `=` the operand itself.
const TABLE: &[(&str, usize, [&str; 4])] = &[
    ("abs", 1, ["math.absf", "math.absi", "=", ""]),
    ("add", 2, ["arith.addf", "arith.addi", "arith.addi", "arith.ori"]),
    ("and", 2, ["", "arith.andi", "arith.andi", "arith.andi"]),
    ("atan2", 2, ["math.atan2", "", "", ""]),
    ("cbrt", 1, ["math.cbrt", "", "", ""]),
    ("ceil", 1, ["math.ceil", "", "", ""]),
    ("cosine", 1, ["math.cos", "", "", ""]),
    ("count_leading_zeros", 1, ["", "math.ctlz", "math.ctlz", ""]),
    ("exponential", 1, ["math.exp", "", "", ""]),
    ("floor", 1, ["math.floor", "", "", ""]),
    ("log", 1, ["math.log", "", "", ""]),
    (
        "maximum",
        2,
        ["arith.maximumf", "arith.maxsi", "arith.maxui", "arith.ori"],
    ),
    (
        "minimum",
        2,
        ["arith.minimumf", "arith.minsi", "arith.minui", "arith.andi"],
    ),
    (
        "multiply",
        2,
        ["arith.mulf", "arith.muli", "arith.muli", "arith.andi"],
    ),
    ("or", 2, ["", "arith.ori", "arith.ori", "arith.ori"]),
    ("popcnt", 1, ["", "math.ctpop", "math.ctpop", ""]),
    ("round_nearest_afz", 1, ["math.round", "", "", ""]),
    ("round_nearest_even", 1, ["math.roundeven", "", "", ""]),
    ("sine", 1, ["math.sin", "", "", ""]),
    ("sqrt", 1, ["math.sqrt", "", "", ""]),
    ("subtract", 2, ["arith.subf", "arith.subi", "arith.subi", ""]),
    ("tan", 1, ["math.tan", "", "", ""]),
    ("tanh", 1, ["math.tanh", "", "", ""]),
    ("xor", 2, ["", "arith.xori", "arith.xori", "arith.xori"]),
];

/// Elementwise ops that are more than one op, or look at attributes, with their numbers of operands.
const OTHERS: &[(&str, usize)] = &[
    ("bitcast_convert", 1),
    ("clamp", 3),
    ("compare", 2),
    ("convert", 1),
    ("divide", 2),
    ("exponential_minus_one", 1),
    ("is_finite", 1),
    ("log_plus_one", 1),
    ("logistic", 1),
    ("negate", 1),
    ("not", 1),
    ("power", 2),
    ("reduce_precision", 1),
    ("remainder", 2),
    ("rsqrt", 1),
    ("select", 3),
    ("shift_left", 2),
    ("shift_right_arithmetic", 2),
    ("shift_right_logical", 2),
    ("sign", 1),
];

/// How many operands an elementwise op has; nothing for another op. The name is without its dialect.
pub(super) fn arity(name: &str) -> Option<usize> {
    TABLE
        .iter()
        .map(|&(name, arity, _)| (name, arity))
        .chain(OTHERS.iter().copied())
        .find(|entry| entry.0 == name)
        .map(|entry| entry.1)
}

/// Fails unless an elementwise op has the operands and result that its kind has, of types that go together.
pub(super) fn check(op: Op, name: &str) -> PassResult {
    types::check(op)?;
    let arity = arity(name).unwrap_or_default();
    if op.num_operands() != arity || op.num_results() != 1 || op.num_regions() != 0 {
        return Err(diagnostics::op_error(
            op,
            &format!("expects {arity} operand(s), one result and no region"),
        ));
    }
    let elements: Vec<_> = op.operands().map(|operand| operand.ty().element()).collect();
    let result = op.result(0).ty().element();
    let fits = match name {
        "convert" => true,
        "bitcast_convert" => elements[0].element_bits() == result.element_bits(),
        "select" => {
            types::number(op.operand(0)) == Number::Bool && elements[1] == result && elements[2] == result
        }
        "compare" => elements[0] == elements[1] && types::number(op.result(0)) == Number::Bool,
        "is_finite" => types::number(op.result(0)) == Number::Bool,
        _ => elements.iter().all(|element| *element == result),
    };
    if fits {
        return Ok(());
    }
    Err(diagnostics::op_error(
        op,
        if name == "bitcast_convert" {
            "changes the width of elements, which is not supported; expected elements of one width"
        } else {
            "has element types that do not go together"
        },
    ))
}

/// Computes one element. The op has passed [`check`].
pub(super) fn apply(at: At, op: Op, name: &str, args: &[Value]) -> PassResult<Value> {
    // A select is of what it selects.
    let number = types::number(op.operand(usize::from(name == "select")));
    match name {
        "convert" => return convert::convert(at, number, types::number(op.result(0)), args[0]),
        "bitcast_convert" => {
            let ty = types::number(op.result(0)).ty(at.context());
            return if args[0].ty() == ty {
                Ok(args[0])
            } else {
                at.make("arith.bitcast", args, ty)
            };
        }
        "reduce_precision" => return reduce_precision(at, op, number, args[0]),
        "select" => return at.select(args[0], args[1], args[2]),
        _ => {}
    }
    let computed = number.computed();
    let args: Vec<Value> = args
        .iter()
        .map(|&arg| convert::convert(at, number, computed, arg))
        .collect::<PassResult<_>>()?;
    let result = match name {
        "compare" => return compare(at, op, computed, &args),
        "is_finite" if !number.is_float() => return Err(undefined(op)),
        "is_finite" => {
            let infinity = at.float(args[0].ty(), f64::INFINITY)?;
            let size = at.same("math.absf", &args)?;
            return at.compare_floats(Floats::Olt, size, infinity);
        }
        _ => compute(at, op, name, computed, &args)?,
    };
    convert::convert(at, computed, number, result)
}

/// Ops whose result is of the operands' type.
fn compute(at: At, op: Op, name: &str, number: Number, args: &[Value]) -> PassResult<Value> {
    if let Some((_, _, names)) = TABLE.iter().find(|entry| entry.0 == name) {
        let upstream = names[match number {
            Number::Float(_) => 0,
            Number::Signed(_) => 1,
            Number::Unsigned(_) => 2,
            Number::Bool => 3,
        }];
        return match upstream {
            "" => Err(undefined(op)),
            "=" => Ok(args[0]),
            upstream => at.same(upstream, args),
        };
    }
    let ty = args[0].ty();
    match (name, number) {
        ("clamp", Number::Bool) => Err(undefined(op)),
        ("clamp", _) => {
            let (greater, smaller) = match number {
                Number::Float(_) => ("arith.maximumf", "arith.minimumf"),
                Number::Unsigned(_) => ("arith.maxui", "arith.minui"),
                _ => ("arith.maxsi", "arith.minsi"),
            };
            let raised = at.same(greater, &[args[1], args[0]])?;
            at.same(smaller, &[raised, args[2]])
        }
        ("not", Number::Bool | Number::Signed(_) | Number::Unsigned(_)) => {
            let ones = at.integer(ty, -1)?;
            at.same("arith.xori", &[args[0], ones])
        }
        ("negate", Number::Float(_)) => at.same("arith.negf", args),
        ("negate", Number::Signed(_) | Number::Unsigned(_)) => {
            let zero = at.integer(ty, 0)?;
            at.same("arith.subi", &[zero, args[0]])
        }
        ("sign", Number::Float(_)) => {
            let (zero, one) = (at.float(ty, 0.0)?, at.float(ty, 1.0)?);
            let unit = at.same("math.copysign", &[one, args[0]])?;
            let stays = at.compare_floats(Floats::Ueq, args[0], zero)?;
            at.select(stays, args[0], unit)
        }
        ("divide", Number::Float(_)) => at.same("arith.divf", args),
        ("remainder", Number::Float(_)) => at.same("arith.remf", args),
        ("power", Number::Float(_)) => at.same("math.powf", args),
        ("rsqrt", Number::Float(_)) => {
            let one = at.float(ty, 1.0)?;
            let root = at.same("math.sqrt", args)?;
            at.same("arith.divf", &[one, root])
        }
        ("logistic", Number::Float(_)) => {
            let one = at.float(ty, 1.0)?;
            let negated = at.same("arith.negf", args)?;
            let exponential = at.same("math.exp", &[negated])?;
            let sum = at.same("arith.addf", &[one, exponential])?;
            at.same("arith.divf", &[one, sum])
        }
        ("exponential_minus_one", Number::Float(_)) => exponential_minus_one(at, args[0]),
        ("log_plus_one", Number::Float(_)) => log_plus_one(at, args[0]),
        (_, Number::Signed(width)) => integers::compute(at, op, name, true, width, args),
        (_, Number::Unsigned(width)) => integers::compute(at, op, name, false, width, args),
        _ => Err(undefined(op)),
    }
}

/// exp(x) - 1, near zero as tanh(x / 2) * (exp(x) + 1), which does not cancel. MLIR's own expansion of `math.expm1` does.
fn exponential_minus_one(at: At, x: Value) -> PassResult<Value> {
    let ty = x.ty();
    let (half, one) = (at.float(ty, 0.5)?, at.float(ty, 1.0)?);
    let exponential = at.same("math.exp", &[x])?;
    let plain = at.same("arith.subf", &[exponential, one])?;
    let half_way = at.same("arith.mulf", &[x, half])?;
    let tangent = at.same("math.tanh", &[half_way])?;
    let sum = at.same("arith.addf", &[exponential, one])?;
    let product = at.same("arith.mulf", &[tangent, sum])?;
    let size = at.same("math.absf", &[x])?;
    let near = at.compare_floats(Floats::Olt, size, half)?;
    at.select(near, product, plain)
}

/// log(u) * x / (u - 1) for u = 1 + x as it is rounded, which makes good for the rounding; x itself where u is 1 or infinite
/// (Goldberg, "What every computer scientist should know about floating-point arithmetic", 1991, theorem 4). MLIR's own
/// expansion of `math.log1p` is log(1 + x).
fn log_plus_one(at: At, x: Value) -> PassResult<Value> {
    let ty = x.ty();
    let (one, infinity) = (at.float(ty, 1.0)?, at.float(ty, f64::INFINITY)?);
    let sum = at.same("arith.addf", &[one, x])?;
    let log = at.same("math.log", &[sum])?;
    let rounded = at.same("arith.subf", &[sum, one])?;
    let ratio = at.same("arith.divf", &[x, rounded])?;
    let product = at.same("arith.mulf", &[log, ratio])?;
    let is_one = at.compare_floats(Floats::Oeq, sum, one)?;
    let is_infinite = at.compare_floats(Floats::Oeq, x, infinity)?;
    let stays = at.same("arith.ori", &[is_one, is_infinite])?;
    at.select(stays, x, product)
}

/// StableHLO does not define the op for these elements.
pub(super) fn undefined(op: Op) -> crate::mlir::Failed {
    let element = op.operand(0).ty().element().to_text();
    diagnostics::op_error(op, &format!("is not defined for elements of type {element}"))
}

fn compare(at: At, op: Op, number: Number, args: &[Value]) -> PassResult<Value> {
    let direction = word(required(op, "comparison_direction")?);
    let kind = op.attr("compare_type").map(word);
    let place = ["EQ", "NE", "LT", "LE", "GT", "GE"]
        .iter()
        .position(|name| *name == direction)
        .ok_or_else(|| {
            diagnostics::op_error(
                op,
                &format!("compares by '{direction}'; expected EQ, NE, LT, LE, GT or GE"),
            )
        })?;
    let signed = [
        Integers::Eq,
        Integers::Ne,
        Integers::Slt,
        Integers::Sle,
        Integers::Sgt,
        Integers::Sge,
    ][place];
    if let Number::Float(format) = number {
        if kind.as_deref() == Some("TOTALORDER") {
            // The bits of a negative number grow as the number gets smaller; with all but the sign turned they are in
            // the order of integers, -NaN first and NaN last.
            let keys = args.iter().map(|&arg| {
                let ty = Number::Signed(format.width()).ty(at.context());
                let bits = at.make("arith.bitcast", &[arg], ty)?;
                let sign = at.integer(ty, i64::from(format.width()) - 1)?;
                let one = at.integer(ty, 1)?;
                let ones = at.same("arith.shrsi", &[bits, sign])?;
                let mask = at.same("arith.shrui", &[ones, one])?;
                at.same("arith.xori", &[bits, mask])
            });
            let keys: Vec<Value> = keys.collect::<PassResult<_>>()?;
            return at.compare(signed, keys[0], keys[1]);
        }
        let predicate = [
            Floats::Oeq,
            Floats::Une,
            Floats::Olt,
            Floats::Ole,
            Floats::Ogt,
            Floats::Oge,
        ][place];
        return at.compare_floats(predicate, args[0], args[1]);
    }
    let predicate = match number {
        Number::Signed(_) => signed,
        _ => [
            Integers::Eq,
            Integers::Ne,
            Integers::Ult,
            Integers::Ule,
            Integers::Ugt,
            Integers::Uge,
        ][place],
    };
    at.compare(predicate, args[0], args[1])
}

fn reduce_precision(at: At, op: Op, number: Number, arg: Value) -> PassResult<Value> {
    let Number::Float(format) = number else {
        return Err(undefined(op));
    };
    let bits = |name: &str, least: i64| {
        let bits = integer(op, name)?;
        if (least..=64).contains(&bits) {
            return Ok(bits as u32);
        }
        Err(diagnostics::op_error(
            op,
            &format!("has {bits} as '{name}'; expected {least} to 64"),
        ))
    };
    let target = types::Format {
        exponent: bits("exponent_bits", 1)?,
        mantissa: bits("mantissa_bits", 0)?,
    };
    convert::reduce_precision(at, format, target, arg)
}

#[cfg(test)]
mod tests {
    use super::{OTHERS, TABLE, arity};

    #[test]
    fn no_op_is_listed_twice() {
        let mut names: Vec<&str> = TABLE
            .iter()
            .map(|entry| entry.0)
            .chain(OTHERS.iter().map(|entry| entry.0))
            .collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(arity("clamp"), Some(3));
        assert_eq!(arity("gather"), None);
    }
}
