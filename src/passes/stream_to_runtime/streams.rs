// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Streams, events, symmetric memory, barriers, signals and copies.
//!
//! A device's own thread is its stream `current`. What is issued there has ended when the thread goes on: it runs on the
//! run-time's stream of that name, and the thread waits. An event recorded there has happened at once, and is the number 0.

use crate::{
    diagnostics,
    mlir::{Attr, BufferShape, Failed, Op, PassResult, Ty, Value},
};

use super::{
    collectives::{self, helper, timeout},
    emit::Emit,
    frame::{ARGUMENTS, Frame, RESULT, SPARE},
    helpers,
    tensor::{self, Tensor},
};

/// The stream that an op is issued on.
#[derive(Clone, Copy)]
pub(super) enum On {
    /// The device's own thread.
    Current,
    /// The run-time's stream of this handle.
    Handle(Value),
}

/// Which stream an operand is. Fails, after an error at `op`, where that is not known now.
pub(super) fn stream_of(op: Op, stream: Value) -> PassResult<On> {
    match stream.defining_op().map(Op::name) {
        Some("comm_stream.current") => Ok(On::Current),
        // A stream by name has been lowered already: its handle was loaded.
        Some("llvm.load") => Ok(On::Handle(stream)),
        _ => Err(diagnostics::op_error(
            op,
            "is on a stream that is not known when it is lowered; expected the result of 'comm_stream.current' or \
             'comm_stream.stream' itself",
        )),
    }
}

/// The handle of a stream, for calls.
pub(super) fn handle(emit: &mut Emit, frame: &mut Frame, on: On) -> PassResult<Value> {
    match on {
        On::Handle(handle) => Ok(handle),
        On::Current => {
            let name = emit.null()?;
            named(emit, frame, name)
        }
    }
}

/// After a call: what was issued on `current` has to end before the thread goes on.
pub(super) fn finish(emit: &mut Emit, frame: &mut Frame, on: On) -> PassResult {
    if let On::Current = on {
        let rank = frame.rank(emit.lowering)?;
        let stream = handle(emit, frame, on)?;
        let location = emit.location_text()?;
        emit.issue("comm_rt_stream_synchronize", &[rank, stream, location])?;
    }
    Ok(())
}

/// The stream of the name at an address.
fn named(emit: &mut Emit, frame: &mut Frame, name: Value) -> PassResult<Value> {
    given(emit, frame, "comm_rt_stream", |_, rank, place| {
        Ok(vec![rank, name, place])
    })
}

/// A call that writes a handle to the place for results; the handle is 0 where it fails.
fn given(
    emit: &mut Emit,
    frame: &mut Frame,
    name: &str,
    arguments: impl FnOnce(&mut Emit, Value, Value) -> PassResult<Vec<Value>>,
) -> PassResult<Value> {
    let rank = frame.rank(emit.lowering)?;
    let memory = frame.memory(emit.lowering, 0)?;
    let place = emit.address(memory, RESULT)?;
    emit.store(emit.i64(0)?, memory, RESULT)?;
    let arguments = arguments(emit, rank, place)?;
    emit.issue(name, &arguments)?;
    emit.load(emit.i64_type(), memory, RESULT)
}

/// `comm_stream.stream`.
pub(super) fn stream(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let name = op.attr("name").and_then(Attr::as_str).unwrap_or_default();
    let name = emit.text(name)?;
    let handle = named(emit, frame, name)?;
    op.result(0).replace_uses_with(handle);
    Ok(())
}

/// `comm_stream.record`. The event is released after its last wait, where all its uses are waits.
pub(super) fn record(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let event = op.result(0);
    let On::Handle(stream) = stream_of(op, op.operand(0))? else {
        let happened = emit.i64(0)?;
        event.replace_uses_with(happened);
        return Ok(());
    };
    let last = last_wait(op);
    let handle = given(emit, frame, "comm_rt_event_record", |_, rank, place| {
        Ok(vec![rank, stream, place])
    })?;
    event.replace_uses_with(handle);
    if let Some(last) = last {
        let rank = frame.rank(emit.lowering)?;
        let after = last.next().ok_or(Failed)?;
        let mut release = Emit::new(emit.lowering, after);
        release.location = op.location();
        release.issue("comm_rt_event_release", &[rank, handle])?;
    }
    Ok(())
}

/// The op of the block of a record after which the event is of no use any more: the last one with a wait for it. Nothing
/// where the event goes elsewhere, as to the next turn of a loop; such an event ends with the run.
fn last_wait(record: Op) -> Option<Op> {
    let block = record.parent_block()?;
    let mut users = vec![record];
    for r#use in record.uses() {
        if r#use.op().name() != "comm_stream.wait_event" {
            return None;
        }
        let mut ancestors = std::iter::successors(Some(r#use.op()), |op| op.parent_op());
        users.push(ancestors.find(|op| op.parent_block() == Some(block))?);
    }
    block.ops().filter(|op| users.contains(op)).last()
}

/// `comm_stream.wait_event`.
pub(super) fn wait_event(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let event = op.operand(0);
    let on = stream_of(op, op.operand(1))?;
    if is_zero(event) {
        return Ok(());
    }
    let rank = frame.rank(emit.lowering)?;
    let location = emit.location_text()?;
    // A handle that was loaded is an event that was recorded on a stream; any other may be one of `current`.
    let is_recorded = event.defining_op().is_some_and(|op| op.name() == "llvm.load");
    match (on, is_recorded) {
        (On::Current, true) => emit.issue("comm_rt_event_synchronize", &[rank, event, location]),
        (On::Handle(stream), true) => emit.issue("comm_rt_event_wait", &[rank, stream, event, location]),
        (On::Current, false) => helper(emit, helpers::SYNCHRONIZE_EVENT, &[rank, event, location]).map(drop),
        (On::Handle(stream), false) => {
            helper(emit, helpers::WAIT_EVENT, &[rank, stream, event, location]).map(drop)
        }
    }
}

/// Whether a value is the constant 0, which an event of `current` is.
fn is_zero(value: Value) -> bool {
    value
        .defining_op()
        .filter(|op| op.name() == "arith.constant")
        .and_then(|op| op.attr("value")?.as_i64())
        == Some(0)
}

/// Bytes of a part of a symmetric buffer.
pub(super) fn part_bytes(op: Op, part: Ty) -> PassResult<i64> {
    let (_, element) = tensor::element(op, part.element())?;
    let shape = BufferShape::of(part).ok_or(Failed)?;
    let bytes = shape
        .sizes
        .iter()
        .try_fold(element, |bytes, size| bytes.checked_mul((*size)?));
    bytes.ok_or_else(|| {
        diagnostics::op_error(
            op,
            &format!("has parts of type {}; expected a static size", part.to_text()),
        )
    })
}

/// `comm_stream.symmetric_alloc`, whose buffer has parts of this type.
pub(super) fn symmetric_alloc(emit: &mut Emit, frame: &mut Frame, op: Op, part: Ty) -> PassResult {
    let bytes = part_bytes(op, part)?;
    let group = collectives::group(emit, frame, op)?;
    let buffer = given(emit, frame, "comm_rt_symmetric_alloc", |emit, rank, place| {
        Ok(vec![
            rank,
            group,
            emit.i64(bytes)?,
            timeout(emit, op)?,
            emit.location_text()?,
            place,
        ])
    })?;
    op.result(0).replace_uses_with(buffer);
    Ok(())
}

/// `comm_stream.symmetric_free`.
pub(super) fn symmetric_free(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let rank = frame.rank(emit.lowering)?;
    let arguments = [rank, op.operand(0), timeout(emit, op)?, emit.location_text()?];
    emit.issue("comm_rt_symmetric_free", &arguments)
}

/// The rank at a position of a symmetric buffer's group.
fn member(emit: &mut Emit, frame: &mut Frame, buffer: Value, position: Value) -> PassResult<Value> {
    let rank = frame.rank(emit.lowering)?;
    let position = emit.index_to_i64(position)?;
    emit.call(
        "comm_rt_symmetric_member",
        &[rank, buffer, position],
        emit.i64_type(),
    )
}

/// `comm_stream.local` and `comm_stream.peer`: a memref of the part's memory.
pub(super) fn view(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let rank = frame.rank(emit.lowering)?;
    let buffer = op.operand(0);
    let member = match op.num_operands() {
        1 => emit.call("comm_rt_rank_index", &[rank], emit.i64_type())?,
        _ => member(emit, frame, buffer, op.operand(1))?,
    };
    let memory = frame.memory(emit.lowering, 0)?;
    let arguments = [
        rank,
        buffer,
        member,
        emit.i64(frame.symmetric_bytes.unwrap_or(0))?,
        emit.address(memory, RESULT)?,
        emit.address(memory, SPARE)?,
    ];
    let address = helper(emit, helpers::VIEW, &arguments)?.ok_or(Failed)?;
    let view = op.result(0);
    let memref = memref_at(emit, address, view.ty())?;
    view.replace_uses_with(memref);
    Ok(())
}

/// A memref of static shape and identity layout at an address.
fn memref_at(emit: &mut Emit, address: Value, ty: Ty) -> PassResult<Value> {
    let shape = BufferShape::of(ty).ok_or(Failed)?;
    let rank = shape.sizes.len();
    let descriptor = Ty::parse(emit.context(), &descriptor_text(rank)).ok_or(Failed)?;
    let mut value = emit.value(emit.builder("llvm.mlir.poison"), descriptor)?;
    let insert = |emit: &mut Emit, into: Value, part: Value, position: &[i64]| {
        let op = emit
            .builder("llvm.insertvalue")
            .operands([into, part])
            .attr("position", Attr::i64_array(emit.context(), position));
        emit.value(op, descriptor)
    };
    let zero = emit.i64(0)?;
    value = insert(emit, value, address, &[0])?;
    value = insert(emit, value, address, &[1])?;
    value = insert(emit, value, zero, &[2])?;
    for dim in 0..rank {
        for (field, numbers) in [(3, &shape.sizes), (4, &shape.strides)] {
            let number = emit.i64(numbers[dim].ok_or(Failed)?)?;
            value = insert(emit, value, number, &[field, dim as i64])?;
        }
    }
    emit.cast(value, ty)
}

/// The type of the descriptor that a memref of so many dimensions becomes.
pub(super) fn descriptor_text(rank: usize) -> String {
    match rank {
        0 => "!llvm.struct<(ptr, ptr, i64)>".to_owned(),
        rank => format!("!llvm.struct<(ptr, ptr, i64, array<{rank} x i64>, array<{rank} x i64>)>"),
    }
}

/// `comm_stream.barrier`.
pub(super) fn barrier(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let on = stream_of(op, op.operand(0))?;
    let rank = frame.rank(emit.lowering)?;
    let stream = handle(emit, frame, on)?;
    let group = collectives::group(emit, frame, op)?;
    let arguments = [
        rank,
        stream,
        group,
        channel(emit, op)?,
        timeout(emit, op)?,
        emit.location_text()?,
    ];
    emit.issue("comm_rt_barrier", &arguments)?;
    finish(emit, frame, on)
}

fn channel(emit: &Emit, op: Op) -> PassResult<Value> {
    emit.i64(op.attr("channel").and_then(Attr::as_i64).unwrap_or(0))
}

/// `comm_stream.put_signal` and `comm_stream.wait_signal`.
pub(super) fn signal(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let on = stream_of(op, op.operand(3))?;
    let rank = frame.rank(emit.lowering)?;
    let stream = handle(emit, frame, on)?;
    let buffer = op.operand(0);
    let peer = member(emit, frame, buffer, op.operand(1))?;
    let epoch = emit.index_to_i64(op.operand(2))?;
    let mut arguments = vec![rank, stream, peer, buffer, channel(emit, op)?, epoch];
    let name = if op.name() == "comm_stream.wait_signal" {
        arguments.push(timeout(emit, op)?);
        "comm_rt_wait_signal"
    } else {
        "comm_rt_put_signal"
    };
    arguments.push(emit.location_text()?);
    emit.issue(name, &arguments)?;
    finish(emit, frame, on)
}

/// `comm_stream.copy`.
pub(super) fn copy(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let on = stream_of(op, op.operand(2))?;
    let rank = frame.rank(emit.lowering)?;
    let stream = handle(emit, frame, on)?;
    let source = Tensor::of(emit, op, op.operand(0))?;
    let target = Tensor::of(emit, op, op.operand(1))?;
    let addresses = tensor::write(emit, frame, &[target, source])?;
    let arguments = [rank, stream, addresses[0], addresses[1], emit.location_text()?];
    emit.issue("comm_rt_copy", &arguments)?;
    finish(emit, frame, on)
}

/// Frees the memory that stood in for symmetric buffers, before each return of a function.
pub(super) fn free_spare(emit: &mut Emit, frame: &mut Frame) -> PassResult {
    let memory = frame.memory(emit.lowering, ARGUMENTS)?;
    let place = emit.address(memory, SPARE)?;
    helper(emit, helpers::FREE_SPARE, &[place]).map(drop)
}
