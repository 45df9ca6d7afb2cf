// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reading StableHLO.
//!
//! The dialect is not loaded: attributes of its own are opaque, and their text is what there is to read
//! ([StableHLO](https://openxla.org/stablehlo/spec) says what they mean). Integers without a sign in their type are signed.
//! On `i1` StableHLO's add and maximum are or, its multiply and minimum are and.
//!
//! Deliberately not read: `broadcast_in_dim` that repeats a dimension of extent one or permutes, slices and reductions
//! of several dimensions (each is more than one op of the algebra), products of other than default precision.

use comm_algebra::{Dot, Function, Op as AlgebraOp};

use super::{
    Reading, body,
    constants::{is_neutral, simplest, splat},
    shapes::{extents, slice, unsigned},
    types::{is_exact_convert, known, known_type},
};
use crate::mlir::{Attr, Op, Value};

/// Elementwise ops. Their operands may all have the result's shape. Sorted.
const ELEMENTWISE: &[&str] = &[
    "chlo.acos",
    "chlo.acosh",
    "chlo.asin",
    "chlo.asinh",
    "chlo.atan",
    "chlo.atanh",
    "chlo.conj",
    "chlo.cosh",
    "chlo.digamma",
    "chlo.erf",
    "chlo.erf_inv",
    "chlo.erfc",
    "chlo.is_inf",
    "chlo.is_neg_inf",
    "chlo.is_pos_inf",
    "chlo.lgamma",
    "chlo.next_after",
    "chlo.polygamma",
    "chlo.sinh",
    "chlo.square",
    "chlo.zeta",
    "stablehlo.abs",
    "stablehlo.add",
    "stablehlo.and",
    "stablehlo.atan2",
    "stablehlo.cbrt",
    "stablehlo.ceil",
    "stablehlo.clamp",
    "stablehlo.compare",
    "stablehlo.complex",
    "stablehlo.convert",
    "stablehlo.cosine",
    "stablehlo.count_leading_zeros",
    "stablehlo.divide",
    "stablehlo.exponential",
    "stablehlo.exponential_minus_one",
    "stablehlo.floor",
    "stablehlo.imag",
    "stablehlo.is_finite",
    "stablehlo.log",
    "stablehlo.log_plus_one",
    "stablehlo.logistic",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.negate",
    "stablehlo.not",
    "stablehlo.or",
    "stablehlo.popcnt",
    "stablehlo.power",
    "stablehlo.real",
    "stablehlo.reduce_precision",
    "stablehlo.remainder",
    "stablehlo.round_nearest_afz",
    "stablehlo.round_nearest_even",
    "stablehlo.rsqrt",
    "stablehlo.select",
    "stablehlo.shift_left",
    "stablehlo.shift_right_arithmetic",
    "stablehlo.shift_right_logical",
    "stablehlo.sign",
    "stablehlo.sine",
    "stablehlo.sqrt",
    "stablehlo.subtract",
    "stablehlo.tan",
    "stablehlo.tanh",
    "stablehlo.xor",
];

/// An elementwise op and its operands.
pub(super) fn elementwise(op: Op) -> Option<(Op, Vec<Value>)> {
    (op.num_regions() == 0 && ELEMENTWISE.binary_search(&op.name()).is_ok())
        .then(|| (op, op.operands().collect()))
}

/// The op as one of the algebra's, named functions left out.
pub(super) fn read(op: Op) -> Option<Reading> {
    let name = op.name().strip_prefix("stablehlo.")?;
    let operands: Vec<Value> = op.operands().collect();
    if let Some(function) = function(op) {
        if has_other_accuracy(op) {
            return None;
        }
        let (function, operands) = simplest(function, operands);
        return Some((AlgebraOp::Map(function), operands));
    }
    if name == "constant" {
        return Some((constant(op)?, operands));
    }
    let &first = operands.first()?;
    let read = structural(op, name, first)?;
    // What a reduction starts from is neutral, and not an operand in the algebra.
    let operands = match read {
        AlgebraOp::Reduce { .. } => vec![first],
        _ => operands,
    };
    Some((read, operands))
}

fn constant(op: Op) -> Option<AlgebraOp> {
    let value = splat(op.result(0))?;
    Some(AlgebraOp::constant(value, known_type(op.result(0))?))
}

/// The function that an op computes of each element.
fn function(op: Op) -> Option<Function> {
    let is_bool = op.result(0).ty().element().integer_width() == Some(1);
    Some(match op.name().strip_prefix("stablehlo.")? {
        "abs" => Function::Abs,
        "add" if is_bool => Function::Or,
        "add" => Function::Add,
        "and" => Function::And,
        "divide" => Function::Divide,
        "exponential" => Function::Exp,
        "floor" => Function::Floor,
        "log" => Function::Log,
        "logistic" => Function::Logistic,
        "maximum" if is_bool => Function::Or,
        "maximum" => Function::Maximum,
        "minimum" if is_bool => Function::And,
        "minimum" => Function::Minimum,
        "multiply" if is_bool => Function::And,
        "multiply" => Function::Multiply,
        "negate" => Function::Negate,
        "or" => Function::Or,
        "select" => Function::Select,
        "sqrt" => Function::Sqrt,
        "subtract" => Function::Subtract,
        "tanh" => Function::Tanh,
        "xor" => Function::Xor,
        _ => return None,
    })
}

/// Whether an op asks for an accuracy of its own.
fn has_other_accuracy(op: Op) -> bool {
    op.attr("result_accuracy")
        .is_some_and(|accuracy| !accuracy.to_text().contains("DEFAULT"))
}

fn dims(op: Op, name: &str) -> Option<Vec<usize>> {
    unsigned(&op.attr(name)?.as_i64_array()?)
}

/// Ops that are no functions of each element.
fn structural(op: Op, name: &str, first: Value) -> Option<AlgebraOp> {
    Some(match name {
        "convert" => {
            let [from, to] = [first, op.result(0)].map(|value| known(value.ty().element()));
            let to = to?;
            is_exact_convert(from?, to).then_some(AlgebraOp::Convert(to))?
        }
        "transpose" => AlgebraOp::Transpose(dims(op, "permutation")?),
        "reshape" => AlgebraOp::Reshape(extents(op.result(0))?),
        "broadcast_in_dim" => AlgebraOp::BroadcastInDim {
            shape: extents(op.result(0))?,
            dims: dims(op, "broadcast_dimensions")?,
        },
        "concatenate" => AlgebraOp::Concat(usize::try_from(op.attr("dimension")?.as_i64()?).ok()?),
        "slice" => {
            if dims(op, "strides")?.iter().any(|&stride| stride != 1) {
                return None;
            }
            slice(
                &extents(first)?,
                &dims(op, "start_indices")?,
                &dims(op, "limit_indices")?,
            )?
        }
        "dot_general" | "dot" => AlgebraOp::Dot(dot(op, name)?),
        "reduce" => reduce(op)?,
        _ => return None,
    })
}

fn dot(op: Op, name: &str) -> Option<Dot> {
    let element = known(op.result(0).ty().element())?;
    let precision = op
        .attr("precision_config")
        .and_then(Attr::as_array)
        .unwrap_or_default();
    let is_default = |attr: Attr| attr.to_text().contains("precision DEFAULT");
    if op.attr("algorithm").is_some() || !precision.into_iter().all(is_default) {
        return None;
    }
    if name == "dot" {
        return Some(Dot {
            batch: Vec::new(),
            contract: vec![(extents(op.operand(0))?.len().checked_sub(1)?, 0)],
            element,
        });
    }
    let numbers = op.attr("dot_dimension_numbers")?;
    let text = numbers.to_text();
    let pairs = |kind: &str| -> Option<Vec<(usize, usize)>> {
        let [left, right] = ["lhs", "rhs"].map(|side| listed(&text, &format!("{side}_{kind}_dimensions")));
        let (left, right) = (left?, right?);
        (left.len() == right.len()).then(|| left.into_iter().zip(right).collect())
    };
    Some(Dot {
        batch: pairs("batching")?,
        contract: pairs("contracting")?,
        element,
    })
}

/// The integers in `name = [1, 2]` within a text: none where it does not say, nothing where they are no dimensions.
fn listed(text: &str, name: &str) -> Option<Vec<usize>> {
    let Some((_, rest)) = text.split_once(name) else {
        return Some(Vec::new());
    };
    let list = rest
        .trim_start()
        .strip_prefix('=')?
        .trim_start()
        .strip_prefix('[')?;
    let (list, _) = list.split_once(']')?;
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| item.parse().ok()).collect()
}

fn reduce(op: Op) -> Option<AlgebraOp> {
    let dims = dims(op, "dimensions")?;
    let ([dim], 2) = (&dims[..], op.num_operands()) else {
        return None;
    };
    let inner = body::combining(op)?;
    if inner.result(0).ty().element() != op.operand(0).ty().element() {
        return None;
    }
    let kind = body::kind_of(function(inner)?)?;
    is_neutral(kind, op.operand(1)).then_some(AlgebraOp::Reduce { kind, dim: *dim })
}
