// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Who reads a gather, and when: its users in the work of the block.
//!
//! Time is the modelled duration of computation that stands before a node in source order. A view takes none and may stand
//! anywhere, so it is used when what reads it is used. What a start reads lives to its wait, as [`memory`](crate::memory)
//! counts; a wait that names an operand of its start only to keep it alive goes with that start.

use super::sets::Gather;
use crate::graph::{DependenceGraph, DependenceKind};
use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// Nodes that read a gather and must read the same one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct User {
    /// Direct readers: one, or a start with its wait.
    pub(super) nodes: Vec<NodeId>,
    /// Work before the first use.
    pub(super) first_ns: u64,
    /// Work up to the end of the last.
    pub(super) last_ns: u64,
}

/// When the results of all nodes are used.
pub(super) struct Uses<'a> {
    problem: &'a Problem,
    graph: DependenceGraph,
    is_live_out: Vec<bool>,
    /// For each node, when its being there uses what it reads: from and to.
    span: Vec<(u64, u64)>,
}

impl<'a> Uses<'a> {
    /// O(n + e).
    pub(super) fn new(problem: &'a Problem) -> Self {
        let graph = DependenceGraph::new(problem);
        let mut is_live_out = vec![false; problem.len()];
        for id in problem.live_out() {
            is_live_out[id.index()] = true;
        }
        let mut span = vec![(0, 0); problem.len()];
        let mut work_ns = 0;
        for id in problem.ids() {
            let begin_ns = work_ns;
            if problem.kind(id) == Kind::Compute {
                work_ns += problem.ns(id);
            }
            span[id.index()] = (begin_ns, work_ns);
        }
        for (start, wait) in problem.waits().into_iter().enumerate() {
            if let Some(wait) = wait {
                span[start].1 = span[wait.index()].1;
            }
        }
        for id in problem.ids().rev() {
            if problem.kind(id) != Kind::View {
                continue;
            }
            let mut of_readers: Option<(u64, u64)> = None;
            for reader in graph.readers(id) {
                let (first, last) = span[reader.index()];
                of_readers = Some(of_readers.map_or((first, last), |(f, l)| (f.min(first), l.max(last))));
            }
            let (first, last) = of_readers.unwrap_or(span[id.index()]);
            span[id.index()] = if is_live_out[id.index()] {
                (of_readers.map_or(work_ns, |_| first), work_ns)
            } else {
                (first, last)
            };
        }
        Uses {
            problem,
            graph,
            is_live_out,
            span,
        }
    }

    /// Users of a gather by first use.
    pub(super) fn of(&self, gather: Gather) -> Vec<User> {
        let mut users: Vec<User> = Vec::new();
        // In source order, so a start comes before its wait, and a node that reads twice is next to itself.
        let mut readers: Vec<NodeId> = self.graph.readers(gather.result).collect();
        readers.dedup();
        for reader in readers {
            let start = self.problem.of(reader);
            let with = start.and_then(|start| users.iter_mut().find(|user| user.nodes[0] == start));
            match with {
                Some(user) => user.nodes.push(reader),
                None => users.push(User {
                    nodes: vec![reader],
                    first_ns: self.span[reader.index()].0,
                    last_ns: self.span[reader.index()].1,
                }),
            }
        }
        users.sort_by_key(|user| (user.first_ns, user.nodes[0]));
        users
    }

    /// Whether the result of the gather itself is used after the block.
    pub(super) fn is_live_out(&self, gather: Gather) -> bool {
        self.is_live_out[gather.result.index()]
    }

    /// Nodes that must follow `id` by order-only dependences, in ascending order.
    pub(super) fn followers(&self, id: NodeId) -> Vec<NodeId> {
        let users = self.graph.users(id);
        let mut followers: Vec<NodeId> = users
            .filter(|(_, kind)| *kind == DependenceKind::After)
            .map(|(user, _)| user)
            .collect();
        followers.dedup();
        followers
    }
}
