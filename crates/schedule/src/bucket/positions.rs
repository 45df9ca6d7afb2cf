// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Where the collectives of a problem stand beside its computation, and which of them depend on each other.
//!
//! Computation is taken in the order of the source. Cheap nodes that dress a collective (a convert before it, a transpose
//! behind it) move with it: they count as work, but a collective is ready, and needed, as if they were not there.

use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// Times of all nodes in work of the block, as [`Item`](super::Item) counts them.
pub(super) struct Positions {
    /// Work that is done before the node can begin.
    pub(super) ready_ns: Vec<u64>,
    /// Work that can be done without the node.
    pub(super) need_ns: Vec<u64>,
    /// All work.
    pub(super) compute_ns: u64,
}

impl Positions {
    /// O(n + e).
    pub(super) fn new(problem: &Problem) -> Self {
        let is_real = |id: NodeId| problem.kind(id) == Kind::Compute && !problem.is_cheap(id);
        let mut begin_ns = vec![0; problem.len()];
        let mut compute_ns = 0_u64;
        for id in problem.ids() {
            begin_ns[id.index()] = compute_ns;
            if problem.kind(id) == Kind::Compute {
                compute_ns = compute_ns.saturating_add(problem.ns(id));
            }
        }
        let mut ready_ns = vec![0; problem.len()];
        for id in problem.ids() {
            let before = problem.deps(id).iter().chain(problem.after(id));
            let ready = before.map(|dep| {
                if is_real(*dep) {
                    begin_ns[dep.index()].saturating_add(problem.ns(*dep))
                } else {
                    ready_ns[dep.index()]
                }
            });
            ready_ns[id.index()] = ready.max().unwrap_or(0);
        }
        let mut need_ns = vec![compute_ns; problem.len()];
        for id in problem.ids().rev() {
            let at = if is_real(id) {
                begin_ns[id.index()]
            } else {
                need_ns[id.index()]
            };
            for dep in problem.deps(id).iter().chain(problem.after(id)) {
                need_ns[dep.index()] = need_ns[dep.index()].min(at);
            }
        }
        Positions {
            ready_ns,
            need_ns,
            compute_ns,
        }
    }
}

/// Which of some nodes depend on which others of them.
pub(super) struct Reach {
    /// For each of the nodes, bit by bit, which of them it depends on.
    bits: Vec<Vec<u64>>,
}

impl Reach {
    /// O((n + e) m / 64) for m nodes of interest; sets are dropped once all that read them have.
    pub(super) fn new(problem: &Problem, nodes: &[NodeId]) -> Self {
        let words = nodes.len().div_ceil(64);
        let mut number = vec![None; problem.len()];
        for (index, id) in nodes.iter().enumerate() {
            number[id.index()] = Some(index);
        }
        let mut readers = vec![0_u32; problem.len()];
        let before = |id: NodeId| problem.deps(id).iter().chain(problem.after(id)).copied();
        for id in problem.ids() {
            before(id).for_each(|dep| readers[dep.index()] += 1);
        }
        let mut sets: Vec<Vec<u64>> = vec![Vec::new(); problem.len()];
        let mut bits = vec![Vec::new(); nodes.len()];
        for id in problem.ids() {
            let mut set = vec![0; words];
            for dep in before(id) {
                for (own, other) in set.iter_mut().zip(&sets[dep.index()]) {
                    *own |= other;
                }
                readers[dep.index()] -= 1;
                if readers[dep.index()] == 0 {
                    sets[dep.index()] = Vec::new();
                }
            }
            if let Some(index) = number[id.index()] {
                bits[index] = set.clone();
                set[index / 64] |= 1 << (index % 64);
            }
            if readers[id.index()] > 0 {
                sets[id.index()] = set;
            }
        }
        Reach { bits }
    }

    /// Whether one node depends on the other, whichever way, by their positions in the list.
    pub(super) fn is_between(&self, one: usize, other: usize) -> bool {
        let depends = |one: usize, other: usize| self.bits[one][other / 64] >> (other % 64) & 1 == 1;
        depends(one, other) || depends(other, one)
    }
}
