// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From the steps of all ranks to one trace, and from its faults to diagnostics.
//!
//! At the begin stands what others did before: the caller wrote the arguments on `current`, and every member of a symmetric
//! buffer read and wrote all of its parts, on its own `current`.

use std::collections::BTreeSet;

use comm_happens::{Access, Action, Buffer, Fault, Proof, check};

use super::world::{Planned, Role, World};
use crate::{
    diagnostics,
    mlir::{Failed, Op, PassResult},
};

/// Puts the steps of all ranks into the world's trace and checks it.
pub(super) fn prove(
    world: &mut World,
    function: Op,
    ranks: Vec<Vec<Planned>>,
    shared: &[Vec<Buffer>],
) -> PassResult<Proof> {
    let tag = world.tag(function, Role::Before);
    for (rank, steps) in (0..).zip(ranks) {
        let current = world.trace.stream(rank, "current");
        let mut begin: Vec<(u32, Vec<Access>)> = Vec::new();
        let foreign = |&buffer: &Buffer| Access::foreign(buffer);
        begin.push((tag, shared[rank as usize].iter().map(foreign).collect()));
        for number in 0..world.symmetric.len() {
            let symmetric = &world.symmetric[number];
            if symmetric.members.contains(&i64::from(rank)) {
                let accesses = symmetric.parts.iter().map(foreign).collect();
                let origin = symmetric.origin;
                begin.push((world.tag(origin, Role::Before), accesses));
            }
        }
        for (tag, accesses) in begin {
            let step = world.trace.push(current, Action::Work, accesses);
            (step.tag, step.blocks_issue) = (tag, true);
        }
        for planned in steps {
            let step = world.trace.push(planned.stream, planned.action, planned.accesses);
            (step.tag, step.blocks_issue) = (planned.tag, planned.blocks_issue);
        }
    }
    check(&world.trace).map_err(|faults| {
        for fault in &faults {
            report(world, fault);
        }
        Failed
    })
}

/// An error at the op to complain of, with notes at the others.
fn report(world: &World, fault: &Fault) {
    let steps = fault.steps();
    let tagged: Vec<(Op, Role)> = steps
        .iter()
        .filter_map(|&step| {
            world
                .tags
                .get(world.trace.step(step).tag.checked_sub(1)? as usize)
                .copied()
        })
        .collect();
    // Begin and end of the function are nobody's mistake: another op is to blame, if there is one.
    let blamed = tagged.iter().position(|&(_, role)| role == Role::Op).unwrap_or(0);
    let Some(&(op, role)) = tagged.get(blamed) else {
        return;
    };
    let mut notes: Vec<(Op, String)> = Vec::new();
    let mut noted: BTreeSet<usize> = BTreeSet::from([op.raw().ptr as usize]);
    let place = |index: usize| {
        let step = steps[index];
        let stream = world.trace.stream_name(world.trace.step(step).stream);
        format!("rank {} on stream '{stream}'", step.rank)
    };
    for (index, &(other, role)) in tagged.iter().enumerate().filter(|&(index, _)| index != blamed) {
        noted.insert(other.raw().ptr as usize);
        notes.push((other, describe(role, &place(index))));
    }
    if role != Role::Op {
        notes.push((op, describe(role, &place(blamed))));
    }
    if let Fault::Race { memory, .. } | Fault::UseAfterFree { memory, .. } = fault
        && let Some(&origin) = world.origins.get(memory)
        && noted.insert(origin.raw().ptr as usize)
    {
        notes.push((origin, "the buffer is made here".to_owned()));
    }
    let notes: Vec<(Op, &str)> = notes.iter().map(|(op, text)| (*op, text.as_str())).collect();
    diagnostics::op_error_with_notes(op, &format!("breaks the rules of streams: {fault}"), &notes);
}

fn describe(role: Role, place: &str) -> String {
    match role {
        Role::Op => format!("{place} is here"),
        Role::Before => format!("{place}: before the function, arguments and symmetric memory are in use"),
        Role::After => {
            format!("{place}: after the function, arguments, results and symmetric memory are in use")
        }
    }
}
