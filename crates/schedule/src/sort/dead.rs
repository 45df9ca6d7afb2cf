// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A canonical order of nodes that the data dependences of no anchor reach.
//!
//! Such nodes (waits that nobody uses, views of nothing that matters) have no consumer to be ordered by. They are
//! ordered by what they are: kind, collective, size, duration, key, stream, and the same of what they read and of what
//! reads them. Names and source order are no part of it; streams have colours (see
//! [`stream_numbers`](crate::stream_numbers)). Nodes with equal keys are interchangeable, except in graphs that three
//! rounds of colour refinement (Weisfeiler and Leman) cannot tell apart, for which only the order among dead nodes would
//! show the source order.
//!
//! *Choices.* One of several interchangeable nodes has to come first, and it is the one that does in the source. Nothing
//! else asks for the source order, and the choice is made on the way: what decides it is known from the problem and from
//! what has been ordered before. So in the order that results, the same nodes come first, and ordering it again changes
//! nothing. (Were keys told apart by the source beforehand, as hashes they would not have to put first what the source
//! has first.) What is ordered has its place for a key from then on, so a choice holds for all that hangs on it: who comes
//! first of two waits, or of two streams, does so wherever they play a part.
//!
//! Keys are 64-bit hashes by a fixed function: equal on every machine and in every run. O(n + e) and one sort, and as much
//! for each choice on which something hangs, of which a fixed number are looked into.

use super::classes::{Classes, Role};
use super::consumer_order::UNNUMBERED;
use crate::graph::{DependenceGraph, DependenceKind, place_of};
use crate::node::NodeId;
use crate::problem::Problem;
use crate::stream_numbers::StreamColours;
use std::cmp::Reverse;

/// The nodes without a number in `numbers` that are neither anchors nor arguments, in canonical order.
pub fn order(
    problem: &Problem,
    graph: &DependenceGraph,
    classes: &Classes,
    numbers: &[u32],
    sequence: &[NodeId],
) -> Vec<NodeId> {
    let is_dead = |id: NodeId| {
        numbers[id.index()] == UNNUMBERED && !matches!(classes.role(id), Role::Anchor | Role::Arg)
    };
    let dead: Vec<NodeId> = problem.ids().filter(|&id| is_dead(id)).collect();
    if dead.is_empty() {
        return dead;
    }

    // An argument that only dead nodes read is told apart by them.
    let mut arguments: Vec<NodeId> = dead
        .iter()
        .flat_map(|&id| problem.deps(id))
        .copied()
        .filter(|&dep| classes.role(dep) == Role::Arg)
        .collect();
    arguments.sort_unstable();
    arguments.dedup();
    let mut waiting = vec![false; problem.len()];
    dead.iter().for_each(|id| waiting[id.index()] = true);
    let keys = Keys {
        problem,
        graph,
        classes,
        numbers,
        fixed: fixed_keys(problem, classes, numbers, sequence),
        dead,
        arguments,
    };
    walk(&keys, waiting)
}

/// What the keys of dead nodes, and of arguments that they alone read, are made of.
struct Keys<'a> {
    problem: &'a Problem,
    graph: &'a DependenceGraph,
    classes: &'a Classes,
    numbers: &'a [u32],
    fixed: Vec<u64>,
    dead: Vec<NodeId>,
    arguments: Vec<NodeId>,
}

impl Keys<'_> {
    /// The keys of all nodes, given colours of streams and the nodes that have been ordered.
    fn given(&self, streams: &[u64], ordered: &[NodeId]) -> Vec<u64> {
        let mut keys = self.fixed.clone();
        for &id in &self.dead {
            keys[id.index()] = own_key(self.problem, id, streams);
        }
        for (place, id) in ordered.iter().enumerate() {
            keys[id.index()] = mix(7, place as u64);
        }
        self.look_down(&mut keys);
        self.look_up(&self.dead, &mut keys);
        self.look_up(&self.arguments, &mut keys);
        self.look_down(&mut keys);
        keys
    }

    /// The keys that several have, ascending.
    fn shared(&self, keys: &[u64]) -> Vec<u64> {
        let all = self.dead.iter().chain(&self.arguments);
        let mut all: Vec<u64> = all.map(|id| keys[id.index()]).collect();
        all.sort_unstable();
        let alike = all
            .chunk_by(|one, other| one == other)
            .filter(|alike| alike.len() > 1);
        alike.map(|alike| alike[0]).collect()
    }

    /// Mixes the keys of what each dead node depends on into its own, from the first node to the last.
    fn look_down(&self, keys: &mut [u64]) {
        for &id in &self.dead {
            let deps = self.problem.deps(id).iter();
            let mut key = deps.fold(mix(5, keys[id.index()]), |key, dep| mix(key, keys[dep.index()]));
            let mut after: Vec<u64> = self
                .problem
                .after(id)
                .iter()
                .map(|dep| keys[dep.index()])
                .collect();
            after.sort_unstable();
            key = mix(key, after.len() as u64);
            keys[id.index()] = after.into_iter().fold(key, mix);
        }
    }

    /// Mixes the keys of what depends on each of `nodes` into its own, from the last node to the first.
    fn look_up(&self, nodes: &[NodeId], keys: &mut [u64]) {
        let is_ranked = |user: NodeId| {
            self.classes.role(user) == Role::Anchor || self.numbers[user.index()] != UNNUMBERED
        };
        for &id in nodes.iter().rev() {
            let mut users: Vec<u64> = self
                .graph
                .users(id)
                .map(|(user, kind)| {
                    let edge = mix(
                        u64::from(kind == DependenceKind::Data),
                        u64::from(is_ranked(user)),
                    );
                    let edge = mix(edge, place_of(self.problem, user, id) as u64);
                    mix(edge, keys[user.index()])
                })
                .collect();
            users.sort_unstable();
            keys[id.index()] = users.into_iter().fold(mix(6, keys[id.index()]), mix);
        }
    }
}

/// Choices after which keys are made anew; each costs as much as one look at all dead nodes, and some at all nodes.
const MOST_CHOICES: usize = 16;

/// A node, or the end of the block, on the way to which what it needs is ordered: operands, then the others by key.
struct Step<'a> {
    node: Option<NodeId>,
    operands: std::slice::Iter<'a, NodeId>,
    /// The first one last.
    others: Vec<NodeId>,
    /// How many choices had been made when `others` were put in order.
    sorted_at: Option<usize>,
}

/// The nodes that are `waiting`, all dead ones, in post-order of a walk from those that no other one needs. The walk makes
/// all choices as the [module](self) documentation says.
fn walk(keys_of: &Keys<'_>, mut waiting: Vec<bool>) -> Vec<NodeId> {
    let Keys {
        problem, graph, dead, ..
    } = keys_of;
    let is_needed = |id: NodeId, waiting: &[bool]| graph.users(id).any(|(user, _)| waiting[user.index()]);
    let mut order = Vec::with_capacity(dead.len());
    let mut streams = StreamColours::new(problem);
    streams.refine(problem, |streams| keys_of.given(streams, &[]));
    let mut keys = keys_of.given(streams.colours(), &order);
    let mut shared = keys_of.shared(&keys);
    let mut choices = 0;
    let roots = dead.iter().copied().filter(|id| !is_needed(*id, &waiting));
    let mut steps = vec![Step {
        node: None,
        operands: [].iter(),
        others: roots.collect(),
        sorted_at: None,
    }];
    while let Some(step) = steps.last_mut() {
        let need = step.operands.next().copied().or_else(|| {
            if step.sorted_at != Some(choices) {
                step.sorted_at = Some(choices);
                step.others
                    .sort_unstable_by_key(|id| Reverse((keys[id.index()], *id)));
            }
            step.others.pop()
        });
        if let Some(id) = need {
            if std::mem::take(&mut waiting[id.index()]) {
                let others = problem.after(id).iter().copied();
                steps.push(Step {
                    node: Some(id),
                    operands: problem.deps(id).iter(),
                    others: others.filter(|other| waiting[other.index()]).collect(),
                    sorted_at: None,
                });
            }
            continue;
        }
        let node = step.node;
        steps.pop();
        let Some(id) = node else {
            break;
        };
        order.push(id);
        if choices == MOST_CHOICES {
            continue;
        }
        // Something hangs on this one having been chosen if what is like others is needed once more.
        let is_chosen =
            |id: NodeId| shared.binary_search(&keys[id.index()]).is_ok() && is_needed(id, &waiting);
        let is_stream_chosen = problem
            .stream_of(id)
            .is_some_and(|stream| streams.is_alike(stream));
        if is_stream_chosen || problem.deps(id).iter().copied().chain([id]).any(is_chosen) {
            choices += 1;
            streams.refine(problem, |streams| keys_of.given(streams, &order));
            keys = keys_of.given(streams.colours(), &order);
            shared = keys_of.shared(&keys);
        }
    }
    order
}

/// Keys of all that is not dead: the position among anchors, the number, or, for arguments, the first use.
fn fixed_keys(problem: &Problem, classes: &Classes, numbers: &[u32], sequence: &[NodeId]) -> Vec<u64> {
    let mut keys: Vec<u64> = numbers.iter().map(|&number| mix(1, u64::from(number))).collect();
    for (index, anchor) in classes.anchors.iter().enumerate() {
        keys[anchor.index()] = mix(2, index as u64);
    }
    let mut next_argument = 0;
    let mut ranked = vec![false; problem.len()];
    for &id in classes.anchors.iter().chain(sequence) {
        for &dep in problem.deps(id) {
            if classes.role(dep) == Role::Arg && !std::mem::replace(&mut ranked[dep.index()], true) {
                keys[dep.index()] = mix(3, next_argument);
                next_argument += 1;
            }
        }
    }
    for id in problem
        .ids()
        .filter(|id| classes.role(*id) == Role::Arg && !ranked[id.index()])
    {
        keys[id.index()] = own_key(problem, id, &[]);
    }
    keys
}

/// What a node is by itself. `streams` are numbers of streams; a node that is on none needs none.
fn own_key(problem: &Problem, id: NodeId, streams: &[u64]) -> u64 {
    let node = problem.node(id);
    let mut key = mix(4, node.kind as u64);
    key = mix(key, node.collective.map_or(0, |collective| 1 + collective as u64));
    key = mix(key, node.bytes);
    key = mix(key, node.ns);
    key = mix(key, problem.key(id));
    node.stream
        .map_or(key, |stream| mix(key, streams[stream.index()]))
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) over a running value.
fn mix(state: u64, value: u64) -> u64 {
    let mut z = state
        .rotate_left(23)
        .wrapping_add(value)
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
