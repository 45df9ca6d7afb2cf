// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` is for happens when the program runs: transfers while the rank computes. With blocking collectives they
//! do not.
//!
//! Traces are read, times are not compared: a loaded machine stretches spans, and an emulated transfer lasts far longer than
//! the computation beside it.

#[path = "../examples/overlap_measured/step.rs"]
mod step;

use std::time::Duration;

use comm_runtime::{Category, Link, Options, RankTrace};
use step::{Step, compile, sorted};

const STEP: Step = Step {
    ranks: 4,
    layers: 4,
    rows: 32,
    width: 64,
};

/// How many collectives of a rank were under way while the rank computed.
fn overlapped(trace: &RankTrace) -> usize {
    let spans = |category: Category| trace.spans.iter().filter(move |span| span.category == category);
    spans(Category::Collective)
        .filter(|transfer| {
            spans(Category::Compute)
                .any(|compute| compute.begin_ns < transfer.end_ns && transfer.begin_ns < compute.end_ns)
        })
        .count()
}

#[test]
fn sorted_programs_compute_while_data_travel() {
    let context = mlir_comm::context();
    let blocking = STEP.text();
    let sorted = sorted(&context, &blocking).expect("it can be sorted");
    let options = Options {
        link: Some(Link {
            latency: Duration::ZERO,
            // 50 ms for each layer.
            bandwidth: 20.0 * STEP.wire_bytes() as f64,
        }),
        trace: true,
        ..Default::default()
    };
    let inputs = STEP.inputs();
    let run = |text: &str| {
        let program = compile(&context, text, true).expect("it compiles");
        program.run(&inputs, &options).expect("it runs")
    };
    let [before, after] = [run(&blocking), run(&sorted)];
    assert_eq!(before.results, after.results);
    for (before, after) in before.traces.iter().zip(&after.traces) {
        let transfers = |trace: &RankTrace| {
            let spans = trace.spans.iter();
            spans.filter(|span| span.category == Category::Collective).count()
        };
        assert_eq!((transfers(before), transfers(after)), (STEP.layers, STEP.layers));
        assert_eq!(overlapped(before), 0, "blocking, on rank {}", before.rank);
        assert!(overlapped(after) > 0, "sorted, on rank {}", after.rank);
    }
}
