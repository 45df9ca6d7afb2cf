// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs to measure with: large generated blocks, and a real training step.

use std::{fmt::Write, fs::File, io::Read, path::Path};

use flate2::read::GzDecoder;
use melior::{ir::Module, pass::PassManager};
use mlir_comm::passes::{self, ImportStablehloOptions};

/// Ops of one generated layer.
const LAYER: usize = 10;

/// A function of one block of about `ops` ops, as text: layers of a sharded model, each with a gather of its weight, some
/// computation and a reduction, all communication where it is first possible.
pub fn block(ops: usize) -> String {
    const SHARDS: usize = 512;
    let mut text = String::with_capacity(ops * 110);
    let shards: Vec<String> = (0..SHARDS)
        .map(|index| format!("%s{index}: tensor<8x64xf32>"))
        .collect();
    let t = "tensor<64x64xf32>";
    writeln!(text, "func.func @f(%x: {t}, {}) -> {t} {{", shards.join(", ")).expect("strings grow");
    let mut last = "%x".to_owned();
    for layer in 0..ops / LAYER {
        let shard = format!("%s{}", (layer * 7) % SHARDS);
        let mut line =
            |arguments: std::fmt::Arguments| writeln!(text, "  {arguments}").expect("strings grow");
        line(format_args!(
            "%h{layer} = \"stablehlo.convert\"({shard}) : (tensor<8x64xf32>) -> tensor<8x64xbf16>"
        ));
        line(format_args!(
            "%f{layer} = comm.all_gather %h{layer} dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<8x64xbf16> -> !comm.future<tensor<64x64xbf16>>"
        ));
        line(format_args!(
            "%w{layer} = comm.wait %f{layer} keeping(%h{layer} : tensor<8x64xbf16>) : !comm.future<tensor<64x64xbf16>>"
        ));
        line(format_args!(
            "%c{layer} = \"stablehlo.convert\"(%w{layer}) : (tensor<64x64xbf16>) -> {t}"
        ));
        line(format_args!(
            "%m{layer} = \"stablehlo.dot_general\"({last}, %c{layer}) : ({t}, {t}) -> {t}"
        ));
        line(format_args!(
            "%a{layer} = \"stablehlo.add\"(%m{layer}, {last}) : ({t}, {t}) -> {t}"
        ));
        line(format_args!(
            "%e{layer} = \"stablehlo.tanh\"(%a{layer}) : ({t}) -> {t}"
        ));
        line(format_args!(
            "%g{layer} = comm.reduce_scatter sum %m{layer} dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : {t} -> !comm.future<tensor<8x64xf32>>"
        ));
        line(format_args!(
            "%r{layer} = comm.wait %g{layer} keeping(%m{layer} : {t}) : !comm.future<tensor<8x64xf32>>"
        ));
        line(format_args!(
            "%u{layer} = \"stablehlo.subtract\"({shard}, %r{layer}) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>"
        ));
        last = format!("%e{layer}");
    }
    writeln!(text, "  return {last} : {t}\n}}").expect("strings grow");
    text
}

/// The training step of a 32-layer model sharded over its parameters, imported from StableHLO, with each collective
/// started where it stood and awaited at once.
pub fn training_step() -> Result<String, Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("test/programs/jax/zero3_L32_llama7b_train.local.generic.mlir.gz");
    let mut text = String::new();
    GzDecoder::new(File::open(path)?).read_to_string(&mut text)?;
    let context = mlir_comm::context();
    let mut module = Module::parse(&context, &text).ok_or("the training step does not parse")?;
    let manager = PassManager::new(&context);
    manager.add_pass(passes::import_stablehlo(&ImportStablehloOptions::default()));
    manager.nested_under("func.func").add_pass(passes::asyncify());
    manager.run(&mut module)?;
    Ok(module.as_operation().to_string())
}
