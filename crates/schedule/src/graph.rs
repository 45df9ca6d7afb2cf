// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The dependence graph of a problem: edges from a node to what must follow it.
//!
//! A problem lists what each node depends on; most questions about movement need the other direction. Edges keep
//! whether they carry data or order alone, and a parallel edge stands for each operand, so that the number of edges
//! into a node is the number of entries in its lists. The graph is acyclic for a checked problem.
//!
//! The edges lie in one array, by node (petgraph's own graphs link each node's edges through memory, and its packed
//! one has no parallel edges). A reference to the graph implements petgraph's traits, so its walks and algorithms
//! apply. Building is O(n + e).

use crate::node::NodeId;
use crate::problem::Problem;
use petgraph::visit::{GraphBase, IntoNeighbors, IntoNodeIdentifiers, Visitable};
use std::collections::HashSet;
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
    /// Where each node's edges begin, and one more element for where the last ones end.
    begins: Vec<u32>,
    users: Vec<(NodeId, DependenceKind)>,
}

impl DependenceGraph {
    /// The graph of a checked problem.
    pub fn new(problem: &Problem) -> Self {
        let mut begins = vec![0u32; problem.len() + 1];
        let dependences = |id| {
            let data = problem.deps(id).iter().map(|&dep| (dep, DependenceKind::Data));
            data.chain(problem.after(id).iter().map(|&dep| (dep, DependenceKind::After)))
        };
        for (dep, _) in problem.ids().flat_map(dependences) {
            begins[dep.index() + 1] += 1;
        }
        for index in 0..problem.len() {
            begins[index + 1] += begins[index];
        }
        let mut next = begins.clone();
        let mut users = vec![(NodeId(0), DependenceKind::Data); problem.deps_count() + problem.after_count()];
        for id in problem.ids() {
            for (dep, kind) in dependences(id) {
                users[next[dep.index()] as usize] = (id, kind);
                next[dep.index()] += 1;
            }
        }
        DependenceGraph { begins, users }
    }

    fn edges(&self, id: NodeId) -> &[(NodeId, DependenceKind)] {
        &self.users[self.begins[id.index()] as usize..self.begins[id.index() + 1] as usize]
    }

    /// What must follow `id`, in source order, once for each dependence.
    pub fn users(&self, id: NodeId) -> impl Iterator<Item = (NodeId, DependenceKind)> + '_ {
        self.edges(id).iter().copied()
    }

    /// What reads a result of `id`, in source order, once for each operand.
    pub fn readers(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.users(id)
            .filter(|(_, kind)| *kind == DependenceKind::Data)
            .map(|(user, _)| user)
    }

    /// Whether nothing has to follow `id`.
    pub fn is_sink(&self, id: NodeId) -> bool {
        self.edges(id).is_empty()
    }

    /// Whether `later` must follow `earlier`, directly or through other nodes. O(n + e).
    pub fn must_follow(&self, earlier: NodeId, later: NodeId) -> bool {
        earlier != later && petgraph::algo::has_path_connecting(self, earlier, later, None)
    }
}

/// Which operand of `user` the node is first; past the end for an order-only dependence.
pub(crate) fn place_of(problem: &Problem, user: NodeId, id: NodeId) -> usize {
    let deps = problem.deps(user);
    deps.iter()
        .take(MOST_PLACES)
        .position(|dep| *dep == id)
        .unwrap_or(deps.len())
}

/// Operands that are told apart by their place; the rest count as one, so that a wide node costs no more than it has operands.
const MOST_PLACES: usize = 8;

impl GraphBase for DependenceGraph {
    type NodeId = NodeId;
    type EdgeId = u32;
}

impl<'a> IntoNeighbors for &'a DependenceGraph {
    type Neighbors = std::iter::Map<
        std::iter::Copied<std::slice::Iter<'a, (NodeId, DependenceKind)>>,
        fn((NodeId, DependenceKind)) -> NodeId,
    >;

    fn neighbors(self, id: NodeId) -> Self::Neighbors {
        self.edges(id).iter().copied().map(|(user, _)| user)
    }
}

impl IntoNodeIdentifiers for &DependenceGraph {
    type NodeIdentifiers = std::iter::Map<std::ops::Range<u32>, fn(u32) -> NodeId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.begins.len() as u32 - 1).map(NodeId)
    }
}

impl Visitable for DependenceGraph {
    type Map = HashSet<NodeId>;

    fn visit_map(&self) -> Self::Map {
        HashSet::new()
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
    }
}
