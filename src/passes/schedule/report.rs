// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Remarks: of each block what was reached and how far it is from the bound, of each collective what limits it.

use comm_schedule::{Cause, Contention, NodeId, explain, timeline, timeline_with};

use super::{
    attempt::{Attempt, Scheduled, Subject},
    obstacles, regions,
};
use crate::{
    collective::Collective,
    diagnostics::{self, Remark},
    mlir::{Op, location_label},
};

const PASS: &str = "comm-schedule";

/// Says all there is to say of an attempt whose order was taken. Costs nothing where nobody asks for remarks.
pub(super) fn report<D: Fn(Op) -> bool>(attempt: &Attempt<D>, subject: &Subject<D>) {
    if !diagnostics::remarks_enabled(subject.function, PASS) {
        return;
    }
    for scheduled in attempt.scheduled.iter().rev() {
        report_block(scheduled, subject);
        report_ties(scheduled);
        report_contention(scheduled, subject);
        report_collectives(scheduled);
        obstacles::report(PASS, &scheduled.block);
    }
    for block in &attempt.unordered {
        obstacles::report_unordered(PASS, block.first_op());
    }
    for &op in attempt.regions.unknown_trip_counts().iter().rev() {
        diagnostics::remark(op, Remark::Analysis, PASS, "trip-count", || {
            "how often this loop runs is not known and taken as once; comm.trip_count on it says how often"
                .to_owned()
        });
    }
    for &op in &subject.ops {
        if op.discardable_attr("comm.trip_count").is_some() && !regions::is_loop(op) {
            diagnostics::remark(op, Remark::Analysis, PASS, "trip-count", || {
                format!(
                    "comm.trip_count says nothing here: '{}' is not known to be a loop",
                    op.name()
                )
            });
        }
    }
    for &start in subject.across.futures() {
        diagnostics::remark(start, Remark::Analysis, PASS, "across-blocks", || {
            "awaited in another block: it is taken to occupy its stream and computation where it starts, and is not counted \
             as in flight"
                .to_owned()
        });
    }
    let unmatched = subject.costs.unmatched_entries();
    if !unmatched.is_empty() {
        diagnostics::remark(subject.function, Remark::Analysis, PASS, "profile", || {
            format!("no op here has what the profile says of {}", unmatched.join(", "))
        });
    }
}

/// The step is the block of a function that has no other; what is in a loop or a branch, or one of several, is a part of it.
fn block_or_step<D>(scheduled: &Scheduled, subject: &Subject<D>) -> &'static str {
    let is_own = scheduled.block.block.parent_op() == Some(subject.function);
    if is_own && subject.function.blocks().nth(1).is_none() {
        "step"
    } else {
        "block"
    }
}

/// At the first op of the block.
fn report_block<D>(scheduled: &Scheduled, subject: &Subject<D>) {
    let Some(&first) = scheduled.block.ops.first() else {
        return;
    };
    let (problem, outcome) = (&scheduled.block.problem, &scheduled.outcome);
    let exposed = |ns: u64| time(ns.saturating_add(scheduled.exposed_inside_ns));
    let what = block_or_step(scheduled, subject);
    // What the ops hold inside was scheduled first, so the source order was measured around its new order.
    let holds_blocks = scheduled
        .block
        .ops
        .iter()
        .any(|op| subject.communicating.contains(op));
    let before = if holds_blocks {
        " (before: with inner blocks in their new order)"
    } else {
        ""
    };
    diagnostics::remark(first, Remark::Passed, PASS, "scheduled", || {
        let source: Vec<_> = problem.ids().collect();
        format!(
            "{what} time {} -> {}, exposed {} -> {}, peak memory {} -> {} bytes{before}; {}",
            time(outcome.source.time_ns),
            time(outcome.point.time_ns),
            exposed(timeline(problem, &source).total_exposed_ns()),
            exposed(outcome.exposed_ns),
            scheduled.source_peak_bytes,
            scheduled.peak_bytes,
            distance(scheduled),
        )
    });
    if outcome.kept_source {
        let kind = if outcome.point.time_ns == outcome.bound_ns {
            Remark::Analysis
        } else {
            Remark::Missed
        };
        diagnostics::remark(first, kind, PASS, "kept", || {
            "kept the source order because nothing better was found".to_owned()
        });
    }
}

/// Where ties were too large for all their orders to be compared.
fn report_ties(scheduled: &Scheduled) {
    let (Some(&first), ties) = (scheduled.block.ops.first(), scheduled.outcome.ties) else {
        return;
    };
    if ties.over_budget > 0 {
        diagnostics::remark(first, Remark::Missed, PASS, "ties", || {
            format!(
                "{} tie(s) of collectives that could start in any order were too large for the e-graph; of these the order \
                 that was found stays",
                ties.over_budget
            )
        });
    }
}

/// Where the machine says that computation and communication slow each other down: what the step takes with that. The order
/// is found without, so that its distance from the bound means something.
fn report_contention<D>(scheduled: &Scheduled, subject: &Subject<D>) {
    let factors = subject.costs.machine().contention();
    let (Some(&first), Ok(contention)) = (
        scheduled.block.ops.first(),
        Contention::new(factors.compute, factors.communication),
    ) else {
        return;
    };
    if contention.is_none() {
        return;
    }
    let problem = &scheduled.block.problem;
    let source: Vec<NodeId> = problem.ids().collect();
    let step = |order: &[NodeId]| timeline_with(problem, order, &contention).map(|times| times.step_ns);
    if let (Ok(before), Ok(after)) = (step(&source), step(&scheduled.outcome.order)) {
        diagnostics::remark(first, Remark::Analysis, PASS, "contention", || {
            format!(
                "with the machine's contention the {} takes {} -> {}",
                block_or_step(scheduled, subject),
                time(before),
                time(after)
            )
        });
    }
}

/// How far the step is from the least that is possible.
fn distance(scheduled: &Scheduled) -> String {
    let outcome = &scheduled.outcome;
    let bound = format!("the bound {} of {}", outcome.bound, time(outcome.bound_ns));
    let gap = if outcome.point.time_ns == outcome.bound_ns {
        format!("no order is faster, by {bound}")
    } else if outcome.bound_ns == 0 {
        bound
    } else {
        format!("{:.1} % above {bound}", 100.0 * outcome.gap())
    };
    if outcome.is_exact && scheduled.is_exact {
        format!("{gap}; proved to be the best under the limits")
    } else {
        gap
    }
}

fn report_collectives(scheduled: &Scheduled) {
    let (problem, order) = (&scheduled.block.problem, &scheduled.outcome.order);
    let times = timeline(problem, order);
    for explanation in explain(problem, order, &times, &scheduled.limits) {
        let Some(op) = scheduled.block.op(explanation.node) else {
            continue;
        };
        let (hidden, exposed) = (time(explanation.hidden_ns), time(explanation.exposed_ns));
        let kind = if explanation.cause == Cause::Nothing {
            Remark::Passed
        } else {
            Remark::Missed
        };
        diagnostics::remark(op, kind, PASS, "collective", || match explanation.cause {
            Cause::Nothing => format!("hidden {hidden}, exposed {exposed}"),
            Cause::Consumer if Collective::new(op).is_some_and(|start| start.wait().is_none()) => {
                format!("hidden {hidden}, exposed {exposed}; nothing awaits it")
            }
            cause => {
                let limited_by = explanation
                    .fence
                    .and_then(|fence| named(scheduled, fence))
                    .unwrap_or_else(|| cause.to_string());
                format!("hidden {hidden}, exposed {exposed}; limited by {limited_by}")
            }
        });
    }
}

/// The op that a collective may not move across, with where it stands.
fn named(scheduled: &Scheduled, fence: NodeId) -> Option<String> {
    let op = scheduled.block.op(fence)?;
    let what = if scheduled.block.problem.node(fence).fence {
        "the fence "
    } else {
        ""
    };
    let place = location_label(op).map_or_else(String::new, |label| format!(" at {label}"));
    Some(format!(
        "{what}'{}'{place}, which it may not move across",
        op.name()
    ))
}

/// Microseconds to the nearest tenth.
pub(in crate::passes) fn time(ns: u64) -> String {
    let tenths = ns / 100 + u64::from(ns % 100 >= 50);
    format!("{}.{} us", tenths / 10, tenths % 10)
}
