// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reductions: by producer order, early, and under a limit.

use crate::program::Program;
use comm_schedule::{Collective, Node, SortOptions};

/// A backward pass: gradients appear one after the other, each is reduced, and everything is awaited at the end.
fn backward(layers: usize, bytes: impl Fn(usize) -> u64) -> Program {
    let mut program = Program::new();
    let mut dx = program.arg("dx");
    let mut gradients = Vec::new();
    for layer in 0..layers {
        dx = program.compute(&format!("dgrad{layer}"), &[dx]);
        let name = format!("wgrad{layer}");
        gradients.push(program.push(&name, Node::compute().ns(100).bytes(bytes(layer)).deps(&[dx])));
    }
    let starts: Vec<_> = gradients
        .iter()
        .enumerate()
        .map(|(layer, &gradient)| {
            let name = format!("r{layer}");
            program.start(&name, Collective::ReduceScatter, gradient, bytes(layer) / 4)
        })
        .collect();
    let waits: Vec<_> = starts
        .iter()
        .enumerate()
        .map(|(layer, &start)| program.wait(&format!("r{layer}"), start))
        .collect();
    program.compute("return", &waits);
    program
}

#[test]
fn a_large_reduction_does_not_delay_an_earlier_small_one() {
    // The last gradient is a thousand times as large as the first, and the terminator reads it first.
    let mut program = Program::new();
    let dx = program.arg("dx");
    let small = program.compute("small", &[dx]);
    let next = program.compute("next", &[small]);
    let large = program.push("large", Node::compute().ns(100).bytes(8000).deps(&[next]));
    let last = program.compute("last", &[large]);
    let r_large = program.start("r_large", Collective::ReduceScatter, large, 4000);
    let r_small = program.start("r_small", Collective::ReduceScatter, small, 4);
    let (r_large, r_small) = (program.wait("r_large", r_large), program.wait("r_small", r_small));
    program.compute("return", &[r_large, r_small, last]);
    program.expect(
        SortOptions::default(),
        "check: compute small
         nextln: start reduce_scatter r_small.start
         nextln: compute next
         nextln: compute large
         nextln: start reduce_scatter r_large.start
         nextln: compute last
         nextln: wait r_large
         nextln: wait r_small
         nextln: compute return",
    );
}

#[test]
fn reductions_do_not_pile_up_before_their_waits() {
    let program = backward(5, |_| 64);
    let unlimited = SortOptions {
        max_in_flight_reductions: 0,
        ..Default::default()
    };
    program.expect(
        unlimited,
        "check: compute wgrad0
         nextln: start reduce_scatter r0.start
         nextln: compute dgrad1
         nextln: compute wgrad1
         nextln: start reduce_scatter r1.start
         nextln: compute dgrad2
         nextln: compute wgrad2
         nextln: start reduce_scatter r2.start
         check: start reduce_scatter r4.start
         nextln: wait r0
         nextln: wait r1
         nextln: wait r2
         nextln: wait r3
         nextln: wait r4
         nextln: compute return",
    );
    program.expect(
        SortOptions {
            max_in_flight_reductions: 2,
            ..Default::default()
        },
        "check: start reduce_scatter r0.start
         check: compute wgrad1
         nextln: start reduce_scatter r1.start
         nextln: compute dgrad2
         nextln: compute wgrad2
         nextln: wait r0
         nextln: start reduce_scatter r2.start
         check: compute wgrad3
         nextln: wait r1
         nextln: start reduce_scatter r3.start",
    );
    let peak = |limit| {
        program
            .sort(SortOptions {
                max_in_flight_reductions: limit,
                ..Default::default()
            })
            .report
            .peak_after
    };
    assert!(
        peak(1) < peak(2) && peak(2) < peak(3) && peak(3) < peak(0),
        "each reduction pins its operand"
    );
}

#[test]
fn a_reduction_takes_its_private_chain_along() {
    let mut program = Program::new();
    let x = program.arg("x");
    let g = program.compute("gradient", &[x]);
    let next = program.compute("next", &[g]);
    let convert = program.cheap("convert", &[g]);
    let view = program.push("view", Node::view().deps(&[convert]));
    let shared = program.cheap("shared", &[g]);
    let r = program.reduce("r", view);
    let user = program.compute("user", &[shared, next]);
    program.compute("return", &[r, user]);
    program.expect(
        SortOptions::default(),
        "check: compute gradient
         nextln: compute convert
         nextln: view view
         nextln: start reduce_scatter r.start
         nextln: compute next
         nextln: compute shared
         nextln: compute user
         nextln: wait r
         nextln: compute return",
    );
}

#[test]
fn a_wait_between_two_collectives_does_not_hold_computation() {
    let mut program = Program::new();
    let x = program.arg("x");
    let g = program.compute("gradient", &[x]);
    let next = program.compute("next", &[g]);
    let r = program.reduce("r", g);
    let a = program.start("a", Collective::AllReduce, r, 8);
    let a = program.wait("a", a);
    program.compute("return", &[next, a]);
    program.expect(
        SortOptions::default(),
        "check: compute gradient
         nextln: start reduce_scatter r.start
         nextln: wait r
         nextln: start all_reduce a.start
         nextln: compute next
         nextln: wait a",
    );
}

/// Reductions of which nobody needs the result are walked to, rather than started when they become ready.
#[test]
fn dead_reductions_keep_the_limit_too() {
    for bytes in 0..20 {
        let mut program = Program::new();
        let x = program.arg("x");
        let first = program.start("first", Collective::AllReduce, x, bytes);
        let stream = program.stream;
        let second = program.push(
            "second.start",
            Node::start(Collective::AllReduce, stream)
                .bytes(100)
                .deps(&[x])
                .after(&[first]),
        );
        program.wait("first", first);
        program.wait("second", second);
        program.compute("return", &[x]);
        let options = SortOptions {
            max_in_flight_reductions: 1,
            ..Default::default()
        };
        assert_eq!(program.sort(options).report.in_flight_after.reductions(), 1);
    }
}
