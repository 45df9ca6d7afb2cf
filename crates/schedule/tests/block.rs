// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Blocks as tasks: the engine gives what the clocks give, and contention does what it should.

mod common;

use comm_schedule::json::Document;
use comm_schedule::timing::block::Block;
use comm_schedule::timing::{Contention, stream_waits};
use comm_schedule::{
    Collective, DependenceGraph, Kind, Node, NodeId, Problem, timeline, timeline_with, verify,
};
use common::{ALL, Choice, Random, cases, choices, program};
use proptest::prelude::*;

/// A random program with durations, links that streams share, and nodes that occupy streams.
fn timed_program(choices: &[Choice], seed: u64) -> Problem {
    let plain = program(choices, ALL);
    let mut random = Random(seed | 1);
    let mut problem = Problem::new();
    for stream in plain.streams() {
        let stream = problem.stream(plain.stream_name(stream));
        // Also the link of another stream's name.
        match random.below(4) {
            0 => problem.set_link(stream, "nvlink"),
            1 => problem.set_link(stream, "dp"),
            _ => {}
        }
    }
    let durations = [1, 4, 1000][random.below(3)];
    for id in plain.ids() {
        let node = plain.node(id);
        let takes_time = matches!(node.kind, Kind::Compute | Kind::Start | Kind::Blocking);
        let ns = if takes_time {
            random.below(durations + 1) as u64
        } else {
            0
        };
        let id = problem.push(node.ns(ns));
        while node.kind == Kind::Compute && random.below(4) == 0 {
            problem.occupy(
                id,
                plain
                    .streams()
                    .nth(random.below(plain.stream_count()))
                    .expect("a stream"),
            );
        }
    }
    for &id in plain.live_out() {
        problem.push_live_out(id);
    }
    problem
}

/// Any order that dependences allow.
fn random_order(problem: &Problem, seed: u64) -> Vec<NodeId> {
    let graph = DependenceGraph::new(problem);
    let mut random = Random(seed | 1);
    let dependences = |id: NodeId| problem.deps(id).len() + problem.after(id).len();
    let mut missing: Vec<usize> = problem.ids().map(dependences).collect();
    let mut ready: Vec<NodeId> = problem.ids().filter(|id| missing[id.index()] == 0).collect();
    let mut order = Vec::new();
    while !ready.is_empty() {
        let id = ready.swap_remove(random.below(ready.len()));
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

proptest! {
    #![proptest_config(cases(5000))]

    #[test]
    fn the_clocks_are_the_closed_form_of_the_engine(choices in choices(60), seed in any::<u64>()) {
        let problem = timed_program(&choices, seed);
        prop_assert_eq!(problem.check(), Ok(()));
        let order = random_order(&problem, seed.rotate_left(17));
        prop_assert_eq!(verify(&problem, &order), Ok(()));
        let expected = timeline(&problem, &order);
        let block = Block::new(&problem, &order);
        prop_assert_eq!(&block.timeline(&Contention::default()).expect("times"), &expected);
        let none = Contention::new(1.0, 1.0).expect("factors");
        prop_assert_eq!(timeline_with(&problem, &order, &none).expect("times"), expected);
    }

    #[test]
    fn contention_makes_nothing_earlier_and_no_step_longer_than_its_factor(
        choices in choices(40), seed in any::<u64>(), compute in 1.0f64..2.0, communication in 1.0f64..2.0
    ) {
        let problem = timed_program(&choices, seed);
        let order = random_order(&problem, seed.rotate_left(17));
        let free = timeline(&problem, &order);
        let contention = Contention::new(compute, communication).expect("factors");
        let contended = timeline_with(&problem, &order, &contention).expect("times");
        for id in problem.ids() {
            prop_assert!(contended.begin_ns[id.index()] >= free.begin_ns[id.index()]);
            prop_assert!(contended.end_ns[id.index()] >= free.end_ns[id.index()]);
        }
        prop_assert!(contended.compute_ns >= free.compute_ns);
        let most = free.step_ns as f64 * compute.max(communication) + problem.len() as f64;
        prop_assert!(contended.step_ns as f64 <= most);
    }
}

/// The generators make what the first property is about.
#[test]
fn random_programs_have_what_blocks_may_contain() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = [0; 6];
    for seed in 0..200u64 {
        let tree = choices(60).new_tree(&mut runner).expect("a value");
        let problem = timed_program(&proptest::strategy::ValueTree::current(&tree), seed * 7919 + 1);
        let moves_no_clock = stream_waits(&problem);
        let links: Vec<_> = problem.streams().map(|stream| problem.link_of(stream)).collect();
        let waits = problem.waits();
        let has = |test: &dyn Fn(NodeId) -> bool| usize::from(problem.ids().any(test));
        seen[0] += has(&|id| problem.kind(id) == Kind::Wait && moves_no_clock[id.index()]);
        seen[1] += has(&|id| problem.kind(id) == Kind::Blocking && moves_no_clock[id.index()]);
        seen[2] += usize::from((1..links.len()).any(|index| links[..index].contains(&links[index])));
        seen[3] += has(&|id| problem.occupied(id).count() > 1);
        seen[4] += has(&|id| problem.kind(id) == Kind::Start && waits[id.index()].is_none());
        seen[5] += has(&|id| !problem.after(id).is_empty());
    }
    assert!(seen.iter().all(|&programs| programs >= 20), "{seen:?}");
}

#[test]
fn a_gather_beside_a_matmul_is_slowed_down() {
    let mut problem = Problem::new();
    let stream = problem.stream("dp");
    let shard = problem.push(Node::arg());
    let start = problem.push(Node::start(Collective::AllGather, stream).ns(500).deps(&[shard]));
    let beside = problem.push(Node::compute().ns(1000));
    let wait = problem.push(Node::wait(start).deps(&[start, shard]));
    let last = problem.push(Node::compute().ns(100).deps(&[beside, wait]));
    let order: Vec<_> = problem.ids().collect();
    let contention = Contention::new(1.25, 1.5).expect("factors");
    let timeline = timeline_with(&problem, &order, &contention).expect("times");
    assert_eq!(timeline.end_ns[start.index()], 750);
    assert_eq!(timeline.end_ns[beside.index()], 1150);
    assert_eq!((timeline.begin_ns[last.index()], timeline.step_ns), (1150, 1250));
    assert_eq!((timeline.compute_ns, timeline.total_exposed_ns()), (1250, 0));
    assert_eq!(timeline.exposed_ns[wait.index()], 0);
}

#[test]
fn the_engine_gives_real_steps_the_times_of_the_clocks() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the problems are there") {
        let path = entry.expect("a file").path();
        let document =
            Document::parse(&std::fs::read_to_string(&path).expect("readable")).expect("a problem");
        let problem = document.problem();
        let order: Vec<_> = problem.ids().collect();
        let by_engine = Block::new(problem, &order).timeline(&Contention::default());
        assert_eq!(
            by_engine.expect("times"),
            timeline(problem, &order),
            "{}",
            path.display()
        );
        files += 1;
    }
    assert!(files >= 5, "found {files} problems");
}

/// A view of many awaited collectives makes all of them available to the start that reads it.
#[test]
fn a_start_that_reads_a_view_of_two_collectives_begins_after_both() {
    let mut problem = Problem::new();
    let streams = ["a", "b", "c"].map(|name| problem.stream(name));
    let shard = problem.push(Node::arg());
    let mut waits = Vec::new();
    for (stream, ns) in [(streams[0], 300), (streams[1], 200)] {
        let start = problem.push(Node::start(Collective::AllGather, stream).ns(ns).deps(&[shard]));
        waits.push(problem.push(Node::wait(start).deps(&[start, shard])));
    }
    let view = problem.push(Node::view().deps(&waits));
    let start = problem.push(Node::start(Collective::AllToAll, streams[2]).ns(10).deps(&[view]));
    let order: Vec<_> = problem.ids().collect();
    let timeline = Block::new(&problem, &order)
        .timeline(&Contention::default())
        .expect("times");
    assert_eq!((timeline.begin_ns[start.index()], timeline.step_ns), (300, 310));
}
