// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Runs programs over simulated devices: the meaning of the language, and the judge of its rules.
//!
//! Every op is implemented from its definition and from nothing else; no identity is used. The one liberty is the order
//! of reductions, which a definition leaves open: an all-reduce adds in the order of the list, a reduce-scatter in the
//! order of a ring that ends at the owner of the slice. So a rule that changes the association of a sum is seen to
//! change bits, as it does on a machine. It is meant for tensors of a few elements, and makes no attempt at speed.

mod local;
mod tensor;

use thiserror::Error;

use crate::{
    op::{Kind, Op},
    program::Program,
    types::Type,
};
pub use tensor::{Data, Tensor, round, wrap};

/// A value: one tensor per device.
pub type Value = Vec<Tensor>;

/// Why a program could not be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunError {
    /// No value for an argument.
    #[error("argument {0} has no value")]
    Missing(u32),
    /// A value that does not fit.
    #[error("argument {number} takes a tensor of type {expected} on each of {devices} devices")]
    Misfit {
        /// The argument.
        number: u32,
        /// Its type.
        expected: Type,
        /// Number of devices.
        devices: usize,
    },
}

/// The results of a program on the given values of its arguments, by argument number.
pub fn run(program: &Program, arguments: &dyn Fn(u32) -> Option<Value>) -> Result<Vec<Value>, RunError> {
    let mut values: Vec<Value> = Vec::with_capacity(program.nodes().len());
    for node in program.nodes() {
        let operands: Vec<&Value> = node.operands.iter().map(|&id| &values[id.index()]).collect();
        let value = match &node.op {
            Op::Argument(argument) => {
                let value = arguments(argument.number).ok_or(RunError::Missing(argument.number))?;
                let devices = program.groups().devices();
                if value.len() != devices || value.iter().any(|tensor| !fits(tensor, &argument.ty)) {
                    return Err(RunError::Misfit {
                        number: argument.number,
                        expected: argument.ty.clone(),
                        devices,
                    });
                }
                value
            }
            op => evaluate(program, op, &operands, &node.ty),
        };
        values.push(value);
    }
    Ok(program
        .results()
        .iter()
        .map(|&id| values[id.index()].clone())
        .collect())
}

fn fits(tensor: &Tensor, ty: &Type) -> bool {
    let count = match &tensor.data {
        Data::Float(data) if ty.element.is_float() => data.len(),
        Data::Integer(data) if !ty.element.is_float() => data.len(),
        _ => return false,
    };
    tensor.ty == *ty && count as u64 == ty.count()
}

/// Random values for the arguments of a program, equal where the program says so; small enough that sums of many do not
/// overflow. The same seed gives the same values to programs with the same arguments.
pub fn random_arguments(program: &Program, seed: u64) -> impl Fn(u32) -> Option<Value> {
    let groups = program.groups();
    let arguments: Vec<_> = program.arguments().cloned().collect();
    let values: std::collections::BTreeMap<u32, Value> = arguments
        .iter()
        .map(|argument| {
            let partition = groups.partition(argument.replicated);
            let value = (0..groups.devices()).map(|device| {
                let block = u64::from(partition.block(device));
                // One stream of numbers per block, so that equal blocks hold equal values.
                let own = seed ^ (u64::from(argument.number) << 40) ^ ((block + 1) << 20);
                random_tensor(&argument.ty, &mut fastrand::Rng::with_seed(own))
            });
            (argument.number, value.collect())
        })
        .collect();
    move |number| values.get(&number).cloned()
}

fn random_tensor(ty: &Type, random: &mut fastrand::Rng) -> Tensor {
    if ty.element.is_float() {
        Tensor::float(ty.clone(), |_| random.f64() * 2.0 - 1.0)
    } else {
        Tensor::integer(ty.clone(), |_| random.i64(-50..50))
    }
}

fn evaluate(program: &Program, op: &Op, operands: &[&Value], ty: &Type) -> Value {
    let groups = program.groups();
    let devices = 0..groups.devices();
    let grouping = op.group().map(|group| groups.get(group));
    let first = operands.first();
    match (op, grouping, first) {
        (Op::AllGather { dim, .. }, Some(grouping), Some(value)) => devices
            .map(|device| {
                let parts: Vec<&Tensor> = grouping
                    .list(device)
                    .iter()
                    .map(|&member| &value[member as usize])
                    .collect();
                local::concat(&parts, *dim, ty)
            })
            .collect(),
        (Op::AllReduce { kind, .. }, Some(grouping), Some(value)) => devices
            .map(|device| {
                reduce(
                    *kind,
                    grouping
                        .list(device)
                        .iter()
                        .map(|&member| value[member as usize].clone()),
                )
            })
            .collect(),
        (Op::ReduceScatter { kind, dim, .. }, Some(grouping), Some(value)) => devices
            .map(|device| {
                let (own, size) = (grouping.position(device), grouping.size());
                // The accumulator of a slice starts behind its owner and travels around the ring to it.
                let ring = (1..=size).map(|step| grouping.member(device, (own + step) % size));
                let start = own * ty.shape[*dim];
                reduce(
                    *kind,
                    ring.map(|member| local::slice(&value[member], *dim, start, ty)),
                )
            })
            .collect(),
        (Op::AllToAll { split, concat, .. }, Some(grouping), Some(value)) => devices
            .map(|device| {
                let extent = value[device].ty.shape[*split] / grouping.size();
                let part_type = value[device].ty.with(*split, extent);
                let part = |&member: &u32| {
                    local::slice(
                        &value[member as usize],
                        *split,
                        grouping.position(device) * extent,
                        &part_type,
                    )
                };
                let parts: Vec<Tensor> = grouping.list(device).iter().map(part).collect();
                local::concat(&parts.iter().collect::<Vec<_>>(), *concat, ty)
            })
            .collect(),
        (Op::Broadcast { root, .. }, Some(grouping), Some(value)) => devices
            .map(|device| value[grouping.member(device, *root)].clone())
            .collect(),
        (Op::Shard { dim, .. }, Some(grouping), Some(value)) => devices
            .map(|device| {
                local::slice(
                    &value[device],
                    *dim,
                    grouping.position(device) * ty.shape[*dim],
                    ty,
                )
            })
            .collect(),
        (Op::Permute { pairs }, _, Some(value)) => devices
            .map(|device| {
                let source = pairs.iter().find(|&&(_, target)| target as usize == device);
                source.map_or_else(
                    || Tensor::zero(ty.clone()),
                    |&(source, _)| value[source as usize].clone(),
                )
            })
            .collect(),
        (
            Op::Opaque {
                number,
                result,
                uniform,
                ..
            },
            ..,
        ) => devices
            .map(|device| {
                let own: Vec<&Tensor> = operands.iter().map(|value| &value[device]).collect();
                opaque(
                    [*number, *result, if *uniform { 0 } else { device as u32 + 1 }],
                    &own,
                    ty,
                )
            })
            .collect(),
        _ => devices
            .map(|device| {
                let own: Vec<&Tensor> = operands.iter().map(|value| &value[device]).collect();
                local::local(op, &own, ty).unwrap_or_else(|| Tensor::zero(ty.clone()))
            })
            .collect(),
    }
}

/// Combines from the first to the last.
fn reduce(kind: Kind, mut tensors: impl Iterator<Item = Tensor>) -> Tensor {
    // Lists are never empty.
    let first = tensors
        .next()
        .unwrap_or_else(|| Tensor::zero(Type::new(crate::Element::Bool, &[])));
    tensors.fold(first, |sum, tensor| local::combine(kind, &sum, &tensor))
}

/// Numbers that depend on every bit of the operands and on the key.
fn opaque(key: [u32; 3], operands: &[&Tensor], ty: &Type) -> Tensor {
    let bits = operands.iter().flat_map(|operand| operand.bits());
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let seed = bits.fold(
        key.iter().fold(1, |state, &word| mix(state, u64::from(word))),
        mix,
    );
    random_tensor(ty, &mut fastrand::Rng::with_seed(seed))
}
