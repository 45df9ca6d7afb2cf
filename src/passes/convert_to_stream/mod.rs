// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `convert-comm-to-stream`: collectives on buffers become ops of `comm_stream`.
//!
//! Each group of devices has a stream. A collective runs on it, after an event that says that the buffers it reads and
//! writes are ready; the stream `current` waits for its end where a buffer is next touched. A collective that reads
//! what another one makes waits for it from stream to stream, so `current` goes on.
//!
//! Before: collectives work on buffers (upstream's one-shot-bufferize sees to that), and each wait stands in the block of
//! its start. After: no collective of `comm` is left; every pair of conflicting accesses is ordered, by as few events as
//! that needs: none that another one implies ([`plan`]). Order of issue is kept.
//!
//! Not done here: `comm-verify-stream` proves the result, and buffers are freed by upstream's deallocation passes.

mod aliases;
mod clocks;
mod fused;
mod options;
mod plan;
mod write;

use crate::{
    collective::Collective,
    diagnostics::{self, Remark},
    mlir::{Op, PassResult},
};

pub(crate) use options::RawConvertToStreamOptions;
pub use options::{ConvertToStreamOptions, PeerOrder, Schedule, Waits};

/// Name of the pass, in remarks.
const PASS: &str = "convert-comm-to-stream";

/// Runs the pass on a module.
pub(super) fn run(module: Op, options: &ConvertToStreamOptions) -> PassResult {
    // All of them first: converting one erases ops that the walk has met.
    let mut functions = module.walk();
    functions.retain(|op| op.name() == "func.func");
    for function in functions {
        convert(function, options)?;
    }
    Ok(())
}

/// Converts one function.
fn convert(function: Op, options: &ConvertToStreamOptions) -> PassResult {
    let collectives: Vec<Collective> = function
        .walk()
        .into_iter()
        .filter_map(Collective::new)
        .filter(|&collective| !erase_if_dead(collective))
        .collect();
    for &collective in &collectives {
        check(collective)?;
    }
    if !collectives.is_empty() {
        convert_collectives(function, &collectives, options)?;
    }
    // For collectives a fused op is one on `current`, and so it finds them ended.
    fused::lower(function, options)?;
    Ok(())
}

fn convert_collectives(
    function: Op,
    collectives: &[Collective],
    options: &ConvertToStreamOptions,
) -> PassResult {
    let plan = plan::plan(function, options.waits)?;
    let events = write::write(function, &plan, options)?;
    diagnostics::remark(function, Remark::Passed, PASS, "converted", || {
        format!(
            "put {} collective(s) on {} stream(s) with {events} event(s)",
            collectives.len(),
            plan.streams.len()
        )
    });
    Ok(())
}

/// Erases a start that nobody waits for.
fn erase_if_dead(collective: Collective) -> bool {
    let dead = collective.is_async() && collective.wait().is_none();
    if dead {
        collective.op.erase();
    }
    dead
}

/// Refuses what cannot be converted, with an error at the op.
fn check(collective: Collective) -> PassResult {
    let op = collective.op;
    if op.operands().any(|operand| !operand.ty().is_buffer()) {
        return Err(diagnostics::op_error(
            op,
            "works on tensors; convert-comm-to-stream expects buffers, so run one-shot-bufferize before it",
        ));
    }
    if collective
        .yielded()
        .iter()
        .any(|ty| ty.dims().is_none_or(|dims| dims.contains(&None)))
    {
        return Err(diagnostics::op_error(
            op,
            "yields a buffer of unknown size; static sizes are expected",
        ));
    }
    match collective.wait() {
        Some(wait) if wait.parent_block() != op.parent_block() => Err(diagnostics::op_error_with_notes(
            op,
            "is awaited in another block; a start and its wait in one block are expected",
            &[(wait, "awaited here")],
        )),
        _ => Ok(()),
    }
}
