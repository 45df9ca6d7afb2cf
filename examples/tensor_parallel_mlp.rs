// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A tensor-parallel MLP on four ranks, through the library alone: built, fused, compiled, run and checked.
//!
//! A layer of Megatron-LM with sequence parallelism (Korthikanti et al., "Reducing Activation Recomputation in Large
//! Transformer Models", 2022): each rank holds some rows of the activation, some columns of the first weight and some rows of
//! the second. Rows are gathered, multiplied, put through relu, multiplied again, and the partial sums are reduce-scattered.
//!
//! The program runs as it is, with each collective before or after its product, and with `comm-fuse-matmul` and the schedule
//! `signal`, where chunks travel while others are multiplied. An emulated interconnect makes transfers take time; ranks are
//! threads of this process, so how much of that time is hidden depends on the cores that they share.
//!
//! ```text
//! cargo run --example tensor_parallel_mlp
//! ```

use std::{error::Error, time::Duration};

use comm_runtime::{Link, Options};
use melior::{Context, ir::Module, pass::PassManager};
use mlir_comm::{
    passes::{self, FuseMatmulOptions},
    runner::{Array, Difference, LowerOptions, Program, Run, Tolerance, lower, parse, random},
};

/// Ranks.
const RANKS: usize = 4;
/// Layers.
const LAYERS: usize = 2;
/// Rows of the activation on each rank.
const ROWS: usize = 256;
/// Columns of the activation.
const WIDTH: usize = 512;
/// Columns of the first weight, and rows of the second, on each rank.
const HIDDEN: usize = 512;
/// Runs of which the fastest counts.
const REPEATS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let context = mlir_comm::context();

    let plain = compile(&context, parse(&context, &text())?, "")?;
    let mut module = parse(&context, &text())?;
    fuse(&context, &mut module)?;
    let fused = compile(&context, module, "schedule=signal")?;

    let inputs = inputs(&plain)?;
    let options = Options {
        link: Some(Link {
            latency: Duration::from_micros(20),
            bandwidth: 40e6,
        }),
        ..Options::default()
    };
    let expected = fastest(&plain, &inputs, &options)?;
    let found = fastest(&fused, &inputs, &options)?;
    let largest = check(&found, &expected)?;

    let ms = |run: &Run| run.time.as_secs_f64() * 1e3;
    println!("{LAYERS} layers of {WIDTH} x {} on {RANKS} ranks", HIDDEN * RANKS);
    println!("one after the other  {:7.1} ms", ms(&expected));
    println!("pipelined by signals {:7.1} ms", ms(&found));
    println!("largest difference   {largest:e}");
    Ok(())
}

/// The program of one rank, as it is written without a thought of overlap.
fn text() -> String {
    let group = "[[0, 1, 2, 3]]";
    let (all_rows, shard) = (ROWS * RANKS, format!("tensor<{ROWS}x{WIDTH}xf32>"));
    let (whole, hidden) = (
        format!("tensor<{all_rows}x{WIDTH}xf32>"),
        format!("tensor<{all_rows}x{HIDDEN}xf32>"),
    );
    let (up, down) = (
        format!("tensor<{WIDTH}x{HIDDEN}xf32>"),
        format!("tensor<{HIDDEN}x{WIDTH}xf32>"),
    );
    let mut arguments = format!("%x0: {shard}");
    let mut body = String::new();
    for layer in 0..LAYERS {
        arguments += &format!(", %up{layer}: {up}, %down{layer}: {down}");
        body += &format!(
            "  %g{layer} = comm.all_gather %x{layer} dim 0 over {group} : {shard} -> {whole}
  %h{layer} = linalg.matmul ins(%g{layer}, %up{layer} : {whole}, {up}) outs(%zh : {hidden}) -> {hidden}
  %a{layer} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}}
      ins(%h{layer} : {hidden}) outs(%eh : {hidden}) {{
  ^bb0(%in: f32, %out: f32):
    %relu = arith.maximumf %in, %zero : f32
    linalg.yield %relu : f32
  }} -> {hidden}
  %p{layer} = linalg.matmul ins(%a{layer}, %down{layer} : {hidden}, {down}) outs(%zw : {whole}) -> {whole}
  %x{next} = comm.reduce_scatter sum %p{layer} dim 0 over {group} : {whole} -> {shard}
",
            next = layer + 1
        );
    }
    format!(
        "#id = affine_map<(m, n) -> (m, n)>
func.func @main({arguments}) -> {shard} {{
  %zero = arith.constant 0.0 : f32
  %eh = tensor.empty() : {hidden}
  %zh = linalg.fill ins(%zero : f32) outs(%eh : {hidden}) -> {hidden}
  %ew = tensor.empty() : {whole}
  %zw = linalg.fill ins(%zero : f32) outs(%ew : {whole}) -> {whole}
{body}  return %x{LAYERS} : {shard}
}}
"
    )
}

/// Makes fused ops of collectives and products. `force`: the models of GPUs would refuse matrices as small as these.
fn fuse(context: &Context, module: &mut Module<'_>) -> Result<(), Box<dyn Error>> {
    let manager = PassManager::new(context);
    manager
        .nested_under("func.func")
        .add_pass(passes::fuse_matmul(&FuseMatmulOptions {
            force: true,
            ..FuseMatmulOptions::default()
        }));
    manager.run(module)?;
    let text = module.as_operation().to_string();
    let count = |name: &str| text.matches(name).count();
    let fused = count("comm.all_gather_matmul") + count("comm.matmul_reduce_scatter");
    if fused != 2 * LAYERS {
        return Err(format!("{fused} ops are fused; expected {}", 2 * LAYERS).into());
    }
    Ok(())
}

/// Buffers, streams, a proof that all conflicting accesses are ordered, machine code.
fn compile(context: &Context, mut module: Module<'_>, streams: &str) -> Result<Program, Box<dyn Error>> {
    let options = LowerOptions {
        streams: streams.to_owned(),
        ..LowerOptions::default()
    };
    let signature = lower(context, &mut module, &options, |_| {})?;
    Ok(Program::compile(context, &module, signature)?)
}

/// Made-up numbers, other ones on each rank.
fn inputs(program: &Program) -> Result<Vec<Vec<Array>>, Box<dyn Error>> {
    let slots = &program.signature().inputs;
    let array = |rank: usize, index: usize| {
        let sizes: Option<Vec<usize>> = slots[index].sizes.iter().flatten().copied().collect();
        let sizes = sizes.ok_or("a size is not known")?;
        random(slots[index].element, &sizes, 1, rank, index).ok_or("an input is too large")
    };
    let of_rank = |rank| (0..slots.len()).map(|index| array(rank, index)).collect();
    Ok((0..RANKS).map(of_rank).collect::<Result<_, &str>>()?)
}

/// The fastest of some runs: what else the machine does only adds to a time.
fn fastest(program: &Program, inputs: &[Vec<Array>], options: &Options) -> Result<Run, Box<dyn Error>> {
    let mut best = program.run(inputs, options)?;
    for _ in 1..REPEATS {
        let run = program.run(inputs, options)?;
        if run.time < best.time {
            best = run;
        }
    }
    Ok(best)
}

/// Compares results, and gives the largest difference. Sums are in the same order in both programs, but a library may
/// multiply a chunk of rows in other blocks than all rows.
fn check(found: &Run, expected: &Run) -> Result<f64, Box<dyn Error>> {
    let mut largest = 0.0f64;
    for (rank, (found, expected)) in found.results.iter().zip(&expected.results).enumerate() {
        // Numbers grow to thousands, and those near zero are differences of such.
        let tolerance = Tolerance {
            relative: 1e-5,
            absolute: 1e-2,
        };
        let difference = Difference::of(&found[0], &expected[0], tolerance).ok_or("other shapes")?;
        if difference.outside > 0 {
            return Err(format!("rank {rank}: {} numbers differ", difference.outside).into());
        }
        largest = largest.max(difference.absolute);
    }
    Ok(largest)
}
