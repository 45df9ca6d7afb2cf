// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs, legal shuffles of them, and a form in which results can be compared.
//!
//! Programs are made from a list of choices, which proptest shrinks well, by the rules a front end follows: waits
//! keep their operands, a fence follows all communication before it and precedes all after it, and collectives that
//! are neither gathers nor reductions are chained.
#![allow(dead_code)] // Every test binary uses its own part.

use comm_schedule::sort::classes::{Classes, Role};
use comm_schedule::{
    AllGather, Class, Collective, DependenceGraph, Kind, Node, NodeId, Problem, ReduceScatter, SortOptions,
    StreamId, Ties,
};
use proptest::prelude::*;

/// One step of building a random program.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    op: u8,
    a: u16,
    b: u16,
    c: u16,
}

/// Up to `most` choices.
pub fn choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    let choice = (0u8..64, any::<u16>(), any::<u16>(), any::<u16>());
    prop::collection::vec(choice.prop_map(|(op, a, b, c)| Choice { op, a, b, c }), 1..=most)
}

/// Up to `most` choices, of which some make programs of a few kinds of nodes: many are alike, and most have no consumer.
pub fn mixed_choices(most: usize) -> impl Strategy<Value = Vec<Choice>> {
    let alike = |choice: Choice| Choice {
        op: [0, 0, 0, 0, 10, 10, 14, 14, 14, 25, 25, 25, 25, 53, 46, 57][usize::from(choice.op % 16)],
        a: choice.a % 6 * 4,
        b: [4, 5, 6, 7, 8, 13, 14][usize::from(choice.b % 7)],
        c: [24, 24, 48, 48, 49][usize::from(choice.c % 5)],
    };
    prop_oneof![
        2 => choices(most),
        1 => choices(most).prop_map(move |choices| choices.into_iter().map(alike).collect()),
    ]
}

/// A number of cases, unless `PROPTEST_CASES` says how many. `PROPTEST_RNG_SEED` seeds them.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let is_given = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if is_given { default.cases } else { cases },
        failure_persistence: None,
        ..default
    }
}

/// Any options.
pub fn options() -> impl Strategy<Value = SortOptions> {
    let all_gather =
        prop_oneof![4 => Just(AllGather::Late), 3 => Just(AllGather::First), 1 => Just(AllGather::Keep)];
    let reduce_scatter = prop_oneof![6 => Just(ReduceScatter::Early), 1 => Just(ReduceScatter::Keep)];
    let ties = prop_oneof![4 => Just(Ties::Egraph), 1 => Just(Ties::Source)];
    (
        all_gather,
        reduce_scatter,
        0u32..5,
        0u32..5,
        ties,
        prop_oneof![Just(4096u32), Just(4u32)],
    )
        .prop_map(
            |(all_gather, reduce_scatter, max_in_flight, max_in_flight_reductions, ties, tie_budget)| {
                SortOptions {
                    all_gather,
                    reduce_scatter,
                    max_in_flight,
                    max_in_flight_reductions,
                    ties,
                    tie_budget,
                }
            },
        )
}

/// What a random program may contain beyond gathers, reductions and computation.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Nodes with unknown effects, and chains among other collectives: what makes order-only dependences.
    pub fences: bool,
    /// Order-only dependences between any two nodes.
    pub stray_after: bool,
    /// Results that are live out without the terminator reading them.
    pub live_out: bool,
}

/// All features.
pub const ALL: Features = Features {
    fences: true,
    stray_after: true,
    live_out: true,
};

struct Builder {
    problem: Problem,
    streams: Vec<StreamId>,
    args: Vec<NodeId>,
    values: Vec<NodeId>,
    pending: Vec<(NodeId, NodeId)>,
    communication: Vec<NodeId>,
    last_fence: Option<NodeId>,
    last_other: Option<NodeId>,
    features: Features,
}

/// The program that `choices` make.
pub fn program(choices: &[Choice], features: Features) -> Problem {
    let mut problem = Problem::new();
    let streams = ["dp", "tp", "pp"].map(|name| problem.stream(name)).to_vec();
    let args: Vec<_> = (0..5)
        .map(|index| problem.push(Node::arg().bytes(16 * (1 + index % 2))))
        .collect();
    let mut builder = Builder {
        problem,
        streams,
        values: args.clone(),
        args,
        pending: Vec::new(),
        communication: Vec::new(),
        last_fence: None,
        last_other: None,
        features,
    };
    for &choice in choices {
        builder.step(choice);
    }
    builder.finish(choices)
}

impl Builder {
    fn value(&self, pick: u16) -> NodeId {
        let pick = pick as usize;
        // Mostly recent values, so that programs are deep.
        let window = if pick.is_multiple_of(4) {
            self.values.len()
        } else {
            self.values.len().min(5)
        };
        self.values[self.values.len() - 1 - (pick / 4) % window]
    }

    fn arg(&self, pick: u16) -> NodeId {
        self.args[pick as usize % self.args.len()]
    }

    fn push(&mut self, node: Node<'_>, stray: u16) -> NodeId {
        let mut after = Vec::new();
        if matches!(node.kind, Kind::Start | Kind::Wait | Kind::Blocking) {
            after.extend(self.last_fence);
            let is_other = node.collective.map(|collective| collective.class()) == Some(Class::Other);
            if self.features.fences && is_other {
                after.extend(self.last_other);
            }
        }
        if node.fence {
            after.append(&mut self.communication);
            after.extend(self.last_fence);
        }
        if self.features.stray_after && stray.is_multiple_of(11) {
            let target = NodeId(u32::from(stray / 11) % self.problem.len() as u32);
            after.push(target);
        }
        let id = self.problem.push(Node {
            after: &after,
            ..node
        });
        if matches!(node.kind, Kind::Start | Kind::Wait | Kind::Blocking) {
            self.communication.push(id);
        }
        if node.collective.map(|collective| collective.class()) == Some(Class::Other) {
            self.last_other = Some(id);
        }
        if node.fence {
            self.last_fence = Some(id);
        }
        id
    }

    fn start(&mut self, collective: Collective, operand: NodeId, choice: Choice) {
        let stream = self.streams[choice.b as usize % self.streams.len()];
        let bytes = 16 * (1 + u64::from(choice.c % 8));
        let start = self.push(
            Node::start(collective, stream).bytes(bytes).deps(&[operand]),
            choice.b / 3,
        );
        self.pending.push((start, operand));
    }

    fn wait(&mut self, pick: usize, stray: u16) {
        if !self.pending.is_empty() {
            let (start, operand) = self.pending.remove(pick % self.pending.len());
            let wait = self.push(Node::wait(start).deps(&[start, operand]), stray);
            self.values.push(wait);
        }
    }

    fn compute(&mut self, node: Node<'_>, choice: Choice) -> NodeId {
        let bytes = 16 * (1 + u64::from(choice.c % 8));
        let id = self.push(node.bytes(bytes).ns(u64::from(choice.c)), choice.b / 2);
        self.values.push(id);
        id
    }

    fn step(&mut self, choice: Choice) {
        let Choice { op, a, b, c } = choice;
        match op {
            0..10 => {
                let mut operand = self.arg(a);
                if b % 3 == 0 {
                    operand = self.push(Node::view().deps(&[operand]), c);
                }
                if b % 5 == 0 {
                    operand = self.push(Node::compute().cheap(true).bytes(16).deps(&[operand]), c);
                }
                self.start(Collective::AllGather, operand, choice);
                if c % 3 == 0 {
                    self.wait(self.pending.len() - 1, c);
                }
            }
            10..14 => self.start(Collective::AllGather, self.value(a), choice),
            14..22 => {
                let mut operand = self.value(a);
                for _ in 0..c % 3 {
                    operand = match (c / 3) % 2 {
                        0 => self.push(Node::view().deps(&[operand]), b),
                        _ => self.push(Node::compute().cheap(true).bytes(32).deps(&[operand]), b),
                    };
                }
                let collective = [Collective::ReduceScatter, Collective::AllReduce][b as usize % 2];
                self.start(collective, operand, choice);
            }
            22..25 => {
                let kinds = [Collective::AllToAll, Collective::Permute, Collective::Broadcast];
                self.start(kinds[b as usize % 3], self.value(a), choice);
            }
            25..36 => self.wait(a as usize, b),
            36..46 => {
                let deps: Vec<_> = [a, b, c][..1 + c as usize % 3]
                    .iter()
                    .map(|&pick| self.value(pick))
                    .collect();
                self.compute(Node::compute().deps(&deps), choice);
            }
            46..53 => {
                let deps: Vec<_> = [a, b][..1 + c as usize % 2]
                    .iter()
                    .map(|&pick| self.value(pick))
                    .collect();
                self.compute(Node::compute().cheap(true).deps(&deps), choice);
            }
            53..57 => {
                let view = self.push(Node::view().deps(&[self.value(a)]), b);
                self.values.push(view);
            }
            57..59 if self.features.fences => {
                let fence = self.compute(Node::compute().fence(true).deps(&[self.value(a)]), choice);
                self.values.retain(|&value| value != fence || c % 2 == 0);
            }
            59..62 => {
                use Collective::*;
                let kinds = [AllGather, ReduceScatter, AllReduce, AllToAll, Permute, Broadcast];
                let stream = self.streams[b as usize % self.streams.len()];
                let collective = kinds[c as usize % 6];
                let operand = if c % 4 == 0 { self.arg(a) } else { self.value(a) };
                let id = self.push(
                    Node::blocking(collective, stream).bytes(64).deps(&[operand]),
                    b / 3,
                );
                self.values.push(id);
            }
            _ => {
                self.compute(Node::compute().cheap(true), choice);
            }
        }
    }

    fn finish(mut self, choices: &[Choice]) -> Problem {
        let pick = choices.last().map_or(0, |choice| choice.c);
        for _ in 0..self.pending.len() {
            if !pick.is_multiple_of(3) {
                self.wait(0, 1);
            }
        }
        let mut results = self.values.clone();
        results.reverse();
        results.truncate(1 + pick as usize % 6);
        if self.features.live_out && pick.is_multiple_of(5) {
            results.drain(..1).for_each(|id| self.problem.push_live_out(id));
        }
        self.problem.push(Node::compute().deps(&results));
        self.problem
    }
}

/// The classes of a problem.
pub fn classes(problem: &Problem, options: &SortOptions) -> Classes {
    Classes::new(problem, &DependenceGraph::new(problem), options)
}

/// A small generator of random numbers; its sequence is fixed by the seed.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A random order that dependences allow and in which anchors keep their relative order.
pub fn legal_shuffle(problem: &Problem, options: &SortOptions, seed: u64) -> Vec<NodeId> {
    let classes = classes(problem, options);
    let graph = DependenceGraph::new(problem);
    let mut random = Random(seed | 1);
    let mut missing: Vec<usize> = problem
        .ids()
        .map(|id| problem.deps(id).len() + problem.after(id).len())
        .collect();
    let mut next_anchor = 0;
    let mut ready: Vec<NodeId> = problem.ids().filter(|id| missing[id.index()] == 0).collect();
    let mut order = Vec::new();
    while order.len() < problem.len() {
        let allowed: Vec<usize> = (0..ready.len())
            .filter(|&index| {
                classes.role(ready[index]) != Role::Anchor
                    || classes.anchors.get(next_anchor) == Some(&ready[index])
            })
            .collect();
        let id = ready.swap_remove(allowed[random.below(allowed.len())]);
        next_anchor += usize::from(classes.role(id) == Role::Anchor);
        order.push(id);
        for (user, _) in graph.users(id) {
            missing[user.index()] -= 1;
            if missing[user.index()] == 0 {
                ready.push(user);
            }
        }
    }
    order
}

/// The nodes in `order`, each described by what it is and by the positions of what it depends on, where arguments
/// count by first use. Two results are the same up to names and order of arguments if their forms are equal.
pub fn canonical(problem: &Problem, order: &[NodeId]) -> Vec<String> {
    let mut place = vec![String::new(); problem.len()];
    let mut argument = 0;
    let mut lines = Vec::new();
    for (position, &id) in order
        .iter()
        .filter(|id| problem.kind(**id) != Kind::Arg)
        .enumerate()
    {
        for &dep in problem.deps(id) {
            if place[dep.index()].is_empty() {
                place[dep.index()] = format!("a{argument}");
                argument += 1;
            }
        }
        place[id.index()] = position.to_string();
        let node = problem.node(id);
        let deps: Vec<_> = node.deps.iter().map(|dep| place[dep.index()].clone()).collect();
        let mut after: Vec<_> = node.after.iter().map(|dep| place[dep.index()].clone()).collect();
        after.sort();
        let stream = node.stream.map(|stream| problem.stream_name(stream));
        lines.push(format!(
            "{:?} {:?} {} {} {} {stream:?} {deps:?} {after:?}",
            node.kind, node.collective, node.ns, node.bytes, node.cheap
        ));
    }
    lines
}

/// The same nodes in the same order, with other names of streams and links, which are mentioned in another order.
pub fn renamed(problem: &Problem, seed: u64) -> Problem {
    let mut random = Random(seed | 1);
    let mut streams: Vec<StreamId> = problem.streams().collect();
    for last in (1..streams.len()).rev() {
        streams.swap(last, random.below(last + 1));
    }
    let mut result = Problem::new();
    for &stream in &streams {
        let new = result.stream(&format!("{}{}", random.below(1000), problem.stream_name(stream)));
        result.set_link(
            new,
            &format!("link {}", problem.link_name(problem.link_of(stream))),
        );
    }
    let new_id = |stream: StreamId| {
        let place = streams.iter().position(|other| *other == stream);
        StreamId(place.expect("every stream is there") as u32)
    };
    for id in problem.ids() {
        let node = problem.node(id);
        let pushed = result.push(Node {
            stream: node.stream.map(new_id),
            ..node
        });
        result.set_key(pushed, problem.key(id));
        problem
            .occupied(id)
            .for_each(|stream| result.occupy(pushed, new_id(stream)));
    }
    problem.live_out().iter().for_each(|id| result.push_live_out(*id));
    result
}

/// As [`canonical`], where streams are called by the order of their first use.
pub fn canonical_without_names(problem: &Problem, order: &[NodeId]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let lines = canonical(problem, order).into_iter().map(|line| {
        let Some((before, rest)) = line.split_once("Some(\"") else {
            return line;
        };
        let (name, after) = rest.split_once('"').expect("a name ends");
        let place = names.iter().position(|other| other == name).unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        format!("{before}stream {place}{after}")
    });
    lines.collect()
}
