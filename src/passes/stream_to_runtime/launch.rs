// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Launches: their regions become functions, and the values of outside that they use become a record of arguments.
//!
//! The record is copied by the run-time when the launch is issued. A memref is in it as LLVM's descriptor, an index as 64
//! bits, another number as it is. Constants are not taken along but made anew, so that loops keep their known bounds.

use crate::{
    diagnostics,
    mlir::{Attr, BufferShape, Failed, Op, OpBuilder, PassResult, Ty, Value},
};

use super::{
    emit::{Emit, Lowering},
    frame::{ARGUMENTS, Frame},
    streams::{self, On},
};

/// A value of outside that a region uses, and its place in the record.
struct Captured {
    value: Value,
    /// As what it is stored.
    stored: Ty,
    offset: i64,
}

/// Lowers a launch. The function that its region has become, unless it is on `current`: then its ops simply stand where it
/// stood.
pub(super) fn lower(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult<Option<Op>> {
    let on = streams::stream_of(op, op.operand(0))?;
    let body = op.region(0).next().ok_or(Failed)?;
    let On::Handle(stream) = on else {
        for inner in body.ops().filter(|inner| inner.name() != "comm_stream.return") {
            inner.move_before(op);
        }
        return Ok(None);
    };
    let (captured, bytes) = captured(emit.lowering, op)?;
    let memory = frame.memory(emit.lowering, ARGUMENTS + bytes)?;
    for value in &captured {
        let stored = match () {
            () if value.stored == value.value.ty() => value.value,
            () if value.value.ty().is_index() => emit.index_to_i64(value.value)?,
            () => emit.cast(value.value, value.stored)?,
        };
        emit.store(stored, memory, ARGUMENTS + value.offset)?;
    }
    let name = op
        .attr("name")
        .and_then(Attr::as_str)
        .unwrap_or_default()
        .to_owned();
    let function = outlined(emit.lowering, frame, op, &captured)?;
    let symbol = function.symbol_name().ok_or(Failed)?;
    let address = emit.value(
        emit.builder("func.constant").attr(
            "value",
            Attr::parse(emit.context(), &format!("@{symbol}")).ok_or(Failed)?,
        ),
        Ty::parse(emit.context(), "(!llvm.ptr) -> i32").ok_or(Failed)?,
    )?;
    let arguments = [
        frame.rank(emit.lowering)?,
        stream,
        emit.cast(address, emit.pointer()?)?,
        emit.address(memory, ARGUMENTS)?,
        emit.i64(bytes)?,
        emit.text(&name)?,
        emit.location_text()?,
    ];
    emit.issue("comm_rt_launch", &arguments)?;
    Ok(Some(function))
}

/// The values of outside that a launch uses, constants apart, in the order of their first use, and the bytes that they take.
fn captured(lowering: &Lowering, launch: Op) -> PassResult<(Vec<Captured>, i64)> {
    let mut captured: Vec<Captured> = Vec::new();
    let mut bytes = 0;
    for op in launch.walk().into_iter().skip(1) {
        for value in op.operands() {
            let is_known = captured.iter().any(|other| other.value == value);
            if is_known || is_inside(launch, value) || is_constant(value) {
                continue;
            }
            let (stored, size) = stored_as(lowering, op, value.ty())?;
            captured.push(Captured {
                value,
                stored,
                offset: bytes,
            });
            bytes += size;
        }
    }
    Ok((captured, bytes))
}

/// Whether a value is made in the region of a launch.
fn is_inside(launch: Op, value: Value) -> bool {
    let holder = match value.argument_of() {
        Some(block) => block.parent_op(),
        None => value.defining_op().and_then(|op| op.parent_op()),
    };
    std::iter::successors(holder, |op| op.parent_op()).any(|op| op == launch)
}

fn is_constant(value: Value) -> bool {
    value
        .defining_op()
        .is_some_and(|op| matches!(op.name(), "arith.constant" | "memref.get_global"))
}

/// How a value is stored in the record, and the bytes that it takes there.
fn stored_as(lowering: &Lowering, op: Op, ty: Ty) -> PassResult<(Ty, i64)> {
    if let Some(shape) = BufferShape::of(ty) {
        let rank = shape.sizes.len();
        let descriptor = Ty::parse(lowering.context, &streams::descriptor_text(rank)).ok_or(Failed)?;
        return Ok((descriptor, 8 * (3 + 2 * rank as i64)));
    }
    if ty.is_index() {
        return Ok((Ty::integer(lowering.context, 64), 8));
    }
    let is_number = ty.is_signless_integer() || ty.float_width().is_some();
    match ty.element_bits() {
        Some(bits) if is_number && bits <= 64 => Ok((ty, 8)),
        _ => Err(diagnostics::op_error(
            op,
            &format!(
                "takes a value of type {} along to a stream; expected a memref, an index or a number of up to 64 bits",
                ty.to_text()
            ),
        )),
    }
}

/// Makes the function of a launch from its region, which is left empty.
fn outlined(lowering: &mut Lowering, frame: &Frame, launch: Op, captured: &[Captured]) -> PassResult<Op> {
    let stem = frame.function.symbol_name().unwrap_or_default() + "_launch";
    let name = lowering.fresh_symbol(&stem);
    let context = lowering.context;
    let pointer = Ty::parse(context, "!llvm.ptr").ok_or(Failed)?;
    let body = launch.region(0).next().ok_or(Failed)?;
    let end = |block| {
        let zero = OpBuilder::new("arith.constant", launch.location())
            .attr("value", Attr::parse(context, "0 : i32").ok_or(Failed)?)
            .results([Ty::integer(context, 32)])
            .append_to(block)?;
        OpBuilder::new("func.return", launch.location())
            .operands([zero.result(0)])
            .append_to(block)?;
        Ok(())
    };
    let module = lowering.module.region(0).next().ok_or(Failed)?;
    let function = OpBuilder::new("func.func", launch.location())
        .attr("sym_name", Attr::string(context, &name))
        .attr("sym_visibility", Attr::string(context, "private"))
        .attr(
            "function_type",
            Attr::parse(context, "(!llvm.ptr) -> i32").ok_or(Failed)?,
        )
        .region(&[pointer], end)?
        .append_to(module)?;
    let entry = function.region(0).next().ok_or(Failed)?;
    let first = entry.first_op().ok_or(Failed)?;
    let arguments = entry.arguments().next().ok_or(Failed)?;

    let ops: Vec<Op> = body
        .ops()
        .filter(|op| op.name() != "comm_stream.return")
        .collect();
    for &op in &ops {
        op.move_before(first);
    }
    let Some(&start) = ops.first() else {
        return Ok(function);
    };
    let mut emit = Emit::new(lowering, start);
    emit.location = launch.location();
    let mut renamed: Vec<(Value, Value)> = Vec::new();
    for value in captured {
        let loaded = emit.load(value.stored, arguments, value.offset)?;
        let ty = value.value.ty();
        let made = match () {
            () if value.stored == ty => loaded,
            () if ty.is_index() => emit.index_cast(loaded, ty)?,
            () => emit.cast(loaded, ty)?,
        };
        renamed.push((value.value, made));
    }
    for op in ops.iter().flat_map(|op| op.walk()) {
        for (index, value) in op.operands().enumerate() {
            if let Some((_, made)) = renamed.iter().find(|(outside, _)| *outside == value) {
                op.set_operand(index, *made);
            } else if is_constant(value) && !is_of(function, value) {
                let constant = value.defining_op().ok_or(Failed)?.clone_before(start)?;
                renamed.push((value, constant.result(0)));
                op.set_operand(index, constant.result(0));
            }
        }
    }
    Ok(function)
}

/// Whether a value is made in a function.
fn is_of(function: Op, value: Value) -> bool {
    std::iter::successors(value.defining_op(), |op| op.parent_op()).any(|op| op == function)
}
