// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Making the ops that a plan names.

use super::{
    grids::{self, Grid},
    plan::{Action, Step, conversion},
};
use crate::{
    collective::Kind,
    dialect::Reduction,
    mlir::{self, Attr, Op, OpBuilder, PassResult, Ty, Value},
};

/// Replaces an op by what it becomes, over the mesh of this name, and erases it.
pub(super) fn convert(step: &Step, mesh: &str) -> PassResult {
    let op = step.op;
    let values = match &step.action {
        Action::Collective {
            kind,
            axes,
            reduction,
            root,
        } => {
            vec![collective(op, mesh, *kind, axes, *reduction, *root)?]
        }
        Action::Permute { pairs } => {
            let builder = OpBuilder::new("comm.permute", op.location());
            vec![
                builder
                    .attr("pairs", Attr::i64_array(op.context(), pairs))
                    .finish(op, op.operand(0))?,
            ]
        }
        Action::Slice { axes, dim } => vec![slice(op, mesh, axes, *dim)?],
        Action::MultiIndex { axes } => axes
            .iter()
            .map(|&axis| rank(op, mesh, &[axis]))
            .collect::<PassResult<_>>()?,
        Action::LinearIndex => {
            let axes: Vec<usize> = (0..step.grid.shape.len()).collect();
            vec![rank(op, mesh, &axes)?]
        }
        Action::Shape { axes } => sizes(op, &step.grid, axes)?,
        Action::Operand => vec![op.operand(0)],
    };
    for (old, new) in op.results().zip(values) {
        old.replace_uses_with(new);
    }
    op.erase();
    Ok(())
}

trait Finish {
    /// Makes the op in place of `old`, on `input`, with its result type and the attributes that are no property of it.
    fn finish(self, old: Op, input: Value) -> PassResult<Value>;
}

impl Finish for OpBuilder {
    fn finish(self, old: Op, input: Value) -> PassResult<Value> {
        let op = self
            .named_attrs(old.discardable_attrs())
            .operands([input])
            .results([old.result(0).ty()])
            .insert_before(old)?;
        Ok(op.result(0))
    }
}

fn collective(
    op: Op,
    mesh: &str,
    kind: Kind,
    axes: &[usize],
    reduction: Option<Reduction>,
    root: Option<i64>,
) -> PassResult<Value> {
    let context = op.context();
    let number = |name: &str| op.attr(name).and_then(Attr::as_i64).unwrap_or(0);
    let (name, attributes) = match kind {
        Kind::AllGather => (
            "comm.all_gather",
            vec![("dims", Attr::i64_array(context, &[number("gather_axis")]))],
        ),
        Kind::ReduceScatter => (
            "comm.reduce_scatter",
            vec![("dims", Attr::i64_array(context, &[number("scatter_axis")]))],
        ),
        Kind::AllToAll => (
            "comm.all_to_all",
            vec![
                ("split", Attr::i64(context, number("split_axis"))),
                ("concat", Attr::i64(context, number("concat_axis"))),
            ],
        ),
        Kind::AllReduce => ("comm.all_reduce", Vec::new()),
        Kind::Permute => ("comm.permute", Vec::new()),
        Kind::Broadcast => ("comm.broadcast", Vec::new()),
    };
    let mut builder = attributes
        .into_iter()
        .fold(OpBuilder::new(name, op.location()), |builder, (name, attr)| {
            builder.attr(name, attr)
        })
        .attr("groups", grids::groups(op, mesh, axes)?);
    if let Some(reduction) = reduction {
        builder = builder.attr("kind", mlir::reduction(context, reduction)?);
    }
    if let Some(root) = root {
        builder = builder.attr("root", Attr::i64(context, root));
    }
    builder.finish(op, converted(op)?)
}

/// The operand in the element type of the result.
fn converted(op: Op) -> PassResult<Value> {
    let input = op.operand(0);
    let (from, to) = (input.ty(), op.result(0).ty().element());
    let Some(name) = conversion(from.element(), to) else {
        return Ok(input);
    };
    let shape = from.shape().unwrap_or_default();
    let ty = op.result(0).ty().with_shape(&shape);
    Ok(OpBuilder::new(name, op.location())
        .operands([input])
        .results([ty])
        .insert_before(op)?
        .result(0))
}

fn rank(op: Op, mesh: &str, axes: &[usize]) -> PassResult<Value> {
    let rank = OpBuilder::new("comm.rank", op.location())
        .attr("groups", grids::groups(op, mesh, axes)?)
        .results([Ty::index(op.context())])
        .insert_before(op)?;
    Ok(rank.result(0))
}

fn constant(op: Op, value: i64) -> PassResult<Value> {
    let constant = OpBuilder::new("arith.constant", op.location())
        .attr("value", Attr::index(op.context(), value))
        .results([Ty::index(op.context())])
        .insert_before(op)?;
    Ok(constant.result(0))
}

fn sizes(op: Op, grid: &Grid, axes: &[usize]) -> PassResult<Vec<Value>> {
    axes.iter().map(|&axis| constant(op, grid.shape[axis])).collect()
}

/// Slices dimension `dim` at this device's position, in pieces as long as the result.
fn slice(op: Op, mesh: &str, axes: &[usize], dim: usize) -> PassResult<Value> {
    let context = op.context();
    let input = op.operand(0);
    let shape = op.result(0).ty().shape().unwrap_or_default();
    let piece = constant(op, shape.get(dim).copied().flatten().unwrap_or(0))?;
    let offset = OpBuilder::new("arith.muli", op.location())
        .operands([rank(op, mesh, axes)?, piece])
        .results([Ty::index(context)])
        .insert_before(op)?
        .result(0);
    // The size of any other dimension is the operand's, where it is not known.
    let mut dynamic_sizes = Vec::new();
    for (number, size) in shape.iter().enumerate() {
        if size.is_none() {
            let size = OpBuilder::new("tensor.dim", op.location())
                .operands([input, constant(op, number as i64)?])
                .results([Ty::index(context)])
                .insert_before(op)?;
            dynamic_sizes.push(size.result(0));
        }
    }
    let static_offsets: Vec<i64> = (0..shape.len())
        .map(|number| if number == dim { i64::MIN } else { 0 })
        .collect();
    let static_sizes: Vec<i64> = shape.iter().map(|size| size.unwrap_or(i64::MIN)).collect();
    let slice = OpBuilder::new("tensor.extract_slice", op.location())
        .named_attrs(op.discardable_attrs())
        .attr("static_offsets", Attr::i64_array(context, &static_offsets))
        .attr("static_sizes", Attr::i64_array(context, &static_sizes))
        .attr("static_strides", Attr::i64_array(context, &vec![1; shape.len()]))
        .attr(
            "operandSegmentSizes",
            Attr::i32_array(context, &[1, 1, dynamic_sizes.len() as i32, 0]),
        )
        .operands([input, offset])
        .operands(dynamic_sizes)
        .results([op.result(0).ty()])
        .insert_before(op)?;
    Ok(slice.result(0))
}
