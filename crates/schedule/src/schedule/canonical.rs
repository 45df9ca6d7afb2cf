// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! An order of all nodes that depends neither on source order nor on names.
//!
//! Nodes are numbered by a depth-first walk from the ends of the program against its dependences, operands in their
//! order: first what is live out, in the order given, then what nothing follows, by structure. Numbers are given on the
//! way back, so the order is a linear extension, and one in which values stand close to their first use.
//!
//! Two nodes that only source order tells apart (dead ones of equal structure) keep source order; they are the same
//! program under another name. O(n + e), and sorting of the ends.

use crate::graph::DependenceGraph;
use crate::node::NodeId;
use crate::problem::Problem;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The nodes in canonical order.
pub(crate) fn canonical_order(problem: &Problem, graph: &DependenceGraph) -> Vec<NodeId> {
    let structure = structure(problem);
    let key = |id: &NodeId| (structure[id.index()], *id);
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

/// For each node a number made of what it is and of all that it depends on, operand by operand.
fn structure(problem: &Problem) -> Vec<u64> {
    let mut structure = vec![0u64; problem.len()];
    for id in problem.ids() {
        // The hasher's keys are fixed: the numbers are the same in every run.
        let mut hasher = DefaultHasher::new();
        let node = problem.node(id);
        let stream = node.stream.map(|stream| problem.stream_name(stream));
        (
            node.kind,
            node.collective,
            stream,
            node.ns,
            node.bytes,
            problem.key(id),
        )
            .hash(&mut hasher);
        for dep in node.deps {
            structure[dep.index()].hash(&mut hasher);
        }
        // Order-only dependences are a set.
        let after = node.after.iter().map(|dep| structure[dep.index()]);
        after.fold(0u64, u64::wrapping_add).hash(&mut hasher);
        structure[id.index()] = hasher.finish();
    }
    structure
}
