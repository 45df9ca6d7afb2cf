// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Ops that stay: those of `comm`, calls, and upstream ops that a program holds already. And the rank of a device.
//!
//! They are copied with new operands and with result types without signs. Where that would change a meaning, it does not
//! happen: a maximum or minimum over unsigned integers is taken of numbers with the highest bit turned, which as signed
//! ones are in the same order. One that is started is turned back where it is awaited.

use super::{
    Translator, control,
    emit::{At, Iterator},
    is_ours,
    maps::Map,
    types::{self, is_unsigned},
};
use crate::{
    collective::Collective,
    diagnostics,
    mlir::{Attr, Op, PassResult, Ty, Value, groups, reduction_name},
};

/// Translates an op of another dialect.
pub(super) fn translate(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    if op.name() == "sdy.sharding_constraint" {
        return control::identity(translator, op);
    }
    if is_ours(op.name()) || !op.is_registered() {
        return Err(diagnostics::op_error(
            op,
            "is not covered by comm-legalize-stablehlo; expected stablehlo, comm or an upstream dialect",
        ));
    }
    let orders_unsigned = Collective::new(op).is_some()
        && op.operands().any(|operand| is_unsigned(operand.ty().element()))
        && op
            .attr("kind")
            .and_then(reduction_name)
            .is_some_and(|kind| kind == "max" || kind == "min");
    if orders_unsigned {
        return in_signed_order(translator, op, at);
    }
    if op.name() == "comm.wait"
        && let Some(kept) = translator.started.get(&op.operand(0)).cloned()
    {
        return awaited(translator, op, at, &kept);
    }
    Ok(copy(translator, op, at)?.results().collect())
}

/// The same op with new operands.
pub(super) fn copy(translator: &mut Translator, op: Op, at: At) -> PassResult<Op> {
    let operands = translator.operands(op)?;
    copy_with(translator, op, at, operands)
}

fn copy_with(translator: &mut Translator, op: Op, at: At, operands: Vec<Value>) -> PassResult<Op> {
    if is_ours(op.name()) {
        return Err(diagnostics::op_error(
            op,
            "ends a block of another dialect; expected its terminator",
        ));
    }
    if op.successors().next().is_some() {
        return Err(diagnostics::op_error(
            op,
            "branches between blocks; expected structured control flow",
        ));
    }
    let mut builder = at
        .builder(op.name())
        .operands(operands)
        .results(op.results().map(|value| types::converted(value.ty())))
        .named_attrs(op.attrs_except(&[]));
    for region in 0..op.num_regions() {
        builder = match translator.single_block(op, region)? {
            None => builder.empty_region(),
            Some(block) => {
                let types: Vec<Ty> = block
                    .arguments()
                    .map(|value| types::converted(value.ty()))
                    .collect();
                builder.region(&types, |new| {
                    let at = at.inside(new);
                    let end = translator.body(block, at)?;
                    copy(translator, end, at.at(end)).map(drop)
                })?
            }
        };
    }
    builder.append_to(at.block)
}

/// A maximum or minimum over a group, of unsigned integers that are put into the order of signed ones and back. One that is
/// started has waits as the only users of its future, by the verifier of `comm`.
fn in_signed_order(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let operands: Vec<Value> = translator
        .operands(op)?
        .into_iter()
        .zip(op.operands())
        .map(|(value, old)| turned_like(at, value, old.ty()))
        .collect::<PassResult<_>>()?;
    let kept: Vec<(Value, Value)> = op.operands().zip(operands.iter().copied()).collect();
    let new = copy_with(translator, op, at, operands)?;
    let mut results = Vec::new();
    for (value, old) in new.results().zip(op.results()) {
        if old.ty().is_future() {
            translator.started.insert(old, kept.clone());
            results.push(value);
        } else {
            results.push(turned_like(at, value, old.ty())?);
        }
    }
    Ok(results)
}

/// The wait for such a collective: it keeps the tensors that were sent, and what it gives is turned back.
fn awaited(translator: &mut Translator, op: Op, at: At, kept: &[(Value, Value)]) -> PassResult<Vec<Value>> {
    let mut operands = translator.operands(op)?;
    for (operand, old) in operands.iter_mut().zip(op.operands()) {
        if let Some((_, sent)) = kept.iter().find(|(own, _)| *own == old) {
            *operand = *sent;
        }
    }
    let new = copy_with(translator, op, at, operands)?;
    new.results()
        .zip(op.results())
        .map(|(value, old)| turned_like(at, value, old.ty()))
        .collect()
}

/// A tensor, with the highest bits turned where its old type is of unsigned integers.
fn turned_like(at: At, value: Value, old: Ty) -> PassResult<Value> {
    match is_unsigned(old.element()) {
        true => turned(at, value),
        false => Ok(value),
    }
}

/// A tensor of integers with the highest bit of each turned.
fn turned(at: At, tensor: Value) -> PassResult<Value> {
    let shape = types::static_shape(tensor.ty());
    let shape = shape.ok_or_else(|| diagnostics::error(at.location, "expected a tensor of static shape"))?;
    let map = Map::identity(shape.len());
    let init = at.empty(tensor.ty())?;
    let results = at.generic(
        &[(tensor, map.clone())],
        &[(init, map)],
        &vec![Iterator::Parallel; shape.len()],
        |at, elements| {
            let ty = elements[0].ty();
            let width = ty.integer_width().unwrap_or(64);
            let highest = at.integer(ty, 1_i64 << (width - 1))?;
            Ok(vec![at.same("arith.xori", &[elements[0], highest])?])
        },
    )?;
    Ok(results[0])
}

/// `func.call` with the operands and results of an op.
pub(super) fn call(translator: &Translator, op: Op, at: At, callee: Attr) -> PassResult<Vec<Value>> {
    let call = at
        .builder("func.call")
        .operands(translator.operands(op)?)
        .results(op.results().map(|value| types::converted(value.ty())))
        .attr("callee", callee)
        .append_to(at.block)?;
    Ok(call.results().collect())
}

/// Translates `stablehlo.partition_id`: ranks are replica * partitions + partition, as in the import.
pub(super) fn partition_id(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let (replicas, partitions) = processes(translator, op)?;
    let id = match (replicas, partitions) {
        (_, 1) => at.index(0)?,
        (1, _) => rank(at, partitions)?,
        _ => {
            let count = at.index(partitions)?;
            at.same("arith.remui", &[rank(at, replicas * partitions)?, count])?
        }
    };
    as_tensor(op, at, id)
}

/// Translates `stablehlo.replica_id`.
pub(super) fn replica_id(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let (replicas, partitions) = processes(translator, op)?;
    let id = match (replicas, partitions) {
        (1, _) => at.index(0)?,
        (_, 1) => rank(at, replicas)?,
        _ => {
            let count = at.index(partitions)?;
            at.same("arith.divui", &[rank(at, replicas * partitions)?, count])?
        }
    };
    as_tensor(op, at, id)
}

fn processes(translator: &Translator, op: Op) -> PassResult<(i64, i64)> {
    translator.processes.ok_or_else(|| {
        diagnostics::op_error(
            op,
            "asks for a device in a module that does not say how many there are; expected its attributes \
             'mhlo.num_replicas' and 'mhlo.num_partitions'",
        )
    })
}

/// The rank of this device among all.
fn rank(at: At, count: i64) -> PassResult<Value> {
    let all: Vec<i64> = (0..count).collect();
    let groups = groups(at.location, &[all])?;
    at.make_with("comm.rank", &[], at.index_ty(), &[("groups", groups)])
}

fn as_tensor(op: Op, at: At, id: Value) -> PassResult<Vec<Value>> {
    let ty = types::converted(op.result(0).ty());
    if ty.rank() != Some(0) || !ty.element().is_integer() {
        return Err(diagnostics::op_error(op, "expects a result of type tensor<ui32>"));
    }
    let id = at.make("arith.index_castui", &[id], ty.element())?;
    Ok(vec![at.fill(id, ty)?])
}
