// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Eight-bit floats are converted exactly, all 256 codes of a format, and gathered factors in them, with scales that travel
//! along, are fused with their products, in the same bits as without.

#[allow(dead_code, reason = "for its lowering to streams")]
mod fused;

use comm_runtime::{Element, Options};
use fused::to_streams;
use mlir_comm::{
    passes::{self, FuseMatmulOptions},
    runner::{Array, LowerOptions, Program, RunnerError, lower, parse, random},
};

/// An eight-bit format: name, exponent bits, mantissa bits.
type Format = (&'static str, u32, u32);

const FORMATS: [Format; 2] = [("f8E4M3FN", 4, 3), ("f8E5M2", 5, 2)];

/// The number that a code is, by the definition of its format: exact, since doubles have all of these numbers.
fn decoded((_, exponent, mantissa): Format, code: u8) -> f64 {
    let sign = if code & 0x80 == 0 { 1.0 } else { -1.0 };
    let bias = (1 << (exponent - 1)) - 1;
    let biased = i32::from(code & 0x7f) >> mantissa;
    let fraction = f64::from(code & ((1 << mantissa) - 1)) / f64::from(1u32 << mantissa);
    let last = (1 << exponent) - 1;
    match biased {
        // Without infinity the last exponent is one as others are, but for the last mantissa.
        _ if exponent == 4 && code & 0x7f == 0x7f => f64::NAN,
        _ if exponent == 5 && biased == last && fraction == 0.0 => sign * f64::INFINITY,
        _ if exponent == 5 && biased == last => f64::NAN,
        0 => sign * fraction * f64::from(1 - bias).exp2(),
        _ => sign * (1.0 + fraction) * f64::from(biased - bias).exp2(),
    }
}

fn compile(text: &str, passes: Vec<String>) -> Result<Program, RunnerError> {
    let context = mlir_comm::context();
    context.set_allow_unregistered_dialects(true);
    let mut module = parse(&context, text)?;
    let options = LowerOptions {
        passes,
        ..LowerOptions::default()
    };
    let signature = lower(&context, &mut module, &options, |_| {})?;
    Program::compile(&context, &module, signature)
}

fn codes(shape: &[usize], codes: Vec<u8>) -> Array {
    Array::new(Element::U8, shape.to_vec(), codes).expect("as many as the shape says")
}

#[test]
fn every_code_is_converted_exactly() {
    for format in FORMATS {
        for wide in ["f16", "bf16", "f32", "f64"] {
            let from = format!("tensor<256x{}>", format.0);
            let to = format!("tensor<256x{wide}>");
            let program = format!(
                "func.func @main(%x: {from}) -> {to} {{
                   %r = arith.extf %x : {from} to {to}
                   return %r : {to}
                 }}"
            );
            let program = compile(&program, vec![]).unwrap_or_else(|error| panic!("{error}"));
            let input = codes(&[256], (0..=255).collect());
            let run = program.run(&[vec![input]], &Options::default()).expect("it runs");
            let found = &run.results[0][0];
            for code in 0..=255 {
                let (found, expected) = (found.get(usize::from(code)), decoded(format, code));
                assert!(
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                    "{code:#x} of {} in {wide}: {found} is not {expected}",
                    format.0
                );
            }
        }
    }
}

/// Codes of numbers that are no more than 2 in magnitude, subnormal ones among them.
fn small(format: Format, seed: u64, count: usize) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let any = std::iter::repeat_with(move || rng.u8(..));
    any.filter(|&code| decoded(format, code).abs() <= 2.0)
        .take(count)
        .collect()
}

/// Rows in eight bits with a scale each, both gathered, times a factor: in linalg, which makes the scaled factor in f32 or
/// bf16 and adds in f32.
fn linalg(n: usize, format: &str, wide: &str) -> String {
    let m = 4 * n;
    let ranks: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
    let groups = format!("[[{}]]", ranks.join(", "));
    format!(
        "#id = affine_map<(m, k) -> (m, k)>
         #row = affine_map<(m, k) -> (m)>
         func.func @main(%x: tensor<4x6x{format}>, %s: tensor<4x{wide}>, %w: tensor<6x5x{wide}>) -> tensor<{m}x5xf32> {{
           %zero = arith.constant 0.0 : f32
           %e = tensor.empty() : tensor<{m}x5xf32>
           %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x5xf32>) -> tensor<{m}x5xf32>
           %g = comm.all_gather %x dim 0 over {groups} : tensor<4x6x{format}> -> tensor<{m}x6x{format}>
           %h = comm.all_gather %s dim 0 over {groups} : tensor<4x{wide}> -> tensor<{m}x{wide}>
           %f = tensor.empty() : tensor<{m}x6x{wide}>
           %c = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]}}
             ins(%g, %h : tensor<{m}x6x{format}>, tensor<{m}x{wide}>) outs(%f : tensor<{m}x6x{wide}>) {{
             ^bb0(%a: {format}, %b: {wide}, %o: {wide}):
               %1 = arith.extf %a : {format} to {wide}
               %2 = arith.mulf %1, %b : {wide}
               linalg.yield %2 : {wide}
             }} -> tensor<{m}x6x{wide}>
           %r = linalg.matmul ins(%c, %w : tensor<{m}x6x{wide}>, tensor<6x5x{wide}>) outs(%z : tensor<{m}x5xf32>)
             -> tensor<{m}x5xf32>
           return %r : tensor<{m}x5xf32>
         }}"
    )
}

/// The same as frameworks write StableHLO: scales as columns that are broadcast.
fn stablehlo(n: usize, format: &str) -> String {
    let m = 4 * n;
    let ranks: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
    let groups = format!("[[{}]]", ranks.join(", "));
    format!(
        "func.func @main(%x: tensor<4x6x{format}>, %s: tensor<4x1xf32>, %w: tensor<6x5xf32>) -> tensor<{m}x5xf32> {{
           %g = comm.all_gather %x dim 0 over {groups} : tensor<4x6x{format}> -> tensor<{m}x6x{format}>
           %h = comm.all_gather %s dim 0 over {groups} : tensor<4x1xf32> -> tensor<{m}x1xf32>
           %c = \"stablehlo.convert\"(%g) : (tensor<{m}x6x{format}>) -> tensor<{m}x6xf32>
           %b = \"stablehlo.broadcast_in_dim\"(%h) <{{broadcast_dimensions = array<i64: 0, 1>}}>
             : (tensor<{m}x1xf32>) -> tensor<{m}x6xf32>
           %f = \"stablehlo.multiply\"(%c, %b) : (tensor<{m}x6xf32>, tensor<{m}x6xf32>) -> tensor<{m}x6xf32>
           %r = \"stablehlo.dot_general\"(%f, %w) <{{dot_dimension_numbers = #stablehlo.dot<
               lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}}>
             : (tensor<{m}x6xf32>, tensor<6x5xf32>) -> tensor<{m}x5xf32>
           return %r : tensor<{m}x5xf32>
         }}"
    )
}

/// Runs a program as it is and fused in each schedule: the same bits, and one fused op with the scale beside its factor.
fn check(n: usize, format: Format, text: &str) {
    let plain = compile(text, vec![]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let slots = &plain.signature().inputs;
    let of = |rank: usize| -> Vec<Array> {
        let numbers = slots.iter().enumerate().skip(1).map(|(index, slot)| {
            let sizes: Option<Vec<usize>> = slot.sizes.iter().flatten().copied().collect();
            random(slot.element, &sizes.expect("sizes are known"), 11, rank, index).expect("numbers")
        });
        let factor = codes(&[4, 6], small(format, rank as u64, 24));
        std::iter::once(factor).chain(numbers).collect()
    };
    let inputs: Vec<Vec<Array>> = (0..n).map(of).collect();
    let options = Options::default();
    let expected = plain.run(&inputs, &options).expect("it runs").results;
    let total: f64 = (0..expected[0][0].len())
        .map(|at| expected[0][0].get(at).abs())
        .sum();
    assert!(
        total.is_finite() && total > 1.0,
        "the numbers are worth comparing: {total}"
    );
    let fuse = "func.func(comm-fuse-matmul{force=true})";
    for way in [
        "schedule=signal sub-chunks=3 depth=1",
        "schedule=two-stream",
        "schedule=two-stream-eager",
    ] {
        let passes = vec![fuse.to_owned(), to_streams(way)];
        let fused = compile(text, passes).unwrap_or_else(|error| panic!("{way}: {error}\n{text}"));
        let found = fused.run(&inputs, &options).expect("it runs").results;
        assert!(found == expected, "{} on {n} ranks, {way}", format.0);
    }
}

#[test]
fn scaled_factors_are_fused() {
    for n in [2, 3, 4, 8] {
        for format in FORMATS {
            let programs = [
                linalg(n, format.0, "f32"),
                linalg(n, format.0, "bf16"),
                stablehlo(n, format.0),
            ];
            for text in programs {
                is_fused_with_its_scale(&text);
                check(n, format, &text);
            }
        }
    }
}

fn is_fused_with_its_scale(text: &str) {
    let context = mlir_comm::context();
    context.set_allow_unregistered_dialects(true);
    let mut module = parse(&context, text).expect("it is a program");
    let manager = melior::pass::PassManager::new(&context);
    let options = FuseMatmulOptions {
        force: true,
        ..Default::default()
    };
    manager
        .nested_under("func.func")
        .add_pass(passes::fuse_matmul(&options));
    manager.run(&mut module).expect("the pass succeeds");
    let after = module.as_operation().to_string();
    assert_eq!(
        after.matches("comm.all_gather_matmul gather(%").count(),
        1,
        "{after}"
    );
    assert!(
        after.contains("prologue") && !after.contains("comm.all_gather %"),
        "{after}"
    );
}

/// What this machine does not compute is said where it stands.
#[test]
fn arithmetic_and_rounding_in_eight_bits_are_refused() {
    let refused = |body: &str, signature: &str| {
        let text = format!("func.func @main{signature} {{\n{body}\n}}");
        match compile(&text, vec![]) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{text}"),
        }
    };
    let rounded = refused(
        "%r = arith.truncf %x : tensor<4xf32> to tensor<4xf8E5M2>\nreturn %r : tensor<4xf8E5M2>",
        "(%x: tensor<4xf32>) -> tensor<4xf8E5M2>",
    );
    assert!(
        rounded.contains(":2:")
            && rounded.contains("'arith.truncf' op computes or rounds to eight-bit floats"),
        "{rounded}"
    );
    let added = refused(
        "%r = arith.addf %x, %x : tensor<4xf8E4M3FN>\nreturn %r : tensor<4xf8E4M3FN>",
        "(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>",
    );
    assert!(
        added.contains(":2:") && added.contains("'arith.addf' op computes"),
        "{added}"
    );
    let reduced = refused(
        "%r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf8E5M2> -> tensor<4xf8E5M2>\nreturn %r : tensor<4xf8E5M2>",
        "(%x: tensor<4xf8E5M2>) -> tensor<4xf8E5M2>",
    );
    assert!(
        reduced.contains("reduces elements of type f8E5M2, with which the run-time does not compute"),
        "{reduced}"
    );
    let other = refused(
        "%r = arith.extf %x : tensor<4xf8E4M3B11FNUZ> to tensor<4xf32>\nreturn %r : tensor<4xf32>",
        "(%x: tensor<4xf8E4M3B11FNUZ>) -> tensor<4xf32>",
    );
    assert!(other.contains("f8E4M3B11FNUZ"), "{other}");
}
