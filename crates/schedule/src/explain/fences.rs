// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which waits could stand later but for a fence.
//!
//! A fence that follows a wait for no value keeps it ahead of itself. Where computation lies between the fence and the first
//! op that needs what is awaited, that computation could hide more of the collective. O(n + e) to build.

use super::{Computing, Places};
use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// What follows each node of an order, by position.
pub(super) struct Fences {
    /// The first position at which the value is needed, views and cheap ops apart; behind all where it is not.
    needed: Vec<usize>,
    /// For each wait the first fence that follows it for no value, and its position.
    fence: Vec<Option<(NodeId, usize)>>,
    /// Position of each node.
    position: Vec<usize>,
}

impl Fences {
    pub(super) fn new(problem: &Problem, order: &[NodeId]) -> Self {
        let mut fences = Fences {
            needed: vec![order.len(); problem.len()],
            fence: vec![None; problem.len()],
            position: vec![0; problem.len()],
        };
        for (position, &id) in order.iter().enumerate().rev() {
            fences.position[id.index()] = position;
            let moves_along = problem.kind(id) == Kind::View || problem.is_cheap(id);
            let needed = if moves_along {
                fences.needed[id.index()]
            } else {
                position
            };
            for dep in problem.deps(id) {
                let of_dep = &mut fences.needed[dep.index()];
                *of_dep = needed.min(*of_dep);
            }
            if problem.node(id).fence {
                for before in problem.after(id) {
                    fences.fence[before.index()] = Some((id, position));
                }
            }
        }
        fences
    }

    /// The fence right behind a wait that keeps it from standing later, if one does.
    pub(super) fn behind(&self, wait: NodeId, places: &Places, computing: &Computing) -> Option<NodeId> {
        let (fence, position) = self.fence[wait.index()]?;
        let awaited = places.clock_at[self.position[wait.index()] + 1];
        let (at_fence, needed) = (
            places.clock_at[position],
            places.clock_at[self.needed[wait.index()]],
        );
        let is_held = computing.between(awaited, at_fence) == 0
            && needed > at_fence
            && computing.between(at_fence, needed) > 0;
        is_held.then_some(fence)
    }
}
