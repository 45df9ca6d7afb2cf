// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A step as IR: one function, collectives as ops of `comm`, all else as ops of the unregistered dialect `thunder`.
//!
//! Every op of these traces is pure, and is marked so. Values keep the names of the trace, and collectives are located at the
//! weight they are for, so that pictures show both.

use std::{collections::HashMap, error::Error, fmt::Write};

use super::{
    buckets::block,
    trace::{Kind, Op, Role, Step, Tensor},
};

/// How much of the step a scheduler sees at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// All of it.
    Whole,
    /// First forward, then backward, as Thunder, which has a trace for each: an op of unknown effect stands between, across
    /// which no communication moves. It takes no time.
    Halves,
}

/// The number of devices.
pub const DEVICES: u64 = 8;

/// The step as a module.
pub fn module(step: &Step, view: View) -> Result<String, Box<dyn Error>> {
    let results = step.ops.iter().flat_map(|op| &op.outputs);
    let printer = Printer {
        values: step
            .arguments
            .iter()
            .chain(results)
            .map(|tensor| (tensor.name.as_str(), tensor))
            .collect(),
    };
    let arguments: Vec<String> = step
        .arguments
        .iter()
        .map(|argument| Ok(format!("%{}: {}", argument.name, tensor(argument)?)))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let returned = printer.types(&step.returned)?;
    let mut text = format!("func.func @step({}) -> ({returned}) {{\n", arguments.join(", "));
    let mut operands = HashMap::new();
    for (index, op) in step.ops.iter().enumerate() {
        if view == View::Halves && index == step.backward {
            writeln!(text, "  \"thunder.halves\"() : () -> ()")?;
        }
        printer.op(&mut text, op, &mut operands)?;
    }
    writeln!(text, "  return {} : {returned}\n}}", uses(&step.returned))?;
    Ok(text)
}

struct Printer<'a> {
    values: HashMap<&'a str, &'a Tensor>,
}

impl<'a> Printer<'a> {
    /// `operands` holds what each start read, by its first result.
    fn op(
        &self,
        text: &mut String,
        op: &'a Op,
        operands: &mut HashMap<&'a str, &'a [String]>,
    ) -> Result<(), Box<dyn Error>> {
        let first = &op.outputs.first().ok_or("an op without results")?.name;
        let (inputs, types) = (uses(&op.inputs), self.types(&op.inputs)?);
        let outputs: Vec<String> = op.outputs.iter().map(tensor).collect::<Result<_, _>>()?;
        let outputs = outputs.join(", ");
        match op.role {
            Role::Start(kind) => {
                operands.insert(first, &op.inputs);
                let name = match kind {
                    Kind::AllGather => "all_gather",
                    Kind::ReduceScatter => "reduce_scatter sum",
                };
                let ranks: Vec<String> = (0..DEVICES).map(|rank| rank.to_string()).collect();
                write!(
                    text,
                    "  %{first} = comm.{name} {inputs} dim 0 over [[{}]]",
                    ranks.join(", ")
                )?;
                write!(text, " : {types} -> !comm.future<{outputs}>")?;
            }
            Role::Wait(_) => {
                let future = &op.inputs[0];
                let kept = operands.get(future.as_str()).ok_or("a wait of nothing")?;
                write!(text, "  {} = comm.wait %{future}", results(op))?;
                write!(text, " keeping({} : {})", uses(kept), self.types(kept)?)?;
                write!(text, " : !comm.future<{outputs}>")?;
            }
            Role::Compute => {
                let duration = op
                    .ns
                    .map(|ns| format!(", comm.duration_ns = {ns} : i64"))
                    .unwrap_or_default();
                write!(text, "  {} = \"thunder.{}\"({inputs})", results(op), op.name)?;
                write!(text, " {{comm.pure{duration}}}")?;
                write!(text, " : ({types}) -> ({outputs})")?;
            }
        }
        let place = match &op.weight {
            Some(weight) if op.outputs.len() > 1 => block(weight),
            Some(weight) => short(weight),
            None => first,
        };
        writeln!(text, " loc(\"{place}\")")?;
        Ok(())
    }

    fn types(&self, names: &[String]) -> Result<String, Box<dyn Error>> {
        let types: Vec<String> = names
            .iter()
            .map(|name| {
                tensor(
                    self.values
                        .get(name.as_str())
                        .ok_or_else(|| format!("no value {name}"))?,
                )
            })
            .collect::<Result<_, _>>()?;
        Ok(types.join(", "))
    }
}

/// A weight without what all names of weights share.
fn short(weight: &str) -> &str {
    let name = weight
        .trim_start_matches("t_gpt_")
        .trim_start_matches("transformer_");
    name.trim_end_matches("_weight")
}

/// The results of an op, each under its own name.
fn results(op: &Op) -> String {
    let names: Vec<String> = op
        .outputs
        .iter()
        .map(|output| format!("%{}", output.name))
        .collect();
    names.join(", ")
}

fn uses(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("%{name}")).collect();
    names.join(", ")
}

fn tensor(tensor: &Tensor) -> Result<String, Box<dyn Error>> {
    let element = match tensor.dtype.as_str() {
        "b8" | "bool8" => "i1",
        "bf16" => "bf16",
        "f32" => "f32",
        "i64" => "i64",
        other => return Err(format!("element type {other} of {}", tensor.name).into()),
    };
    let mut text = "tensor<".to_owned();
    for size in &tensor.shape {
        write!(text, "{size}x")?;
    }
    Ok(text + element + ">")
}
