// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reading tosa.
//!
//! Zero points and shifts are operands; an op is read where they are zero. Conversions are read between floats alone.
//! ([TOSA](https://www.mlplatform.org/tosa/tosa_spec.html) says what the ops mean.)
//!
//! Deliberately not read: operands that are repeated along dimensions of extent one, but for constants; reductions, which
//! keep the dimension with extent one and so are two ops of the algebra; `tosa.tile`.

use comm_algebra::{Dot, Function, Op as AlgebraOp};

use super::{
    Reading,
    constants::{simplest, splat},
    shapes::{extents, slice, unsigned},
    types::{known, known_type},
};
use crate::mlir::{Attr, Op, Value};

/// Elementwise ops whose operands are all tensors of elements. Sorted.
const ELEMENTWISE: &[&str] = &[
    "tosa.abs",
    "tosa.add",
    "tosa.arithmetic_right_shift",
    "tosa.bitwise_and",
    "tosa.bitwise_not",
    "tosa.bitwise_or",
    "tosa.bitwise_xor",
    "tosa.cast",
    "tosa.ceil",
    "tosa.clamp",
    "tosa.clz",
    "tosa.cos",
    "tosa.equal",
    "tosa.erf",
    "tosa.exp",
    "tosa.floor",
    "tosa.greater",
    "tosa.greater_equal",
    "tosa.intdiv",
    "tosa.log",
    "tosa.logical_and",
    "tosa.logical_left_shift",
    "tosa.logical_not",
    "tosa.logical_or",
    "tosa.logical_right_shift",
    "tosa.logical_xor",
    "tosa.maximum",
    "tosa.minimum",
    "tosa.pow",
    "tosa.reciprocal",
    "tosa.rsqrt",
    "tosa.select",
    "tosa.sigmoid",
    "tosa.sin",
    "tosa.sub",
    "tosa.tanh",
];

/// An elementwise op and its operands.
pub(super) fn elementwise(op: Op) -> Option<(Op, Vec<Value>)> {
    ELEMENTWISE
        .binary_search(&op.name())
        .is_ok()
        .then(|| (op, op.operands().collect()))
}

/// The op as one of the algebra's, named functions left out.
pub(super) fn read(op: Op) -> Option<Reading> {
    if let Some((function, operands)) = function(op) {
        let (function, operands) = simplest(function, operands);
        return Some((AlgebraOp::Map(function), operands));
    }
    let operands: Vec<Value> = op.operands().collect();
    let is_zero = |index: usize| splat(operands[index]) == Some(0.0);
    Some(match (op.name(), &operands[..]) {
        ("tosa.const", []) => {
            let value = splat(op.result(0))?;
            (AlgebraOp::constant(value, known_type(op.result(0))?), Vec::new())
        }
        ("tosa.cast", &[operand]) => {
            let [from, to] = [operand, op.result(0)].map(|value| known(value.ty().element()));
            let to = to?;
            (from?.is_float() && to.is_float()).then_some((AlgebraOp::Convert(to), vec![operand]))?
        }
        ("tosa.reshape", &[operand, _]) => (AlgebraOp::Reshape(extents(op.result(0))?), vec![operand]),
        ("tosa.transpose", &[operand]) => {
            let permutation = op.attr("perms")?.as_i32_array()?.into_iter();
            let permutation: Option<Vec<usize>> = permutation.map(|dim| usize::try_from(dim).ok()).collect();
            (AlgebraOp::Transpose(permutation?), vec![operand])
        }
        ("tosa.concat", [_, ..]) => (AlgebraOp::Concat(axis(op)?), operands),
        ("tosa.slice", &[operand, start, size]) => {
            let starts = constant_shape(start)?;
            let ends: Vec<usize> = starts
                .iter()
                .zip(constant_shape(size)?)
                .map(|(start, size)| start + size)
                .collect();
            (slice(&extents(operand)?, &starts, &ends)?, vec![operand])
        }
        ("tosa.matmul", &[left, right, _, _]) if is_zero(2) && is_zero(3) => {
            let dot = Dot {
                batch: vec![(0, 0)],
                contract: vec![(2, 1)],
                element: known(op.result(0).ty().element())?,
            };
            (AlgebraOp::Dot(dot), vec![left, right])
        }
        _ => return None,
    })
}

/// The function that an op computes of each element, and of what.
fn function(op: Op) -> Option<(Function, Vec<Value>)> {
    let mut operands: Vec<Value> = op.operands().collect();
    let propagates_nan = || {
        op.attr("nan_mode")
            .is_none_or(|mode| mode.to_text().contains("PROPAGATE"))
    };
    let (function, tensors) = match op.name() {
        "tosa.abs" => (Function::Abs, 1),
        "tosa.add" => (Function::Add, 2),
        "tosa.bitwise_and" | "tosa.logical_and" => (Function::And, 2),
        "tosa.bitwise_or" | "tosa.logical_or" => (Function::Or, 2),
        "tosa.bitwise_xor" | "tosa.logical_xor" => (Function::Xor, 2),
        "tosa.exp" => (Function::Exp, 1),
        "tosa.floor" => (Function::Floor, 1),
        "tosa.intdiv" => (Function::Divide, 2),
        "tosa.log" => (Function::Log, 1),
        "tosa.maximum" if propagates_nan() => (Function::Maximum, 2),
        "tosa.minimum" if propagates_nan() => (Function::Minimum, 2),
        "tosa.mul" => (Function::Multiply, 2),
        "tosa.negate" => (Function::Negate, 1),
        "tosa.select" => (Function::Select, 3),
        "tosa.sigmoid" => (Function::Logistic, 1),
        "tosa.sub" => (Function::Subtract, 2),
        "tosa.tanh" => (Function::Tanh, 1),
        _ => return None,
    };
    // The rest are zero points or a shift.
    let rest = operands.split_off(tensors.min(operands.len()));
    rest.into_iter()
        .all(|value| splat(value) == Some(0.0))
        .then_some((function, operands))
}

fn axis(op: Op) -> Option<usize> {
    usize::try_from(op.attr("axis")?.as_i64()?).ok()
}

/// The integers of a `tosa.const_shape`.
fn constant_shape(value: Value) -> Option<Vec<usize>> {
    let op = value.defining_op().filter(|op| op.name() == "tosa.const_shape")?;
    unsigned(&op.attr("values").and_then(Attr::as_dense_integers)?)
}
