// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Making `comm` ops of collectives that have been read.
//!
//! Torch's tensor types stay on all other ops. Casts (`builtin.unrealized_conversion_cast`) stand between; they are views
//! that cost nothing and cancel where the torch dialect is left later.

use super::{start::Start, waits::Waits};
use crate::{
    collective::Kind,
    mlir::{self, Attr, Op, OpBuilder, PassResult, Ty, Value},
};

const CAST: &str = "builtin.unrealized_conversion_cast";

/// Replaces one collective and its waits, and erases them. `groups` is the attribute for its group.
pub(super) fn collective(start: &Start, waits: &Waits, groups: Attr) -> PassResult {
    let op = start.op;
    let context = op.context();
    let inputs: Vec<Value> = start
        .inputs()
        .into_iter()
        .zip(&start.input_types)
        .map(|(value, &ty)| as_tensor(value, ty, op))
        .collect::<PassResult<_>>()?;
    let (name, mut attributes) = match start.kind {
        Kind::AllGather => (
            "comm.all_gather",
            Vec::from([("dims", Attr::i64_array(context, &[0]))]),
        ),
        Kind::ReduceScatter => (
            "comm.reduce_scatter",
            Vec::from([("dims", Attr::i64_array(context, &[0]))]),
        ),
        Kind::AllToAll => (
            "comm.all_to_all",
            Vec::from([
                ("split", Attr::i64(context, 0)),
                ("concat", Attr::i64(context, 0)),
            ]),
        ),
        Kind::Broadcast => ("comm.broadcast", Vec::new()),
        Kind::Permute => ("comm.permute", Vec::new()),
        Kind::AllReduce => ("comm.all_reduce", Vec::new()),
    };
    if let Some(reduction) = start.reduction {
        attributes.push(("kind", mlir::reduction(context, reduction)?));
    }
    if let Some(root) = start.root {
        attributes.push(("root", Attr::i64(context, root)));
    }
    let kept = op.discardable_attrs_except(&["name"]);
    let future = attributes
        .into_iter()
        .fold(OpBuilder::new(name, op.location()), |builder, (name, attr)| {
            builder.attr(name, attr)
        })
        .attr("groups", groups)
        .named_attrs(kept)
        .operands(inputs.iter().copied())
        .results([Ty::future(context, &start.output_types)])
        .insert_before(op)?
        .result(0);
    if let Some(first) = waits.first {
        let wait = OpBuilder::new("comm.wait", first.location())
            .operands([future])
            .operands(inputs)
            .results(start.output_types.iter().copied())
            .insert_before(first)?;
        let mut values = vec![None; start.outputs.len()];
        let mut replaced = Vec::new();
        for &(old, index) in &waits.all {
            let value = match values[index] {
                Some(value) => value,
                None => cast(wait.result(index), start.outputs[index].ty(), first)?,
            };
            values[index] = Some(value);
            replaced.push((old, value));
        }
        // After all casts are made, since the first wait is where they are put.
        for (old, value) in replaced {
            old.result(0).replace_uses_with(value);
            old.erase();
        }
    }
    if let Some(unpack) = start.unpack {
        unpack.erase();
    }
    op.erase();
    Ok(())
}

/// A torch tensor as a builtin one, for use at `anchor`; what was cast from such a one is taken from there.
fn as_tensor(value: Value, ty: Ty, anchor: Op) -> PassResult<Value> {
    let source = value
        .defining_op()
        .filter(|op| op.name() == CAST && op.num_operands() == 1 && op.num_results() == 1)
        .map(|op| op.operand(0))
        .filter(|source| source.ty() == ty);
    match source {
        Some(source) => Ok(source),
        None => cast(value, ty, anchor),
    }
}

fn cast(value: Value, ty: Ty, anchor: Op) -> PassResult<Value> {
    Ok(OpBuilder::new(CAST, anchor.location())
        .operands([value])
        .results([ty])
        .insert_before(anchor)?
        .result(0))
}
