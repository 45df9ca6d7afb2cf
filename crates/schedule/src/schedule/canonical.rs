// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! An order of all nodes that depends neither on source order nor on names.
//!
//! Nodes are numbered by a depth-first walk from the ends of the program against its dependences, operands in their
//! order: first what is live out, in the order given, then what nothing follows, by structure. Numbers are given on the
//! way back, so the order is a linear extension, and one in which values stand close to their first use.
//!
//! Nodes of equal structure are told apart by what they depend on, and only where that is the same by source order: then
//! they are one another's twins, and the program is the same under another name. Streams are part of the structure by
//! numbers, see [`stream_numbers`](crate::stream_numbers). O((n + e) log n), and O(n + e) for each round that those take.

use crate::graph::{DependenceGraph, place_of};
use crate::node::NodeId;
use crate::problem::Problem;
use crate::stream_numbers::{number, stream_numbers};

/// What depends neither on source order nor on names.
pub(crate) struct Canonical {
    /// The nodes in canonical order.
    pub(crate) order: Vec<NodeId>,
    /// Numbers of the streams.
    pub(crate) streams: Vec<u64>,
}

impl Canonical {
    pub(crate) fn new(problem: &Problem, graph: &DependenceGraph) -> Canonical {
        let streams = stream_numbers(problem, |streams| structure(problem, graph, streams));
        Canonical {
            order: order(problem, graph, &streams),
            streams,
        }
    }
}

/// The nodes in canonical order, where streams have these numbers.
fn order(problem: &Problem, graph: &DependenceGraph, streams: &[u64]) -> Vec<NodeId> {
    let ranks = ranks(problem, &structure(problem, graph, streams));
    let key = |id: &NodeId| ranks[id.index()];
    let mut ends: Vec<NodeId> = problem.ids().filter(|id| graph.is_sink(*id)).collect();
    ends.sort_unstable_by_key(key);

    let mut is_seen = vec![false; problem.len()];
    let mut order = Vec::with_capacity(problem.len());
    // A node is pushed once to be opened and once to be numbered.
    let mut stack: Vec<(NodeId, bool)> = Vec::new();
    let mut after = Vec::new();
    for &end in problem.live_out().iter().chain(&ends) {
        stack.push((end, false));
        while let Some((id, is_open)) = stack.pop() {
            if is_open {
                order.push(id);
                continue;
            }
            if std::mem::replace(&mut is_seen[id.index()], true) {
                continue;
            }
            stack.push((id, true));
            after.clear();
            after.extend_from_slice(problem.after(id));
            after.sort_unstable_by_key(key);
            let dependences = problem.deps(id).iter().chain(&after);
            stack.extend(
                dependences
                    .rev()
                    .filter(|dep| !is_seen[dep.index()])
                    .map(|dep| (*dep, false)),
            );
        }
    }
    order
}

/// For each node its place when nodes are sorted by depth, by structure, by the places of what they depend on, and at last
/// by source order. So twins that depend on twins stand in the order of those.
fn ranks(problem: &Problem, structure: &[u64]) -> Vec<u32> {
    let mut depths = vec![0u32; problem.len()];
    for id in problem.ids() {
        let dependences = problem.deps(id).iter().chain(problem.after(id));
        depths[id.index()] = dependences.map(|dep| depths[dep.index()] + 1).max().unwrap_or(0);
    }
    let mut sorted: Vec<(u32, u64, NodeId)> = problem
        .ids()
        .map(|id| (depths[id.index()], structure[id.index()], id))
        .collect();
    sorted.sort_unstable();
    let mut ranks = vec![0u32; problem.len()];
    let mut next = 0;
    for alike in sorted.chunk_by_mut(|one, other| (one.0, one.1) == (other.0, other.1)) {
        if alike.len() > 1 {
            alike.sort_by_cached_key(|&(_, _, id)| {
                let deps: Vec<u32> = problem.deps(id).iter().map(|dep| ranks[dep.index()]).collect();
                let mut after: Vec<u32> = problem.after(id).iter().map(|dep| ranks[dep.index()]).collect();
                after.sort_unstable();
                (deps, after, id)
            });
        }
        for (_, _, id) in alike {
            ranks[id.index()] = next;
            next += 1;
        }
    }
    ranks
}

/// For each node a number made of what it is, of all that it depends on, operand by operand, and of what depends on that.
fn structure(problem: &Problem, graph: &DependenceGraph, streams: &[u64]) -> Vec<u64> {
    let own = |id: NodeId| {
        let node = problem.node(id);
        let stream = node.stream.map(|stream| streams[stream.index()]);
        let occupied = problem.occupied(id).map(|stream| number(streams[stream.index()]));
        number((
            node.kind,
            node.collective,
            stream,
            occupied.fold(0u64, u64::wrapping_add),
            node.ns,
            node.bytes,
            problem.key(id),
        ))
    };
    let above = from_above(problem, own);
    // The same from below, then from above once more: users tell apart what operands do not.
    let mut below = above;
    for id in problem.ids().rev() {
        let users = graph
            .users(id)
            .map(|(user, _)| number((below[user.index()], place_of(problem, user, id))));
        below[id.index()] = number((below[id.index()], users.fold(0u64, u64::wrapping_add)));
    }
    for (place, id) in problem.live_out().iter().enumerate() {
        below[id.index()] = number((below[id.index()], place));
    }
    from_above(problem, |id| below[id.index()])
}

/// Numbers made of each node's own number and those of what it depends on.
fn from_above(problem: &Problem, own: impl Fn(NodeId) -> u64) -> Vec<u64> {
    let mut numbers = vec![0u64; problem.len()];
    let mut deps: Vec<u64> = Vec::new();
    for id in problem.ids() {
        deps.clear();
        deps.extend(problem.deps(id).iter().map(|dep| numbers[dep.index()]));
        // Order-only dependences are a set.
        let after = problem.after(id).iter().map(|dep| numbers[dep.index()]);
        numbers[id.index()] = number((own(id), deps.as_slice(), after.fold(0u64, u64::wrapping_add)));
    }
    numbers
}
