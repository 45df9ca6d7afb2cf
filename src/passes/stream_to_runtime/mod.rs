// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `convert-comm-stream-to-runtime`: programs of `comm_stream` become calls of the run-time's C interface.
//!
//! Before: functions on buffers, with ops of `comm_stream`, `comm.rank` and `comm.mesh`; what computes may be structured ops
//! or loops. After: none of these, and no value of a type of `comm_stream`; upstream passes can take the rest to LLVM.
//!
//! In order:
//! 1. `comm.rank` in launches is moved out of them: what runs on a stream asks the run-time nothing.
//! 2. Streams, events and symmetric buffers become numbers wherever they are values.
//! 3. Each function is lowered op by op. A launch makes a function, which is lowered too.
//! 4. Products of matrices of floats become calls, and computation is marked for traces where that is asked for.
//! 5. Conditions of `scf.while` become false after a failure, so that a program that computes on garbage ends.
//!
//! Deliberately not done: statuses of calls are not looked at (the run-time's errors are final, and the run reports the
//! first), no op is moved, and nothing checks that a program is well synchronised, which `comm-verify-stream` does. Streams
//! that are block arguments are refused. An index that a failed program reads from a buffer is not checked.

mod collectives;
mod emit;
mod frame;
mod helpers;
mod launch;
mod products;
mod streams;
mod tensor;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    diagnostics,
    mlir::{Attr, Failed, Op, PassResult, Ty},
};

use self::{
    emit::{Emit, Lowering},
    frame::{Frame, STATUS},
};

/// Runs the pass on a module. O(ops).
pub(super) fn run(module: Op, trace: bool) -> PassResult {
    let ops = module.walk();
    for &op in &ops {
        check(op)?;
    }
    for &op in ops.iter().filter(|op| op.name() == "comm.rank") {
        if let Some(launch) = outermost_launch(op) {
            op.move_before(launch);
        }
    }
    let parts: BTreeMap<usize, Ty> = ops
        .iter()
        .filter(|op| op.name() == "comm_stream.symmetric_alloc")
        .filter_map(|op| Some((op.raw().ptr as usize, op.result(0).ty().symmetric_part()?)))
        .collect();
    let mut symmetric_bytes: BTreeMap<usize, i64> = BTreeMap::new();
    for &op in &ops {
        if let "comm_stream.local" | "comm_stream.peer" = op.name()
            && let Some(function) = enclosing_function(op)
        {
            let bytes = streams::part_bytes(op, op.result(0).ty())?;
            let most = symmetric_bytes.entry(function.raw().ptr as usize).or_default();
            *most = bytes.max(*most);
        }
    }
    for &op in &ops {
        numbers_for_handles(op)?;
    }

    let mut lowering = Lowering::new(module, trace);
    let meshes: Vec<Op> = ops
        .iter()
        .copied()
        .filter(|op| op.name() == "comm.mesh")
        .collect();
    let with_body = |op: &Op| op.name() == "func.func" && op.region(0).next().is_some();
    let mut functions: Vec<(Op, bool)> = ops
        .iter()
        .copied()
        .filter(with_body)
        .map(|function| (function, false))
        .collect();
    let mut next = 0;
    while let Some(&(function, is_launched)) = functions.get(next) {
        next += 1;
        let mut frame = Frame::new(function, is_launched)?;
        frame.symmetric_bytes = symmetric_bytes.get(&(function.raw().ptr as usize)).copied();
        let launched = lower(&mut lowering, &mut frame, &parts)?;
        functions.extend(launched.into_iter().map(|function| (function, true)));
    }
    for mesh in meshes {
        mesh.erase();
    }
    Ok(())
}

/// The launch around an op that is in no other.
fn outermost_launch(op: Op) -> Option<Op> {
    std::iter::successors(op.parent_op(), |op| op.parent_op())
        .filter(|op| op.name() == "comm_stream.launch")
        .last()
}

fn enclosing_function(op: Op) -> Option<Op> {
    std::iter::successors(Some(op), |op| op.parent_op()).find(|op| op.name() == "func.func")
}

/// Refuses what has to be lowered before, and what a stream cannot run.
fn check(op: Op) -> PassResult {
    if op.name().starts_with("comm.") && !matches!(op.name(), "comm.rank" | "comm.mesh") {
        return Err(diagnostics::op_error(
            op,
            "is no op on streams; expected 'convert-comm-to-stream' to have run",
        ));
    }
    if op.name() == "func.call"
        && outermost_launch(op).is_some()
        && let Some(issuer) = first_issuer(op)
    {
        return Err(diagnostics::op_error_with_notes(
            op,
            "is in a launch and calls a function that issues ops; expected a function that computes alone",
            &[(issuer, "is issued here")],
        ));
    }
    Ok(())
}

/// The first op of a called function, or of one that it calls, that needs the rank's own thread.
fn first_issuer(call: Op) -> Option<Op> {
    let table: BTreeMap<String, Op> = call
        .symbol_table()?
        .blocks()
        .flat_map(|block| block.ops())
        .filter_map(|op| Some((op.symbol_name()?, op)))
        .collect();
    let mut seen = BTreeSet::new();
    let mut calls = vec![call];
    while let Some(call) = calls.pop() {
        let callee = call.attr("callee").and_then(Attr::as_symbol).unwrap_or_default();
        if !seen.insert(callee) {
            continue;
        }
        for op in table.get(callee)?.walk() {
            if op.name().starts_with("comm_stream.") || op.name() == "comm.rank" {
                return Some(op);
            }
            if op.name() == "func.call" {
                calls.push(op);
            }
        }
    }
    None
}

/// Values of types of `comm_stream` become numbers of 64 bits, in the types of functions too.
fn numbers_for_handles(op: Op) -> PassResult {
    let number = Ty::integer(op.context(), 64);
    let arguments = op.blocks().flat_map(|block| block.arguments());
    for value in op
        .results()
        .chain(arguments)
        .filter(|value| value.ty().is_of_streams())
    {
        value.set_ty(number);
    }
    if op.name() == "func.func"
        && let Some(ty) = op.attr("function_type").and_then(Attr::as_type)
        && ty
            .function_types()
            .is_some_and(|types| types.into_iter().any(Ty::is_of_streams))
    {
        let changed = ty.with_function_types(|part| if part.is_of_streams() { number } else { part });
        op.set_attr("function_type", Attr::of_type(changed.ok_or(Failed)?));
    }
    Ok(())
}

/// Ops to lower in a function, in order; what is in launches waits for these.
fn ops_of(function: Op) -> Vec<Op> {
    let mut ops = function.walk();
    ops.retain(|op| outermost_launch(*op).is_none());
    ops
}

/// Lowers a function; the functions that its launches have become.
fn lower(lowering: &mut Lowering, frame: &mut Frame, parts: &BTreeMap<usize, Ty>) -> PassResult<Vec<Op>> {
    let mut launched = Vec::new();
    let mut streams = Vec::new();
    for op in ops_of(frame.function) {
        let emit = &mut Emit::new(lowering, op);
        match op.name() {
            // Needed until all that is issued on it is lowered.
            "comm_stream.current" => {
                streams.push(op);
                continue;
            }
            "comm_stream.stream" => streams::stream(emit, frame, op)?,
            "comm_stream.record" => streams::record(emit, frame, op)?,
            "comm_stream.wait_event" => streams::wait_event(emit, frame, op)?,
            "comm_stream.symmetric_alloc" => {
                let part = *parts.get(&(op.raw().ptr as usize)).ok_or(Failed)?;
                streams::symmetric_alloc(emit, frame, op, part)?;
            }
            "comm_stream.symmetric_free" => streams::symmetric_free(emit, frame, op)?,
            "comm_stream.local" | "comm_stream.peer" => streams::view(emit, frame, op)?,
            "comm_stream.barrier" => streams::barrier(emit, frame, op)?,
            "comm_stream.put_signal" | "comm_stream.wait_signal" => streams::signal(emit, frame, op)?,
            "comm_stream.copy" => streams::copy(emit, frame, op)?,
            "comm_stream.launch" => launched.extend(launch::lower(emit, frame, op)?),
            "comm.rank" => collectives::position(emit, frame, op)?,
            name if name.starts_with("comm_stream.") => collectives::lower(emit, frame, op)?,
            _ => continue,
        }
        frame.erased(op)?;
        op.erase();
    }
    for op in streams {
        if let Some(r#use) = op.uses().next() {
            return Err(diagnostics::op_error(
                r#use.op(),
                "takes a stream along; expected streams to be operands of ops of 'comm_stream' alone",
            ));
        }
        frame.erased(op)?;
        op.erase();
    }
    compute(lowering, frame)?;
    end(lowering, frame)?;
    frame.finish(lowering);
    Ok(launched)
}

/// Lowers products, and marks what computes for traces.
fn compute(lowering: &mut Lowering, frame: &mut Frame) -> PassResult {
    for op in ops_of(frame.function) {
        let is_product = products::is_product(op);
        let has_span = lowering.trace && !frame.is_launched && products::is_worth_a_span(op);
        if has_span {
            let rank = frame.rank(lowering)?;
            let emit = &mut Emit::new(lowering, op);
            let arguments = [rank, emit.text(op.name())?, emit.location_text()?];
            emit.issue("comm_rt_span_begin", &arguments)?;
            let after = op.next().ok_or(Failed)?;
            Emit::new(lowering, after).issue("comm_rt_span_end", &[rank])?;
        }
        if is_product {
            products::lower(&mut Emit::new(lowering, op), frame, op)?;
            frame.erased(op)?;
            op.erase();
        }
    }
    Ok(())
}

/// What happens at the end of functions and of turns of loops.
fn end(lowering: &mut Lowering, frame: &mut Frame) -> PassResult {
    for op in ops_of(frame.function) {
        match op.name() {
            "scf.condition" if !frame.is_launched => {
                let rank = frame.rank(lowering)?;
                let emit = &mut Emit::new(lowering, op);
                let may = collectives::helper(emit, helpers::MAY_GO_ON, &[rank])?.ok_or(Failed)?;
                let both = emit.binary("arith.andi", op.operand(0), may)?;
                op.set_operand(0, both);
            }
            "func.return" if frame.is_launched && frame.has_memory() => {
                let memory = frame.memory(lowering, 0)?;
                let emit = &mut Emit::new(lowering, op);
                let status = emit.load(emit.i32_type(), memory, STATUS)?;
                op.set_operand(0, status);
            }
            "func.return" if frame.symmetric_bytes.is_some() => {
                streams::free_spare(&mut Emit::new(lowering, op), frame)?;
            }
            _ => {}
        }
    }
    Ok(())
}
