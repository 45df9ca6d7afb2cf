// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A function as it stands as problems with durations, for whoever wants to time or draw it.
//!
//! Blocks of regions are timed in their own order, inner ones first, and cost their op what they take; nothing is moved.
//! All figures are those that the pass would report of this order.

use comm_schedule::{NodeId, StreamId, picture::Inside, timeline};

use super::{
    across::Across,
    around::Around,
    attempt::{Attempt, Subject},
    regions::{self, Cost},
};
use crate::{
    collective::Collective,
    cost::Costs,
    diagnostics,
    mlir::{Block, Op, PassResult},
    passes::{ScheduleOptions, not_imported, verify_futures},
    problem::BlockProblem,
    uniform,
};

/// A function that nothing is going to move in. Fails after an error.
fn subject<'a>(
    function: Op,
    costs: Costs,
    options: &'a ScheduleOptions,
) -> PassResult<Subject<'a, impl Fn(Op) -> bool>> {
    verify_futures::check(function)?;
    let ops = function.walk();
    let communicating = regions::communicating(&ops);
    Ok(Subject {
        function,
        across: Across::new(&ops, &communicating),
        communicating,
        around: Around::default(),
        is_divergent: uniform::divergence(function),
        costs,
        options,
        ops,
    })
}

/// The problem of each block of a function itself, with what its ops with regions, which are computation there, hold
/// inside. Warns of collectives that were not imported. Fails after an error, also where a block uses values before it defines them.
pub(crate) fn problems(function: Op, costs: Costs) -> PassResult<Vec<(BlockProblem, Vec<Inside>)>> {
    let options = ScheduleOptions::default();
    let subject = subject(function, costs, &options)?;
    not_imported::warn(function);
    let mut attempt = Attempt::new(&subject, false);
    for &op in subject.ops.iter().rev() {
        if op != function && regions::count(op, &subject.communicating) {
            let costs: Vec<Cost> = op
                .blocks()
                .map(|block| cost(&mut attempt, block))
                .collect::<PassResult<_>>()?;
            attempt.regions.note(op, &costs, subject.costs.given_ns(op));
        }
    }
    let problem = |block: Block| {
        let problem = attempt.problem(block)?.ok_or_else(|| {
            let message = "a block that uses values before it defines them has no order in time";
            diagnostics::error(function.location(), message)
        })?;
        let inside = inside(&attempt, &problem);
        Ok((problem, inside))
    };
    function.blocks().map(problem).collect()
}

/// The problem of each block of a function, nested ones too, that itself holds so many collectives or more, inner ones
/// first, and the costs. Blocks that use values before they define them are left out. Fails after an error.
pub(crate) fn problems_with_collectives(
    function: Op,
    costs: Costs,
    least: usize,
) -> PassResult<(Vec<BlockProblem>, Costs)> {
    let options = ScheduleOptions::default();
    let subject = subject(function, costs, &options)?;
    let mut attempt = Attempt::new(&subject, false);
    let mut problems = Vec::new();
    for &op in subject.ops.iter().rev() {
        if !regions::count(op, &subject.communicating) {
            continue;
        }
        let mut costs = Vec::new();
        for block in op.blocks() {
            let is_inner = op != function;
            let collectives = block.ops().filter(|op| Collective::new(*op).is_some());
            if collectives.take(least).count() == least {
                let problem = attempt.problem(block)?;
                if is_inner {
                    costs.push(match &problem {
                        Some(problem) => cost_of(&attempt, block, problem),
                        None => attempt.one_by_one(block)?,
                    });
                }
                problems.extend(problem);
            } else if is_inner {
                costs.push(cost(&mut attempt, block)?);
            }
        }
        if op != function {
            attempt.regions.note(op, &costs, subject.costs.given_ns(op));
        }
    }
    drop(attempt);
    Ok((problems, subject.costs))
}

fn cost<D: Fn(Op) -> bool>(attempt: &mut Attempt<'_, D>, block: Block) -> PassResult<Cost> {
    if attempt.first_communicating(block).is_none() {
        return attempt.one_by_one(block);
    }
    match attempt.problem(block)? {
        Some(problem) => Ok(cost_of(attempt, block, &problem)),
        None => attempt.one_by_one(block),
    }
}

fn cost_of<D: Fn(Op) -> bool>(attempt: &Attempt<'_, D>, at: Block, block: &BlockProblem) -> Cost {
    let problem = &block.problem;
    let order: Vec<NodeId> = problem.ids().collect();
    let streams =
        (0..problem.stream_count()).map(|stream| problem.stream_name(StreamId(stream as u32)).to_owned());
    let times = timeline(problem, &order);
    let exposed_inside = inside(attempt, block).into_iter().map(|inside| inside.exposed_ns);
    Cost {
        ns: times.step_ns,
        exposed_ns: exposed_inside.fold(times.total_exposed_ns(), u64::saturating_add),
        peak_bytes: attempt.beside(at, block).peak(block, &order),
        streams: streams.collect(),
    }
}

/// What the ops of a block hold in their regions.
fn inside<D: Fn(Op) -> bool>(attempt: &Attempt<'_, D>, block: &BlockProblem) -> Vec<Inside> {
    let held = block.ops.iter().enumerate().filter_map(|(position, op)| {
        let cost = attempt.regions.of(*op)?;
        Some(Inside {
            node: block.node_at(position),
            exposed_ns: cost.exposed_ns,
            peak_bytes: cost.peak_bytes,
        })
    });
    held.filter(|inside| inside.exposed_ns > 0 || inside.peak_bytes > 0)
        .collect()
}
