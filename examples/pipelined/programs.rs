// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The two programs that are measured, with their figures, and how they are compiled in each schedule.

use std::error::Error;

use melior::Context;
use mlir_comm::runner::{Array, LowerOptions, Program, lower, parse, random};

/// Ranks.
pub const RANKS: usize = 4;
/// Rows of a chunk: what a rank has of the gathered tensor, or keeps of the sum.
const ROWS: usize = 512;
/// The other dimensions of both products.
const WIDTH: usize = 1024;
/// Passes that make a fused op of a collective and a product, whatever a model says.
pub const FUSE: &str = "func.func(comm-fuse-matmul{force=true})";

/// What is fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All-gather, then product.
    Gather,
    /// Product, then reduce-scatter.
    Scatter,
}

/// How a form is run.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// In the table.
    pub name: &'static str,
    /// Options of `convert-comm-to-stream`; nothing for the collective and the product one after the other.
    pub streams: Option<&'static str>,
}

/// All of them. Chunks are whole but in the last, where the timing model says into how many parts they are cut.
pub const WAYS: [Way; 5] = [
    Way::new("unpipelined", None),
    Way::new("two-stream", Some("schedule=two-stream sub-chunks=1")),
    Way::new("two-stream-eager", Some("schedule=two-stream-eager sub-chunks=1")),
    Way::new("signal", Some("schedule=signal sub-chunks=1")),
    Way::new("signal, parts by the model", Some("schedule=signal")),
];

impl Way {
    const fn new(name: &'static str, streams: Option<&'static str>) -> Self {
        Self { name, streams }
    }

    /// Whether a form can be run so: only a gather offers something before it computes.
    pub fn fits(self, form: Form) -> bool {
        form == Form::Gather || !self.name.ends_with("eager")
    }
}

impl Form {
    /// In the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gather => "all-gather-matmul",
            Self::Scatter => "matmul-reduce-scatter",
        }
    }

    /// Bytes that enter each rank.
    pub fn wire_bytes(self) -> u64 {
        ((RANKS - 1) * ROWS * WIDTH * size_of::<f32>()) as u64
    }

    /// Operations of each rank.
    pub fn flops(self) -> u64 {
        (2 * RANKS * ROWS * WIDTH * WIDTH) as u64
    }

    /// The program. With `late`, a rank first multiplies as often as its last argument says.
    pub fn text(self, is_late: bool) -> String {
        let shard = format!("tensor<{ROWS}x{WIDTH}xf32>");
        let whole = format!("tensor<{}x{WIDTH}xf32>", RANKS * ROWS);
        let factor = format!("tensor<{WIDTH}x{WIDTH}xf32>");
        let group = "[[0, 1, 2, 3]]";
        let (input, output, body) = match self {
            Self::Gather => (
                &shard,
                &whole,
                format!(
                    "  %g = comm.all_gather %x dim 0 over {group} : {shard} -> {whole}
  %r = linalg.matmul ins(%g, %w : {whole}, {factor}) outs(%z : {whole}) -> {whole}"
                ),
            ),
            Self::Scatter => (
                &whole,
                &shard,
                format!(
                    "  %p = linalg.matmul ins(%x, %w : {whole}, {factor}) outs(%z : {whole}) -> {whole}
  %r = comm.reduce_scatter sum %p dim 0 over {group} : {whole} -> {shard}"
                ),
            ),
        };
        let (argument, work, value, result) = if is_late {
            (
                ", %times: index",
                format!(
                    "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %fe = tensor.empty() : {factor}
  %fz = linalg.fill ins(%zero : f32) outs(%fe : {factor}) -> {factor}
  %late = scf.for %i = %c0 to %times step %c1 iter_args(%sum = %fz) -> {factor} {{
    %next = linalg.matmul ins(%w, %w : {factor}, {factor}) outs(%sum : {factor}) -> {factor}
    scf.yield %next : {factor}
  }}
"
                ),
                ", %late",
                format!(", {factor}"),
            )
        } else {
            ("", String::new(), "", String::new())
        };
        format!(
            "func.func @main(%x: {input}, %w: {factor}{argument}) -> ({output}{result}) {{
  %zero = arith.constant 0.0 : f32
{work}  %e = tensor.empty() : {whole}
  %z = linalg.fill ins(%zero : f32) outs(%e : {whole}) -> {whole}
{body}
  return %r{value} : {output}{result}
}}
"
        )
    }
}

/// Machine code of a form, run in a way.
pub fn compile(
    context: &Context,
    form: Form,
    way: Way,
    machine: &str,
    is_late: bool,
) -> Result<Program, Box<dyn Error>> {
    let mut module = parse(context, &form.text(is_late))?;
    let options = match way.streams {
        None => LowerOptions::default(),
        Some(streams) => LowerOptions {
            passes: vec![FUSE.to_owned()],
            streams: format!("{streams} machine={machine}"),
            ..LowerOptions::default()
        },
    };
    let signature = lower(context, &mut module, &options, |_| {})?;
    Ok(Program::compile(context, &module, signature)?)
}

/// Inputs of all ranks, the same for all ways; the second rank multiplies `times` more where it is asked how often.
pub fn inputs(program: &Program, times: u64) -> Result<Vec<Vec<Array>>, Box<dyn Error>> {
    let slots = &program.signature().inputs;
    let array = |rank: usize, index: usize| {
        let slot = &slots[index];
        match &slot.sizes {
            None => {
                let times = if rank == 1 { times } else { 0 };
                Array::new(slot.element, vec![], times.to_ne_bytes().to_vec())
            }
            Some(sizes) => {
                let sizes: Option<Vec<usize>> = sizes.iter().copied().collect();
                sizes.and_then(|sizes| random(slot.element, &sizes, 1, rank, index))
            }
        }
        .ok_or("an input cannot be made")
    };
    let of_rank = |rank| (0..slots.len()).map(|index| array(rank, index)).collect();
    Ok((0..RANKS).map(of_rank).collect::<Result<_, &str>>()?)
}
