// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Writing tosa.
//!
//! What tosa has no op for is composed: any matrix product is a batched one of transposed and reshaped operands, a reduction
//! drops its dimension by a reshape, a broadcast is a reshape and a tile. There is no division of floats, no square root and no
//! conversion but between floats that would compute the same; these fail.

use comm_algebra::{Dot, Element, Function, Kind, Op as AlgebraOp, Side, Type};

use super::{shapes::signed, writer::Writer};
use crate::mlir::{Attr, PassResult, Ty, Value};

/// The value of `op` of `operands`, whose type is `ty`.
pub(super) fn write(writer: &mut Writer, op: &AlgebraOp, operands: &[Value], ty: &Type) -> PassResult<Value> {
    match op {
        AlgebraOp::Constant { bits, .. } => constant(writer, ty, f64::from_bits(*bits)),
        AlgebraOp::Map(function) => map(writer, op, *function, operands, ty),
        AlgebraOp::Convert(to) => {
            let [operand] = writer.operands(op, operands)?;
            if !(to.is_float() && writer.type_of(operand)?.element.is_float()) {
                return Err(writer.unknown(op));
            }
            applied(writer, "tosa.cast", operands, ty)
        }
        AlgebraOp::Dot(dot) => product(writer, op, dot, operands, ty),
        AlgebraOp::Transpose(permutation) => {
            let [operand] = writer.operands(op, operands)?;
            transpose(writer, operand, permutation, ty)
        }
        AlgebraOp::Reshape(_) => {
            let [operand] = writer.operands(op, operands)?;
            reshape(writer, operand, ty)
        }
        AlgebraOp::BroadcastInDim { shape, dims } => {
            let [operand] = writer.operands(op, operands)?;
            broadcast(writer, operand, shape, dims, ty)
        }
        AlgebraOp::Concat(dim) => {
            let axis = number(writer, *dim as i64)?;
            let made = writer.op("tosa.concat").operands(operands.iter().copied());
            writer.insert(made.results([writer.ty(ty)]).attr("axis", axis))
        }
        AlgebraOp::Slice { dim, start, .. } => {
            let [operand] = writer.operands(op, operands)?;
            let mut starts = vec![0; ty.rank()];
            starts[*dim] = *start;
            let starts = constant_shape(writer, &starts)?;
            let sizes = constant_shape(writer, &ty.shape)?;
            applied(writer, "tosa.slice", &[operand, starts, sizes], ty)
        }
        AlgebraOp::Reduce { kind, dim } => reduce(writer, op, *kind, *dim, operands, ty),
        _ => Err(writer.unknown(op)),
    }
}

fn applied(writer: &mut Writer, name: &str, operands: &[Value], ty: &Type) -> PassResult<Value> {
    let made = writer.op(name).operands(operands.iter().copied());
    writer.insert(made.results([writer.ty(ty)]))
}

fn constant(writer: &mut Writer, ty: &Type, value: f64) -> PassResult<Value> {
    let value = writer.splat(ty, value)?;
    let made = writer.op("tosa.const").attr("values", value);
    writer.insert(made.results([writer.ty(ty)]))
}

/// A zero point or a shift.
fn zero(writer: &mut Writer, element: Element) -> PassResult<Value> {
    constant(writer, &Type::new(element, &[1]), 0.0)
}

/// A `tosa.const_shape`.
fn constant_shape(writer: &mut Writer, values: &[usize]) -> PassResult<Value> {
    let context = writer.context();
    let ty = Ty::parse(context, &format!("!tosa.shape<{}>", values.len()));
    let (Some(ty), Some(values)) = (ty, Attr::dense_indices(context, &signed(values))) else {
        return Err(writer.error("a shape"));
    };
    let made = writer.op("tosa.const_shape").attr("values", values).results([ty]);
    writer.insert(made)
}

/// An attribute of 32 bits.
fn number(writer: &Writer, value: i64) -> PassResult<Attr> {
    writer.number(Element::I32, value as f64)
}

fn map(
    writer: &mut Writer,
    op: &AlgebraOp,
    function: Function,
    operands: &[Value],
    ty: &Type,
) -> PassResult<Value> {
    let Some(name) = name(function, ty.element) else {
        return Err(writer.unknown(op));
    };
    let mut operands = operands.to_vec();
    match function {
        Function::Relu => operands.push(constant(writer, ty, 0.0)?),
        Function::Scale(factor) => operands.push(constant(writer, ty, factor.value())?),
        Function::Negate => {
            let zero = zero(writer, ty.element)?;
            operands.extend([zero, zero]);
        }
        _ => {}
    }
    if name == "tosa.mul" {
        operands.push(zero(writer, Element::I8)?);
    }
    applied(writer, name, &operands, ty)
}

pub(super) fn name(function: Function, element: Element) -> Option<&'static str> {
    let of = |integer: &'static str, boolean: &'static str| {
        Some(if element == Element::Bool {
            boolean
        } else {
            integer
        })
    };
    match function {
        Function::Abs => Some("tosa.abs"),
        Function::Add => Some("tosa.add"),
        Function::And => of("tosa.bitwise_and", "tosa.logical_and"),
        Function::Divide if element.is_integer() => Some("tosa.intdiv"),
        Function::Exp => Some("tosa.exp"),
        Function::Floor => Some("tosa.floor"),
        Function::Log => Some("tosa.log"),
        Function::Logistic => Some("tosa.sigmoid"),
        Function::Maximum | Function::Relu => Some("tosa.maximum"),
        Function::Minimum => Some("tosa.minimum"),
        Function::Multiply | Function::Scale(_) => Some("tosa.mul"),
        Function::Negate => Some("tosa.negate"),
        Function::Or => of("tosa.bitwise_or", "tosa.logical_or"),
        Function::Select => Some("tosa.select"),
        Function::Subtract => Some("tosa.sub"),
        Function::Tanh => Some("tosa.tanh"),
        Function::Xor => of("tosa.bitwise_xor", "tosa.logical_xor"),
        _ => None,
    }
}

fn transpose(writer: &mut Writer, operand: Value, permutation: &[usize], ty: &Type) -> PassResult<Value> {
    let dims: Vec<i32> = permutation.iter().map(|&dim| dim as i32).collect();
    let dims = Attr::i32_array(writer.context(), &dims);
    let made = writer
        .op("tosa.transpose")
        .operands([operand])
        .attr("perms", dims);
    writer.insert(made.results([writer.ty(ty)]))
}

fn reshape(writer: &mut Writer, operand: Value, ty: &Type) -> PassResult<Value> {
    let shape = constant_shape(writer, &ty.shape)?;
    applied(writer, "tosa.reshape", &[operand, shape], ty)
}

/// New dimensions get extent one, and are repeated.
fn broadcast(
    writer: &mut Writer,
    operand: Value,
    shape: &[usize],
    dims: &[usize],
    ty: &Type,
) -> PassResult<Value> {
    let (mut ones, mut times) = (vec![1; shape.len()], shape.to_vec());
    for &dim in dims {
        (ones[dim], times[dim]) = (shape[dim], 1);
    }
    let ranked = reshape(writer, operand, &Type::new(ty.element, &ones))?;
    let times = constant_shape(writer, &times)?;
    applied(writer, "tosa.tile", &[ranked, times], ty)
}

/// The op that reduces elements along a dimension.
pub(super) fn reduction(kind: Kind, element: Element) -> Option<&'static str> {
    Some(match (kind, element) {
        (Kind::Sum, _) => "tosa.reduce_sum",
        (Kind::Product, _) => "tosa.reduce_product",
        (Kind::Max, _) => "tosa.reduce_max",
        (Kind::Min, _) => "tosa.reduce_min",
        (Kind::And, Element::Bool) => "tosa.reduce_all",
        (Kind::Or, Element::Bool) => "tosa.reduce_any",
        _ => return None,
    })
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
    let Some(name) = reduction(kind, ty.element) else {
        return Err(writer.unknown(op));
    };
    let mut kept = ty.clone();
    kept.shape.insert(dim, 1);
    let axis = number(writer, dim as i64)?;
    let made = writer.op(name).operands([operand]).attr("axis", axis);
    let reduced = writer.insert(made.results([writer.ty(&kept)]))?;
    reshape(writer, reduced, ty)
}

/// One operand of a product with its dimensions in the order `batch`, `first`, `second`, as three.
fn matrices(
    writer: &mut Writer,
    operand: Value,
    batch: &[usize],
    first: &[usize],
    second: &[usize],
) -> PassResult<Value> {
    let from = writer.type_of(operand)?;
    let order: Vec<usize> = [batch, first, second].concat();
    let shape: Vec<usize> = order.iter().map(|&dim| from.shape[dim]).collect();
    let mut value = operand;
    if !order.is_sorted() {
        value = transpose(writer, value, &order, &Type::new(from.element, &shape))?;
    }
    let extent = |dims: &[usize]| dims.iter().map(|&dim| from.shape[dim]).product();
    let three = [extent(batch), extent(first), extent(second)];
    if three[..] != shape[..] {
        value = reshape(writer, value, &Type::new(from.element, &three))?;
    }
    Ok(value)
}

fn product(
    writer: &mut Writer,
    op: &AlgebraOp,
    dot: &Dot,
    operands: &[Value],
    ty: &Type,
) -> PassResult<Value> {
    let [left, right] = writer.operands(op, operands)?;
    let types = [writer.type_of(left)?, writer.type_of(right)?];
    let free = [
        dot.free(Side::Left, types[0].rank()),
        dot.free(Side::Right, types[1].rank()),
    ];
    let (left_batch, right_batch): (Vec<usize>, Vec<usize>) = dot.batch.iter().copied().unzip();
    let (left_summed, right_summed): (Vec<usize>, Vec<usize>) = dot.contract.iter().copied().unzip();
    let left = matrices(writer, left, &left_batch, &free[0], &left_summed)?;
    let right = matrices(writer, right, &right_batch, &right_summed, &free[1])?;
    let zeros = [zero(writer, types[0].element)?, zero(writer, types[1].element)?];
    let [rows, columns] =
        [(left, 1), (right, 2)].map(|(value, dim)| writer.type_of(value).map(|ty| ty.shape[dim]));
    let batch = left_batch.iter().map(|&dim| types[0].shape[dim]).product();
    let product = Type::new(dot.element, &[batch, rows?, columns?]);
    let value = applied(
        writer,
        "tosa.matmul",
        &[left, right, zeros[0], zeros[1]],
        &product,
    )?;
    if product == *ty {
        return Ok(value);
    }
    reshape(writer, value, ty)
}
