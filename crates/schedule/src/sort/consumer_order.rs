// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Consumer order: a numbering of all nodes that are no anchors, by their first consumer.
//!
//! Anchors are visited in order; from each, a depth-first walk goes through what it needs and nobody needed before, in
//! operand order, and numbers in post-order. What is live out counts as operands of the terminator (or of the end).
//! The numbers thus depend on the anchors, their order and the operands alone: not on where the numbered nodes stand
//! in the source. Waits of gathers in this order are the consumer order of gathers.
//!
//! Order-only dependences have no operand order of their own. If there are any, a first numbering over data
//! dependences gives them one (waits before starts, then by number), and a second walk, which visits them after data
//! dependences, gives the final numbers. [`emit`](super::emit) walks in exactly this order, which is why it emits
//! waits of gathers by increasing number.
//!
//! Nodes that no anchor needs come last, in the order of [`dead`](super::dead).
//!
//! The walk keeps its own stack, so depth is limited by memory alone. O(n + e), and sorting of order-only lists.

use super::classes::{Classes, Role};
use super::dead;
use crate::graph::DependenceGraph;
use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// The number of a node that has none: an anchor or an argument.
pub const UNNUMBERED: u32 = u32::MAX;

/// The numbering, and the adjacency that a walk in consumer order follows. See the [module](self) documentation.
#[derive(Debug)]
pub struct ConsumerOrder {
    /// The number of each node, `UNNUMBERED` for anchors and arguments.
    pub numbers: Vec<u32>,
    /// The numbered nodes, by number.
    pub sequence: Vec<NodeId>,
    /// How many of them an anchor, or what is live out, needs: the first ones of `sequence`.
    pub needed: usize,
    needs: Needs,
}

impl ConsumerOrder {
    /// Numbers the nodes of a checked problem.
    pub fn new(problem: &Problem, graph: &DependenceGraph, classes: &Classes) -> Self {
        let data = Needs::data(problem, classes);
        let mut walk = Walk::new(problem.len());
        walk.visit_needs_of_anchors(problem, classes, &data);
        let mut dead = dead::order(problem, graph, classes, &walk.numbers, &walk.sequence);
        if problem.after_count() == 0 {
            let needed = walk.sequence.len();
            dead.drain(..).for_each(|id| walk.visit(id, &data));
            return ConsumerOrder {
                numbers: walk.numbers,
                sequence: walk.sequence,
                needed,
                needs: data,
            };
        }

        let mut first = walk.numbers;
        for (rank, id) in dead.iter().enumerate() {
            first[id.index()] = (walk.sequence.len() + rank) as u32;
        }
        let needs = Needs::all(problem, classes, &first);
        let mut walk = Walk::new(problem.len());
        walk.visit_needs_of_anchors(problem, classes, &needs);
        let needed = walk.sequence.len();
        dead.drain(..).for_each(|id| walk.visit(id, &needs));
        ConsumerOrder {
            numbers: walk.numbers,
            sequence: walk.sequence,
            needed,
            needs,
        }
    }

    /// What a node needs that is neither anchor nor argument, in the order of the walk.
    #[inline]
    pub fn needs(&self, id: NodeId) -> &[NodeId] {
        self.needs.of(id)
    }

    /// Whether an anchor, or what is live out, needs the node.
    #[inline]
    pub fn is_needed(&self, id: NodeId) -> bool {
        (self.numbers[id.index()] as usize) < self.needed
    }
}

/// Dependences on numbered nodes, in the order in which a walk visits them.
#[derive(Debug)]
struct Needs {
    ends: Vec<u32>,
    nodes: Vec<NodeId>,
}

impl Needs {
    fn build(problem: &Problem, mut append: impl FnMut(NodeId, &mut Vec<NodeId>)) -> Self {
        let mut ends = Vec::with_capacity(problem.len());
        let mut nodes = Vec::with_capacity(problem.deps_count() + problem.after_count());
        for id in problem.ids() {
            append(id, &mut nodes);
            ends.push(nodes.len() as u32);
        }
        Needs { ends, nodes }
    }

    fn data(problem: &Problem, classes: &Classes) -> Self {
        let numbered = |id: &NodeId| !matches!(classes.role(*id), Role::Anchor | Role::Arg);
        Self::build(problem, |id, nodes| {
            nodes.extend(problem.deps(id).iter().copied().filter(numbered))
        })
    }

    fn all(problem: &Problem, classes: &Classes, first: &[u32]) -> Self {
        let numbered = |id: &NodeId| !matches!(classes.role(*id), Role::Anchor | Role::Arg);
        Self::build(problem, |id, nodes| {
            nodes.extend(problem.deps(id).iter().copied().filter(numbered));
            let begin = nodes.len();
            nodes.extend(problem.after(id).iter().copied().filter(numbered));
            nodes[begin..].sort_by_key(|&dep| (problem.kind(dep) != Kind::Wait, first[dep.index()]));
        })
    }

    #[inline]
    fn of(&self, id: NodeId) -> &[NodeId] {
        let begin = if id.0 == 0 { 0 } else { self.ends[id.index() - 1] };
        &self.nodes[begin as usize..self.ends[id.index()] as usize]
    }
}

struct Walk {
    numbers: Vec<u32>,
    sequence: Vec<NodeId>,
    stack: Vec<(NodeId, u32)>,
    entered: Vec<bool>,
}

impl Walk {
    fn new(nodes: usize) -> Self {
        Walk {
            numbers: vec![UNNUMBERED; nodes],
            sequence: Vec::new(),
            stack: Vec::new(),
            entered: vec![false; nodes],
        }
    }

    fn visit_needs_of_anchors(&mut self, problem: &Problem, classes: &Classes, needs: &Needs) {
        for &anchor in &classes.anchors {
            for &id in needs.of(anchor) {
                self.visit(id, needs);
            }
        }
        for &id in problem.live_out() {
            if !matches!(classes.role(id), Role::Anchor | Role::Arg) {
                self.visit(id, needs);
            }
        }
    }

    fn visit(&mut self, root: NodeId, needs: &Needs) {
        self.enter(root);
        while let Some((id, cursor)) = self.stack.last_mut() {
            let id = *id;
            match needs.of(id).get(*cursor as usize) {
                Some(&next) => {
                    *cursor += 1;
                    self.enter(next);
                }
                None => {
                    self.stack.pop();
                    self.numbers[id.index()] = self.sequence.len() as u32;
                    self.sequence.push(id);
                }
            }
        }
    }

    fn enter(&mut self, id: NodeId) {
        if !std::mem::replace(&mut self.entered[id.index()], true) {
            self.stack.push((id, 0));
        }
    }
}
