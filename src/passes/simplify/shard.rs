// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The part of a value that belongs to a device: how the algebra's `shard` is spelt.
//!
//! `tensor.extract_slice` at an offset of `comm.rank` times the size of the part, whatever dialect the ops around it are of:
//! `comm.rank` yields an index, which StableHLO cannot slice by.

use comm_algebra::{Op as AlgebraOp, Type};

use super::{devices::Devices, vocabulary::Vocabulary};
use crate::mlir::{Attr, Op, OpBuilder, PassResult, Ty, Value};

/// The op as a `shard`; nothing where it is none. Fails, after an error at its `comm.rank`, where a mesh is missing.
pub(super) fn read(
    op: Op,
    vocabulary: &mut Vocabulary,
    devices: &mut Devices,
) -> PassResult<Option<AlgebraOp>> {
    let Some((dim, rank)) = sliced_by_rank(op, vocabulary) else {
        return Ok(None);
    };
    let Some(group) = devices.read(rank)? else {
        return Ok(None);
    };
    let types = [op.operand(0), op.result(0)].map(|value| vocabulary.type_of(value.ty()));
    let [Some(from), Some(to)] = types else {
        return Ok(None);
    };
    let is_part = to
        .shape
        .get(dim)
        .is_some_and(|part| part * devices.groups.size(group) == from.shape[dim]);
    Ok(is_part.then_some(AlgebraOp::Shard { dim, group }))
}

/// The dimension that is sliced by the position of the device, with the op that says the position.
fn sliced_by_rank(op: Op, vocabulary: &mut Vocabulary) -> Option<(usize, Op)> {
    if op.name() != "tensor.extract_slice" || op.num_operands() != 2 {
        return None;
    }
    let list = |name: &str| op.attr(name).and_then(Attr::as_i64_array);
    let (offsets, sizes) = (list("static_offsets")?, list("static_sizes")?);
    let ty = vocabulary.type_of(op.result(0).ty())?;
    let is_whole = sizes.len() == ty.rank()
        && sizes
            .iter()
            .zip(&ty.shape)
            .all(|(&size, &extent)| usize::try_from(size) == Ok(extent))
        && list("static_strides")?.iter().all(|&stride| stride == 1);
    let moved: Vec<usize> = (0..offsets.len()).filter(|&dim| offsets[dim] != 0).collect();
    let &[dim] = moved.as_slice() else { return None };
    let part = *ty.shape.get(dim)?;
    let offset = op.operand(1).defining_op()?;
    let rank = match offset.name() {
        "comm.rank" if part == 1 => Some(offset),
        "arith.muli" => {
            let factors = [offset.operand(0), offset.operand(1)].map(Value::defining_op);
            let rank = factors.iter().flatten().find(|op| op.name() == "comm.rank");
            let constant = factors
                .iter()
                .flatten()
                .find(|op| op.name() == "arith.constant")?;
            let is_part = constant.attr("value").and_then(Attr::as_i64) == i64::try_from(part).ok();
            rank.copied().filter(|_| is_part)
        }
        _ => None,
    };
    // Only the one offset is dynamic.
    let is_dynamic = offsets[dim] == i64::MIN;
    rank.filter(|_| is_whole && is_dynamic).map(|rank| (dim, rank))
}

/// What a `shard` is made of.
pub(super) struct Shard<'a> {
    pub(super) dim: usize,
    pub(super) ty: &'a Type,
    /// The attribute that spells the group.
    pub(super) groups: Attr,
}

/// Makes the ops of a `shard` of a value directly before `anchor`. Fails after an error.
pub(super) fn write(
    shard: &Shard<'_>,
    operand: Value,
    vocabulary: &Vocabulary,
    anchor: Op,
) -> PassResult<Value> {
    let context = anchor.context();
    let index = Ty::index(context);
    let op = |name: &str| OpBuilder::new(name, anchor.location());
    let rank = op("comm.rank")
        .attr("groups", shard.groups)
        .results([index])
        .insert_before(anchor)?
        .result(0);
    let part = shard.ty.shape[shard.dim];
    let offset = if part == 1 {
        rank
    } else {
        let size = op("arith.constant")
            .attr("value", Attr::index(context, part as i64))
            .results([index])
            .insert_before(anchor)?;
        op("arith.muli")
            .operands([rank, size.result(0)])
            .results([index])
            .insert_before(anchor)?
            .result(0)
    };
    let sizes: Vec<i64> = shard.ty.shape.iter().map(|&extent| extent as i64).collect();
    let mut offsets = vec![0; sizes.len()];
    // Stands for an offset that is an operand.
    offsets[shard.dim] = i64::MIN;
    let slice = op("tensor.extract_slice")
        .operands([operand, offset])
        .results([vocabulary.ty(shard.ty, context)])
        .attr("operandSegmentSizes", Attr::i32_array(context, &[1, 1, 0, 0]))
        .attr("static_offsets", Attr::i64_array(context, &offsets))
        .attr("static_sizes", Attr::i64_array(context, &sizes))
        .attr("static_strides", Attr::i64_array(context, &vec![1; sizes.len()]))
        .insert_before(anchor)?;
    Ok(slice.result(0))
}
