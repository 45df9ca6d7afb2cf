// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-stream`: happens-before of a program of `comm_stream`.
//!
//! Every function that issues on streams and that nobody calls, or that others may call, is executed as each rank of the
//! devices that the module speaks of ([`machine`]): numbers as far as they are known, memrefs as views of buffers, and calls
//! as what their callees do. What comes of it is a trace, which `comm-happens` checks: conflicting accesses are ordered, on
//! whatever ranks; signals are put and awaited once an epoch; nothing waits for ever.
//!
//! It is taken for granted that arguments do not overlap each other, that all ranks run the same function, and that functions
//! without a body issue nothing. What cannot be followed where it matters is refused as "not proved": conditions of branches
//! that issue, streams, events, peers and epochs that are not known, loops of unknown length unless their rounds are alike
//! ([`induction`]), and more steps than the option `max-events` allows. Elsewhere what is not known costs precision only: an
//! offset that is not known stands for the whole buffer. Functions that issue and call themselves are refused: memory of one
//! call would be taken for that of another.
//!
//! Cost: O(ranks x ops executed), and that of `comm-happens`.

mod affine;
mod assemble;
mod control;
mod induction;
mod instruction;
mod issue;
mod layout;
mod machine;
mod view;
mod world;

use std::collections::HashMap;

use comm_happens::{Buffer, Proof};

use self::{
    machine::Machine,
    world::{Planned, Program, World, leniently, not_proved},
};
use super::options::VerifyStreamOptions;
use crate::{
    diagnostics::{self, Remark},
    mlir::{Attr, Op, PassResult},
};

/// Rounds for which loops of unknown length are tried: 0 up to this.
const ROUNDS: i64 = 3;

/// Loops of unknown length that one function may hold: all combinations are tried.
const LOOPS: usize = 3;

/// Runs the pass on a module.
pub(super) fn run(module: Op, options: &VerifyStreamOptions) -> PassResult {
    let mut program = None;
    leniently(options.warn_unproved, || {
        program = Some(Program::of(module)?);
        Ok(())
    })?;
    let Some(program) = program else { return Ok(()) };
    for block in module.blocks() {
        for function in block.ops().filter(|op| op.name() == "func.func") {
            let visibility = function.attr("sym_visibility").and_then(Attr::as_str);
            let is_inner = visibility == Some("private") && program.called.contains(&function);
            if program.issues(function) && !is_inner {
                leniently(options.warn_unproved, || verify(&program, function, options))?;
            }
        }
    }
    Ok(())
}

fn verify(program: &Program, function: Op, options: &VerifyStreamOptions) -> PassResult {
    let (mut proof, mut loops) = attempt(program, function, options, HashMap::new())?;
    if let Some(&one_too_many) = loops.get(LOOPS) {
        return Err(not_proved(
            one_too_many,
            &format!("the function has more than {LOOPS} loops of which it is not known how often they run"),
        ));
    }
    // The first attempt has left the loops out.
    loops.truncate(LOOPS);
    for combination in 1..(ROUNDS + 1).pow(loops.len() as u32) {
        let digit = |index: usize| combination / (ROUNDS + 1).pow(index as u32) % (ROUNDS + 1);
        let trips: HashMap<Op, i64> = loops
            .iter()
            .enumerate()
            .map(|(index, &op)| (op, digit(index)))
            .collect();
        let (next, open) = attempt(program, function, options, trips)?;
        if let Some(&inner) = open.first() {
            return Err(not_proved(
                inner,
                "how often it runs is not known, nor is it of a loop around it or before it",
            ));
        }
        proof.steps = proof.steps.max(next.steps);
        proof.accesses = proof.accesses.max(next.accesses);
        proof.comparisons += next.comparisons;
    }
    diagnostics::remark(function, Remark::Analysis, "comm-verify-stream", "proved", || {
        format!(
            "{} steps of {} ranks are ordered, with {} accesses; {} loops of unknown length",
            proof.steps,
            program.ranks,
            proof.accesses,
            loops.len()
        )
    });
    Ok(())
}

/// Executes a function as all ranks, with loops of unknown length running as often as `trips` says, and checks the trace.
/// Gives such loops that `trips` does not name, which are left out.
fn attempt(
    program: &Program,
    function: Op,
    options: &VerifyStreamOptions,
    trips: HashMap<Op, i64>,
) -> PassResult<(Proof, Vec<Op>)> {
    let mut world = World::new(program, options.max_events, trips);
    let mut ranks: Vec<Vec<Planned>> = Vec::with_capacity(program.ranks);
    let mut shared: Vec<Vec<Buffer>> = Vec::with_capacity(program.ranks);
    let mut loops: Vec<Op> = Vec::new();
    for rank in 0..program.ranks as u32 {
        let mut machine = Machine::new(&mut world, rank);
        machine.run(function)?;
        let (steps, windows) = (machine.steps, machine.loops);
        shared.push(machine.shared);
        induction::check_rounds(rank, &steps, &windows)?;
        if rank == 0 {
            loops = windows.iter().map(induction::Window::op).collect();
        }
        ranks.push(steps);
    }
    induction::check_meetings(&ranks, &loops)?;
    let open = std::mem::take(&mut world.open_loops);
    let proof = assemble::prove(&mut world, function, ranks, &shared)?;
    Ok((proof, open))
}
