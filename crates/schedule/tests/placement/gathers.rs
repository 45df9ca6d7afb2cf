// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Gathers: by consumer order, late, and under a limit.

use crate::program::{Program, limit};
use comm_schedule::{AllGather, ReduceScatter, SortOptions};

/// Parameters declared in reverse order of use: a sort from the top issues gathers in order of the parameters.
fn layers_with_reversed_parameters(layers: usize) -> Program {
    let mut program = Program::new();
    let shards: Vec<_> = (0..layers)
        .rev()
        .map(|layer| program.arg(&format!("w{layer}")))
        .collect();
    let mut x = program.arg("x");
    let weights: Vec<_> = (0..layers)
        .rev()
        .zip(&shards)
        .map(|(layer, &shard)| program.gather(&format!("g{layer}"), shard))
        .collect();
    for layer in 0..layers {
        x = program.compute(&format!("matmul{layer}"), &[x, weights[layers - 1 - layer]]);
    }
    program.compute("return", &[x]);
    program
}

#[test]
fn gathers_follow_consumers_whatever_the_order_of_parameters() {
    let program = layers_with_reversed_parameters(4);
    program.expect(
        limit(1),
        "check: start all_gather g0.start on dp (w0)
         nextln: wait g0 (g0.start, w0)
         nextln: compute matmul0 (x, g0)
         nextln: start all_gather g1.start
         nextln: wait g1
         nextln: compute matmul1
         nextln: start all_gather g2.start
         nextln: wait g2
         nextln: compute matmul2
         nextln: start all_gather g3.start
         nextln: wait g3
         nextln: compute matmul3
         nextln: compute return",
    );
}

#[test]
fn a_limit_of_two_keeps_one_gather_ahead() {
    let program = layers_with_reversed_parameters(4);
    program.expect(
        limit(2),
        "check: start all_gather g0.start
         nextln: start all_gather g1.start
         nextln: wait g0
         nextln: compute matmul0
         nextln: start all_gather g2.start
         nextln: wait g1
         nextln: compute matmul1
         nextln: start all_gather g3.start
         nextln: wait g2
         nextln: compute matmul2
         nextln: wait g3
         nextln: compute matmul3",
    );
    assert_eq!(program.sort(limit(2)).report.in_flight_after.gathers(), 2);
}

#[test]
fn without_a_limit_all_gathers_precede_the_first_wait() {
    let program = layers_with_reversed_parameters(3);
    program.expect(
        limit(0),
        "check: start all_gather g0.start
         nextln: start all_gather g1.start
         nextln: start all_gather g2.start
         nextln: wait g0
         nextln: compute matmul0
         nextln: wait g1",
    );
}

#[test]
fn first_issues_at_the_head_then_after_each_wait() {
    let mut program = Program::new();
    let (w0, w1, w2, x) = (
        program.arg("w0"),
        program.arg("w1"),
        program.arg("w2"),
        program.arg("x"),
    );
    let norm = program.compute("norm", &[x]);
    let g0 = program.gather("g0", w0);
    let a = program.compute("a", &[norm, g0]);
    let g1 = program.gather("g1", w1);
    let b = program.compute("b", &[a, g1]);
    let g2 = program.gather("g2", w2);
    let c = program.compute("c", &[b, g2]);
    program.compute("return", &[c]);
    let options = SortOptions {
        all_gather: AllGather::First,
        ..limit(2)
    };
    program.expect(
        options,
        "check: start all_gather g0.start
         nextln: start all_gather g1.start
         nextln: compute norm
         nextln: wait g0
         nextln: start all_gather g2.start
         nextln: compute a
         nextln: wait g1
         nextln: compute b
         nextln: wait g2
         nextln: compute c",
    );
}

#[test]
fn a_gather_of_an_activation_never_stands_above_its_operand() {
    let mut program = Program::new();
    let (w, x) = (program.arg("w"), program.arg("x"));
    let a = program.compute("a", &[x]);
    let g_a = program.gather("g_a", a);
    let b = program.compute("b", &[g_a]);
    let g_w = program.gather("g_w", w);
    let c = program.compute("c", &[b, g_w]);
    program.compute("return", &[c]);
    for all_gather in [AllGather::Late, AllGather::First] {
        let options = SortOptions {
            all_gather,
            ..limit(0)
        };
        program.expect(
            options,
            "check: compute a
             check: start all_gather g_a.start",
        );
        let report = program.sort(options).report;
        assert_eq!(
            (report.gathers, report.slot_gathers),
            (2, 1),
            "an activation takes no slot"
        );
    }
    let first = SortOptions {
        all_gather: AllGather::First,
        ..limit(0)
    };
    program.expect(
        first,
        "check: start all_gather g_w.start\nnextln: compute a\nnextln: start all_gather g_a.start",
    );
}

#[test]
fn a_cheap_convert_early_in_the_source_does_not_drag_its_gather_to_the_front() {
    let mut program = Program::new();
    let (w, n, x) = (program.arg("w"), program.arg("n"), program.arg("x"));
    // The norm's weight is gathered and converted at the head of the source and read twice, far below.
    let g_n = program.gather("g_n", n);
    let convert = program.cheap("convert", &[g_n]);
    let g_w = program.gather("g_w", w);
    let a = program.compute("a", &[x, g_w]);
    let b = program.compute("b", &[a, convert]);
    let c = program.compute("c", &[b, convert]);
    program.compute("return", &[c]);
    program.expect(
        limit(1),
        "check: start all_gather g_w.start
         nextln: wait g_w
         nextln: compute a
         nextln: start all_gather g_n.start
         nextln: wait g_n
         nextln: compute convert (g_n)
         nextln: compute b
         nextln: compute c",
    );
}

#[test]
fn a_cast_of_a_shard_moves_with_its_gather() {
    let mut program = Program::new();
    let (w0, w1, x) = (program.arg("w0"), program.arg("w1"), program.arg("x"));
    let c0 = program.cheap("cast0", &[w0]);
    let g0 = program.gather("g0", c0);
    let a = program.compute("a", &[x, g0]);
    let c1 = program.cheap("cast1", &[w1]);
    let g1 = program.gather("g1", c1);
    let b = program.compute("b", &[a, g1]);
    program.compute("return", &[b]);
    program.expect(
        limit(2),
        "check: compute cast0
         nextln: start all_gather g0.start
         nextln: compute cast1
         nextln: start all_gather g1.start
         nextln: wait g0
         nextln: compute a
         nextln: wait g1",
    );
}

#[test]
fn kept_collectives_stay() {
    let program = layers_with_reversed_parameters(3);
    let keep = SortOptions {
        all_gather: AllGather::Keep,
        reduce_scatter: ReduceScatter::Keep,
        ..limit(1)
    };
    let outcome = program.sort(keep);
    assert_eq!(outcome.order, program.problem.ids().collect::<Vec<_>>());
    assert_eq!((outcome.report.moved, outcome.report.gathers), (0, 0));
}
