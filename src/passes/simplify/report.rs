// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Remarks: what the pass looked at, which identities it applied, and what that is worth.

use super::{choose::Choice, pieces::Piece, shapes::Shape, terms::Terms};
use crate::{
    diagnostics::{self, Remark},
    passes::schedule::time,
    problem::BlockProblem,
};

const PASS: &str = "comm-simplify";

/// Says all there is to say of a block, before it is changed. Costs nothing where nobody asks for remarks.
pub(super) fn report(
    block: &BlockProblem,
    terms: &Terms,
    pieces: &[Piece],
    shapes: &[Shape],
    choice: Option<&Choice>,
) {
    let Some(&first) = block.ops.first() else { return };
    if !diagnostics::remarks_enabled(first, PASS) {
        return;
    }
    diagnostics::remark(first, Remark::Analysis, PASS, "saturation", || {
        let unfinished = shapes.iter().filter(|shape| !shape.report.saturated).count();
        let graph = match unfinished {
            0 => "every e-graph saturated".to_owned(),
            some => format!("{some} e-graph(s) did not saturate within their limit"),
        };
        let nodes: usize = shapes.iter().map(|shape| shape.report.terms).sum();
        format!(
            "{} piece(s) around collectives, {} of them different: {graph}, {nodes} nodes in all",
            pieces.len(),
            shapes.len()
        )
    });
    let Some(choice) = choice else { return };
    if !choice.is_complete {
        diagnostics::remark(first, Remark::Missed, PASS, "schedules", || {
            "not every alternative was timed: the number of schedules of a block is limited".to_owned()
        });
    }
    for (shape, decision) in shapes.iter().zip(&choice.decisions) {
        let Some(way) = decision.map(|way| &shape.ways[way]) else {
            continue;
        };
        let piece = &pieces[shape.pieces[0]];
        let collective = piece
            .positions
            .iter()
            .find(|&&position| terms.at(position).is_some_and(|term| term.op.is_collective()));
        let at = collective.map_or(first, |&position| block.ops[position]);
        diagnostics::remark(at, Remark::Passed, PASS, "rewritten", || {
            let by = if way.rules.is_empty() {
                "leaving out what nobody reads".to_owned()
            } else {
                let named = way
                    .rules
                    .iter()
                    .map(|name| match comm_algebra::rules::by_name(name) {
                        Some(rule) => format!("{name} ({})", rule.statement),
                        None => (*name).to_owned(),
                    });
                named.collect::<Vec<_>>().join(", ")
            };
            format!(
                "{} piece(s) like this one rewritten by {by}: each device sends {} bytes instead of {}, in {} collective(s) instead of {}",
                shape.pieces.len(),
                way.work.sent,
                shape.work.sent,
                way.work.collectives,
                shape.work.collectives,
            )
        });
    }
    if choice.draft.is_some() {
        diagnostics::remark(first, Remark::Passed, PASS, "block", || {
            format!(
                "scheduled fast, step time {} -> {}, peak memory {} -> {} bytes, bytes sent {:+}",
                time(choice.before.time_ns),
                time(choice.after.time_ns),
                choice.before.peak_bytes,
                choice.after.peak_bytes,
                choice.after.sent_bytes - choice.before.sent_bytes,
            )
        });
    }
}
