// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From the trace of two layers to that of any number: the second layer is repeated.
//!
//! Which ops belong to a layer is read off the trace. The longest stretch of ops that occurs twice in a row is the body of
//! the two layers, in forward and in backward. From there on what the two bodies read or write at the same place
//! belongs to the layers too: weights, gathers, views that are made beforehand, gradients that are reduced at the
//! end. Everything else is there once.
//!
//! The grown step of two layers is the trace itself. Layer k reads of layer k - 1 (of k + 1 in backward) what the second
//! traced layer reads of the first. Anything that does not fit this picture is an error.

use std::{collections::HashMap, error::Error, ops::Range};

use super::trace::{Op, Step, Tensor};

/// Where an op or an argument belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// There once.
    Shared,
    /// The same in each layer; `slot` tells it from others, `layer` is 0 or 1.
    Layer { slot: usize, layer: usize },
}

/// The step with `layers` layers, two at least.
pub fn grow(step: &Step, layers: usize) -> Result<Step, Box<dyn Error>> {
    if layers < 2 {
        return Err("a step is grown to two layers or more".into());
    }
    let places = Places::find(step)?;
    let growth = Growth { step, places, layers };
    let arguments = growth.expand(0..step.arguments.len(), |index| growth.places.arguments[index])?;
    let forward = growth.expand(0..step.backward, |index| growth.places.ops[index])?;
    let backward = growth.expand(step.backward..step.ops.len(), |index| growth.places.ops[index])?;
    let op = |&(index, layer): &(usize, usize)| growth.op(index, layer);
    let mut ops: Vec<Op> = forward.iter().map(op).collect::<Result<_, _>>()?;
    let first_of_backward = ops.len();
    ops.extend(backward.iter().map(op).collect::<Result<Vec<_>, _>>()?);
    let reductions = ops
        .iter()
        .filter(|op| op.role == super::trace::Role::Wait(super::trace::Kind::ReduceScatter));
    let gradients: Vec<String> = reductions.map(|op| op.outputs[0].name.clone()).collect();
    Ok(Step {
        arguments: arguments
            .iter()
            .map(|&(index, layer)| growth.tensor(&step.arguments[index], layer))
            .collect(),
        ops,
        backward: first_of_backward,
        returned: [step.returned[0].clone()].into_iter().chain(gradients).collect(),
    })
}

/// Where everything belongs.
struct Places {
    ops: Vec<Place>,
    arguments: Vec<Place>,
    /// Of values, by name, and the name in the other layer.
    values: HashMap<String, (Place, String)>,
}

impl Places {
    fn find(step: &Step) -> Result<Self, Box<dyn Error>> {
        let mut finder = Finder::new(step);
        let forward = twice(&step.ops, 0..step.backward).ok_or("no layers in forward")?;
        let backward = twice(&step.ops, step.backward..step.ops.len()).ok_or("no layers in backward")?;
        // Backward has the second layer first.
        let bodies = [
            (forward.start, forward.len(), 0),
            (backward.start + backward.len(), backward.len(), 1),
        ];
        for (first, length, is_backward) in bodies {
            for offset in 0..length {
                let second = match is_backward {
                    0 => first + length + offset,
                    _ => first - length + offset,
                };
                finder.pair_ops(first + offset, second);
            }
        }
        finder.spread();
        let mut places = Places {
            ops: finder.ops,
            arguments: finder.arguments,
            values: HashMap::new(),
        };
        for (first, second) in finder.pairs {
            let outputs = |index: usize| &step.ops[index].outputs;
            for (one, other) in outputs(first).iter().zip(outputs(second)) {
                places.note(one, other, places.ops[first], places.ops[second]);
            }
        }
        for (first, second) in finder.argument_pairs {
            let (one, other) = (&step.arguments[first], &step.arguments[second]);
            places.note(one, other, places.arguments[first], places.arguments[second]);
        }
        Ok(places)
    }

    fn note(&mut self, first: &Tensor, second: &Tensor, of_first: Place, of_second: Place) {
        self.values
            .insert(first.name.clone(), (of_first, second.name.clone()));
        self.values
            .insert(second.name.clone(), (of_second, first.name.clone()));
    }
}

/// The first of the two equal stretches of ops that follow each other, the longest there are in `range`.
fn twice(ops: &[Op], range: Range<usize>) -> Option<Range<usize>> {
    let is_same = |one: usize, other: usize| is_alike(&ops[one], &ops[other]);
    for length in (1..=range.len() / 2).rev() {
        let mut run = 0;
        for at in range.start..range.end - length {
            run = if is_same(at, at + length) { run + 1 } else { 0 };
            if run == length {
                return Some(at + 1 - length..at + 1);
            }
        }
    }
    None
}

/// Whether two ops differ at most in their operands and in the names of their results.
fn is_alike(one: &Op, other: &Op) -> bool {
    let types = |op: &Op| -> Vec<(Vec<u64>, String)> {
        let outputs = op.outputs.iter();
        outputs
            .map(|tensor| (tensor.shape.clone(), tensor.dtype.clone()))
            .collect()
    };
    one.name == other.name && one.inputs.len() == other.inputs.len() && types(one) == types(other)
}

/// Finds what belongs to layers beside their bodies.
struct Finder<'a> {
    step: &'a Step,
    ops: Vec<Place>,
    arguments: Vec<Place>,
    /// Ops of layer 0 and their partners in layer 1.
    pairs: Vec<(usize, usize)>,
    argument_pairs: Vec<(usize, usize)>,
    definition: HashMap<&'a str, Definition>,
    users: HashMap<&'a str, Vec<usize>>,
}

#[derive(Clone, Copy)]
enum Definition {
    Argument(usize),
    Op(usize),
}

impl<'a> Finder<'a> {
    fn new(step: &'a Step) -> Self {
        let mut definition = HashMap::new();
        let mut users: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, argument) in step.arguments.iter().enumerate() {
            definition.insert(argument.name.as_str(), Definition::Argument(index));
        }
        for (index, op) in step.ops.iter().enumerate() {
            for tensor in &op.outputs {
                definition.insert(tensor.name.as_str(), Definition::Op(index));
            }
            for input in &op.inputs {
                users.entry(input.as_str()).or_default().push(index);
            }
        }
        Finder {
            step,
            ops: vec![Place::Shared; step.ops.len()],
            arguments: vec![Place::Shared; step.arguments.len()],
            pairs: Vec::new(),
            argument_pairs: Vec::new(),
            definition,
            users,
        }
    }

    fn pair_ops(&mut self, first: usize, second: usize) {
        let slot = self.pairs.len();
        self.ops[first] = Place::Layer { slot, layer: 0 };
        self.ops[second] = Place::Layer { slot, layer: 1 };
        self.pairs.push((first, second));
    }

    /// Pairs what paired ops read and what reads their results.
    fn spread(&mut self) {
        let mut next = 0;
        while let Some(&(first, second)) = self.pairs.get(next) {
            next += 1;
            let step = self.step;
            for (one, other) in step.ops[first].inputs.iter().zip(&step.ops[second].inputs) {
                match (
                    self.definition.get(one.as_str()),
                    self.definition.get(other.as_str()),
                ) {
                    (Some(Definition::Op(one)), Some(Definition::Op(other))) => self.consider(*one, *other),
                    (Some(Definition::Argument(one)), Some(Definition::Argument(other))) => {
                        self.pair_arguments(*one, *other);
                    }
                    _ => {}
                }
            }
            for (one, other) in step.ops[first].outputs.iter().zip(&step.ops[second].outputs) {
                let outside = |name: &str| -> Vec<usize> {
                    let users = self.users.get(name).into_iter().flatten().copied();
                    users.filter(|user| self.ops[*user] == Place::Shared).collect()
                };
                let (one, other) = (outside(&one.name), outside(&other.name));
                if one.len() == other.len() {
                    one.into_iter()
                        .zip(other)
                        .for_each(|(one, other)| self.consider(one, other));
                }
            }
        }
    }

    /// Pairs two ops if they are partners outside of the layers' bodies.
    fn consider(&mut self, one: usize, other: usize) {
        let are_free = self.ops[one] == Place::Shared && self.ops[other] == Place::Shared;
        if one != other && are_free && is_alike(&self.step.ops[one], &self.step.ops[other]) {
            self.pair_ops(one, other);
        }
    }

    fn pair_arguments(&mut self, one: usize, other: usize) {
        if one != other && self.arguments[one] == Place::Shared && self.arguments[other] == Place::Shared {
            let slot = self.argument_pairs.len();
            self.arguments[one] = Place::Layer { slot, layer: 0 };
            self.arguments[other] = Place::Layer { slot, layer: 1 };
            self.argument_pairs.push((one, other));
        }
    }
}

struct Growth<'a> {
    step: &'a Step,
    places: Places,
    layers: usize,
}

impl Growth<'_> {
    /// Which traced item stands for which layer, in order. A run of one layer's items and that of the other's, which must
    /// have the same, become the runs of all layers.
    fn expand(
        &self,
        range: Range<usize>,
        place: impl Fn(usize) -> Place,
    ) -> Result<Vec<(usize, usize)>, Box<dyn Error>> {
        let layer = |index: usize| match place(index) {
            Place::Layer { layer, .. } => Some(layer),
            Place::Shared => None,
        };
        let slot = |index: usize| match place(index) {
            Place::Layer { slot, .. } => Some(slot),
            Place::Shared => None,
        };
        let mut expanded = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let Some(first) = layer(at) else {
                expanded.push((at, 0));
                at += 1;
                continue;
            };
            let length = (at..range.end)
                .take_while(|index| layer(*index) == Some(first))
                .count();
            let other = at + length;
            let is_whole = (0..length).all(|offset| {
                other + offset < range.end
                    && slot(at + offset) == slot(other + offset)
                    && layer(other + offset) == Some(1 - first)
            });
            if !is_whole {
                return Err(format!(
                    "item {at} belongs to layer {first}, but the other layer does not follow"
                )
                .into());
            }
            // All but the first layer of forward are as the second, all but the last of backward as the first.
            let (one, second) = if first == 0 { (at, other) } else { (other, at) };
            let mut of_layer = |layer: usize| {
                let begin = match (first, layer) {
                    (0, 0) => one,
                    (0, _) => second,
                    (_, layer) if layer + 1 == self.layers => second,
                    _ => one,
                };
                expanded.extend((begin..begin + length).map(|index| (index, layer)));
            };
            if first == 0 {
                (0..self.layers).for_each(&mut of_layer);
            } else {
                (0..self.layers).rev().for_each(&mut of_layer);
            }
            at = other + length;
        }
        Ok(expanded)
    }

    /// The op as it is in a layer.
    fn op(&self, index: usize, layer: usize) -> Result<Op, Box<dyn Error>> {
        let op = &self.step.ops[index];
        let own = match self.places.ops[index] {
            Place::Layer { layer, .. } => Some(layer),
            Place::Shared => None,
        };
        let name = |name: &String| -> Result<String, Box<dyn Error>> {
            let Some((Place::Layer { layer: traced, .. }, _)) = self.places.values.get(name) else {
                return Ok(name.clone());
            };
            let wanted = match own {
                Some(own) => (layer + traced).checked_sub(own),
                // What is there once reads the first layer or the last.
                None => Some(traced * (self.layers - 1)),
            };
            let wanted = wanted.filter(|wanted| *wanted < self.layers);
            Ok(self.name(
                name,
                wanted.ok_or_else(|| format!("{} reads a layer that is not", op.name))?,
            ))
        };
        Ok(Op {
            name: op.name.clone(),
            role: op.role,
            inputs: op.inputs.iter().map(name).collect::<Result<_, _>>()?,
            outputs: op
                .outputs
                .iter()
                .map(|tensor| self.tensor(tensor, layer))
                .collect(),
            weight: op.weight.as_ref().map(name).transpose()?,
            ns: op.ns,
        })
    }

    fn tensor(&self, tensor: &Tensor, layer: usize) -> Tensor {
        Tensor {
            name: self.name(&tensor.name, layer),
            ..tensor.clone()
        }
    }

    /// The name of a value in a layer: that of the trace in the first two, and made from the second's in others.
    fn name(&self, name: &str, layer: usize) -> String {
        let Some((Place::Layer { layer: traced, .. }, other)) = self.places.values.get(name) else {
            return name.to_owned();
        };
        let names = if *traced == 0 {
            [name, other]
        } else {
            [other, name]
        };
        match layer {
            0 | 1 => names[layer].to_owned(),
            _ if names[1].contains("_h_1_") => names[1].replace("_h_1_", &format!("_h_{layer}_")),
            _ => format!("{}_{layer}", names[1]),
        }
    }
}
