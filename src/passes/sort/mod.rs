// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-sort`: the two sorts of `comm_schedule`, block by block.
//!
//! Before it, futures are awaited exactly once on every path (checked first). After it, each block holds the same ops in
//! an order that keeps every dependence, no limit in flight is exceeded, and running the pass again changes nothing. On
//! failure the function is as it was.
//!
//! The pass decides nothing itself: it builds a problem of every block that communicates, nested ones included, and
//! applies the order that the scheduler answers.

mod nested;

use comm_schedule::{AllGather, ReduceScatter, SortOutcome, Ties};

use super::{
    GatherPlacement, ReductionPlacement, SortOptions, TieBreak, not_imported, obstacles, verify_futures,
};
use crate::{
    collective::Collective,
    diagnostics::{self, Remark},
    groups::Streams,
    mlir::{Block, Op, PassResult},
    problem::{BlockProblem, Movable},
    uniform,
};
use nested::Nested;

/// Runs the pass on a function.
pub(super) fn run(function: Op, options: &SortOptions) -> PassResult {
    verify_futures::check(function)?;
    not_imported::report(function, "comm-sort");
    let blocks: Vec<Block> = function
        .walk()
        .into_iter()
        .flat_map(|op| op.blocks().collect::<Vec<_>>())
        .filter(|block| block.ops().any(|op| Collective::new(op).is_some()))
        .collect();
    if blocks.is_empty() {
        return Ok(());
    }
    let is_divergent = uniform::divergence(function);
    let mut streams = Streams::default();
    let mut sorted: Vec<(BlockProblem, SortOutcome)> = Vec::new();
    let mut nested = Nested::default();
    // Inner blocks first: what an op with regions uses first is told by the sorted text of its regions.
    for &block in blocks.iter().rev() {
        let outcome = BlockProblem::new(block, &mut streams, &is_divergent, Movable::Communication).and_then(
            |problem| {
                let Some(problem) = problem else { return Ok(None) };
                let outcome = sort_block(function, &problem, options)?;
                if blocks.len() > 1 {
                    nested.note(&problem, &outcome.order, options)?;
                }
                Ok(Some((problem, outcome)))
            },
        );
        match outcome {
            Ok(Some((problem, outcome))) => {
                problem.apply(&outcome.order);
                sorted.push((problem, outcome));
            }
            Ok(None) => obstacles::report_unordered("comm-sort", block.first_op()),
            Err(failed) => {
                sorted.iter().for_each(|(problem, _)| problem.restore());
                return Err(failed);
            }
        }
    }
    for (problem, outcome) in sorted.iter().rev() {
        report(problem, outcome);
        obstacles::report("comm-sort", problem);
    }
    Ok(())
}

fn sort_block(function: Op, block: &BlockProblem, options: &SortOptions) -> PassResult<SortOutcome> {
    let at = block
        .ops
        .iter()
        .copied()
        .find(|op| Collective::new(*op).is_some())
        .unwrap_or(function);
    let outcome = comm_schedule::sort(&block.problem, &scheduler_options(options))
        .map_err(|error| diagnostics::error(at.location(), &format!("comm-sort: {error}")))?;
    if options.verify || cfg!(debug_assertions) {
        comm_schedule::verify(&block.problem, &outcome.order).map_err(|error| {
            diagnostics::error(
                at.location(),
                &format!("comm-sort made an order that breaks a dependence: {error}"),
            )
        })?;
    }
    Ok(outcome)
}

fn scheduler_options(options: &SortOptions) -> comm_schedule::SortOptions {
    comm_schedule::SortOptions {
        all_gather: match options.all_gather {
            GatherPlacement::Late => AllGather::Late,
            GatherPlacement::First => AllGather::First,
            GatherPlacement::Keep => AllGather::Keep,
        },
        reduce_scatter: match options.reduce_scatter {
            ReductionPlacement::Early => ReduceScatter::Early,
            ReductionPlacement::Keep => ReduceScatter::Keep,
        },
        max_in_flight: options.max_in_flight,
        max_in_flight_reductions: options.max_in_flight_reductions,
        ties: match options.ties {
            TieBreak::EGraph => Ties::Egraph,
            TieBreak::Source => Ties::Source,
        },
        ..Default::default()
    }
}

/// Says what was done, at the block's first op.
fn report(block: &BlockProblem, outcome: &SortOutcome) {
    let Some(&first) = block.ops.first() else { return };
    let report = &outcome.report;
    diagnostics::remark(first, Remark::Passed, "comm-sort", "sorted", || {
        format!(
            "placed {} all-gather(s), {} reduction(s) and {} other collective(s) around {} anchor(s), moved {} op(s); most \
             in flight: all-gathers {} -> {}, reductions {} -> {}; peak memory {} -> {} bytes",
            report.gathers,
            report.reductions,
            report.others,
            report.anchors,
            report.moved,
            report.in_flight_before.gathers(),
            report.in_flight_after.gathers(),
            report.in_flight_before.reductions(),
            report.in_flight_after.reductions(),
            report.peak_before,
            report.peak_after,
        )
    });
    if report.ties_over_budget > 0 {
        diagnostics::remark(first, Remark::Missed, "comm-sort", "ties", || {
            format!(
                "{} group(s) of topologically equal collectives were too large for the e-graph and stand in canonical \
                 order",
                report.ties_over_budget
            )
        });
    }
}
