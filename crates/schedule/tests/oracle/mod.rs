// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What all orders of a small problem can do, by trying them all, and random problems to try it on.
//!
//! Of the library it uses the measures alone: the timeline, the memory profile, and the tables of problems.
#![allow(dead_code)] // Every user has its own part.

use comm_schedule::{Collective, Kind, Node, NodeId, Problem, memory, timeline};

/// A generator of random numbers (SplitMix64), fixed by its seed.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick(&mut self, from: &[NodeId]) -> NodeId {
        from[self.below(from.len())]
    }

    /// Up to `most` different nodes.
    fn some(&mut self, from: &[NodeId], most: usize) -> Vec<NodeId> {
        let mut some = Vec::new();
        for _ in 0..self.below(most + 1) {
            let node = from.get(self.below(from.len().max(1))).copied();
            some.extend(node.filter(|node| !some.contains(node)));
        }
        some
    }
}

/// A random problem of `nodes` nodes with everything that a problem may have.
pub fn problem(random: &mut Random, nodes: usize) -> Problem {
    let mut problem = Problem::new();
    let streams: Vec<_> = ["a", "b", "c"][..1 + random.below(3)]
        .iter()
        .map(|name| problem.stream(name))
        .collect();
    if random.once_in(3) {
        let stream = streams[random.below(streams.len())];
        problem.set_link(stream, "a");
    }
    let is_communication_dense = random.once_in(2);
    let mut values: Vec<NodeId> = Vec::new();
    let mut pending: Vec<NodeId> = Vec::new();
    while problem.len() < nodes {
        let kind = match random.below(12) {
            0 => Kind::Arg,
            1 => Kind::View,
            2..5 => Kind::Compute,
            5..8 => Kind::Start,
            8..11 if !pending.is_empty() => Kind::Wait,
            8..10 if is_communication_dense => Kind::Start,
            11 => Kind::Blocking,
            _ => Kind::Compute,
        };
        let recent = &values[values.len().saturating_sub(4)..];
        let mut deps = random.some(recent, 3);
        let mut of = None;
        match kind {
            Kind::Arg => deps.clear(),
            Kind::View if deps.is_empty() && !values.is_empty() => deps = vec![random.pick(&values)],
            Kind::Wait => {
                let start = pending.swap_remove(random.below(pending.len()));
                // Mostly what the start reads.
                let kept = if random.once_in(6) {
                    deps
                } else {
                    problem.deps(start).to_vec()
                };
                deps = [&[start], &kept[..random.below(kept.len() + 1)]].concat();
                of = Some(start);
            }
            _ => {}
        }
        let mut after = Vec::new();
        if kind != Kind::Arg && !problem.is_empty() && random.once_in(4) {
            after.push(NodeId(random.below(problem.len()) as u32));
        }
        let communicates = matches!(kind, Kind::Start | Kind::Blocking);
        let stream = communicates.then(|| streams[random.below(streams.len())]);
        let id = problem.push(Node {
            kind,
            ns: random.below(12).saturating_sub(2) as u64,
            bytes: random.below(9).saturating_sub(1) as u64,
            of,
            stream,
            collective: communicates.then_some(Collective::AllGather),
            ..Node::compute().deps(&deps).after(&after)
        });
        match kind {
            Kind::Start => pending.push(id),
            _ => values.push(id),
        }
        if kind == Kind::Compute && random.once_in(8) {
            for _ in 0..1 + random.below(2) {
                problem.occupy(id, streams[random.below(streams.len())]);
            }
        }
    }
    for id in random.some(&values, 2) {
        problem.push_live_out(id);
    }
    problem.check().expect("a random problem is well formed");
    problem
}

/// A random problem of at most `nodes` nodes and at most `most` orders.
pub fn small_problem(random: &mut Random, nodes: usize, most: usize) -> Problem {
    loop {
        let size = 1 + random.below(nodes);
        let problem = problem(random, size);
        let mut count = 0;
        let is_small = orders(&problem, &mut |_| {
            count += 1;
            count <= most
        });
        if is_small {
            return problem;
        }
    }
}

/// Calls `visit` with every order that dependences allow, until it returns false. Whether it never did.
pub fn orders(problem: &Problem, visit: &mut dyn FnMut(&[NodeId]) -> bool) -> bool {
    fn extend(problem: &Problem, order: &mut Vec<NodeId>, visit: &mut dyn FnMut(&[NodeId]) -> bool) -> bool {
        if order.len() == problem.len() {
            return visit(order);
        }
        for id in problem.ids() {
            let mut needs = problem.deps(id).iter().chain(problem.after(id));
            if !order.contains(&id) && needs.all(|need| order.contains(need)) {
                order.push(id);
                let goes_on = extend(problem, order, visit);
                order.pop();
                if !goes_on {
                    return false;
                }
            }
        }
        true
    }
    extend(problem, &mut Vec::new(), visit)
}

/// Limits on what an order has in flight.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Collectives on one stream.
    pub max_in_flight: Option<u32>,
    /// Bytes on all streams.
    pub max_in_flight_bytes: Option<u64>,
}

impl Limits {
    /// Whether `order` keeps them. A collective is in flight from its start to its wait, if it has one.
    pub fn are_kept(&self, problem: &Problem, order: &[NodeId]) -> bool {
        let mut flying: Vec<NodeId> = Vec::new();
        let waits = problem.waits();
        for &id in order {
            match problem.kind(id) {
                Kind::Start if waits[id.index()].is_some() => flying.push(id),
                Kind::Wait => flying.retain(|start| Some(*start) != problem.of(id)),
                _ => continue,
            }
            let same = |start: &&NodeId| problem.stream_of(**start) == problem.stream_of(id);
            let count = flying.iter().filter(same).count() as u64;
            let bytes: u64 = flying.iter().map(|start| problem.bytes(*start)).sum();
            if self.max_in_flight.is_some_and(|most| count > u64::from(most))
                || self.max_in_flight_bytes.is_some_and(|most| bytes > most)
            {
                return false;
            }
        }
        true
    }
}

/// The points (time, peak) of the orders that keep the limits and that no other one dominates, by time.
pub fn front(problem: &Problem, limits: Limits) -> Vec<(u64, u64)> {
    let mut points = Vec::new();
    orders(problem, &mut |order| {
        if limits.are_kept(problem, order) {
            points.push((timeline(problem, order).step_ns, memory::peak(problem, order)));
        }
        true
    });
    minimal(points)
}

/// The points that no other one dominates, by time.
pub fn minimal(mut points: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    points.sort_unstable();
    let mut front: Vec<(u64, u64)> = Vec::new();
    for point in points {
        if front.last().is_none_or(|last| point.1 < last.1) {
            front.push(point);
        }
    }
    front
}
