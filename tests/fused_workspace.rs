// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The workspace of fused ops is as large as `convert-comm-to-stream` says in its remark, and as its documentation counts:
//! what a run allocates of symmetric memory is read from its trace.

#[allow(dead_code, reason = "some forms are for other tests alone")]
mod fused;

use std::{
    io::Write,
    process::{Command, Stdio},
};

use comm_runtime::{Category, Options};
use fused::{Pair, layers, rows, scales, scatter, sum, to_streams};
use mlir_comm::runner::{Array, LowerOptions, Program, lower, parse, random};

/// Bytes that the remark states for a program, lowered in a way.
fn stated(pair: &Pair, way: &str) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_comm-opt"))
        .arg(format!("--pass-pipeline={}", to_streams(way)))
        .args(["--remarks-filter=convert-comm-to-stream", "-o", "/dev/null"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("comm-opt starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(pair.fused.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}, {way}: {said}", pair.name);
    let (_, rest) = said.split_once("with a workspace of ").expect("the remark");
    let (bytes, _) = rest.split_once(" bytes").expect("its unit");
    assert!(!rest.contains("with a workspace of "), "one group: {said}");
    bytes.parse().expect("a number")
}

/// Bytes of symmetric memory that each rank allocates in a run.
fn allocated(pair: &Pair, way: &str, ranks: usize) -> Vec<u64> {
    let context = mlir_comm::context();
    let mut module = parse(&context, &pair.fused).expect("it is a program");
    let options = LowerOptions {
        passes: vec![to_streams(way)],
        // Proved by other tests.
        verify: false,
        ..LowerOptions::default()
    };
    let signature = lower(&context, &mut module, &options, |_| {}).expect("it can be lowered");
    let program = Program::compile(&context, &module, signature).expect("it compiles");
    let inputs = |rank: usize| -> Vec<Array> {
        let slots = program.signature().inputs.iter().enumerate();
        slots
            .map(|(index, slot)| {
                let sizes: Option<Vec<usize>> = slot.sizes.iter().flatten().copied().collect();
                random(slot.element, &sizes.expect("sizes are known"), 3, rank, index).expect("numbers")
            })
            .collect()
    };
    let inputs: Vec<Vec<Array>> = (0..ranks).map(inputs).collect();
    let options = Options {
        trace: true,
        ..Options::default()
    };
    let run = program.run(&inputs, &options).expect("it runs");
    let of = |spans: &[comm_runtime::Span]| {
        let memory = spans.iter().filter(|span| span.category == Category::Memory);
        let allocations = memory.filter(|span| &*span.name == "symmetric_alloc");
        allocations.map(|span| span.bytes).sum()
    };
    run.traces.iter().map(|trace| of(&trace.spans)).collect()
}

/// Checks a form in a way; `expected` is what its documentation counts.
fn check(ranks: usize, pair: &Pair, way: &str, expected: u64) {
    let said = stated(pair, way);
    assert_eq!(said, expected, "stated for {}, {ranks} ranks, {way}", pair.name);
    let allocated = allocated(pair, way, ranks);
    assert_eq!(
        allocated,
        vec![expected; ranks],
        "allocated for {}, {ranks} ranks, {way}",
        pair.name
    );
}

/// The next multiple of 64.
fn aligned(bytes: u64) -> u64 {
    bytes.next_multiple_of(64)
}

/// All shards, whatever the schedule, its depth, and its parts.
#[test]
fn a_gather_has_room_for_its_shards() {
    for way in [
        "schedule=two-stream sub-chunks=1",
        "schedule=two-stream-eager sub-chunks=3",
        "schedule=signal depth=1 sub-chunks=2",
        "schedule=signal depth=3 sub-chunks=1",
    ] {
        for ranks in [2, 3] {
            // Seven rows of five numbers.
            check(ranks, &rows(ranks, 7, "f32", 2, false), way, aligned(7 * 5 * 4));
            check(ranks, &rows(ranks, 7, "f64", 1, true), way, aligned(7 * 5 * 8));
            // Factor, scales of rows, scales of blocks.
            let each = aligned(4 * 6 * 2) + aligned(4 * 4) + aligned(2 * 3 * 4);
            check(ranks, &scales(ranks, "bf16"), way, each);
        }
    }
}

/// Slots, each for the longest part of a chunk: two by barriers, as many as the depth by signals, and no more than steps.
#[test]
fn a_scatter_has_room_for_its_slots() {
    for ranks in [2u64, 4] {
        for parts in [1u64, 2, 3] {
            let steps = (ranks - 1) * parts;
            // Seven rows of four numbers, and four of five that are sent in bf16.
            let slots = [
                (
                    scatter(ranks as usize, 7, "f32", "sum", 0),
                    aligned(7u64.div_ceil(parts) * 4 * 4),
                ),
                (sum(ranks as usize, false), aligned(4u64.div_ceil(parts) * 5 * 2)),
            ];
            for (pair, slot) in slots {
                let way = format!("schedule=two-stream sub-chunks={parts}");
                check(ranks as usize, &pair, &way, slot * steps.min(2));
                for depth in [1, 3] {
                    let way = format!("schedule=signal depth={depth} sub-chunks={parts}");
                    check(ranks as usize, &pair, &way, slot * steps.min(depth));
                }
            }
        }
    }
}

/// Ops of a group share one workspace, as large as the largest needs; with signals there are two of them in turn.
#[test]
fn ops_of_a_group_share_a_workspace() {
    // A shard of 4 x 6 numbers; slots of as many.
    let shard = aligned(4 * 6 * 4);
    let pair = layers(3);
    check(3, &pair, "schedule=two-stream sub-chunks=1", 2 * shard);
    check(3, &pair, "schedule=two-stream-eager sub-chunks=1", 2 * shard);
    check(3, &pair, "schedule=signal depth=1 sub-chunks=1", 2 * shard);
    check(3, &pair, "schedule=signal depth=2 sub-chunks=1", 2 * 2 * shard);
}
