// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reading arith, math and tensor; linalg is read by [`super::linalg`].
//!
//! Ops of arith and math are functions of elements, applied to tensors as they are or in the body of a linalg op. With
//! fast-math flags an op may compute what the algebra does not say, so it is a named function. Flags that make more inputs
//! undefined (`nsw`, `exact`) are dropped: the op without them computes what it computed.
//!
//! Deliberately not read: `tensor.extract_slice` with strides, of several dimensions, or that drops dimensions.

use comm_algebra::{Element, Function, Op as AlgebraOp};

use super::{
    Reading,
    constants::{simplest, splat},
    linalg,
    shapes::{extents, slice, unsigned},
    types::{is_exact_convert, known, known_type},
};
use crate::mlir::{Op, Value};

/// An op of arith or math that computes each element of the result, and the tensors that it computes it from.
pub(super) fn elementwise(op: Op) -> Option<(Op, Vec<Value>)> {
    if is_elementwise(op) {
        Some((op, op.operands().collect()))
    } else {
        linalg::elementwise(op)
    }
}

/// Whether an op is of a dialect of which all ops without regions and with operands work element by element.
pub(super) fn is_elementwise(op: Op) -> bool {
    let name = op.name();
    (name.starts_with("arith.") || name.starts_with("math."))
        && op.num_regions() == 0
        && op.num_operands() > 0
}

/// The op as one of the algebra's, named functions left out.
pub(super) fn read(op: Op) -> Option<Reading> {
    if let Some((inner, operands)) = elementwise(op) {
        return function(inner, operands);
    }
    let operands: Vec<Value> = op.operands().collect();
    let read = match op.name() {
        "arith.constant" => {
            let value = splat(op.result(0))?;
            return Some((AlgebraOp::constant(value, known_type(op.result(0))?), Vec::new()));
        }
        "tensor.splat" => return linalg::filled(op),
        "tensor.expand_shape" | "tensor.collapse_shape" => AlgebraOp::Reshape(extents(op.result(0))?),
        "tensor.extract_slice" => extract(op)?,
        "tensor.concat" => AlgebraOp::Concat(usize::try_from(op.attr("dim")?.as_i64()?).ok()?),
        _ => return linalg::read(op),
    };
    Some((read, operands))
}

fn extract(op: Op) -> Option<AlgebraOp> {
    let list = |name: &str| unsigned(&op.attr(name)?.as_i64_array()?);
    let (starts, sizes, strides) = (
        list("static_offsets")?,
        list("static_sizes")?,
        list("static_strides")?,
    );
    if op.num_operands() != 1 || strides.iter().any(|&stride| stride != 1) {
        return None;
    }
    let ends: Vec<usize> = starts
        .iter()
        .zip(&sizes)
        .map(|(start, size)| start + size)
        .collect();
    slice(&extents(op.operand(0))?, &starts, &ends)
}

/// A function of elements by the op that computes it, applied to some tensors. Operands may be scalar constants from
/// outside of a body, where the function holds them.
fn function(inner: Op, operands: Vec<Value>) -> Option<Reading> {
    if !is_strict(inner) {
        return None;
    }
    if let Some(element) = convert(inner) {
        return Some((AlgebraOp::Convert(element), operands));
    }
    let (function, operands) = simplest(function_of(inner)?, operands);
    Some((AlgebraOp::Map(function), operands))
}

/// Whether an op computes by the standard, without fast-math flags.
pub(super) fn is_strict(op: Op) -> bool {
    op.attr("fastmath")
        .is_none_or(|flags| flags.to_text().contains("<none>"))
}

/// The element type that an op converts to, where it converts as the algebra does.
fn convert(op: Op) -> Option<Element> {
    let [from, to] = [op.operand(0), op.result(0)].map(|value| known(value.ty().element()));
    let (from, to) = (from?, to?);
    let converts = match op.name() {
        "arith.extf" => true,
        // Rounds to nearest unless it says otherwise.
        "arith.truncf" => op.attr("roundingmode").is_none(),
        // The sign of a single bit would be extended.
        "arith.extsi" | "arith.sitofp" => from != Element::Bool,
        "arith.extui" | "arith.uitofp" => from == Element::Bool,
        // Cut to a single bit, an even number would be false.
        "arith.trunci" => to != Element::Bool,
        _ => false,
    };
    (converts && is_exact_convert(from, to)).then_some(to)
}

/// The function that an op computes of each element; integers of one bit only know the bitwise ones.
pub(super) fn function_of(op: Op) -> Option<Function> {
    let is_bool = op.result(0).ty().element().integer_width() == Some(1);
    Some(match op.name() {
        "arith.andi" => Function::And,
        "arith.ori" => Function::Or,
        "arith.xori" => Function::Xor,
        "arith.select" => Function::Select,
        _ if is_bool => return None,
        "arith.addf" | "arith.addi" => Function::Add,
        "arith.subf" | "arith.subi" => Function::Subtract,
        "arith.mulf" | "arith.muli" => Function::Multiply,
        "arith.divf" | "arith.divsi" => Function::Divide,
        "arith.maximumf" | "arith.maxsi" => Function::Maximum,
        "arith.minimumf" | "arith.minsi" => Function::Minimum,
        "arith.negf" => Function::Negate,
        "math.absf" | "math.absi" => Function::Abs,
        "math.exp" => Function::Exp,
        "math.floor" => Function::Floor,
        "math.log" => Function::Log,
        "math.sqrt" => Function::Sqrt,
        "math.tanh" => Function::Tanh,
        _ => return None,
    })
}
