// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `dot_general` and `dot`: products of matrices, as `linalg.matmul` or `linalg.batch_matmul`.
//!
//! The operands are transposed to [batch, rows, contracted] and [batch, contracted, columns], and the dimensions of each
//! part are collapsed into one. So all products have the form that fast kernels take. They accumulate in the result's
//! element type, but in f32 where that has 16 bits, and operands are converted to it first. On `i1` the sum is or, the
//! product and; that, which no named op says, is a `linalg.generic`.

use super::{
    Translator,
    attributes::{Fields, check_dimensions},
    convert,
    emit::{At, Iterator, splat},
    maps::Map,
    reshape::reshaped,
    shape::transposed,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Attr, Op, PassResult, Value},
};

/// Dimensions of one operand, by what the product does with them.
struct Side {
    batching: Vec<usize>,
    contracting: Vec<usize>,
    free: Vec<usize>,
    shape: Vec<i64>,
}

impl Side {
    fn new(op: Op, index: usize, batching: &[i64], contracting: &[i64]) -> PassResult<Self> {
        let shape = types::shape(op.operand(index));
        let both: Vec<i64> = batching.iter().chain(contracting).copied().collect();
        let mut batching = check_dimensions(op, "dot_dimension_numbers", &both, shape.len())?;
        let contracting = batching.split_off(batching.len() - contracting.len());
        let free = (0..shape.len())
            .filter(|dim| !batching.contains(dim) && !contracting.contains(dim))
            .collect();
        Ok(Self {
            batching,
            contracting,
            free,
            shape,
        })
    }

    fn sizes(&self, dims: &[usize]) -> Vec<i64> {
        dims.iter().map(|&dim| self.shape[dim]).collect()
    }

    fn count(&self, dims: &[usize]) -> i64 {
        dims.iter().map(|&dim| self.shape[dim]).product()
    }
}

/// Translates `stablehlo.dot_general`.
pub(super) fn dot_general(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let fields = Fields::of(op, "dot_dimension_numbers")?;
    let left = Side::new(
        op,
        0,
        &fields.list(op, "lhs_batching_dimensions")?,
        &fields.list(op, "lhs_contracting_dimensions")?,
    )?;
    let right = Side::new(
        op,
        1,
        &fields.list(op, "rhs_batching_dimensions")?,
        &fields.list(op, "rhs_contracting_dimensions")?,
    )?;
    product(translator, op, at, &left, &right)
}

/// Translates `stablehlo.dot`, of matrices and vectors: the last dimension of the left one with the first of the right one.
pub(super) fn dot(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let ranks = [0, 1].map(|index| types::shape(op.operand(index)).len() as i64);
    if ranks.iter().any(|rank| !(1..=2).contains(rank)) {
        return Err(diagnostics::op_error(op, "expects vectors and matrices"));
    }
    let left = Side::new(op, 0, &[], &[ranks[0] - 1])?;
    let right = Side::new(op, 1, &[], &[0])?;
    product(translator, op, at, &left, &right)
}

fn product(translator: &Translator, op: Op, at: At, left: &Side, right: &Side) -> PassResult<Vec<Value>> {
    if op.num_results() != 1
        || left.sizes(&left.batching) != right.sizes(&right.batching)
        || left.sizes(&left.contracting) != right.sizes(&right.contracting)
    {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "cannot contract shapes {:?} and {:?}: paired dimensions differ in size",
                left.shape, right.shape
            ),
        ));
    }
    let numbers = [op.operand(0), op.operand(1), op.result(0)].map(types::number);
    if numbers.contains(&Number::Bool) && numbers.iter().any(|number| *number != Number::Bool)
        || numbers[0].is_float() != numbers[2].is_float()
        || numbers[1].is_float() != numbers[2].is_float()
    {
        return Err(diagnostics::op_error(
            op,
            "multiplies truth values, integers or floats into another kind",
        ));
    }
    let accumulated = numbers[2].computed();
    let element = accumulated.ty(at.context());
    let result_shape: Vec<i64> = [
        left.sizes(&left.batching),
        left.sizes(&left.free),
        right.sizes(&right.free),
    ]
    .concat();
    let batch = left.count(&left.batching);
    let (rows, depth, columns) = (
        left.count(&left.free),
        left.count(&left.contracting),
        right.count(&right.free),
    );
    // A product without a batch of its own is one of matrices.
    let with_batch = |sizes: [i64; 2]| match batch {
        1 => sizes.to_vec(),
        _ => vec![batch, sizes[0], sizes[1]],
    };
    let ty = types::tensor(element, &with_batch([rows, columns]));
    let zero = if accumulated.is_float() {
        at.float(element, 0.0)?
    } else {
        at.integer(element, 0)?
    };
    let init = at.fill(zero, ty)?;
    let sum = if depth == 0 {
        init
    } else {
        let prepare = |index: usize, order: Vec<usize>, sizes: [i64; 2]| {
            let operand = translator.operand(op, index)?;
            let operand = transposed(at, operand, &order)?;
            let operand = reshaped(at, operand, &with_batch(sizes))?;
            converted(at, operand, numbers[index], accumulated)
        };
        let order = [&left.batching[..], &left.free, &left.contracting].concat();
        let a = prepare(0, order, [rows, depth])?;
        let order = [&right.batching[..], &right.contracting, &right.free].concat();
        let b = prepare(1, order, [depth, columns])?;
        multiply(at, a, b, init, accumulated)?
    };
    let result = converted(at, sum, accumulated, numbers[2])?;
    Ok(vec![reshaped(at, result, &result_shape)?])
}

/// A tensor in another element type.
fn converted(at: At, tensor: Value, from: Number, to: Number) -> PassResult<Value> {
    let element = to.ty(at.context());
    if tensor.ty().element() == element {
        return Ok(tensor);
    }
    let shape = types::shape(tensor);
    let ty = types::tensor(element, &shape);
    if let Some(scalar) = splat(tensor) {
        let scalar = convert::convert(at, from, to, scalar)?;
        return at.fill(scalar, ty);
    }
    let map = Map::identity(shape.len());
    let init = at.empty(ty)?;
    let results = at.generic(
        &[(tensor, map.clone())],
        &[(init, map)],
        &vec![Iterator::Parallel; shape.len()],
        |at, elements| Ok(vec![convert::convert(at, from, to, elements[0])?]),
    )?;
    Ok(results[0])
}

/// The product of matrices, or of batches of them, added to `init`.
fn multiply(at: At, a: Value, b: Value, init: Value, number: Number) -> PassResult<Value> {
    let batches = types::shape(init).len() - 2;
    let (row, column, depth) = (batches, batches + 1, batches + 2);
    let map = |dims: [usize; 2]| Map::of_dims(batches + 3, (0..batches).chain(dims));
    let maps = [map([row, depth]), map([depth, column]), map([row, column])];
    let (times, plus) = match number {
        Number::Float(_) => ("arith.mulf", "arith.addf"),
        Number::Bool => ("arith.andi", "arith.ori"),
        _ => ("arith.muli", "arith.addi"),
    };
    let step = |at: At, elements: &[Value]| {
        let product = at.same(times, &elements[..2])?;
        at.same(plus, &[elements[2], product])
    };
    let [a_map, b_map, init_map] = maps;
    if number == Number::Bool {
        let mut iterators = vec![Iterator::Parallel; batches + 2];
        iterators.push(Iterator::Reduction);
        let results = at.generic(
            &[(a, a_map), (b, b_map)],
            &[(init, init_map)],
            &iterators,
            |at, elements| Ok(vec![step(at, elements)?]),
        )?;
        return Ok(results[0]);
    }
    let context = at.context();
    let maps = [a_map, b_map, init_map].map(|map| map.attr(context));
    let element = init.ty().element();
    let name = if batches == 0 {
        "linalg.matmul"
    } else {
        "linalg.batch_matmul"
    };
    let op = at
        .builder(name)
        .operands([a, b, init])
        .results([init.ty()])
        .attr("indexing_maps", Attr::array(context, &maps))
        .attr("operandSegmentSizes", Attr::i32_array(context, &[2, 1]))
        .region(&[element; 3], |block| {
            let at = at.inside(block);
            let elements: Vec<Value> = block.arguments().collect();
            at.end("linalg.yield", &[step(at, &elements)?])
        })?
        .append_to(at.block)?;
    Ok(op.result(0))
}
