// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Real programs, run on 8 ranks as imported and after each pass and pipeline, against what JAX computes.
//!
//! Sums are taken in another order than XLA's where a program reduces, so results are compared within a tolerance there,
//! and to the bit where only data is moved. Exact passes are compared with the program as imported to the bit.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use comm_runtime::Options;
use mlir_comm::runner::{Array, LowerOptions, Program, lower, parse, read_npz};

const RANKS: usize = 8;

/// Passes that keep every bit, in pipelines a user may run.
const EXACT: &[&[&str]] = &[
    &["comm-asyncify"],
    &["comm-asyncify", "comm-sort"],
    &[
        "comm-asyncify",
        "comm-sort{max-in-flight=1 max-in-flight-reductions=1}",
    ],
    &[
        "comm-asyncify",
        "comm-sort{max-in-flight=0 max-in-flight-reductions=0}",
    ],
    &["comm-asyncify", "comm-sort{all-gather=first ties=source}"],
    &["comm-asyncify", "comm-schedule{machine=h100-8}"],
    &["comm-bucket"],
    &["comm-bucket{mode=bytes bytes=4096}", "comm-asyncify", "comm-sort"],
    &["comm-simplify"],
    &[
        "comm-simplify",
        "comm-bucket",
        "comm-asyncify",
        "comm-schedule{machine=a100-8}",
    ],
];

/// Passes that may add in another order.
const REASSOCIATING: &[&[&str]] = &[&["comm-simplify{fp=reassociate}", "comm-asyncify", "comm-sort"]];

/// How collectives, and products that are fused with them, go on streams.
const STREAMS: &[&str] = &[
    "waits=placed",
    "schedule=two-stream",
    "schedule=two-stream-eager",
    "schedule=signal",
];

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("test/programs")
}

/// What each rank takes (`in`) or returns (`out`) according to the archive.
fn arrays(name: &str, which: &str) -> Vec<Vec<Array>> {
    let archive = read_npz(&programs().join(format!("golden/{name}.npz"))).expect("the archive reads");
    let of_rank = |rank| {
        (0..)
            .map_while(|index| archive.get(&format!("{which}{index}_r{rank}")).cloned())
            .collect()
    };
    (0..RANKS).map(of_rank).collect()
}

/// A program, packed or not.
fn text(name: &str) -> String {
    let path = programs().join(format!("jax/{name}.local.generic.mlir"));
    if path.exists() {
        return std::fs::read_to_string(path).expect("the program reads");
    }
    let file = std::fs::File::open(path.with_extension("mlir.gz")).expect("the program is there");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("the program reads");
    text
}

fn results(name: &str, passes: &[&str], streams: &str, inputs: &[Vec<Array>]) -> Vec<Vec<Array>> {
    let context = mlir_comm::context();
    let text = text(name);
    let mut module = parse(&context, &text).expect("the program parses");
    let options = LowerOptions {
        passes: passes.iter().map(|&pass| pass.to_owned()).collect(),
        streams: streams.to_owned(),
        ..LowerOptions::default()
    };
    let signature = lower(&context, &mut module, &options, |_| {})
        .unwrap_or_else(|error| panic!("{name} after {passes:?}: {error}"));
    let program = Program::compile(&context, &module, signature).expect("it compiles");
    let run = program.run(inputs, &Options::default());
    run.unwrap_or_else(|error| panic!("{name} after {passes:?}: {error}"))
        .results
}

/// Asserts that results are those of JAX, within so much: relative, and absolute.
fn assert_close(name: &str, passes: &[&str], found: &[Vec<Array>], tolerance: (f64, f64)) {
    let expected = arrays(name, "out");
    let pairs = found.iter().flatten().zip(expected.iter().flatten());
    assert_eq!(
        found.concat().len(),
        expected.concat().len(),
        "{name}: number of results"
    );
    for (found, expected) in pairs {
        assert_eq!(found.shape(), expected.shape(), "{name} after {passes:?}");
        for position in 0..found.len() {
            let (found, expected) = (found.get(position), expected.get(position));
            let allowed = tolerance.1 + tolerance.0 * expected.abs();
            assert!(
                (found - expected).abs() <= allowed,
                "{name} after {passes:?}: {found} at {position}, and JAX has {expected}"
            );
        }
    }
}

fn check(name: &str, tolerance: (f64, f64)) {
    let inputs = arrays(name, "in");
    let imported = results(name, &[], "", &inputs);
    assert_close(name, &[], &imported, tolerance);
    for passes in EXACT {
        let after = results(name, passes, "", &inputs);
        assert!(after == imported, "{name} after {passes:?} gives other bits");
    }
    for passes in REASSOCIATING {
        assert_close(name, passes, &results(name, passes, "", &inputs), tolerance);
    }
    for streams in STREAMS {
        let passes = ["comm-fuse-matmul{force=true}", "comm-asyncify", "comm-sort"];
        let found = results(name, &passes, streams, &inputs);
        assert_close(name, &[streams, "fused"], &found, tolerance);
    }
}

/// No sum is taken in another order.
const SAME: (f64, f64) = (0.0, 0.0);

/// Sums of 8 or 64 terms around 1 in f32.
const CLOSE: (f64, f64) = (1e-4, 1e-6);

macro_rules! golden {
    ($($name:ident: $tolerance:expr,)*) => {
        $(#[test]
        #[allow(non_snake_case)]
        fn $name() {
            check(stringify!($name), $tolerance);
        })*
    };
}

golden! {
    ag_matmul_plain_small: SAME,
    ag_matmul_ring_small: SAME,
    ag_matmul_ring_loop_small: SAME,
    ag_matmul_bidir_small: SAME,
    matmul_rs_plain_small: CLOSE,
    matmul_rs_ring_small: CLOSE,
    tp_sp_L2_small_fwd: CLOSE,
    zero3_L2_small_fwd: CLOSE,
}

/// Training steps take seconds each, so a few of the pipelines have to do.
fn check_training(name: &str) {
    let inputs = arrays(name, "in");
    let imported = results(name, &[], "", &inputs);
    assert_close(name, &[], &imported, CLOSE);
    let passes = ["comm-simplify", "comm-bucket", "comm-asyncify", "comm-sort"];
    assert!(
        results(name, &passes, "", &inputs) == imported,
        "{name} gives other bits"
    );
    let passes = [
        "comm-fuse-matmul{force=true}",
        "comm-asyncify",
        "comm-schedule{machine=h100-8}",
    ];
    let fused = results(name, &passes, "schedule=signal", &inputs);
    assert_close(name, &passes, &fused, CLOSE);
}

#[test]
fn a_tensor_parallel_training_step() {
    check_training("tp_sp_L2_small_train");
}

#[test]
fn a_zero3_training_step() {
    check_training("zero3_L2_small_train");
}

#[test]
fn a_zero3_training_step_in_loops() {
    check_training("zero3_scan_L2_small_train");
}
