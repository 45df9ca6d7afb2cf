// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reading linalg by indexing maps and bodies, which named ops have as generic ones do.
//!
//! An op of one result is read where its inputs and its result are indexed by loops alone. Of the destination nothing is read
//! but that it is neutral where the body combines with it.
//!
//! Deliberately not read: bodies of several ops, operands that are repeated along a loop, reductions over several loops.

use comm_algebra::{Element, Op as AlgebraOp};

use super::{
    Reading, body,
    constants::{is_neutral, splat},
    shapes::{dot, extents, unsigned},
    types::{known, known_type},
    upstream::{function_of, is_elementwise, is_strict},
};
use crate::mlir::{Op, Value, indexing_maps, is_contraction};

/// The op in the body of a linalg op that applies it element by element, and the inputs as that op takes them.
pub(super) fn elementwise(op: Op) -> Option<(Op, Vec<Value>)> {
    if !op.name().starts_with("linalg.") {
        return None;
    }
    let inner = body::single(op).filter(|&inner| is_elementwise(inner))?;
    let block = inner.parent_block()?;
    let outputs = op.num_operands().checked_sub(1)?;
    let maps = indexing_maps(op)?;
    let is_identity = |(loops, dims): &(usize, Vec<usize>)| dims.iter().copied().eq(0..*loops);
    // The result is indexed by all loops, each element is computed once, and the destination is not read: then no loop
    // reduces anything.
    if maps.len() != op.num_operands() || !is_identity(&maps[outputs]) {
        return None;
    }
    let input = |value: Value| match value.argument_of() {
        Some(owner) if owner == block => {
            let index = value.index();
            (index < outputs && is_identity(&maps[index])).then(|| op.operand(index))
        }
        // A value from outside; only constants come through the checks that follow.
        _ => Some(value),
    };
    let operands: Option<Vec<Value>> = inner.operands().map(input).collect();
    Some((inner, operands?))
}

/// All other ops.
pub(super) fn read(op: Op) -> Option<Reading> {
    let name = op.name();
    let first = op.operands().next()?;
    let dims = |name: &str| unsigned(&op.attr(name)?.as_i64_array()?);
    let shape = || extents(op.result(0));
    let read = match name {
        "linalg.fill" => return filled(op),
        "linalg.transpose" => AlgebraOp::Transpose(dims("permutation")?),
        "linalg.broadcast" => {
            let (shape, added) = (shape()?, dims("dimensions")?);
            let dims = (0..shape.len()).filter(|dim| !added.contains(dim)).collect();
            AlgebraOp::BroadcastInDim { shape, dims }
        }
        "linalg.reduce" => reduce(op, &dims("dimensions")?)?,
        _ if is_contraction(op) => return contraction(op),
        _ => return None,
    };
    Some((read, vec![first]))
}

/// A tensor made of one scalar constant.
pub(super) fn filled(op: Op) -> Option<Reading> {
    let value = splat(op.result(0))?;
    Some((AlgebraOp::constant(value, known_type(op.result(0))?), Vec::new()))
}

fn reduce(op: Op, dims: &[usize]) -> Option<AlgebraOp> {
    let (&[dim], 2) = (dims, op.num_operands()) else {
        return None;
    };
    let inner = body::combining(op).filter(|&inner| is_strict(inner))?;
    let kind = body::kind_of(function_of(inner)?)?;
    is_neutral(kind, op.operand(1)).then_some(AlgebraOp::Reduce { kind, dim })
}

fn contraction(op: Op) -> Option<Reading> {
    let element = known(op.result(0).ty().element())?;
    let mut inner = op.blocks().flat_map(|block| block.ops());
    let multiplies_and_adds = inner.all(|op| {
        matches!(
            op.name(),
            "arith.addf"
                | "arith.addi"
                | "arith.extf"
                | "arith.extsi"
                | "arith.mulf"
                | "arith.muli"
                | "linalg.yield"
        ) && is_strict(op)
    });
    let maps = indexing_maps(op)?;
    let [(_, left), (_, right), (_, result)] = &maps[..] else {
        return None;
    };
    let starts_from_zero = splat(op.operand(2)) == Some(0.0);
    // Single bits would be multiplied as numbers.
    if !multiplies_and_adds || !starts_from_zero || element == Element::Bool {
        return None;
    }
    let dot = dot([left, right, result], element)?;
    Some((AlgebraOp::Dot(dot), vec![op.operand(0), op.operand(1)]))
}
