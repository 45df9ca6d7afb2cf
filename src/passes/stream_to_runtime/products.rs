// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Products of matrices: linalg's contractions of floats become calls of `comm_rt_matmul`.
//!
//! Whatever op spells it (`linalg.matmul`, with transposed operands or not, `batch_matmul`, `matvec`, a `linalg.generic` of
//! that form), a contraction has loops of four kinds: over rows, which the left operand and the target have, over columns,
//! which the right operand and the target have, over what is summed, and over batches, which all three have. The longest of
//! each of the first three is the matrix; all others, and the batches, become loops around the call, which adds to the target.
//! Strides say which dimension is which, so that no operand is transposed.
//!
//! Contractions of integers and of mixed types stay.

use crate::mlir::{Failed, Op, OpBuilder, PassResult, Ty, Value, indexing_maps, is_contraction};

use super::{
    collectives::helper,
    emit::Emit,
    frame::{Frame, STATUS},
    helpers,
    tensor::{self, Number, Parts, Tensor, moved},
};

/// One loop of a contraction: its dimension in the left operand, the right operand and the target.
type Loop = [Option<usize>; 3];

/// Loops by kind.
#[derive(Default)]
struct Loops {
    rows: Option<Loop>,
    columns: Option<Loop>,
    summed: Option<Loop>,
    around: Vec<Loop>,
}

/// Whether an op is a product that the run-time has.
pub(super) fn is_product(op: Op) -> bool {
    plan(op).is_some()
}

fn plan(op: Op) -> Option<Loops> {
    if !is_contraction(op) || op.num_operands() != 3 || op.num_results() != 0 {
        return None;
    }
    let element = op.operand(2).ty().element();
    let is_multiplied = element.is_bf16() || matches!(element.float_width(), Some(16 | 32 | 64));
    if !is_multiplied || op.operands().any(|value| value.ty().element() != element) {
        return None;
    }
    let maps = indexing_maps(op)?;
    let (count, _) = *maps.first()?;
    let mut loops = Loops::default();
    for index in 0..count {
        let dims: Vec<Option<usize>> = maps
            .iter()
            .map(|(_, dims)| dims.iter().position(|&dim| dim == index))
            .collect();
        let dims: Loop = dims.try_into().ok()?;
        let matrix = match dims {
            [Some(_), None, Some(_)] => &mut loops.rows,
            [None, Some(_), Some(_)] => &mut loops.columns,
            [Some(_), Some(_), None] => &mut loops.summed,
            [Some(_), Some(_), Some(_)] => {
                loops.around.push(dims);
                continue;
            }
            _ => return None,
        };
        match matrix {
            None => *matrix = Some(dims),
            Some(other) if size(op, dims) > size(op, *other) => loops.around.push(matrix.replace(dims)?),
            Some(_) => loops.around.push(dims),
        }
    }
    Some(loops)
}

/// The size of a loop; one that is not known counts as long.
fn size(op: Op, dims: Loop) -> i64 {
    let sizes = dims
        .into_iter()
        .enumerate()
        .filter_map(|(operand, dim)| op.operand(operand).ty().dims()?.get(dim?).copied());
    sizes.map(|size| size.unwrap_or(i64::MAX)).next().unwrap_or(1)
}

/// Lowers a product.
pub(super) fn lower(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let loops = plan(op).ok_or(Failed)?;
    let mut operands = Vec::with_capacity(3);
    for index in 0..3 {
        operands.push(tensor::parts(emit, op, op.operand(index))?);
    }
    // The frame and the rank have to be made outside of the loops.
    frame.memory(emit.lowering, 0)?;
    let rank = if frame.is_launched {
        None
    } else {
        Some(frame.rank(emit.lowering)?)
    };
    let mut addresses: Vec<Value> = operands.iter().map(|parts| parts.address).collect();
    let outer = emit.before;
    for &around in &loops.around {
        let (body, counter) = turn(emit, &operands, around)?;
        emit.before = body;
        for ((address, parts), dim) in addresses.iter_mut().zip(&operands).zip(around) {
            let Some(dim) = dim else { continue };
            let stride = parts.strides[dim].emit(emit)?;
            let distance = emit.binary("arith.muli", counter, stride)?;
            *address = moved(emit, *address, Number::Value(distance), parts.element_bytes)?;
        }
    }
    let matrix = |emit: &Emit, operand: usize, sides: [Option<Loop>; 2]| {
        let parts: &Parts = &operands[operand];
        let side = |side: Option<Loop>| match side.and_then(|dims| dims[operand]) {
            Some(dim) => (parts.sizes[dim], parts.strides[dim]),
            None => (Number::Known(1), Number::Known(1)),
        };
        let [(rows, row_stride), (columns, column_stride)] = sides.map(side);
        Tensor::new(
            emit,
            addresses[operand],
            parts.element,
            vec![rows, columns],
            Some(vec![row_stride, column_stride]),
        )
    };
    let left = matrix(emit, 0, [loops.rows, loops.summed])?;
    let right = matrix(emit, 1, [loops.summed, loops.columns])?;
    let target = matrix(emit, 2, [loops.rows, loops.columns])?;
    let written = tensor::write(emit, frame, &[target, left, right])?;
    match rank {
        Some(rank) => {
            let location = emit.text(&crate::mlir::location_text(op))?;
            let arguments = [rank, written[0], written[1], written[2], location];
            helper(emit, helpers::MATMUL, &arguments)?;
        }
        None => {
            let memory = frame.memory(emit.lowering, 0)?;
            let status = emit.address(memory, STATUS)?;
            helper(
                emit,
                helpers::LAUNCHED_MATMUL,
                &[status, written[0], written[1], written[2]],
            )?;
        }
    }
    emit.before = outer;
    Ok(())
}

/// A loop over a dimension: the op that ends its body, and its counter as 64 bits.
fn turn(emit: &mut Emit, operands: &[Parts], dims: Loop) -> PassResult<(Op, Value)> {
    let mut sizes = operands
        .iter()
        .zip(dims)
        .filter_map(|(parts, dim)| Some(parts.sizes[dim?]));
    let count = sizes.next().unwrap_or(Number::Known(1)).emit(emit)?;
    let index = Ty::index(emit.context());
    let bounds = [emit.index(0)?, emit.index_cast(count, index)?, emit.index(1)?];
    let location = emit.location;
    let end = |block| OpBuilder::new("scf.yield", location).append_to(block).map(drop);
    let turn = emit
        .builder("scf.for")
        .operands(bounds)
        .region(&[index], end)?
        .insert_before(emit.before)?;
    let body = turn.region(0).next().ok_or(Failed)?;
    let end = body.first_op().ok_or(Failed)?;
    emit.before = end;
    let counter = body.arguments().next().ok_or(Failed)?;
    let counter = emit.index_to_i64(counter)?;
    Ok((end, counter))
}

/// Whether an op is worth a span of its own in a trace: it computes on whole buffers.
pub(super) fn is_worth_a_span(op: Op) -> bool {
    (op.name().starts_with("linalg.") && op.num_regions() > 0 && op.attr("operandSegmentSizes").is_some())
        || op.name() == "memref.copy"
}
