// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Writing arith, math, tensor and linalg.
//!
//! Functions of elements are ops of arith and math on whole tensors. A linalg op gets a destination of `tensor.empty`, or
//! one filled with what is neutral. The logistic function is written out. A reshape that neither collapses nor expands goes
//! through one dimension; one to the same shape is no op.

use comm_algebra::{Dot, Element, Function, Kind, Op as AlgebraOp, Type};

use super::{
    shapes::{collapse, loops, signed},
    types::is_exact_convert,
    writer::Writer,
};
use crate::mlir::{Attr, Block, OpBuilder, PassResult, Value};

/// The value of `op` of `operands`, whose type is `ty`.
pub(super) fn write(writer: &mut Writer, op: &AlgebraOp, operands: &[Value], ty: &Type) -> PassResult<Value> {
    let context = writer.context();
    match op {
        AlgebraOp::Constant { bits, .. } => constant(writer, ty, f64::from_bits(*bits)),
        AlgebraOp::Map(function) => map(writer, op, *function, operands, ty),
        AlgebraOp::Convert(to) => convert(writer, op, *to, operands, ty),
        AlgebraOp::Dot(dot) => product(writer, op, dot, operands, ty),
        AlgebraOp::Transpose(permutation) => {
            let [operand] = writer.operands(op, operands)?;
            let permutation = Attr::i64_array(context, &signed(permutation));
            moved(
                writer,
                "linalg.transpose",
                operand,
                ty,
                ("permutation", permutation),
            )
        }
        AlgebraOp::BroadcastInDim { shape, dims } => {
            let [operand] = writer.operands(op, operands)?;
            let added: Vec<usize> = (0..shape.len()).filter(|dim| !dims.contains(dim)).collect();
            let added = Attr::i64_array(context, &signed(&added));
            moved(writer, "linalg.broadcast", operand, ty, ("dimensions", added))
        }
        AlgebraOp::Reshape(shape) => {
            let [operand] = writer.operands(op, operands)?;
            reshape(writer, operand, shape, ty.element)
        }
        AlgebraOp::Concat(dim) => {
            let made = writer
                .op("tensor.concat")
                .operands(operands.iter().copied())
                .results([writer.ty(ty)])
                .attr("dim", Attr::i64(context, *dim as i64));
            writer.insert(made)
        }
        AlgebraOp::Slice { dim, start, .. } => {
            let [operand] = writer.operands(op, operands)?;
            let mut starts = vec![0; ty.rank()];
            starts[*dim] = *start as i64;
            let made = writer
                .op("tensor.extract_slice")
                .operands([operand])
                .results([writer.ty(ty)])
                .attr("operandSegmentSizes", Attr::i32_array(context, &[1, 0, 0, 0]))
                .attr("static_offsets", Attr::i64_array(context, &starts))
                .attr("static_sizes", Attr::i64_array(context, &signed(&ty.shape)))
                .attr("static_strides", Attr::i64_array(context, &vec![1; ty.rank()]));
            writer.insert(made)
        }
        AlgebraOp::Reduce { kind, dim } => reduce(writer, op, *kind, *dim, operands, ty),
        _ => Err(writer.unknown(op)),
    }
}

fn constant(writer: &mut Writer, ty: &Type, value: f64) -> PassResult<Value> {
    let value = writer.splat(ty, value)?;
    constant_of(writer, ty, value)
}

fn constant_of(writer: &mut Writer, ty: &Type, value: Attr) -> PassResult<Value> {
    let made = writer.op("arith.constant").attr("value", value);
    writer.insert(made.results([writer.ty(ty)]))
}

fn empty(writer: &mut Writer, ty: &Type) -> PassResult<Value> {
    let made = writer.op("tensor.empty").results([writer.ty(ty)]);
    writer.insert(made)
}

/// An op of arith or math on tensors.
fn applied(writer: &mut Writer, name: &str, operands: &[Value], ty: &Type) -> PassResult<Value> {
    let made = writer.op(name).operands(operands.iter().copied());
    writer.insert(made.results([writer.ty(ty)]))
}

fn map(
    writer: &mut Writer,
    op: &AlgebraOp,
    function: Function,
    operands: &[Value],
    ty: &Type,
) -> PassResult<Value> {
    let mut operands = operands.to_vec();
    match function {
        Function::Scale(factor) => operands.push(constant(writer, ty, factor.value())?),
        Function::Relu => operands.push(constant(writer, ty, 0.0)?),
        Function::Negate if !ty.element.is_float() => operands.insert(0, constant(writer, ty, 0.0)?),
        Function::Logistic => return logistic(writer, op, &operands, ty),
        _ => {}
    }
    let Some(name) = name(function, ty.element) else {
        return Err(writer.unknown(op));
    };
    applied(writer, name, &operands, ty)
}

/// The op of arith or math that computes a function of elements.
pub(super) fn name(function: Function, element: Element) -> Option<&'static str> {
    let of = |float: &'static str, integer: &'static str| {
        if element.is_float() {
            Some(float)
        } else if element.is_integer() {
            Some(integer)
        } else {
            None
        }
    };
    match function {
        Function::Abs => of("math.absf", "math.absi"),
        Function::Add => of("arith.addf", "arith.addi"),
        Function::And => Some("arith.andi"),
        Function::Divide => of("arith.divf", "arith.divsi"),
        Function::Exp => Some("math.exp"),
        Function::Floor => Some("math.floor"),
        Function::Log => Some("math.log"),
        Function::Maximum | Function::Relu => of("arith.maximumf", "arith.maxsi"),
        Function::Minimum => of("arith.minimumf", "arith.minsi"),
        Function::Multiply | Function::Scale(_) => of("arith.mulf", "arith.muli"),
        // Of integers: zero less the operand.
        Function::Negate => of("arith.negf", "arith.subi"),
        Function::Or => Some("arith.ori"),
        Function::Select => Some("arith.select"),
        Function::Sqrt => Some("math.sqrt"),
        Function::Subtract => of("arith.subf", "arith.subi"),
        Function::Tanh => Some("math.tanh"),
        Function::Xor => Some("arith.xori"),
        _ => None,
    }
}

/// One over one plus the exponential of the negated operand.
fn logistic(writer: &mut Writer, op: &AlgebraOp, operands: &[Value], ty: &Type) -> PassResult<Value> {
    let [operand] = writer.operands(op, operands)?;
    let negated = applied(writer, "arith.negf", &[operand], ty)?;
    let exponential = applied(writer, "math.exp", &[negated], ty)?;
    let one = constant(writer, ty, 1.0)?;
    let sum = applied(writer, "arith.addf", &[one, exponential], ty)?;
    applied(writer, "arith.divf", &[one, sum], ty)
}

fn convert(
    writer: &mut Writer,
    op: &AlgebraOp,
    to: Element,
    operands: &[Value],
    ty: &Type,
) -> PassResult<Value> {
    let [operand] = writer.operands(op, operands)?;
    let from_ty = writer.type_of(operand)?;
    let from = from_ty.element;
    if from == to {
        return Ok(operand);
    }
    if !is_exact_convert(from, to) {
        return Err(writer.unknown(op));
    }
    let name = match (from, to) {
        (_, Element::Bool) => return is_nonzero(writer, operand, &from_ty, ty),
        (Element::Bool, _) if to.is_float() => "arith.uitofp",
        (Element::Bool, _) => "arith.extui",
        _ if from.is_float() && from.bits() < to.bits() => "arith.extf",
        _ if from.is_float() && from.bits() > to.bits() => "arith.truncf",
        // Half precision of two kinds: all values of both are singles.
        _ if from.is_float() => {
            let wide = Type::new(Element::F32, &ty.shape);
            let wide = applied(writer, "arith.extf", &[operand], &wide)?;
            return applied(writer, "arith.truncf", &[wide], ty);
        }
        _ if to.is_float() => "arith.sitofp",
        _ if from.bits() < to.bits() => "arith.extsi",
        _ => "arith.trunci",
    };
    applied(writer, name, &[operand], ty)
}

/// Whether each element differs from zero; a NaN does.
fn is_nonzero(writer: &mut Writer, operand: Value, from: &Type, ty: &Type) -> PassResult<Value> {
    let zero = constant(writer, from, 0.0)?;
    // Of the enumerations `CmpFPredicate` and `CmpIPredicate`: unordered or not equal; not equal.
    let (name, predicate) = if from.element.is_float() {
        ("arith.cmpf", 13)
    } else {
        ("arith.cmpi", 1)
    };
    let made = writer
        .op(name)
        .operands([operand, zero])
        .results([writer.ty(ty)])
        .attr("predicate", Attr::i64(writer.context(), predicate));
    writer.insert(made)
}

/// Appends `linalg.yield`.
fn yields(writer: &Writer, block: Block, value: Value) -> PassResult {
    let end = writer.op("linalg.yield").operands([value]);
    end.append_to(block).map(|_| ())
}

/// An op that moves elements of its input, into an empty destination.
fn moved(
    writer: &mut Writer,
    name: &str,
    operand: Value,
    ty: &Type,
    attr: (&str, Attr),
) -> PassResult<Value> {
    let destination = empty(writer, ty)?;
    let element = writer.element_ty(ty.element);
    let made = writer
        .op(name)
        .operands([operand, destination])
        .results([writer.ty(ty)])
        .attr(attr.0, attr.1)
        .region(&[element, element], |block| {
            block
                .arguments()
                .take(1)
                .try_for_each(|input| yields(writer, block, input))
        })?;
    writer.insert(made)
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
    let Some(combine) = name(kind.function(), ty.element) else {
        return Err(writer.unknown(op));
    };
    let neutral = writer.neutral(kind, ty)?;
    let neutral = constant_of(writer, ty, neutral)?;
    let element = writer.element_ty(ty.element);
    let made = writer
        .op("linalg.reduce")
        .operands([operand, neutral])
        .results([writer.ty(ty)])
        .attr("dimensions", Attr::i64_array(writer.context(), &[dim as i64]))
        .region(&[element, element], |block| {
            let combined = writer.op(combine).operands(block.arguments()).results([element]);
            yields(writer, block, combined.append_to(block)?.result(0))
        })?;
    writer.insert(made)
}

/// Whether there is a form for a product of factors of these elements: one that sums, in their type or a wider one.
pub(super) fn can_write_product(dot: &Dot, mut factors: impl Iterator<Item = Element>) -> bool {
    let extends = |from: Element| {
        from == dot.element || (from.is_float() == dot.element.is_float() && from.bits() < dot.element.bits())
    };
    !dot.contract.is_empty() && factors.all(extends)
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
    // Factors are extended to the type of the sum, never cut.
    let widen = if dot.element.is_float() {
        "arith.extf"
    } else {
        "arith.extsi"
    };
    if !can_write_product(dot, types.iter().map(|ty| ty.element)) {
        return Err(writer.unknown(op));
    }
    let ranks = [types[0].rank(), types[1].rank()];
    let name = match (&dot.batch[..], &dot.contract[..], ranks) {
        ([], [(1, 0)], [2, 2]) => "linalg.matmul",
        ([(0, 0)], [(2, 1)], [3, 3]) => "linalg.batch_matmul",
        _ => "linalg.contract",
    };
    let zero = constant(writer, ty, 0.0)?;
    let context = writer.context();
    let count = ty.rank() + dot.contract.len();
    let maps = loops(dot, ranks).map(|dims| Attr::projection(context, count, &dims));
    let element = writer.element_ty(dot.element);
    let arguments = [
        writer.element_ty(types[0].element),
        writer.element_ty(types[1].element),
        element,
    ];
    let [multiply, add] = if dot.element.is_float() {
        ["arith.mulf", "arith.addf"]
    } else {
        ["arith.muli", "arith.addi"]
    };
    let made = writer
        .op(name)
        .operands([left, right, zero])
        .results([writer.ty(ty)])
        .attr("indexing_maps", Attr::array(context, &maps))
        .attr("operandSegmentSizes", Attr::i32_array(context, &[2, 1]))
        .region(&arguments, |block| {
            let append = |op: OpBuilder| Ok(op.results([element]).append_to(block)?.result(0));
            let factor = |factor: Value| {
                if factor.ty() == element {
                    return Ok(factor);
                }
                append(writer.op(widen).operands([factor]))
            };
            let arguments: Vec<Value> = block.arguments().collect();
            let factors = [factor(arguments[0])?, factor(arguments[1])?];
            let product = append(writer.op(multiply).operands(factors))?;
            let sum = append(writer.op(add).operands([arguments[2], product]))?;
            yields(writer, block, sum)
        })?;
    writer.insert(made)
}

fn reshape(writer: &mut Writer, operand: Value, shape: &[usize], element: Element) -> PassResult<Value> {
    let from = writer.type_of(operand)?.shape;
    if from == shape {
        return Ok(operand);
    }
    let ty = Type::new(element, shape);
    if from.len() > shape.len()
        && let Some(groups) = collapse(&from, shape)
    {
        return regroup(writer, "tensor.collapse_shape", operand, &ty, &groups);
    }
    if from.len() < shape.len()
        && let Some(groups) = collapse(shape, &from)
    {
        return regroup(writer, "tensor.expand_shape", operand, &ty, &groups);
    }
    let count = from.iter().product();
    let flat = reshape(writer, operand, &[count], element)?;
    reshape(writer, flat, shape, element)
}

/// `tensor.collapse_shape` or `tensor.expand_shape`.
fn regroup(
    writer: &mut Writer,
    name: &str,
    operand: Value,
    ty: &Type,
    groups: &[Vec<usize>],
) -> PassResult<Value> {
    let context = writer.context();
    let group = |dims: &Vec<usize>| {
        let dims: Vec<Attr> = dims.iter().map(|&dim| Attr::i64(context, dim as i64)).collect();
        Attr::array(context, &dims)
    };
    let groups: Vec<Attr> = groups.iter().map(group).collect();
    let mut made = writer
        .op(name)
        .operands([operand])
        .results([writer.ty(ty)])
        .attr("reassociation", Attr::array(context, &groups));
    if name == "tensor.expand_shape" {
        made = made.attr(
            "static_output_shape",
            Attr::i64_array(context, &signed(&ty.shape)),
        );
    }
    writer.insert(made)
}
