// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A training step as Lightning Thunder traces it: the forward and the backward trace in one list of ops.
//!
//! `test/programs/thunder` has the traces as JSON (docs/thunder.md describes the format). Afterwards every value has one
//! definition before its uses, what backward unpacks is the value that forward saved, and each collective knows which
//! weight it is for. All ops are those of the traces, in their order; nothing is scheduled here.

use std::{
    collections::{HashMap, HashSet},
    error::Error,
    fs::File,
    path::Path,
};

use flate2::read::GzDecoder;
use serde_json::Value as Json;

/// A tensor, by the name that it has in the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<u64>,
    pub dtype: String,
}

impl Tensor {
    /// Its size in memory.
    pub fn bytes(&self) -> u64 {
        let element = match self.dtype.as_str() {
            "b8" | "bool8" => 1,
            "bf16" => 2,
            "f32" => 4,
            _ => 8,
        };
        self.shape.iter().product::<u64>() * element
    }
}

/// Kinds of collectives in these traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    AllGather,
    ReduceScatter,
}

/// What an op is to a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Compute,
    Start(Kind),
    /// Reads the results of one start and yields as many tensors.
    Wait(Kind),
}

/// One op. The results of a start are what its wait yields, under names of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    pub name: String,
    pub role: Role,
    pub inputs: Vec<String>,
    pub outputs: Vec<Tensor>,
    /// The weight that a collective gathers, or whose gradient it reduces.
    pub weight: Option<String>,
    /// How long it takes, where that is known better than by the machine model.
    pub ns: Option<u64>,
}

/// Forward and backward of one training step on one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub arguments: Vec<Tensor>,
    pub ops: Vec<Op>,
    /// Position of the first op of backward.
    pub backward: usize,
    /// The loss and the gradients, shards of them.
    pub returned: Vec<String>,
}

/// The two ways to shard: ZeRO-2 gathers each weight once, ZeRO-3 again in backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    Two,
    Three,
}

/// The trace of Llama-2-7B's first two layers before Thunder's sorts.
pub fn read(zero: Zero) -> Result<Step, Box<dyn Error>> {
    let strategy = match zero {
        Zero::Two => "ZERO2",
        Zero::Three => "ZERO3",
    };
    let nodes = |phase: &str| -> Result<Vec<Json>, Box<dyn Error>> {
        let file = format!("test/programs/thunder/{strategy}_NONE_L2_llama7b_{phase}.0_input.json.gz");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let mut document: Json = serde_json::from_reader(GzDecoder::new(File::open(path)?))?;
        match document["nodes"].take() {
            Json::Array(nodes) => Ok(nodes),
            _ => Err("a trace has a list of nodes".into()),
        }
    };
    join(&nodes("fw")?, &nodes("bw")?)
}

/// One step of two traces.
fn join(forward: &[Json], backward: &[Json]) -> Result<Step, Box<dyn Error>> {
    let mut step = Step {
        arguments: Vec::new(),
        ops: Vec::new(),
        backward: 0,
        returned: Vec::new(),
    };
    let mut kinds = HashMap::new();
    for node in forward {
        let (name, tensors) = (text(&node["op"])?, tensors(node)?);
        match name {
            "python_return" => {}
            _ if name.starts_with("unpack") => step.arguments.extend(tensors),
            _ => step.ops.push(op(name, inputs(node)?, tensors, &mut kinds)?),
        }
    }
    step.backward = step.ops.len();
    let loss = step.ops.last().ok_or("forward computes nothing")?.outputs[0]
        .name
        .clone();
    step.returned.push(loss);

    let arguments = step.arguments.iter();
    let results = step.ops.iter().flat_map(|op| &op.outputs);
    let saved: HashSet<String> = arguments
        .chain(results)
        .map(|tensor| tensor.name.clone())
        .collect();
    // Both traces number their values, so what backward defines itself gets a name of its own.
    let mut own = HashSet::new();
    let rename = |name: &str| format!("backward_{name}");
    let renamed = |tensor: Tensor| Tensor {
        name: rename(&tensor.name),
        ..tensor
    };
    let mut gradients = Vec::new();
    for node in backward {
        let (name, mut tensors) = (text(&node["op"])?, tensors(node)?);
        let mut inputs = inputs(node)?;
        for input in &mut inputs {
            if own.contains(input) {
                *input = rename(input);
            }
        }
        if name.starts_with("unpack") {
            tensors.retain(|tensor| !saved.contains(&tensor.name));
        }
        own.extend(tensors.iter().map(|tensor| tensor.name.clone()));
        let tensors = tensors.into_iter().map(renamed);
        match name {
            "python_return" => gradients = inputs,
            _ if name.starts_with("unpack") => step.arguments.extend(tensors),
            _ => step.ops.push(op(name, inputs, tensors.collect(), &mut kinds)?),
        }
    }
    step.returned.extend(gradients.iter().cloned());
    name_weights(&mut step, &gradients)?;
    Ok(step)
}

/// Tells each collective its weight: a gather reads it, a reduction yields what is returned at its place.
fn name_weights(step: &mut Step, gradients: &[String]) -> Result<(), Box<dyn Error>> {
    let weights: Vec<String> = step
        .arguments
        .iter()
        .filter(|argument| argument.name.ends_with("weight"))
        .map(|argument| argument.name.clone())
        .collect();
    if weights.len() != gradients.len() {
        return Err(format!("{} weights, {} gradients", weights.len(), gradients.len()).into());
    }
    let of_gradient: HashMap<&String, &String> = gradients.iter().zip(&weights).collect();
    let mut of_future: HashMap<String, String> = HashMap::new();
    for op in &step.ops {
        match op.role {
            Role::Start(Kind::AllGather) => {
                of_future.insert(op.outputs[0].name.clone(), op.inputs[0].clone());
            }
            Role::Wait(Kind::ReduceScatter) => {
                let weight = of_gradient.get(&op.outputs[0].name);
                let weight = weight.ok_or_else(|| format!("{} is not returned", op.outputs[0].name))?;
                of_future.insert(op.inputs[0].clone(), (*weight).clone());
            }
            _ => {}
        }
    }
    for op in &mut step.ops {
        let future = match op.role {
            Role::Start(_) => &op.outputs[0].name,
            Role::Wait(_) => &op.inputs[0],
            Role::Compute => continue,
        };
        op.weight = of_future.get(future).cloned();
    }
    Ok(())
}

/// An op; `kinds` holds the kind of collective of each future so far.
fn op(
    name: &str,
    inputs: Vec<String>,
    outputs: Vec<Tensor>,
    kinds: &mut HashMap<String, Kind>,
) -> Result<Op, Box<dyn Error>> {
    let mut start = |kind| {
        kinds.insert(outputs[0].name.clone(), kind);
        Role::Start(kind)
    };
    let role = match name {
        "torch_all_gather_prim_impl" => start(Kind::AllGather),
        "torch_reduce_scatter_prim_impl" => start(Kind::ReduceScatter),
        "torch_wait_prim_impl" => Role::Wait(*kinds.get(&inputs[0]).ok_or("a wait of no collective")?),
        _ => Role::Compute,
    };
    let name = match BINARY.contains(&name) && inputs.len() == 1 {
        true => format!("{name}_scalar"),
        false => name.to_owned(),
    };
    Ok(Op {
        name,
        role,
        inputs,
        outputs,
        weight: None,
        ns: None,
    })
}

/// Ops of two operands; with one tensor among them, the other is a number.
const BINARY: [&str; 8] = ["add", "eq", "ge", "mul", "ne", "pow", "sub", "true_divide"];

fn inputs(node: &Json) -> Result<Vec<String>, Box<dyn Error>> {
    let inputs = node["in"].as_array().ok_or("a node has a list of operands")?;
    inputs
        .iter()
        .map(|input| Ok(text(&input["name"])?.to_owned()))
        .collect()
}

/// The tensors that a node defines; what a trace unpacks may be a tuple, which is none.
fn tensors(node: &Json) -> Result<Vec<Tensor>, Box<dyn Error>> {
    let outputs = node["out"].as_array().ok_or("a node has a list of results")?;
    let tensor = |output: &Json| -> Result<Option<Tensor>, Box<dyn Error>> {
        let Some(shape) = output["shape"].as_array() else {
            return Ok(None);
        };
        Ok(Some(Tensor {
            name: text(&output["name"])?.to_owned(),
            shape: shape.iter().filter_map(Json::as_u64).collect(),
            dtype: text(&output["dtype"])?.to_owned(),
        }))
    };
    outputs
        .iter()
        .filter_map(|output| tensor(output).transpose())
        .collect()
}

fn text(json: &Json) -> Result<&str, Box<dyn Error>> {
    json.as_str()
        .ok_or_else(|| format!("expected a text, not {json}").into())
}
