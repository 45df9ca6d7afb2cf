// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Slices at places that are computed, moved to where they fit.

use super::{
    Translator,
    attributes::integers_of_length,
    emit::{At, Offset, Slice},
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

/// Translates `stablehlo.dynamic_slice`.
pub(super) fn dynamic_slice(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let rank = types::shape(op.operand(0)).len();
    let sizes = integers_of_length(op, "slice_sizes", rank)?;
    let slice = clamped(translator, op, at, sizes, 1)?;
    Ok(vec![at.extract_slice(translator.operand(op, 0)?, &slice)?])
}

/// Translates `stablehlo.dynamic_update_slice`.
pub(super) fn dynamic_update_slice(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    if types::number(op.operand(0)) != types::number(op.operand(1)) {
        return Err(diagnostics::op_error(
            op,
            "expects an update with its operand's element type",
        ));
    }
    let sizes = types::shape(op.operand(1));
    let nothing = sizes.contains(&0);
    let slice = clamped(translator, op, at, sizes, 2)?;
    if nothing {
        return Ok(vec![translator.operand(op, 0)?]);
    }
    let (operand, update) = (translator.operand(op, 0)?, translator.operand(op, 1)?);
    Ok(vec![at.insert_slice(update, operand, &slice)?])
}

/// A slice of these sizes of operand 0. Its place is in the operands from `first` on; it is clamped so that the slice is in
/// bounds.
fn clamped(translator: &Translator, op: Op, at: At, sizes: Vec<i64>, first: usize) -> PassResult<Slice> {
    let shape = types::shape(op.operand(0));
    let rank = shape.len();
    let fits = op.num_operands() == first + rank
        && sizes.len() == rank
        && sizes
            .iter()
            .zip(&shape)
            .all(|(&size, &whole)| 0 <= size && size <= whole);
    if !fits {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "cannot slice {sizes:?} of shape {shape:?}; expected as many start indices as dimensions, and a slice \
                      that fits"
            ),
        ));
    }
    let mut offsets = Vec::with_capacity(rank);
    for dim in 0..rank {
        let start = op.operand(first + dim);
        let room = shape[dim] - sizes[dim];
        if !types::shape(start).is_empty() {
            return Err(diagnostics::op_error(op, "expects start indices of rank 0"));
        }
        let number = index_number(op, start)?;
        if room == 0 {
            offsets.push(Offset::Constant(0));
            continue;
        }
        let start = at.scalar(translator.value(op, start)?)?;
        offsets.push(Offset::Value(clamp(at, start, number, room)?));
    }
    Ok(Slice {
        offsets,
        strides: vec![1; rank],
        sizes,
    })
}

/// What an index is, which must be an integer.
pub(super) fn index_number(op: Op, index: Value) -> PassResult<Number> {
    match types::number(index) {
        number @ (Number::Signed(_) | Number::Unsigned(_)) => Ok(number),
        _ => Err(diagnostics::op_error(op, "expects integers as indices")),
    }
}

/// An integer as an index from 0 to `most`.
pub(super) fn clamp(at: At, value: Value, number: Number, most: i64) -> PassResult<Value> {
    let index = at.to_index(value, number)?;
    let most = at.index(most)?;
    match number {
        Number::Signed(_) => {
            let zero = at.index(0)?;
            let index = at.same("arith.maxsi", &[index, zero])?;
            at.same("arith.minsi", &[index, most])
        }
        _ => at.same("arith.minui", &[index, most]),
    }
}
