// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Keeping gathered against gathering again: which decisions there are, and that each is legal.

mod common;
mod regathering;

use comm_schedule::regather::{
    Alternatives, Decision, Fact, Origin, RegatherError, RegatherOptions, Regathered, alternatives, apply,
    choose,
};
use comm_schedule::{Collective, Node, NodeId, Problem, schedule, verify};
use common::{ALL, Choice, cases, choices, program};
use fastrand::Rng;
use proptest::prelude::*;
use regathering::{assert_equivalent, decisions, fast, limited, sets_by_operands};

/// A random program in which gathers have one size, so that more of them may have equal values.
fn gathering_program(choices: &[Choice]) -> Problem {
    let old = program(choices, ALL);
    let mut new = Problem::new();
    for stream in old.streams() {
        new.stream(old.stream_name(stream));
    }
    for id in old.ids() {
        let node = old.node(id);
        let is_gather = node.collective == Some(Collective::AllGather);
        new.push(Node {
            bytes: if is_gather { 64 } else { node.bytes },
            ..node
        });
    }
    old.live_out().iter().for_each(|id| new.push_live_out(*id));
    new
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn every_alternative_is_legal_on_programs_with_fences_and_stray_order(
        choices in choices(70), seed in any::<u64>()
    ) {
        let problem = gathering_program(&choices);
        let sets = sets_by_operands(&problem, |id| problem.collective(id) == Some(Collective::AllGather));
        let of_sets = alternatives(&problem, &sets).unwrap();
        let mut rng = Rng::with_seed(seed);
        for _ in 0..4 {
            let levels: Vec<usize> = of_sets.iter().map(|of| rng.usize(..of.decisions.len())).collect();
            let chosen = decisions(&of_sets, &levels);
            let rewritten = apply(&problem, &chosen);
            assert_equivalent(&problem, &sets, &chosen, &rewritten);
        }
        let given: Vec<usize> = of_sets.iter().map(|of| of.given).collect();
        let same = apply(&problem, &decisions(&of_sets, &given));
        prop_assert!(same.nodes.iter().copied().eq(problem.ids().map(Origin::Kept)));
        prop_assert!(problem.ids().all(|id| problem.node(id) == same.problem.node(id)));
    }

    #[test]
    fn the_order_of_sets_and_of_gathers_in_them_decides_nothing(
        choices in choices(40), seed in any::<u64>(), limit in 0u64..400
    ) {
        let problem = gathering_program(&choices);
        let sets = sets_by_operands(&problem, |id| problem.collective(id) == Some(Collective::AllGather));
        let mut rng = Rng::with_seed(seed);
        let mut shuffled: Vec<usize> = (0..sets.len()).collect();
        rng.shuffle(&mut shuffled);
        let mut others: Vec<Regathered> = shuffled.iter().map(|set| sets[*set].clone()).collect();
        others.iter_mut().for_each(|set| rng.shuffle(&mut set.gathers));
        let (one, other) = (choose(&problem, &sets, &limited(limit)), choose(&problem, &others, &limited(limit)));
        let (one, other) = (one.unwrap(), other.unwrap());
        for (index, set) in shuffled.into_iter().enumerate() {
            prop_assert_eq!(&one.decisions[set], &other.decisions[index]);
        }
        prop_assert_eq!(&one.rewritten.nodes, &other.rewritten.nodes);
        prop_assert_eq!((one.before, one.after, one.tried), (other.before, other.after, other.tried));
        assert_equivalent(&problem, &sets, &one.decisions, &one.rewritten);
        let order = schedule(&one.rewritten.problem, &fast(None)).unwrap().order;
        prop_assert_eq!(verify(&one.rewritten.problem, &order), Ok(()));
    }
}

/// A block of two gathers of one shard, `a` and `b`, and what a test puts between them. Durations are such that each gather
/// is exposed.
struct Block {
    problem: Problem,
    shard: NodeId,
    value: NodeId,
}

impl Block {
    fn new() -> Self {
        let mut problem = Problem::new();
        problem.stream("dp");
        let shard = problem.push(Node::arg().bytes(4));
        let value = problem.push(Node::compute().ns(10).bytes(1));
        Block {
            problem,
            shard,
            value,
        }
    }

    fn start(&mut self, after: &[NodeId]) -> NodeId {
        let link = self.problem.stream("dp");
        let node = Node::start(Collective::AllGather, link).ns(50).bytes(16);
        self.problem.push(node.deps(&[self.shard]).after(after))
    }

    fn wait(&mut self, start: NodeId, after: &[NodeId]) -> NodeId {
        self.problem
            .push(Node::wait(start).deps(&[start, self.shard]).after(after))
    }

    fn gather(&mut self, after: &[NodeId]) -> (NodeId, NodeId) {
        let start = self.start(after);
        (start, self.wait(start, after))
    }

    fn read(&mut self, weight: NodeId) -> NodeId {
        self.value = self
            .problem
            .push(Node::compute().ns(10).bytes(1).deps(&[self.value, weight]));
        self.value
    }

    fn fence(&mut self, after: &[NodeId]) -> NodeId {
        self.problem.push(Node::compute().fence(true).after(after))
    }

    fn ladder(&self, gathers: &[NodeId]) -> Alternatives {
        let set = Regathered {
            gathers: gathers.to_vec(),
        };
        alternatives(&self.problem, &[set]).unwrap().remove(0)
    }
}

#[test]
fn no_reader_crosses_a_fence() {
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    block.read(weight);
    block.fence(&[]);
    let (b, again) = block.gather(&[]);
    block.read(again);
    assert_eq!(
        block.ladder(&[a, b]).decisions,
        [Decision::default()],
        "not shared"
    );

    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    block.read(weight);
    block.problem.push(Node::compute().ns(500));
    block.fence(&[a, weight]);
    block.read(weight);
    assert_eq!(block.ladder(&[a]).decisions, [Decision::default()], "not split");
}

#[test]
fn between_the_same_fences_order_is_kept() {
    let mut block = Block::new();
    let first = block.fence(&[]);
    let (a, weight) = block.gather(&[first]);
    block.read(weight);
    let (b, again) = block.gather(&[first]);
    block.problem.push(Node::compute().ns(500));
    block.read(again);
    let second = block.fence(&[a, weight, b, again]);
    let set = Regathered { gathers: vec![b, a] };
    let ladder = block.ladder(&set.gathers);
    assert_eq!((ladder.decisions.len(), ladder.given, ladder.again), (2, 1, 1));
    let shared = &ladder.decisions[..1];
    assert_eq!((shared[0].shared[0].dropped, shared[0].shared[0].kept), (b, a));
    let rewritten = apply(&block.problem, shared);
    assert_equivalent(&block.problem, &[set], shared, &rewritten);

    // One gather with the same readers is split there, and the second fence follows the copy too.
    let mut block_of_one = Block::new();
    let first_of_one = block_of_one.fence(&[]);
    let (a, weight) = block_of_one.gather(&[first_of_one]);
    block_of_one.read(weight);
    block_of_one.problem.push(Node::compute().ns(500));
    let reader = block_of_one.read(weight);
    block_of_one.fence(&[a, weight]);
    let set = Regathered { gathers: vec![a] };
    let ladder = block_of_one.ladder(&set.gathers);
    assert_eq!((ladder.decisions.len(), ladder.given, ladder.again), (2, 0, 1));
    let split = &ladder.decisions[1..];
    assert_eq!(
        (split[0].split[0].gather, &split[0].split[0].users),
        (a, &vec![reader])
    );
    let rewritten = apply(&block_of_one.problem, split);
    assert_equivalent(&block_of_one.problem, &[set], split, &rewritten);

    // A gather that must follow the other's wait is ordered differently.
    let mut chained = Block::new();
    let (a, weight) = chained.gather(&[]);
    chained.read(weight);
    let (b, again) = chained.gather(&[weight]);
    chained.read(again);
    assert_eq!(chained.ladder(&[a, b]).decisions.len(), 1);
    assert_eq!(block.problem.after(second).len(), 4);
}

#[test]
fn a_kept_wait_moves_up_to_where_the_dropped_one_stood() {
    let mut block = Block::new();
    let a = block.start(&[]);
    let b = block.start(&[]);
    let early = block.wait(b, &[]);
    block.read(early);
    let late = block.wait(a, &[]);
    block.read(late);
    let set = Regathered { gathers: vec![a, b] };
    let ladder = block.ladder(&set.gathers);
    let rewritten = apply(&block.problem, &ladder.decisions[..1]);
    assert_equivalent(&block.problem, &[set], &ladder.decisions[..1], &rewritten);
    assert_eq!(rewritten.nodes[3], Origin::Kept(late));
}

#[test]
fn what_cannot_let_go_is_not_split() {
    // A view that is read on both sides.
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    let view = block.problem.push(Node::view().deps(&[weight]));
    block.read(view);
    block.problem.push(Node::compute().ns(500));
    block.read(view);
    assert_eq!(block.ladder(&[a]).decisions.len(), 1);
    // The same with a view for each side.
    let other = block.problem.push(Node::view().deps(&[weight]));
    let reader = block.read(other);
    block.problem.push(Node::compute().ns(500).deps(&[reader]));
    let last = block.problem.push(Node::view().deps(&[weight]));
    block.read(last);
    let ladder = block.ladder(&[a]);
    assert_eq!(
        (ladder.decisions.len(), &ladder.decisions[1].split[0].users),
        (2, &vec![last])
    );
    // What is live out is kept anyway.
    block.problem.push_live_out(weight);
    assert_eq!(block.ladder(&[a]).decisions.len(), 1);
}

#[test]
fn nothing_is_changed_that_saves_no_time() {
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    block.read(weight);
    block.value = block.problem.push(Node::compute().ns(500).deps(&[block.value]));
    let (b, again) = block.gather(&[]);
    block.read(again);
    let sets = [Regathered { gathers: vec![a, b] }];
    let choice = choose(&block.problem, &sets, &RegatherOptions::default()).unwrap();
    assert_eq!(
        choice.decisions,
        [Decision::default()],
        "the second gather is hidden"
    );
    assert_eq!(choice.before, choice.after);
    let none = choose(&block.problem, &[], &limited(0)).unwrap();
    assert_eq!(
        (none.tried, none.after.meets_limit),
        (1, false),
        "no order does without memory"
    );
    let fixed = RegatherOptions {
        most_tried: 0,
        ..RegatherOptions::default()
    };
    assert_eq!(
        choose(&block.problem, &sets, &fixed).unwrap().tried,
        2,
        "the fixed strategies always are"
    );
}

#[test]
fn sets_that_cannot_be_are_refused() {
    let mut block = Block::new();
    let (a, weight) = block.gather(&[]);
    let (b, _) = block.gather(&[]);
    let open = block.start(&[]);
    let link = block.problem.stream("dp");
    let blocking = Node::blocking(Collective::AllGather, link).bytes(16);
    let operand = [block.shard];
    let blocking = block.problem.push(blocking.deps(&operand));
    let other = Node::start(Collective::Broadcast, link).bytes(16).deps(&operand);
    let other = block.problem.push(other);
    block.wait(other, &[]);
    let large = Node::start(Collective::AllGather, link).bytes(32).deps(&operand);
    let large = block.problem.push(large);
    block.wait(large, &[]);
    let error = |sets: &[&[NodeId]]| {
        let sets = sets.iter().map(|gathers| Regathered {
            gathers: gathers.to_vec(),
        });
        alternatives(&block.problem, &sets.collect::<Vec<_>>()).unwrap_err()
    };
    let different = |node, fact| RegatherError::Different {
        set: 0,
        node,
        first: a,
        fact,
    };
    let nowhere = NodeId(1000);
    assert_eq!(error(&[&[a], &[]]), RegatherError::Empty { set: 1 });
    assert_eq!(
        error(&[&[weight]]),
        RegatherError::NoCollective { set: 0, node: weight }
    );
    assert_eq!(
        error(&[&[nowhere]]),
        RegatherError::NoCollective {
            set: 0,
            node: nowhere
        }
    );
    assert_eq!(error(&[&[open]]), RegatherError::Unawaited { set: 0, node: open });
    assert_eq!(error(&[&[blocking, a]]), different(blocking, Fact::Kind));
    assert_eq!(error(&[&[a, other]]), different(other, Fact::Collective));
    assert_eq!(error(&[&[large, a]]), different(large, Fact::Bytes));
    let repeated = RegatherError::Repeated {
        set: 1,
        node: b,
        first: 0,
    };
    assert_eq!(error(&[&[a, b], &[b]]), repeated);
    assert_eq!(
        repeated.to_string(),
        format!("set 1: {b} is named already, in set 0")
    );
}
