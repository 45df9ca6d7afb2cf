// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The forward pass of a network whose weights are spread over the ranks, as ZeRO stage 3 does: each layer gathers its
//! weights, multiplies by them, and lets them go.
//!
//! Written as `comm` and `linalg` on tensors; nothing here is measured.

use std::{error::Error, fmt::Write};

use comm_runtime::Element;
use melior::{Context, ir::Module, pass::PassManager};
use mlir_comm::{
    passes::{self, SortOptions},
    runner::{Array, LowerOptions, Program, lower, parse, random},
};

/// Sizes of a step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub ranks: usize,
    pub layers: usize,
    /// Rows of each rank's own activations.
    pub rows: usize,
    /// Rows and columns of the weights of a layer, a multiple of the number of ranks.
    pub width: usize,
}

impl Step {
    /// The program, with a blocking gather before each product.
    pub fn text(&self) -> String {
        let Self {
            ranks,
            layers,
            rows,
            width,
        } = *self;
        let members: Vec<usize> = (0..ranks).collect();
        let (part, whole) = (
            format!("tensor<{}x{width}xf32>", width / ranks),
            format!("tensor<{width}x{width}xf32>"),
        );
        let activations = format!("tensor<{rows}x{width}xf32>");
        let weights: Vec<String> = (0..layers).map(|layer| format!("%w{layer}: {part}")).collect();
        let mut text = format!(
            "func.func @main(%x0: {activations}, {}) -> {activations} {{\n  %zero = arith.constant 0.0 : f32\n",
            weights.join(", ")
        );
        for layer in 0..layers {
            let next = layer + 1;
            write!(
                text,
                "  %g{layer} = comm.all_gather %w{layer} dim 0 over [{members:?}] : {part} -> {whole}
  %e{layer} = tensor.empty() : {activations}
  %z{layer} = linalg.fill ins(%zero : f32) outs(%e{layer} : {activations}) -> {activations}
  %x{next} = linalg.matmul ins(%x{layer}, %g{layer} : {activations}, {whole}) outs(%z{layer} : {activations}) -> {activations}
"
            )
            .expect("text can be written");
        }
        write!(text, "  return %x{layers} : {activations}\n}}\n").expect("text can be written");
        text
    }

    /// Bytes that each rank receives for one layer.
    pub fn wire_bytes(&self) -> usize {
        4 * self.width * self.width / self.ranks * (self.ranks - 1)
    }

    /// What each rank takes.
    pub fn inputs(&self) -> Vec<Vec<Array>> {
        let of_rank = |rank: usize| {
            let shape = |index: usize| match index {
                0 => [self.rows, self.width],
                _ => [self.width / self.ranks, self.width],
            };
            (0..=self.layers)
                .filter_map(|index| random(Element::F32, &shape(index), 1, rank, index))
                .collect()
        };
        (0..self.ranks).map(of_rank).collect()
    }
}

/// The program after `comm-asyncify` and `comm-sort`.
pub fn sorted(context: &Context, text: &str) -> Result<String, Box<dyn Error>> {
    let mut module = parse(context, text)?;
    let manager = PassManager::new(context);
    let functions = manager.nested_under("func.func");
    functions.add_pass(passes::asyncify());
    functions.add_pass(passes::sort(&SortOptions::default()));
    manager.run(&mut module)?;
    Ok(Module::as_operation(&module).to_string())
}

/// Compiles a program. What blocks in it blocks when it runs, and it waits where a wait stands.
pub fn compile(context: &Context, text: &str, trace: bool) -> Result<Program, Box<dyn Error>> {
    let mut module = parse(context, text)?;
    let options = LowerOptions {
        streams: "waits=placed".to_owned(),
        trace,
        ..Default::default()
    };
    let signature = lower(context, &mut module, &options, |_| {})?;
    Ok(Program::compile(context, &module, signature)?)
}
