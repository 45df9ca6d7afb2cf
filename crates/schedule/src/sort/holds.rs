// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which results are still held while an order is being built, by the rules of [`memory`](crate::memory).
//!
//! Each use of a result holds it. The use by a computation ends where the computation stands; by a start, at its wait;
//! by a view, or by the wait of a start, when nothing holds the view or the wait any more. A result is alive when it
//! has been produced and something holds it.
//!
//! Each use ends once: O(n + e) for a whole order.

use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// The number of uses that still hold each node's result.
pub struct Holds {
    counts: Vec<u32>,
    worklist: Vec<NodeId>,
}

impl Holds {
    /// The holds before anything stands in the order.
    pub fn new(problem: &Problem) -> Self {
        let mut counts = vec![0; problem.len()];
        for id in problem.ids() {
            for dep in problem.deps(id) {
                counts[dep.index()] += 1;
            }
        }
        for id in problem.live_out() {
            counts[id.index()] += 1;
        }
        Holds {
            counts,
            worklist: Vec::new(),
        }
    }

    /// How many uses still hold the result of `id`.
    pub fn count(&self, id: NodeId) -> u32 {
        self.counts[id.index()]
    }

    /// Notes that `id` stands in the order now.
    pub fn emitted(&mut self, problem: &Problem, waits: &[Option<NodeId>], id: NodeId) {
        ended_uses(problem, waits, id, |used| self.worklist.push(used));
        if self.counts[id.index()] == 0 {
            aliased(problem, id)
                .iter()
                .for_each(|&used| self.worklist.push(used));
        }
        while let Some(used) = self.worklist.pop() {
            self.counts[used.index()] -= 1;
            if self.counts[used.index()] == 0 {
                self.worklist.extend_from_slice(aliased(problem, used));
            }
        }
    }
}

/// Calls `end` for each use that ends where `id` stands.
pub fn ended_uses(problem: &Problem, waits: &[Option<NodeId>], id: NodeId, mut end: impl FnMut(NodeId)) {
    let deps = problem.deps(id);
    match problem.kind(id) {
        Kind::Compute | Kind::Blocking => deps.iter().copied().for_each(end),
        Kind::Start if waits[id.index()].is_none() => deps.iter().copied().for_each(end),
        Kind::Wait => {
            deps[1..].iter().copied().for_each(&mut end);
            let start = problem.of(id).into_iter();
            start.flat_map(|start| problem.deps(start)).copied().for_each(end);
        }
        Kind::Start | Kind::View | Kind::Arg => {}
    }
}

/// What a view or a wait keeps alive for as long as it is held itself.
pub fn aliased(problem: &Problem, id: NodeId) -> &[NodeId] {
    match problem.kind(id) {
        Kind::View => problem.deps(id),
        Kind::Wait => &problem.deps(id)[..1],
        _ => &[],
    }
}
