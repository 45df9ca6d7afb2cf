// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The dependence graph of a problem over petgraph: edges from a node to what must follow it.
//!
//! A problem lists what each node depends on; most questions about movement need the other direction. Edges keep
//! whether they carry data or order alone. The graph is acyclic for a checked problem, and a parallel edge stands for
//! each operand, so that the number of edges into a node is the number of entries in its lists. Building is O(n + e).

use crate::problem::{NodeId, Problem};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::fmt;

/// Why one node must follow another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependenceKind {
    /// It reads a result of the other.
    Data,
    /// It only must not overtake the other.
    After,
}

impl fmt::Display for DependenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DependenceKind::Data => "reads",
            DependenceKind::After => "must follow",
        })
    }
}

/// The dependence graph of a problem. See the [module](self) documentation.
#[derive(Clone, Debug)]
pub struct DependenceGraph {
    graph: DiGraph<(), DependenceKind, u32>,
}

impl DependenceGraph {
    /// The graph of a checked problem.
    pub fn new(problem: &Problem) -> Self {
        let mut graph = DiGraph::with_capacity(problem.len(), problem.deps_count() + problem.after_count());
        for _ in problem.ids() {
            graph.add_node(());
        }
        // petgraph lists the newest edge first: adding from the last node on makes users come out in source order.
        for id in problem.ids().rev() {
            for &dep in problem.deps(id).iter().rev() {
                graph.add_edge(
                    NodeIndex::from(dep.0),
                    NodeIndex::from(id.0),
                    DependenceKind::Data,
                );
            }
            for &dep in problem.after(id).iter().rev() {
                graph.add_edge(
                    NodeIndex::from(dep.0),
                    NodeIndex::from(id.0),
                    DependenceKind::After,
                );
            }
        }
        DependenceGraph { graph }
    }

    /// What must follow `id`, in source order, once for each dependence.
    pub fn users(&self, id: NodeId) -> impl Iterator<Item = (NodeId, DependenceKind)> + '_ {
        self.graph
            .edges(NodeIndex::from(id.0))
            .map(|edge| (NodeId(edge.target().index() as u32), *edge.weight()))
    }

    /// What reads a result of `id`, in source order, once for each operand.
    pub fn readers(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.users(id)
            .filter(|(_, kind)| *kind == DependenceKind::Data)
            .map(|(user, _)| user)
    }

    /// Whether nothing has to follow `id`.
    pub fn is_sink(&self, id: NodeId) -> bool {
        self.users(id).next().is_none()
    }

    /// Whether `later` must follow `earlier`, directly or through other nodes. O(n + e).
    pub fn must_follow(&self, earlier: NodeId, later: NodeId) -> bool {
        earlier != later
            && petgraph::algo::has_path_connecting(
                &self.graph,
                NodeIndex::from(earlier.0),
                NodeIndex::from(later.0),
                None,
            )
    }

    /// The graph as petgraph sees it, for its algorithms and its printers.
    pub fn as_petgraph(&self) -> &DiGraph<(), DependenceKind, u32> {
        &self.graph
    }
}
