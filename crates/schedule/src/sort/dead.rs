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
//! nothing. That is why a stream is told apart from streams like it no sooner than one of its nodes has been ordered; keys
//! that tell them apart by the source beforehand would not have to put the nodes of its first stream first.
//!
//! Keys are 64-bit hashes by a fixed function: equal on every machine and in every run. O(n + e) and one sort, and as much
//! for each stream that nothing but a choice tells apart, of which a fixed number is.

use super::classes::{Classes, Role};
use super::consumer_order::UNNUMBERED;
use crate::graph::{DependenceGraph, DependenceKind};
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
    let fixed = fixed_keys(problem, classes, numbers, sequence);
    let keys_with = |streams: &[u64]| {
        let mut keys = fixed.clone();
        for &id in &dead {
            keys[id.index()] = own_key(problem, id, streams);
        }
        look_down(problem, &dead, &mut keys);
        look_up(graph, classes, numbers, &dead, &mut keys);
        look_up(graph, classes, numbers, &arguments, &mut keys);
        look_down(problem, &dead, &mut keys);
        keys
    };
    let mut waiting = vec![false; problem.len()];
    dead.iter().for_each(|id| waiting[id.index()] = true);
    let is_root = |id: &NodeId| !graph.users(*id).any(|(user, _)| waiting[user.index()]);
    let roots: Vec<NodeId> = dead.iter().copied().filter(is_root).collect();
    walk(problem, roots, waiting, keys_with)
}

/// A node, or the end of the block, on the way to which what it needs is ordered: operands, then the others by key.
struct Step<'a> {
    node: Option<NodeId>,
    operands: std::slice::Iter<'a, NodeId>,
    /// The first one last.
    others: Vec<NodeId>,
    /// How many streams had been singled out when `others` were put in order.
    sorted_at: Option<usize>,
}

/// The nodes that are `waiting` in post-order of a walk from `roots`, by the keys that `keys_with` gives for colours of
/// streams. The walk makes all choices as the [module](self) documentation says.
fn walk(
    problem: &Problem,
    roots: Vec<NodeId>,
    mut waiting: Vec<bool>,
    keys_with: impl Fn(&[u64]) -> Vec<u64>,
) -> Vec<NodeId> {
    let mut streams = StreamColours::new(problem);
    streams.refine(problem, &keys_with);
    let mut keys = keys_with(streams.colours());
    let mut singled_out = 0;
    let mut order = Vec::new();
    let mut steps = vec![Step {
        node: None,
        operands: [].iter(),
        others: roots,
        sorted_at: None,
    }];
    while let Some(step) = steps.last_mut() {
        let need = step.operands.next().copied().or_else(|| {
            if step.sorted_at != Some(singled_out) {
                step.sorted_at = Some(singled_out);
                step.others
                    .sort_unstable_by_key(|id| Reverse((keys[id.index()], *id)));
            }
            step.others.pop()
        });
        match need {
            Some(id) if std::mem::take(&mut waiting[id.index()]) => steps.push(Step {
                node: Some(id),
                operands: problem.deps(id).iter(),
                others: problem
                    .after(id)
                    .iter()
                    .copied()
                    .filter(|dep| waiting[dep.index()])
                    .collect(),
                sorted_at: None,
            }),
            Some(_) => {}
            None => {
                let node = step.node;
                steps.pop();
                order.extend(node);
                let stream = node.and_then(|id| problem.stream_of(id));
                if stream.is_some_and(|stream| streams.single_out(stream)) {
                    singled_out += 1;
                    streams.refine(problem, &keys_with);
                    keys = keys_with(streams.colours());
                }
            }
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

/// Mixes the keys of what each node depends on into its own, from the first node to the last.
fn look_down(problem: &Problem, nodes: &[NodeId], keys: &mut [u64]) {
    for &id in nodes {
        let mut key = problem
            .deps(id)
            .iter()
            .fold(mix(5, keys[id.index()]), |key, dep| mix(key, keys[dep.index()]));
        let mut after: Vec<u64> = problem.after(id).iter().map(|dep| keys[dep.index()]).collect();
        after.sort_unstable();
        key = mix(key, after.len() as u64);
        keys[id.index()] = after.into_iter().fold(key, mix);
    }
}

/// Mixes the keys of what depends on each node into its own, from the last node to the first.
fn look_up(graph: &DependenceGraph, classes: &Classes, numbers: &[u32], nodes: &[NodeId], keys: &mut [u64]) {
    for &id in nodes.iter().rev() {
        let is_ranked =
            |user: NodeId| classes.role(user) == Role::Anchor || numbers[user.index()] != UNNUMBERED;
        let mut users: Vec<u64> = graph
            .users(id)
            .map(|(user, kind)| {
                let edge = mix(
                    u64::from(kind == DependenceKind::Data),
                    u64::from(is_ranked(user)),
                );
                mix(edge, keys[user.index()])
            })
            .collect();
        users.sort_unstable();
        keys[id.index()] = users.into_iter().fold(mix(6, keys[id.index()]), mix);
    }
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
