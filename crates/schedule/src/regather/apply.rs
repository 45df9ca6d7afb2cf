// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The problem in which some gathers are shared and some are split.
//!
//! Before: a checked problem, and decisions that [`alternatives`](super::alternatives()) made for it, one for each set at most. After: every
//! node that is not a dropped gather is there, with what it read, or an equal value. Order-only dependences of a dropped
//! gather go over to the one kept, and a copy has those of its gather, on both sides.
//!
//! Source order changes as little as possible: a copy stands before the first node that reads it, and the wait of a kept
//! gather where the first of the waits stood that it stands for.

use super::alternatives::Decision;
use crate::node::{Node, NodeId};
use crate::problem::Problem;
use std::collections::HashMap;

/// Where a node of a rewritten problem comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is a node of the problem that was rewritten.
    Kept(NodeId),
    /// It is a copy of one: the start or the wait of a gather that was split, or its blocking collective.
    Copy(NodeId),
}

/// A rewritten problem.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The problem in its new source order.
    pub problem: Problem,
    /// Where each of its nodes comes from.
    pub nodes: Vec<Origin>,
}

/// Shares and splits. O(n log n + e).
///
/// # Panics
/// When a decision was made for another problem, which has more nodes.
pub fn apply<'d>(problem: &Problem, decisions: impl IntoIterator<Item = &'d Decision>) -> Rewritten {
    let decisions: Vec<&Decision> = decisions.into_iter().collect();
    Plan::new(problem, &decisions).build()
}

/// A copy of a gather.
struct Copied {
    begin: NodeId,
    result: NodeId,
    /// The node before which it stands.
    before: NodeId,
}

/// A node of the new problem: an old one, or one of a copy.
#[derive(Clone, Copy)]
enum Item {
    Old(NodeId),
    Copy { number: usize, of: NodeId },
}

struct Plan<'a> {
    problem: &'a Problem,
    /// For each node, the one whose result is read in its place: itself but where it is dropped.
    stand_in: Vec<NodeId>,
    copies: Vec<Copied>,
    /// The copy that a node reads in the place of a gather's result.
    moved: HashMap<(NodeId, NodeId), usize>,
    /// The copies of each node that is copied.
    copies_of: HashMap<NodeId, Vec<usize>>,
    /// All nodes of the new problem, in order.
    items: Vec<Item>,
}

impl<'a> Plan<'a> {
    fn new(problem: &'a Problem, decisions: &[&Decision]) -> Self {
        let waits = problem.waits();
        let result = |begin: NodeId| waits[begin.index()].unwrap_or(begin);
        let mut stand_in: Vec<NodeId> = problem.ids().collect();
        let mut place = stand_in.clone();
        let mut copies = Vec::new();
        let mut moved = HashMap::new();
        let mut copies_of: HashMap<NodeId, Vec<usize>> = HashMap::new();
        for shared in decisions.iter().flat_map(|decision| &decision.shared) {
            let (from, to) = (result(shared.dropped), result(shared.kept));
            stand_in[shared.dropped.index()] = shared.kept;
            stand_in[from.index()] = to;
            place[to.index()] = place[to.index()].min(from);
        }
        for split in decisions.iter().flat_map(|decision| &decision.split) {
            let Some(&before) = split.users.iter().min() else {
                continue;
            };
            let (begin, result) = (split.gather, result(split.gather));
            for &user in &split.users {
                moved.insert((user, result), copies.len());
            }
            copies_of.entry(begin).or_default().push(copies.len());
            if result != begin {
                copies_of.entry(result).or_default().push(copies.len());
            }
            copies.push(Copied {
                begin,
                result,
                before,
            });
        }
        // Within a place: copies, starts before waits, then what moved up to it, then the node itself.
        let mut items: Vec<(NodeId, usize, NodeId, Item)> = Vec::with_capacity(problem.len());
        for id in problem.ids().filter(|id| stand_in[id.index()] == *id) {
            let place = place[id.index()];
            items.push((place, if place < id { 2 } else { 3 }, id, Item::Old(id)));
        }
        for (number, copy) in copies.iter().enumerate() {
            let of = copy.begin;
            items.push((copy.before, 0, of, Item::Copy { number, of }));
            if copy.result != of {
                let of = copy.result;
                items.push((copy.before, 1, of, Item::Copy { number, of }));
            }
        }
        items.sort_by_key(|(place, rank, id, _)| (*place, *rank, *id));
        Plan {
            problem,
            stand_in,
            copies,
            moved,
            copies_of,
            items: items.into_iter().map(|(.., item)| item).collect(),
        }
    }

    fn build(&self) -> Rewritten {
        let old = self.problem;
        let mut new = Problem::with_streams_of(old, self.items.len());
        let mut position = vec![NodeId(0); old.len()];
        // The begin and the result of each copy.
        let mut made_copies = vec![(NodeId(0), NodeId(0)); self.copies.len()];
        let mut nodes = Vec::with_capacity(self.items.len());
        for &item in &self.items {
            let (id, copy) = match item {
                Item::Old(id) => (id, None),
                Item::Copy { number, of } => (of, Some(number)),
            };
            let node = old.node(id);
            let of_copy = copy
                .filter(|_| node.of.is_some())
                .map(|number| made_copies[number].0);
            let start = of_copy.or_else(|| node.of.map(|start| position[start.index()]));
            let read = |dep: &NodeId| match (node.of == Some(*dep), self.moved.get(&(id, *dep))) {
                (true, _) => start.unwrap_or(position[dep.index()]),
                (false, Some(number)) => made_copies[*number].1,
                (false, None) => position[self.stand_in[dep.index()].index()],
            };
            let deps: Vec<NodeId> = node.deps.iter().map(read).collect();
            let mut after: Vec<NodeId> = Vec::with_capacity(node.after.len());
            for dep in node.after {
                after.push(position[self.stand_in[dep.index()].index()]);
                for &number in self.copies_of.get(dep).into_iter().flatten() {
                    let (begin, result) = made_copies[number];
                    let is_begin = self.copies[number].begin == *dep;
                    after.push(if is_begin { begin } else { result });
                }
            }
            let made = new.push(Node {
                deps: &deps,
                after: &after,
                of: start,
                ..node
            });
            new.note_as(made, old, id);
            match copy {
                None => {
                    position[id.index()] = made;
                    nodes.push(Origin::Kept(id));
                }
                Some(number) => {
                    let copy = &mut made_copies[number];
                    if self.copies[number].begin == id {
                        copy.0 = made;
                    }
                    if self.copies[number].result == id {
                        copy.1 = made;
                    }
                    nodes.push(Origin::Copy(id));
                }
            }
        }
        for &id in old.live_out() {
            new.push_live_out(position[self.stand_in[id.index()].index()]);
        }
        Rewritten { problem: new, nodes }
    }
}
