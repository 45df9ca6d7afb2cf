// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A problem with some of its collectives sent as one.
//!
//! Before: the members of each bucket are starts that are awaited in the problem, or blocking collectives, all of one kind
//! of node and on one stream; no node is in two buckets. After: one start (or blocking collective) depends on what all
//! members depend on, one wait stands for all of their waits, and every other node is as it was. Nothing is copied and no
//! dependence is lost.
//!
//! The source order changes as little as the buckets ask for: nodes keep their order, but what a bucket needs comes before
//! it, the start stands where its last member stood, and the wait where the last wait stood or before the first node
//! that reads it, whichever is first.
//!
//! Buckets whose members need each other, through other buckets too, have no order; the first such one is named.

use crate::node::{Kind, Node, NodeId};
use crate::problem::Problem;

/// Collectives that are sent as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bucket {
    /// The members in the order of their tensors.
    pub members: Vec<NodeId>,
    /// How long it takes.
    pub ns: u64,
}

/// What stands at a position of a merged problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MergedNode {
    /// A node of the problem that was merged.
    Kept(NodeId),
    /// The start of a bucket, or its blocking collective.
    Start(usize),
    /// The wait of a bucket.
    Wait(usize),
}

/// A merged problem.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The problem in its new source order.
    pub problem: Problem,
    /// What each of its nodes is.
    pub nodes: Vec<MergedNode>,
}

/// Merges buckets into a checked problem. Fails with the number of a bucket that has no order. O(n + e).
pub fn merge(problem: &Problem, buckets: &[Bucket]) -> Result<Merged, usize> {
    let units = Units::new(problem, buckets);
    let order = units.order()?;
    Ok(units.build(&order))
}

/// Nodes and buckets numbered together: nodes by their ids, then a start and a wait for each bucket.
struct Units<'a> {
    problem: &'a Problem,
    buckets: &'a [Bucket],
    /// The unit of each node.
    unit_of: Vec<usize>,
    /// The nodes in each bucket's wait, in the order of the members.
    waits: Vec<Vec<NodeId>>,
    /// By unit of a bucket: the last node in it by source order.
    last: Vec<NodeId>,
}

impl<'a> Units<'a> {
    fn new(problem: &'a Problem, buckets: &'a [Bucket]) -> Self {
        let wait_of = problem.waits();
        let mut unit_of: Vec<usize> = (0..problem.len()).collect();
        let mut waits = Vec::with_capacity(buckets.len());
        let mut last = Vec::with_capacity(2 * buckets.len());
        for (index, bucket) in buckets.iter().enumerate() {
            let start = problem.len() + 2 * index;
            let of_members = bucket.members.iter().filter_map(|id| wait_of[id.index()]);
            let of_members: Vec<NodeId> = of_members.collect();
            bucket.members.iter().for_each(|id| unit_of[id.index()] = start);
            of_members.iter().for_each(|id| unit_of[id.index()] = start + 1);
            let latest = |nodes: &[NodeId]| nodes.iter().copied().max().unwrap_or(NodeId(0));
            last.extend([latest(&bucket.members), latest(&of_members)]);
            waits.push(of_members);
        }
        Units {
            problem,
            buckets,
            unit_of,
            waits,
            last,
        }
    }

    /// The nodes that a unit stands for.
    fn nodes(&self, unit: usize) -> &[NodeId] {
        let index = (unit - self.problem.len()) / 2;
        if self.is_wait(unit) {
            &self.waits[index]
        } else {
            &self.buckets[index].members
        }
    }

    fn is_wait(&self, unit: usize) -> bool {
        (unit - self.problem.len()) % 2 == 1
    }

    /// Units that a unit follows, in the order of its nodes' lists; some more than once.
    fn before(&self, unit: usize) -> Vec<usize> {
        let of_node = |id: NodeId| {
            let before = self.problem.deps(id).iter().chain(self.problem.after(id));
            before.map(|id| self.unit_of[id.index()])
        };
        if unit < self.problem.len() {
            of_node(NodeId(unit as u32)).collect()
        } else {
            self.nodes(unit).iter().copied().flat_map(of_node).collect()
        }
    }

    /// All units, each behind what it follows.
    fn order(&self) -> Result<Vec<usize>, usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut states = vec![State::New; self.problem.len() + 2 * self.buckets.len()];
        let mut order = Vec::with_capacity(self.problem.len());
        // Units on the way, with what is left to look at before each.
        let mut way: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
        for id in self.problem.ids() {
            let unit = self.unit_of[id.index()];
            let is_due = unit < self.problem.len() || self.last[unit - self.problem.len()] == id;
            if !is_due || states[unit] != State::New {
                continue;
            }
            states[unit] = State::Open;
            way.push((unit, self.before(unit).into_iter()));
            while let Some((unit, rest)) = way.last_mut() {
                let unit = *unit;
                match rest.next() {
                    None => {
                        states[unit] = State::Done;
                        order.push(unit);
                        way.pop();
                    }
                    Some(next) if states[next] == State::New => {
                        states[next] = State::Open;
                        way.push((next, self.before(next).into_iter()));
                    }
                    Some(next) if states[next] == State::Open => {
                        let from = way.iter().position(|(unit, _)| *unit == next).unwrap_or(0);
                        let in_cycle = way[from..].iter().map(|(unit, _)| *unit);
                        let bucket = in_cycle.filter_map(|unit| unit.checked_sub(self.problem.len()));
                        return Err(bucket.map(|index| index / 2).max().unwrap_or(0));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(order)
    }

    fn build(&self, order: &[usize]) -> Merged {
        let old = self.problem;
        let mut new = Problem::with_streams_of(old, order.len());
        let mut position = vec![NodeId(0); old.len() + 2 * self.buckets.len()];
        let mut nodes = Vec::with_capacity(order.len());
        for &unit in order {
            let new_ids = |ids: &[NodeId]| -> Vec<NodeId> {
                let units = ids.iter().map(|id| self.unit_of[id.index()]);
                units.map(|unit| position[unit]).collect()
            };
            let made = if unit < old.len() {
                let id = NodeId(unit as u32);
                let node = old.node(id);
                nodes.push(MergedNode::Kept(id));
                let made = new.push(Node {
                    deps: &new_ids(node.deps),
                    after: &new_ids(node.after),
                    of: node.of.map(|start| position[self.unit_of[start.index()]]),
                    ..node
                });
                new.note_as(made, old, id);
                made
            } else {
                let members = self.nodes(unit);
                let index = (unit - old.len()) / 2;
                let is_wait = self.is_wait(unit);
                nodes.push(if is_wait {
                    MergedNode::Wait(index)
                } else {
                    MergedNode::Start(index)
                });
                let all = |list: fn(&Problem, NodeId) -> &[NodeId]| -> Vec<NodeId> {
                    let ids: Vec<NodeId> = members.iter().flat_map(|id| list(old, *id)).copied().collect();
                    new_ids(&ids)
                };
                let mut deps = all(|problem, id| problem.deps(id));
                let after = all(|problem, id| problem.after(id));
                let start = position[old.len() + 2 * index];
                let node = if is_wait {
                    // It reads the one start first, then all that is kept for it.
                    deps.retain(|dep| *dep != start);
                    deps.insert(0, start);
                    Node::wait(start)
                } else {
                    let bytes = members.iter().map(|id| old.bytes(*id));
                    Node {
                        ns: self.buckets[index].ns,
                        bytes: bytes.fold(0, u64::saturating_add),
                        ..old.node(members[0])
                    }
                };
                new.push(node.deps(&deps).after(&after))
            };
            position[unit] = made;
        }
        for &id in old.live_out() {
            new.push_live_out(position[self.unit_of[id.index()]]);
        }
        Merged { problem: new, nodes }
    }
}

/// Whether a node can be a member of a bucket: a collective that is started and awaited in the problem, or blocks.
pub(super) fn is_candidate(problem: &Problem, id: NodeId, waits: &[Option<NodeId>]) -> bool {
    match problem.kind(id) {
        Kind::Start => waits[id.index()].is_some(),
        Kind::Blocking => true,
        _ => false,
    }
}
