// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Live bytes along an order.
//!
//! The memory at a position is the bytes of the results that are alive there:
//! - a node owns the bytes of its result from its own position to its last use, a start from its position on;
//! - a view owns none and keeps all that it reads alive for as long as it lives itself; a wait does so with its start;
//! - what a start reads lives to its wait, although the wait names it only to say so: the wait is a use, no alias;
//! - what is live out lives to the end; a result without a use lives at its own position;
//! - arguments are counted apart, that is, not here.
//!
//! The model knows nothing of buffers that are reused in place, nor of what a node allocates while it runs. O(n + e).

use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// The live bytes at each position of `order`, which must be an order that [`verify`](crate::verify()) accepts.
pub fn profile(problem: &Problem, order: &[NodeId]) -> Vec<u64> {
    let last_use = last_uses(problem, order);
    let mut freed = vec![0u64; order.len()];
    let mut live = 0;
    let mut profile = Vec::with_capacity(order.len());
    for (position, &id) in order.iter().enumerate() {
        live += owned_bytes(problem, id);
        freed[last_use[id.index()]] += owned_bytes(problem, id);
        profile.push(live);
        live -= freed[position];
    }
    profile
}

/// The largest number of live bytes along `order`.
pub fn peak(problem: &Problem, order: &[NodeId]) -> u64 {
    profile(problem, order).into_iter().max().unwrap_or(0)
}

/// The bytes that are alive on account of a node: those of its result, unless they are another one's or counted apart.
pub(crate) fn owned_bytes(problem: &Problem, id: NodeId) -> u64 {
    match problem.kind(id) {
        Kind::Compute | Kind::Start | Kind::Blocking => problem.bytes(id),
        Kind::Wait | Kind::View | Kind::Arg => 0,
    }
}

/// For each node, the position of the last use of its result.
fn last_uses(problem: &Problem, order: &[NodeId]) -> Vec<usize> {
    let end = order.len().saturating_sub(1);
    let waits = problem.waits();
    let mut positions = vec![0; problem.len()];
    for (position, &id) in order.iter().enumerate() {
        positions[id.index()] = position;
    }
    let mut last_use = positions.clone();
    for &id in problem.live_out() {
        last_use[id.index()] = end;
    }
    // Users stand after what they use, so going backwards finds the life of a view settled before it is handed on.
    for (position, &id) in order.iter().enumerate().rev() {
        let alias_end = last_use[id.index()];
        let wait_position = waits[id.index()].map_or(position, |wait| positions[wait.index()]);
        for &dep in problem.deps(id) {
            let use_end = match problem.kind(id) {
                Kind::View => alias_end,
                Kind::Wait if problem.of(id) == Some(dep) => alias_end,
                Kind::Start => wait_position,
                _ => position,
            };
            let slot = &mut last_use[dep.index()];
            *slot = (*slot).max(use_end);
        }
    }
    last_use
}
