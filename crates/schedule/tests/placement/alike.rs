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

#[test]
fn which_of_two_streams_comes_first_is_decided_once() {
    // On two streams a gather and a reduction each. Whichever stream the source has first among the gathers and among the
    // reductions, the result is the same but for the names of the streams, and stays as it is.
    for bytes in 1..33 {
        let is_one_order = |first_reduction: usize| {
            let mut program = Program::new();
            let x = program.arg("x");
            let streams = ["tp", "pp"].map(|name| program.problem.stream(name));
            let mut push = |collective, stream: usize| {
                let node = Node::start(collective, streams[stream]).bytes(bytes);
                program.problem.push(node.deps(&[x]))
            };
            let gathers = [0, 1].map(|stream| push(Collective::AllGather, stream));
            let reductions =
                [first_reduction, 1 - first_reduction].map(|stream| push(Collective::AllReduce, stream));
            program.compute("return", &[]);

            let order = program.sort(SortOptions::default()).order;
            let position = |id: NodeId| order.iter().position(|&other| other == id);
            let sorted = Program {
                problem: program.problem.reordered(&order),
                ..program
            };
            assert_eq!(
                sorted.sort(SortOptions::default()).report.moved,
                0,
                "{bytes} bytes"
            );
            let [on_tp, on_pp] = [first_reduction, 1 - first_reduction].map(|place| reductions[place]);
            (position(gathers[0]) < position(gathers[1])) == (position(on_tp) < position(on_pp))
        };
        assert_eq!(is_one_order(0), is_one_order(1), "{bytes} bytes");
    }
}
