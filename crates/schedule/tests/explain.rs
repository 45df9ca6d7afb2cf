// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What limits a collective, in the smallest order in which it does.

use comm_schedule::json::Document;
use comm_schedule::{
    Cause, Collective, Effort, Explanation, Kind, Node, NodeId, Problem, ScheduleOptions, explain, timeline,
};

const NO_LIMITS: ScheduleOptions = ScheduleOptions {
    effort: Effort::Default,
    memory_limit: None,
    max_in_flight: None,
    max_in_flight_bytes: None,
};

/// Collectives of a problem in source order, as (name, hidden, exposed, cause).
fn explained(problem: &Problem, options: &ScheduleOptions) -> Vec<(String, u64, u64, Cause)> {
    problem.check().expect("well formed");
    let order: Vec<NodeId> = problem.ids().collect();
    explain(problem, &order, &timeline(problem, &order), options)
        .into_iter()
        .map(
            |Explanation {
                 node,
                 hidden_ns,
                 exposed_ns,
                 cause,
                 ..
             }| { (problem.name(node).to_owned(), hidden_ns, exposed_ns, cause) },
        )
        .collect()
}

/// A problem under construction; all collectives are all-gathers of 8 bytes.
#[derive(Default)]
struct Block {
    problem: Problem,
}

impl Block {
    fn arg(&mut self) -> NodeId {
        self.problem.push(Node::arg().bytes(1))
    }

    fn compute(&mut self, ns: u64, deps: &[NodeId]) -> NodeId {
        self.problem.push(Node::compute().ns(ns).bytes(4).deps(deps))
    }

    fn start(&mut self, name: &str, stream: &str, ns: u64, deps: &[NodeId]) -> NodeId {
        let stream = self.problem.stream(stream);
        let node = Node::start(Collective::AllGather, stream)
            .ns(ns)
            .bytes(8)
            .deps(deps);
        let start = self.problem.push(node);
        self.problem.set_name(start, name);
        start
    }

    fn wait(&mut self, start: NodeId) -> NodeId {
        self.problem.push(Node::wait(start).deps(&[start]))
    }
}

#[test]
fn hidden_behind_computation() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let y = block.compute(60, &[x]);
    let w = block.wait(f);
    block.compute(10, &[y, w]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 50, 0, Cause::Nothing)]
    );
}

#[test]
fn needed_before_anything_can_hide_it() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let y = block.compute(20, &[x]);
    let w = block.wait(f);
    block.compute(10, &[y, w]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 20, 30, Cause::Consumer)]
    );
}

#[test]
fn needed_right_after_its_operand() {
    let mut block = Block::default();
    let x = block.arg();
    let y = block.compute(20, &[x]);
    let view = block.problem.push(Node::view().deps(&[y]));
    let f = block.start("f", "s", 50, &[view]);
    let w = block.wait(f);
    block.compute(10, &[w]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 0, 50, Cause::Operand)]
    );
}

#[test]
fn behind_another_collective_on_the_link() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let g = block.start("g", "t", 50, &[x]);
    let w = block.wait(f);
    let v = block.wait(g);
    block.compute(10, &[w, v]);
    let names = |problem: &Problem| explained(problem, &NO_LIMITS);
    // On links of their own both run at once.
    assert_eq!(
        names(&block.problem),
        [
            ("f".into(), 0, 50, Cause::Consumer),
            ("g".into(), 0, 0, Cause::Nothing)
        ]
    );
    let stream = block.problem.stream("t");
    block.problem.set_link(stream, "s");
    assert_eq!(
        names(&block.problem),
        [
            ("f".into(), 0, 50, Cause::Consumer),
            ("g".into(), 0, 50, Cause::Link)
        ]
    );
}

#[test]
fn behind_a_region_that_occupies_the_link() {
    let mut block = Block::default();
    let x = block.arg();
    let stream = block.problem.stream("s");
    let y = block.compute(30, &[x]);
    block.problem.occupy(y, stream);
    let f = block.start("f", "s", 50, &[x]);
    let w = block.wait(f);
    block.compute(10, &[w]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 0, 50, Cause::Link)]
    );
}

#[test]
fn a_region_waits_for_the_link() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let y = block.compute(10, &[x]);
    let z = block.compute(30, &[y]);
    let stream = block.problem.stream("s");
    block.problem.occupy(z, stream);
    let w = block.wait(f);
    block.compute(10, &[w, z]);
    // When it is awaited the region has run, but the region had to wait for it.
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 10, 40, Cause::Consumer)]
    );
}

/// A gather that is issued later than it could be, behind another that has come and gone.
fn late() -> Problem {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 10, &[x]);
    let y = block.compute(20, &[x]);
    let w = block.wait(f);
    let z = block.compute(20, &[y, w]);
    let g = block.start("g", "s", 10, &[x]);
    let v = block.wait(g);
    block.compute(10, &[z, v]);
    block.problem
}

#[test]
fn late_without_need() {
    let expected = [
        ("f".to_owned(), 10, 0, Cause::Nothing),
        ("g".to_owned(), 0, 10, Cause::Order),
    ];
    assert_eq!(explained(&late(), &NO_LIMITS), expected);
    // A limit that leaves room is no cause: g beside f and both results of computation.
    let roomy = ScheduleOptions {
        memory_limit: Some(24),
        max_in_flight: Some(2),
        max_in_flight_bytes: Some(16),
        ..NO_LIMITS
    };
    assert_eq!(explained(&late(), &roomy), expected);
}

#[test]
fn late_for_a_limit() {
    for (options, cause) in [
        (
            ScheduleOptions {
                memory_limit: Some(23),
                ..NO_LIMITS
            },
            Cause::Memory,
        ),
        (
            ScheduleOptions {
                max_in_flight: Some(1),
                ..NO_LIMITS
            },
            Cause::InFlight,
        ),
        (
            ScheduleOptions {
                max_in_flight_bytes: Some(15),
                ..NO_LIMITS
            },
            Cause::InFlight,
        ),
    ] {
        assert_eq!(
            explained(&late(), &options)[1],
            ("g".into(), 0, 10, cause),
            "{options:?}"
        );
    }
}

#[test]
fn of_two_limits_the_nearer_one() {
    // Memory keeps g behind z, the limit in flight only behind w.
    let both = ScheduleOptions {
        memory_limit: Some(23),
        max_in_flight: Some(1),
        ..NO_LIMITS
    };
    assert_eq!(explained(&late(), &both)[1].3, Cause::Memory);
    // Memory leaves room here.
    let roomy = ScheduleOptions {
        memory_limit: Some(24),
        ..both
    };
    assert_eq!(explained(&late(), &roomy)[1].3, Cause::InFlight);
}

/// The causes and the ops named as such.
fn fences(problem: &Problem) -> Vec<(Cause, Option<NodeId>)> {
    problem.check().expect("well formed");
    let order: Vec<NodeId> = problem.ids().collect();
    let explanations = explain(problem, &order, &timeline(problem, &order), &NO_LIMITS);
    explanations
        .into_iter()
        .map(|explanation| (explanation.cause, explanation.fence))
        .collect()
}

#[test]
fn a_start_behind_a_fence() {
    let mut block = Block::default();
    let x = block.arg();
    let y = block.compute(10, &[x]);
    let fence = block.problem.push(Node::compute().ns(20).deps(&[y]).fence(true));
    let stream = block.problem.stream("s");
    let start = Node::start(Collective::AllGather, stream).ns(50);
    let of_argument = block.problem.push(start.deps(&[x]).after(&[fence]));
    let w = block.wait(of_argument);
    let z = block.compute(10, &[w]);
    // This one could not start earlier without the fence either.
    let start = Node::start(Collective::AllGather, stream).ns(50);
    let of_computation = block.problem.push(start.deps(&[z]).after(&[fence]));
    let v = block.wait(of_computation);
    block.compute(10, &[v]);
    assert_eq!(
        fences(&block.problem),
        [(Cause::Fence, Some(fence)), (Cause::Operand, None)]
    );
}

#[test]
fn behind_an_earlier_permute() {
    let mut block = Block::default();
    let x = block.arg();
    let y = block.compute(20, &[x]);
    let (s, t) = (block.problem.stream("s"), block.problem.stream("t"));
    let first = block
        .problem
        .push(Node::start(Collective::Permute, s).ns(5).deps(&[y]));
    let second = block.problem.push(
        Node::start(Collective::Permute, t)
            .ns(50)
            .deps(&[x])
            .after(&[first]),
    );
    let w = block.wait(first);
    let v = block.wait(second);
    block.compute(10, &[w, v]);
    assert_eq!(
        fences(&block.problem),
        [(Cause::Operand, None), (Cause::Fence, Some(first))]
    );
}

#[test]
fn a_wait_ahead_of_a_fence() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let w = block.wait(f);
    let view = block.problem.push(Node::view().deps(&[w]));
    let fence = block
        .problem
        .push(Node::compute().ns(20).deps(&[x]).after(&[w]).fence(true));
    block.compute(10, &[view, fence]);
    assert_eq!(fences(&block.problem), [(Cause::Fence, Some(fence))]);
}

#[test]
fn a_fence_that_needs_the_result_is_its_consumer() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let w = block.wait(f);
    let fence = block
        .problem
        .push(Node::compute().ns(20).deps(&[w]).after(&[w]).fence(true));
    block.compute(10, &[fence]);
    assert_eq!(fences(&block.problem), [(Cause::Consumer, None)]);
}

#[test]
fn a_fence_behind_computation_holds_no_wait() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let w = block.wait(f);
    let y = block.compute(10, &[x]);
    let fence = block
        .problem
        .push(Node::compute().ns(20).deps(&[y]).after(&[w]).fence(true));
    block.compute(10, &[w, fence]);
    assert_eq!(fences(&block.problem), [(Cause::Consumer, None)]);
}

#[test]
fn a_cheap_op_in_front_is_no_operand() {
    let mut block = Block::default();
    let x = block.arg();
    let y = block.compute(20, &[x]);
    let cheap = block.problem.push(Node::compute().cheap(true).ns(1).deps(&[x]));
    let f = block.start("f", "s", 50, &[cheap]);
    let w = block.wait(f);
    block.compute(10, &[y, w]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 0, 50, Cause::Order)]
    );
}

#[test]
fn one_collective_feeds_another() {
    let mut block = Block::default();
    let x = block.arg();
    let f = block.start("f", "s", 50, &[x]);
    let y = block.compute(20, &[x]);
    let w = block.wait(f);
    let g = block.start("g", "t", 10, &[w]);
    let v = block.wait(g);
    block.compute(10, &[y, v]);
    // The wait of the first holds only the second up; the wait of the second stands for both.
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [
            ("f".into(), 20, 30, Cause::Consumer),
            ("g".into(), 0, 40, Cause::Operand)
        ]
    );
}

#[test]
fn nobody_needs_it_and_the_step_ends_with_it() {
    let mut block = Block::default();
    let x = block.arg();
    let y = block.compute(20, &[x]);
    block.start("f", "s", 50, &[y]);
    block.compute(10, &[y]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [("f".into(), 10, 40, Cause::Operand)]
    );
}

#[test]
fn blocking() {
    let mut block = Block::default();
    let x = block.arg();
    let stream = block.problem.stream("s");
    let f = block.problem.push(
        Node::blocking(Collective::AllReduce, stream)
            .ns(50)
            .bytes(8)
            .deps(&[x]),
    );
    block.compute(10, &[f]);
    assert_eq!(
        explained(&block.problem, &NO_LIMITS),
        [(String::new(), 0, 50, Cause::Blocking)]
    );
}

#[test]
fn figures_of_real_steps_agree_with_their_timeline() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    for entry in std::fs::read_dir(folder).expect("the problems are there") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let document = Document::parse(&text).expect("a problem");
        let problem = document.problem();
        let order: Vec<NodeId> = problem.ids().collect();
        let times = timeline(problem, &order);
        let explanations = explain(problem, &order, &times, &NO_LIMITS);
        let collectives = |id: &NodeId| matches!(problem.kind(*id), Kind::Start | Kind::Blocking);
        let nodes: Vec<NodeId> = explanations.iter().map(|explanation| explanation.node).collect();
        assert_eq!(nodes, problem.ids().filter(collectives).collect::<Vec<_>>());
        assert!(!nodes.is_empty());
        for explanation in &explanations {
            assert!(explanation.hidden_ns <= problem.ns(explanation.node));
            assert_eq!(explanation.exposed_ns == 0, explanation.cause == Cause::Nothing);
        }
        let held_up: u64 = times.exposed_ns.iter().sum();
        let exposed: u64 = explanations
            .iter()
            .map(|explanation| explanation.exposed_ns)
            .sum();
        assert!(exposed >= held_up, "{}", path.display());
    }
}
