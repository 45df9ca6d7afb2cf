// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives on streams, and the groups of devices they are of.

use crate::{
    diagnostics,
    groups::Groups,
    mlir::{Attr, Failed, Op, PassResult, Value, reduction_name},
};

use super::{
    emit::Emit,
    frame::{Frame, RESULT},
    helpers, streams,
    tensor::{self, Tensor},
};

/// Lowers one collective.
pub(super) fn lower(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let count = (op.num_operands() - 1) / 2;
    let rank = frame.rank(emit.lowering)?;
    let on = streams::stream_of(op, op.operand(2 * count))?;
    let stream = streams::handle(emit, frame, on)?;
    let pairs = op.attr("pairs").and_then(Attr::as_i64_array);
    let (group, mut own) = match pairs {
        Some(pairs) => permute(emit, frame, &pairs)?,
        None => (self::group(emit, frame, op)?, own_arguments(emit, op)?),
    };
    let tensors: PassResult<Vec<Tensor>> = (0..2 * count)
        .map(|index| Tensor::of(emit, op, op.operand(index)))
        .collect();
    let addresses = tensor::write(emit, frame, &tensors?)?;
    let dims = op.attr("dims").and_then(Attr::as_i64_array);
    let mut arguments = vec![rank, stream, group];
    arguments.append(&mut own);
    arguments.extend([emit.i64(count as i64)?, addresses[0], addresses[count]]);
    if let Some(mut dims) = dims {
        // The run-time takes one for each tensor; in the op one may stand for all.
        if let [dim] = dims[..] {
            dims = vec![dim; count];
        }
        arguments.push(emit.numbers(&dims)?);
    }
    arguments.extend([timeout(emit, op)?, emit.location_text()?]);
    let name = op.name().trim_start_matches("comm_stream.");
    emit.issue(&format!("comm_rt_{name}"), &arguments)?;
    streams::finish(emit, frame, on)
}

/// What only some kinds have, between the group and the tensors.
fn own_arguments(emit: &mut Emit, op: Op) -> PassResult<Vec<Value>> {
    let number = |name: &str| op.attr(name).and_then(Attr::as_i64);
    let mut own = Vec::new();
    if let Some(kind) = op.attr("kind") {
        let ty = op.operand(0).ty().element();
        if ty.eight_bit_format().is_some() {
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "reduces elements of type {}, with which the run-time does not compute: convert them first",
                    ty.to_text()
                ),
            ));
        }
        own.push(emit.i32(reduction(op, kind)?)?);
    }
    for name in ["split", "concat", "root"] {
        if let Some(number) = number(name) {
            own.push(emit.i64(number)?);
        }
    }
    Ok(own)
}

/// Number of a reduction in the run-time's interface.
fn reduction(op: Op, kind: Attr) -> PassResult<i32> {
    let names = ["sum", "avg", "min", "max", "prod", "and", "or", "xor"];
    let name = reduction_name(kind).unwrap_or_default();
    let number = names.iter().position(|&known| known == name);
    number.map(|number| number as i32).ok_or_else(|| {
        diagnostics::op_error(
            op,
            &format!("has the reduction '{name}', which the run-time does not have"),
        )
    })
}

/// How long an op may wait; 0 leaves it to the world.
pub(super) fn timeout(emit: &Emit, op: Op) -> PassResult<Value> {
    emit.i64(op.attr("timeout_ms").and_then(Attr::as_i64).unwrap_or(0))
}

/// This rank's group among those of an op.
pub(super) fn group(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult<Value> {
    let groups = Groups::of(op)?.0;
    let size = groups.first().map_or(0, Vec::len) as i64;
    let flat: Vec<i64> = groups.into_iter().flatten().collect();
    let rank = frame.rank(emit.lowering)?;
    let memory = frame.memory(emit.lowering, 0)?;
    let place = emit.address(memory, RESULT)?;
    emit.store(emit.i64(0)?, memory, RESULT)?;
    let arguments = [
        rank,
        emit.numbers(&flat)?,
        emit.i64(flat.len() as i64)?,
        emit.i64(size)?,
        place,
    ];
    emit.issue("comm_rt_group_among", &arguments)?;
    emit.load(emit.i64_type(), memory, RESULT)
}

/// The group that pairs connect this rank with, and the pairs in it. Ranks that no pair connects wait for nobody.
fn permute(emit: &mut Emit, frame: &mut Frame, pairs: &[i64]) -> PassResult<(Value, Vec<Value>)> {
    let components = Groups::connected(pairs).0;
    let ranks = components.iter().flatten().max().map_or(0, |&rank| rank + 1);
    // By rank: where its component and the pairs in that begin, and how many they are.
    let mut tables = vec![vec![0i64; usize::try_from(ranks).map_err(|_| Failed)?]; 4];
    let (mut members, mut sorted) = (Vec::new(), Vec::new());
    for component in &components {
        let inside: Vec<&[i64]> = pairs
            .chunks_exact(2)
            .filter(|pair| component.contains(&pair[0]))
            .collect();
        let row = [
            members.len() as i64,
            component.len() as i64,
            sorted.len() as i64,
            inside.len() as i64,
        ];
        for &rank in component {
            for (table, number) in tables.iter_mut().zip(row) {
                table[rank as usize] = number;
            }
        }
        members.extend(component);
        sorted.extend(inside.into_iter().flatten());
    }
    let rank = frame.rank(emit.lowering)?;
    let own = emit.call("comm_rt_rank_index", &[rank], emit.i64_type())?;
    let length = emit.i64(ranks)?;
    let mut picked = Vec::new();
    for table in &tables {
        let arguments = [own, emit.numbers(table)?, length];
        picked.push(helper(emit, helpers::PICK, &arguments)?.ok_or(Failed)?);
    }
    let [first, count, first_pair, pair_count] = picked[..] else {
        return Err(Failed);
    };
    let memory = frame.memory(emit.lowering, 0)?;
    let place = emit.address(memory, RESULT)?;
    let list = element(emit, &members, first)?;
    let group = helper(emit, helpers::GROUP_OF, &[rank, own, list, count, place])?.ok_or(Failed)?;
    let pairs = element(emit, &sorted, first_pair)?;
    Ok((group, vec![pairs, pair_count]))
}

/// The address of an element of an array of constants.
fn element(emit: &mut Emit, numbers: &[i64], index: Value) -> PassResult<Value> {
    let base = emit.numbers(numbers)?;
    let op = emit
        .builder("llvm.getelementptr")
        .operands([base, index])
        .attr("rawConstantIndices", Attr::i32_array(emit.context(), &[i32::MIN]))
        .attr("elem_type", Attr::parse(emit.context(), "i64").ok_or(Failed)?);
    emit.value(op, emit.pointer()?)
}

/// Calls a function of `helpers`, and gives its result where it has one.
pub(super) fn helper(emit: &mut Emit, name: &str, arguments: &[Value]) -> PassResult<Option<Value>> {
    helpers::require(emit.lowering, name)?;
    let result = helpers::result_type(emit.lowering, name);
    let results: Vec<_> = result.into_iter().collect();
    let call = emit.call_declared(name, arguments, &results)?;
    Ok(result.map(|_| call.result(0)))
}

/// `comm.rank`: this device's position in its group.
pub(super) fn position(emit: &mut Emit, frame: &mut Frame, op: Op) -> PassResult {
    let group = group(emit, frame, op)?;
    let rank = frame.rank(emit.lowering)?;
    let position = emit.call("comm_rt_group_position", &[rank, group], emit.i64_type())?;
    let result = op.result(0);
    let index = emit.index_cast(position, result.ty())?;
    result.replace_uses_with(index);
    Ok(())
}
