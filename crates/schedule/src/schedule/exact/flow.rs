// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the nodes of a problem pass to each other, with all that takes no time seen through.
//!
//! Decisions are *units*: computations, starts, blocking collectives, and waits that move the clock of computation. A
//! node that is no unit (an argument, a view, a wait of one stream for another) passes on the buffers that it shows and
//! the ends of the collectives that it waits for. Units are
//! numbered in canonical order, so no answer depends on the order of the problem's nodes. O(n + e + the sizes of the lists).

use crate::bounds::heads_and_tails;
use crate::graph::DependenceGraph;
use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use crate::schedule::canonical::Canonical;
use crate::timing::stream_waits;

/// See the [module](self) documentation. Arrays have one element a node.
pub(crate) struct Flow<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// All nodes in canonical order.
    pub canonical: Vec<NodeId>,
    /// Whether it is a unit.
    pub is_unit: Vec<bool>,
    /// Whether it is a start, or a blocking collective that holds up no computation.
    pub is_start: Vec<bool>,
    /// The buffers, by owner, that must live until it stands.
    pub uses: Vec<Vec<NodeId>>,
    /// Of a unit, the collectives for whose ends it waits, on its link or on the compute stream.
    pub awaits: Vec<Vec<NodeId>>,
    /// Whether its buffer lives to the end.
    pub is_live_out: Vec<bool>,
    /// The wait of a start.
    pub waits: Vec<Option<NodeId>>,
    /// The least time from its issue to the end of the step.
    pub tail_of_issue: Vec<u64>,
    /// The least time from when its result is there to the end of the step.
    pub tail: Vec<u64>,
}

impl<'a> Flow<'a> {
    /// The flow of a checked problem.
    pub fn new(problem: &'a Problem) -> Self {
        let is_stream_wait = stream_waits(problem);
        let (_, tails) = heads_and_tails(problem);
        let mut flow = Flow {
            problem,
            canonical: Canonical::new(problem, &DependenceGraph::new(problem)).order,
            is_unit: Vec::with_capacity(problem.len()),
            is_start: Vec::with_capacity(problem.len()),
            uses: Vec::with_capacity(problem.len()),
            awaits: Vec::with_capacity(problem.len()),
            is_live_out: vec![false; problem.len()],
            waits: problem.waits(),
            tail_of_issue: tails.issue,
            tail: tails.data,
        };
        // The buffers that the result of a node lives in, and the collectives at whose ends its data is there.
        let mut buffers: Vec<Vec<NodeId>> = Vec::with_capacity(problem.len());
        let mut ends: Vec<Vec<NodeId>> = Vec::with_capacity(problem.len());
        for id in problem.ids() {
            let deps = problem.deps(id);
            let mut read_buffers = union(&buffers, deps);
            let mut read_ends = union(&ends, deps);
            let start = problem.of(id);
            if let Some(start) = start {
                // What the start reads lives to here.
                read_buffers.extend(union(&buffers, problem.deps(start)));
                read_buffers.sort_unstable();
                read_buffers.dedup();
                read_ends = vec![start];
            }
            let is_stream_wait = is_stream_wait[id.index()];
            let (is_unit, is_start) = match problem.kind(id) {
                Kind::Compute => (true, false),
                Kind::Start => (true, true),
                Kind::Blocking => (true, is_stream_wait),
                Kind::Wait => (!is_stream_wait, false),
                Kind::View | Kind::Arg => (false, false),
            };
            buffers.push(match (problem.kind(id), start) {
                (_, Some(start)) => vec![start],
                (Kind::View | Kind::Arg, _) => read_buffers.clone(),
                _ => vec![id],
            });
            ends.push(match (is_unit, is_start) {
                (false, _) => read_ends.clone(),
                (true, true) => vec![id],
                (true, false) => Vec::new(),
            });
            flow.is_unit.push(is_unit);
            flow.is_start.push(is_start);
            flow.uses.push(read_buffers);
            flow.awaits.push(if is_unit && problem.kind(id) != Kind::Compute {
                read_ends
            } else {
                Vec::new()
            });
        }
        for owner in union(&buffers, problem.live_out()) {
            flow.is_live_out[owner.index()] = true;
        }
        flow
    }
}

/// What the lists of some nodes hold, ascending, without repetition.
fn union(lists: &[Vec<NodeId>], of: &[NodeId]) -> Vec<NodeId> {
    let mut union: Vec<NodeId> = of
        .iter()
        .flat_map(|id| lists[id.index()].iter().copied())
        .collect();
    union.sort_unstable();
    union.dedup();
    union
}
