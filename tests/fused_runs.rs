// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Fused ops run in every schedule, and make the same bits as collectives and products one after the other.

mod fused;

use comm_runtime::Options;
use fused::{Pair, all, rows, scatter, to_streams};
use mlir_comm::passes::{self, FuseMatmulOptions};
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
    check_after(n, pair, &[], ways);
}

/// As above, where these passes come before the lowering of the first program.
fn check_after(n: usize, pair: &Pair, passes: &[&str], ways: &[&str]) {
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
        let passes = passes.iter().map(|&pass| pass.to_owned());
        let fused = compile(&context, &pair.fused, passes.chain([to_streams(way)]).collect())
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

/// Fuses whatever can be.
const FUSE: &str = "func.func(comm-fuse-matmul{force=true})";

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

/// Shards of three rows of which the last device needs one only: padding is cut off the products. Rows that are left of the
/// gathered tensor are wanted too.
#[test]
fn padding_is_cut_off_products() {
    for n in [2, 3, 4] {
        let (whole, left) = (3 * n, 3 * n - 2);
        let ranks: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
        let program = format!(
            "func.func @main(%x: tensor<3x5xf32>, %w: tensor<5x4xf32>, %b: tensor<4xf32>)
                 -> (tensor<{left}x4xf32>, tensor<{left}x5xf32>) {{
               %zero = arith.constant 0.0 : f32
               %e = tensor.empty() : tensor<{left}x4xf32>
               %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{left}x4xf32>) -> tensor<{left}x4xf32>
               %g = comm.all_gather %x dim 0 over [[{}]] : tensor<3x5xf32> -> tensor<{whole}x5xf32>
               %s = tensor.extract_slice %g[0, 0] [{left}, 5] [1, 1] : tensor<{whole}x5xf32> to tensor<{left}x5xf32>
               %p = linalg.matmul ins(%s, %w : tensor<{left}x5xf32>, tensor<5x4xf32>) outs(%z : tensor<{left}x4xf32>)
                 -> tensor<{left}x4xf32>
               %f = tensor.empty() : tensor<{left}x4xf32>
               %r = linalg.generic {{
                   indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                   iterator_types = [\"parallel\", \"parallel\"]}}
                 ins(%p, %b : tensor<{left}x4xf32>, tensor<4xf32>) outs(%f : tensor<{left}x4xf32>) {{
                 ^bb0(%a: f32, %c: f32, %o: f32):
                   %1 = arith.addf %a, %c : f32
                   linalg.yield %1 : f32
                 }} -> tensor<{left}x4xf32>
               return %r, %s : tensor<{left}x4xf32>, tensor<{left}x5xf32>
             }}",
            ranks.join(", ")
        );
        let pair = Pair {
            name: "padded".to_owned(),
            fused: program.clone(),
            plain: program,
        };
        assert_eq!(fused_ops(&pair.fused), 1, "{}", pair.fused);
        check_after(n, &pair, &[FUSE], &WAYS);
    }
}

/// Products of rows that a group does not divide, padded with zeros before they are scattered. A factor has an infinity, of which
/// rows of zeros would make NaN.
#[test]
fn products_are_padded() {
    for n in [2, 3, 4] {
        let (whole, left) = (3 * n, 3 * n - 2);
        let ranks: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
        let program = format!(
            "func.func @main(%x: tensor<{left}x5xf32>, %w: tensor<5x4xf32>) -> tensor<3x4xf32> {{
               %zero = arith.constant 0.0 : f32
               %infinity = arith.constant 0x7f800000 : f32
               %c0 = arith.constant 0 : index
               %v = tensor.insert %infinity into %w[%c0, %c0] : tensor<5x4xf32>
               %e = tensor.empty() : tensor<{left}x4xf32>
               %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{left}x4xf32>) -> tensor<{left}x4xf32>
               %p = linalg.matmul ins(%x, %v : tensor<{left}x5xf32>, tensor<5x4xf32>) outs(%z : tensor<{left}x4xf32>)
                 -> tensor<{left}x4xf32>
               %q = tensor.pad %p low[0, 0] high[2, 0] {{
                 ^bb0(%i: index, %j: index):
                   tensor.yield %zero : f32
               }} : tensor<{left}x4xf32> to tensor<{whole}x4xf32>
               %r = comm.reduce_scatter sum %q dim 0 over [[{}]] : tensor<{whole}x4xf32> -> tensor<3x4xf32>
               return %r : tensor<3x4xf32>
             }}",
            ranks.join(", ")
        );
        let pair = Pair {
            name: "products padded".to_owned(),
            fused: program.clone(),
            plain: program,
        };
        assert_eq!(fused_ops(&pair.fused), 1, "{}", pair.fused);
        check_after(n, &pair, &[FUSE], &WAYS);
    }
}

/// How many fused ops `comm-fuse-matmul` makes of a program.
fn fused_ops(program: &str) -> usize {
    let context = mlir_comm::context();
    let mut module = parse(&context, program).expect("it is a program");
    let manager = melior::pass::PassManager::new(&context);
    let options = FuseMatmulOptions {
        force: true,
        ..Default::default()
    };
    manager
        .nested_under("func.func")
        .add_pass(passes::fuse_matmul(&options));
    manager.run(&mut module).expect("the pass succeeds");
    let text = module.as_operation().to_string();
    text.matches("comm.all_gather_matmul").count() + text.matches("comm.matmul_reduce_scatter").count()
}
