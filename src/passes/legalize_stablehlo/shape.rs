// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Constants, and ops that put elements elsewhere without looking at them.
//!
//! A tensor of one value throughout stays one, in another shape.

use super::{
    Translator,
    attributes::{self, required},
    convert,
    emit::{At, Iterator, Slice, splat},
    maps::{Map, Place},
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Attr, Op, PassResult, Ty, Value},
};

/// Splats are made by `linalg.fill`, so that loops have a scalar and large ones take no room in the program.
pub(super) fn constant(_: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let ty = types::converted(op.result(0).ty());
    let attr = value_of(op)?;
    if attr.is_splat() {
        let scalar = scalar_constant(op, at)?;
        return Ok(vec![at.fill(scalar, ty)?]);
    }
    let attr = if attr.number_type() == ty {
        Some(attr)
    } else {
        attr.with_elements_of(ty)
    };
    let attr = attr.ok_or_else(|| {
        diagnostics::op_error(
            op,
            "has unsigned elements that are not in the program; expected dense<...>",
        )
    })?;
    Ok(vec![at.constant(attr, ty)?])
}

/// The value that all elements of a constant have.
pub(super) fn scalar_constant(op: Op, at: At) -> PassResult<Value> {
    let number = types::number(op.result(0));
    let ty = number.ty(at.context());
    let element = value_of(op)?.splat_element();
    let element = match number {
        Number::Unsigned(_) => element
            .and_then(Attr::as_integer_bits)
            .map(|bits| at.integer(ty, bits)),
        _ => element.map(|element| at.constant(element, ty)),
    };
    element.unwrap_or_else(|| Err(diagnostics::op_error(op, "expects one element in 'value'")))
}

/// The elements of a constant, as an attribute of its result's type.
fn value_of(op: Op) -> PassResult<Attr> {
    let attr = required(op, "value")?;
    if attr.element_count().is_some() && attr.number_type() == op.result(0).ty() {
        return Ok(attr);
    }
    Err(diagnostics::op_error(
        op,
        "expects elements of its result's type in 'value'",
    ))
}

/// Numbers that count up along a dimension.
pub(super) fn iota(_: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let result = op.result(0);
    let rank = types::shape(result).len();
    let dim = attributes::dimension(op, "iota_dimension", rank)?;
    let number = types::number(result);
    if number == Number::Bool {
        return Err(diagnostics::op_error(
            op,
            "is not defined for elements of type i1",
        ));
    }
    let init = at.empty(types::converted(result.ty()))?;
    at.generic(
        &[],
        &[(init, Map::identity(rank))],
        &vec![Iterator::Parallel; rank],
        |at, _| {
            let index = at.loop_index(dim)?;
            let wide = at.make("arith.index_cast", &[index], Ty::integer(at.context(), 64))?;
            Ok(vec![convert::convert(at, Number::Signed(64), number, wide)?])
        },
    )
}

/// Dimension i of the operand becomes one of the result, and one of size 1 is repeated.
pub(super) fn broadcast_in_dim(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let (from, to) = (types::shape(op.operand(0)), types::shape(op.result(0)));
    let dims = attributes::dimensions(op, "broadcast_dimensions", to.len())?;
    let fits = dims.len() == from.len()
        && dims
            .iter()
            .zip(&from)
            .all(|(&dim, &size)| size == 1 || size == to[dim]);
    if !fits {
        return Err(diagnostics::op_error(
            op,
            &format!("cannot broadcast shape {from:?} to {to:?} along dimensions {dims:?}"),
        ));
    }
    let places = dims.iter().zip(&from).map(|(&dim, &size)| match size {
        1 if to[dim] != 1 => Place::constant(0),
        _ => Place::dim(dim),
    });
    rearranged(translator, op, at, places.collect())
}

/// Elements read at places that are given by dimension of the operand, over the dimensions of the result.
fn rearranged(translator: &Translator, op: Op, at: At, places: Vec<Place>) -> PassResult<Vec<Value>> {
    let operand = translator.operand(op, 0)?;
    let result = op.result(0);
    let (shape, ty) = (
        types::shape(result),
        types::tensor(operand.ty().element(), &types::shape(result)),
    );
    if operand.ty() == ty && places.iter().cloned().eq((0..shape.len()).map(Place::dim)) {
        return Ok(vec![operand]);
    }
    if let Some(scalar) = splat(operand) {
        return Ok(vec![at.fill(scalar, ty)?]);
    }
    if shape_is_scalar(operand) {
        let scalar = at.scalar(operand)?;
        return Ok(vec![at.fill(scalar, ty)?]);
    }
    let rank = shape.len();
    let init = at.empty(ty)?;
    at.generic(
        &[(operand, Map::new(rank, places))],
        &[(init, Map::identity(rank))],
        &vec![Iterator::Parallel; rank],
        |_, elements| Ok(vec![elements[0]]),
    )
}

fn shape_is_scalar(value: Value) -> bool {
    value.ty().rank() == Some(0)
}

/// Dimension i of the result is dimension `permutation[i]` of the operand.
pub(super) fn transpose(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let from = types::shape(op.operand(0));
    let permutation = attributes::dimensions(op, "permutation", from.len())?;
    if permutation.len() != from.len() {
        return Err(diagnostics::op_error(
            op,
            &format!("expects {} dimension(s) in 'permutation'", from.len()),
        ));
    }
    Ok(vec![transposed(at, translator.operand(op, 0)?, &permutation)?])
}

/// `linalg.transpose`, where there is anything to do.
pub(super) fn transposed(at: At, operand: Value, permutation: &[usize]) -> PassResult<Value> {
    if permutation.iter().copied().eq(0..permutation.len()) {
        return Ok(operand);
    }
    let from = types::shape(operand);
    let sizes: Vec<i64> = permutation.iter().map(|&dim| from[dim]).collect();
    let element = operand.ty().element();
    let ty = types::tensor(element, &sizes);
    if let Some(scalar) = splat(operand) {
        return at.fill(scalar, ty);
    }
    let init = at.empty(ty)?;
    let permutation: Vec<i64> = permutation.iter().map(|&dim| dim as i64).collect();
    let op = at
        .builder("linalg.transpose")
        .operands([operand, init])
        .results([ty])
        .attr("permutation", Attr::i64_array(at.context(), &permutation))
        .region(&[element, element], |block| {
            let arguments: Vec<Value> = block.arguments().collect();
            at.inside(block).end("linalg.yield", &arguments[..1])
        })?
        .append_to(at.block)?;
    Ok(op.result(0))
}

/// Elements in reverse order along some dimensions.
pub(super) fn reverse(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let shape = types::shape(op.operand(0));
    let dims = attributes::dimensions(op, "dimensions", shape.len())?;
    let places = shape.iter().enumerate().map(|(dim, &size)| {
        if size > 1 && dims.contains(&dim) {
            Place::constant(size - 1).plus(dim, -1)
        } else {
            Place::dim(dim)
        }
    });
    rearranged(translator, op, at, places.collect())
}

/// Every `strides[i]`-th element from `start_indices[i]` up to, but not, `limit_indices[i]`.
pub(super) fn slice(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let shape = types::shape(op.operand(0));
    let [starts, limits, strides] = ["start_indices", "limit_indices", "strides"]
        .map(|name| attributes::integers_of_length(op, name, shape.len()));
    let (starts, limits, strides) = (starts?, limits?, strides?);
    let mut sizes = Vec::with_capacity(shape.len());
    for (dim, &size) in shape.iter().enumerate() {
        let (start, limit, stride) = (starts[dim], limits[dim], strides[dim]);
        if !(0 <= start && start <= limit && limit <= size && stride >= 1) {
            return Err(diagnostics::op_error(
                op,
                &format!("takes [{start}:{limit}:{stride}] of dimension {dim}, which has {size} element(s)"),
            ));
        }
        sizes.push(if limit == start {
            0
        } else {
            (limit - start - 1) / stride + 1
        });
    }
    let operand = translator.operand(op, 0)?;
    if let Some(scalar) = splat(operand) {
        return Ok(vec![
            at.fill(scalar, types::tensor(operand.ty().element(), &sizes))?,
        ]);
    }
    Ok(vec![at.extract_slice(
        operand,
        &Slice::constant(&starts, &sizes, &strides),
    )?])
}

/// Operands one behind the other along a dimension.
pub(super) fn concatenate(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let shape = types::shape(op.result(0));
    let dim = attributes::dimension(op, "dimension", shape.len())?;
    let mut offset = 0;
    let mut result = at.empty(types::converted(op.result(0).ty()))?;
    for (index, operand) in translator.operands(op)?.into_iter().enumerate() {
        let sizes = types::shape(operand);
        let fits = sizes.len() == shape.len()
            && types::number(op.operand(index)) == types::number(op.result(0))
            && (0..shape.len()).all(|other| other == dim || sizes[other] == shape[other]);
        if !fits || offset + sizes[dim] > shape[dim] {
            return Err(diagnostics::op_error(
                op,
                &format!("has operand {index} of shape {sizes:?}, which does not fit into {shape:?}"),
            ));
        }
        // MLIR takes the place of an empty piece at the end for out of bounds.
        if sizes[dim] == 0 {
            continue;
        }
        let mut offsets = vec![0; shape.len()];
        offsets[dim] = offset;
        offset += sizes[dim];
        let slice = Slice::constant(&offsets, &sizes, &vec![1; shape.len()]);
        result = at.insert_slice(operand, result, &slice)?;
    }
    if offset != shape[dim] {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "fills {offset} of the {} element(s) of dimension {dim}",
                shape[dim]
            ),
        ));
    }
    Ok(vec![result])
}
