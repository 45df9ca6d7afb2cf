// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Writing StableHLO in generic form.
//!
//! The dialect need not be loaded: its own attributes are made from their text. All attributes stand among the discardable
//! ones, from which a parser that knows the dialect takes those that belong to the op.

use comm_algebra::{Dot, Function, Kind, Op as AlgebraOp, Type};

use super::{shapes::signed, types::is_exact_convert, writer::Writer};
use crate::mlir::{Attr, PassResult, Value};

/// The value of `op` of `operands`, whose type is `ty`.
pub(super) fn write(writer: &mut Writer, op: &AlgebraOp, operands: &[Value], ty: &Type) -> PassResult<Value> {
    let context = writer.context();
    let array = |values: &[usize]| Attr::i64_array(context, &signed(values));
    let name = match op {
        AlgebraOp::Constant { bits, .. } => return constant(writer, ty, f64::from_bits(*bits)),
        AlgebraOp::Map(function) => return map(writer, op, *function, operands, ty),
        AlgebraOp::Reduce { kind, dim } => return reduce(writer, op, *kind, *dim, operands, ty),
        AlgebraOp::Convert(element) => {
            let [operand] = writer.operands(op, operands)?;
            if !is_exact_convert(writer.type_of(operand)?.element, *element) {
                return Err(writer.unknown(op));
            }
            "convert"
        }
        AlgebraOp::Dot(_) => "dot_general",
        AlgebraOp::Transpose(_) => "transpose",
        AlgebraOp::Reshape(_) => "reshape",
        AlgebraOp::BroadcastInDim { .. } => "broadcast_in_dim",
        AlgebraOp::Concat(_) => "concatenate",
        AlgebraOp::Slice { .. } => "slice",
        _ => return Err(writer.unknown(op)),
    };
    let mut made = writer
        .op(&format!("stablehlo.{name}"))
        .operands(operands.iter().copied())
        .results([writer.ty(ty)]);
    match op {
        AlgebraOp::Dot(dot) => {
            let Some(numbers) = Attr::parse(context, &dimension_numbers(dot)) else {
                return Err(writer.unknown(op));
            };
            made = made.attr("dot_dimension_numbers", numbers);
        }
        AlgebraOp::Transpose(permutation) => made = made.attr("permutation", array(permutation)),
        AlgebraOp::BroadcastInDim { dims, .. } => made = made.attr("broadcast_dimensions", array(dims)),
        AlgebraOp::Concat(dim) => made = made.attr("dimension", Attr::i64(context, *dim as i64)),
        AlgebraOp::Slice { dim, start, end } => {
            let [operand] = writer.operands(op, operands)?;
            let mut ends = writer.type_of(operand)?.shape;
            let mut starts = vec![0; ends.len()];
            let strides = vec![1; ends.len()];
            (starts[*dim], ends[*dim]) = (*start, *end);
            made = made
                .attr("limit_indices", array(&ends))
                .attr("start_indices", array(&starts))
                .attr("strides", array(&strides));
        }
        _ => {}
    }
    writer.insert(made)
}

fn constant(writer: &mut Writer, ty: &Type, value: f64) -> PassResult<Value> {
    let value = writer.splat(ty, value)?;
    let made = writer.op("stablehlo.constant").attr("value", value);
    writer.insert(made.results([writer.ty(ty)]))
}

fn map(
    writer: &mut Writer,
    op: &AlgebraOp,
    function: Function,
    operands: &[Value],
    ty: &Type,
) -> PassResult<Value> {
    let Some(name) = name(function) else {
        return Err(writer.unknown(op));
    };
    let mut operands = operands.to_vec();
    match function {
        Function::Scale(factor) => operands.push(constant(writer, ty, factor.value())?),
        Function::Relu => operands.push(constant(writer, ty, 0.0)?),
        _ => {}
    }
    let made = writer.op(name).operands(operands).results([writer.ty(ty)]);
    writer.insert(made)
}

pub(super) fn name(function: Function) -> Option<&'static str> {
    Some(match function {
        Function::Abs => "stablehlo.abs",
        Function::Add => "stablehlo.add",
        Function::And => "stablehlo.and",
        Function::Divide => "stablehlo.divide",
        Function::Exp => "stablehlo.exponential",
        Function::Floor => "stablehlo.floor",
        Function::Log => "stablehlo.log",
        Function::Logistic => "stablehlo.logistic",
        Function::Maximum | Function::Relu => "stablehlo.maximum",
        Function::Minimum => "stablehlo.minimum",
        Function::Multiply | Function::Scale(_) => "stablehlo.multiply",
        Function::Negate => "stablehlo.negate",
        Function::Or => "stablehlo.or",
        Function::Select => "stablehlo.select",
        Function::Sqrt => "stablehlo.sqrt",
        Function::Subtract => "stablehlo.subtract",
        Function::Tanh => "stablehlo.tanh",
        Function::Xor => "stablehlo.xor",
        _ => return None,
    })
}

fn dimension_numbers(dot: &Dot) -> String {
    let mut parts = Vec::new();
    for (kind, pairs) in [("batching", &dot.batch), ("contracting", &dot.contract)] {
        if !pairs.is_empty() {
            let (left, right): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
            parts.push(format!("lhs_{kind}_dimensions = {left:?}"));
            parts.push(format!("rhs_{kind}_dimensions = {right:?}"));
        }
    }
    format!("#stablehlo.dot<{}>", parts.join(", "))
}

fn reduce(
    writer: &mut Writer,
    op: &AlgebraOp,
    kind: Kind,
    dim: usize,
    operands: &[Value],
    ty: &Type,
) -> PassResult<Value> {
    let [operand] = writer.operands(op, operands)?;
    let Some(combine) = name(kind.function()) else {
        return Err(writer.unknown(op));
    };
    let scalar = Type::new(ty.element, &[]);
    let value = writer.neutral(kind, &scalar)?;
    let scalar = writer.ty(&scalar);
    let neutral = writer
        .op("stablehlo.constant")
        .attr("value", value)
        .results([scalar]);
    let neutral = writer.insert(neutral)?;
    let dims = Attr::i64_array(writer.context(), &[dim as i64]);
    let made = writer
        .op("stablehlo.reduce")
        .operands([operand, neutral])
        .results([writer.ty(ty)])
        .attr("dimensions", dims)
        .region(&[scalar, scalar], |block| {
            let combined = writer.op(combine).operands(block.arguments()).results([scalar]);
            let combined = combined.append_to(block)?.result(0);
            let end = writer.op("stablehlo.return").operands([combined]);
            end.append_to(block).map(|_| ())
        })?;
    writer.insert(made)
}
