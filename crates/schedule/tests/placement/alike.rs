// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives without a consumer that nothing but the name of their stream tells apart. Which one comes first is free,
//! so the sort has to stay with what the source has, or sorting again would change its mind.

use crate::program::Program;
use comm_schedule::{Collective, Node, NodeId, SortOptions};

/// `streams` streams, and on each of them one gather of the same shard that nobody awaits.
fn unawaited(streams: usize, bytes: u64) -> Program {
    let mut program = Program::new();
    let shard = program.arg("shard");
    for place in 0..streams {
        let stream = program.problem.stream(&format!("stream {place}"));
        let gather = Node::start(Collective::AllGather, stream);
        program.problem.push(gather.bytes(bytes).deps(&[shard]));
    }
    program.compute("return", &[]);
    program
}

#[test]
fn alike_collectives_on_streams_of_their_own_stay_as_they_are() {
    // Keys are hashes, so a rule that goes by them alone is right for about one size in two.
    for bytes in 1..33 {
        for streams in 2..6 {
            let report = unawaited(streams, bytes).sort(SortOptions::default()).report;
            assert_eq!(report.moved, 0, "{streams} streams, {bytes} bytes");
        }
    }
}

#[test]
fn streams_beyond_those_that_are_told_apart_stay_as_they_are_too() {
    let report = unawaited(1000, 64).sort(SortOptions::default()).report;
    assert_eq!(report.moved, 0);
}

/// Whether two pairs of nodes come out in the same order, in a program that stays as it is when it is sorted again.
fn agree(mut program: Program, one: [NodeId; 2], other: [NodeId; 2]) -> bool {
    program.compute("return", &[]);
    let order = program.sort(SortOptions::default()).order;
    let position = |id: NodeId| order.iter().position(|&other| other == id);
    let is_forward = |pair: [NodeId; 2]| position(pair[0]) < position(pair[1]);
    let agree = is_forward(one) == is_forward(other);
    let sorted = Program {
        problem: program.problem.reordered(&order),
        ..program
    };
    assert_eq!(sorted.sort(SortOptions::default()).report.moved, 0, "{order:?}");
    agree
}

/// A pair of nodes for places 0 and 1, of which the one for `first` is pushed first.
fn pair(first: usize, mut push: impl FnMut(usize) -> NodeId) -> [NodeId; 2] {
    let mut pair = [first, 1 - first].map(&mut push);
    if first == 1 {
        pair.reverse();
    }
    pair
}

#[test]
fn which_of_two_streams_comes_first_is_decided_once() {
    // On two streams a gather and a reduction each. Whichever stream the source has first among the gathers and among the
    // reductions, the result is the same but for the names of the streams.
    for bytes in 1..33 {
        let is_one_order = |first_reduction: usize| {
            let mut program = Program::new();
            let x = program.arg("x");
            let streams = ["tp", "pp"].map(|name| program.problem.stream(name));
            let mut push = |collective, stream: usize| {
                let node = Node::start(collective, streams[stream]).bytes(bytes);
                program.problem.push(node.deps(&[x]))
            };
            let gathers = pair(0, |stream| push(Collective::AllGather, stream));
            let reductions = pair(first_reduction, |stream| push(Collective::AllReduce, stream));
            agree(program, gathers, reductions)
        };
        assert_eq!(is_one_order(0), is_one_order(1), "{bytes} bytes");
    }
}

#[test]
fn which_of_two_arguments_comes_first_is_decided_once() {
    // The same with two shards: of each there is a gather and a view.
    for bytes in 1..33 {
        let is_one_order = |first_view: usize| {
            let mut program = Program::new();
            let shards = ["a", "b"].map(|name| program.arg(name));
            let gathers = pair(0, |shard| {
                program.start("g", Collective::AllGather, shards[shard], bytes)
            });
            let views = pair(first_view, |shard| {
                program.push("v", Node::view().deps(&[shards[shard]]))
            });
            agree(program, gathers, views)
        };
        assert_eq!(is_one_order(0), is_one_order(1), "{bytes} bytes");
    }
}

#[test]
fn operands_are_told_apart_by_their_places() {
    // Nobody needs the view of both shards, but it says which one is which: moving a gather shows nowhere.
    for bytes in 1..33 {
        let order = |first_gather: usize| {
            let mut program = Program::new();
            let shards = ["a", "b"].map(|name| program.arg(name));
            let both = program.push("both", Node::view().deps(&shards));
            let gathers = pair(first_gather, |shard| {
                program.start("g", Collective::AllGather, shards[shard], bytes)
            });
            program.compute("return", &[]);
            let order = program.sort(SortOptions::default()).order;
            let position = |id: NodeId| order.iter().position(|&other| other == id);
            [both, gathers[0], gathers[1]].map(position)
        };
        assert_eq!(order(0), order(1), "{bytes} bytes");
    }
}
