// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Fused ops run in every schedule, and make the same bits as collectives and products one after the other.

mod fused;

use comm_runtime::Options;
use fused::{Pair, all, rows, scatter, to_streams};
use mlir_comm::runner::{Array, LowerOptions, Program, RunnerError, lower, parse, random};

fn compile(context: &melior::Context, text: &str, passes: Vec<String>) -> Result<Program, RunnerError> {
    let mut module = parse(context, text)?;
    let options = LowerOptions {
        passes,
        ..LowerOptions::default()
    };
    let signature = lower(context, &mut module, &options, |_| {})?;
    Program::compile(context, &module, signature)
}

fn inputs(program: &Program, ranks: usize) -> Vec<Vec<Array>> {
    let slots = &program.signature().inputs;
    let of = |rank: usize| {
        let arrays = slots.iter().enumerate();
        arrays
            .map(|(index, slot)| {
                let sizes: Option<Vec<usize>> = slot.sizes.iter().flatten().copied().collect();
                random(slot.element, &sizes.expect("sizes are known"), 7, rank, index)
                    .expect("random numbers")
            })
            .collect()
    };
    (0..ranks).map(of).collect()
}

/// Runs both programs of a pair in all of these ways.
fn check(n: usize, pair: &Pair, ways: &[&str]) {
    let context = mlir_comm::context();
    let what = |way: &str| format!("{}, {n} ranks, {way}", pair.name);
    let plain = compile(&context, &pair.plain, vec![])
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", what("plain"), pair.plain));
    let inputs = inputs(&plain, n);
    let options = Options::default();
    let expected = plain
        .run(&inputs, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", what("plain")));
    for way in ways {
        let fused = compile(&context, &pair.fused, vec![to_streams(way)])
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", what(way), pair.fused));
        let found = fused
            .run(&inputs, &options)
            .unwrap_or_else(|error| panic!("{}: {error}", what(way)));
        for (rank, (found, expected)) in found.results.iter().zip(&expected.results).enumerate() {
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_eq!(found.shape(), expected.shape());
                let differs = (0..found.len()).find(|&at| {
                    let (found, expected) = (found.get(at), expected.get(at));
                    found.to_bits() != expected.to_bits()
                });
                if let Some(at) = differs {
                    panic!(
                        "{}: rank {rank}, result {index}, element {at}: {} is not {}",
                        what(way),
                        found.get(at),
                        expected.get(at)
                    );
                }
            }
        }
    }
}

/// Schedules, depths and parts, so that each occurs.
const WAYS: [&str; 4] = [
    "schedule=signal sub-chunks=1",
    "schedule=signal depth=1 sub-chunks=2",
    "schedule=two-stream sub-chunks=1",
    "schedule=two-stream-eager sub-chunks=2",
];

#[test]
fn alone() {
    for pair in all(1) {
        check(1, &pair, &WAYS[..1]);
    }
}

#[test]
fn by_two() {
    for pair in all(2) {
        check(2, &pair, &WAYS);
    }
}

#[test]
fn by_three() {
    for pair in all(3) {
        check(3, &pair, &WAYS);
    }
}

#[test]
fn by_four() {
    for pair in all(4) {
        check(4, &pair, &WAYS[..3]);
    }
}

#[test]
fn by_eight() {
    for pair in [rows(8, 3, "f32", 2, true), scatter(8, 3, "f32", "sum", 0)] {
        check(
            8,
            &pair,
            &[
                "schedule=signal depth=3",
                "schedule=two-stream",
                "order=descending",
            ],
        );
    }
}

/// Seven rows of each rank in two and three parts, and in more than there are rows.
#[test]
fn uneven_parts() {
    let ways = [
        "schedule=signal depth=1 sub-chunks=2",
        "schedule=signal depth=3 sub-chunks=3",
        "schedule=signal sub-chunks=16 order=descending",
        "schedule=two-stream sub-chunks=3",
        "schedule=two-stream-eager sub-chunks=2",
    ];
    for n in [1, 2, 3, 4, 8] {
        for pair in [
            rows(n, 7, "f32", 2, false),
            scatter(n, 7, "f32", "sum", 0),
            scatter(n, 7, "bf16", "avg", 1),
        ] {
            let ways = match n {
                1 => &ways[..1],
                // Of so many chunks each way takes seconds.
                8 => &ways[..2],
                _ => &ways[..],
            };
            check(n, &pair, ways);
        }
    }
}
