// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The computation on one chunk, as structured ops on views of buffers.
//!
//! A contraction becomes `linalg.matmul` or `linalg.batch_matmul` where its maps are theirs, else `linalg.contract`; it adds
//! to its target, which [`fill`] has set to zero. Elementwise regions become `linalg.generic`, in place where the type
//! stays. No op of these allocates.

use std::collections::HashMap;

use super::{
    emit::{Emit, Number, sizes},
    form::{Contraction, Pointwise},
};
use crate::mlir::{Attr, Block, Failed, OpBuilder, PassResult, Ty, Value};

/// Where a chunk, or a part of one, lies along the dimension that is cut.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Position in the group of whoever has the chunk.
    pub(super) position: Number,
    /// Size of a chunk.
    pub(super) extent: i64,
    /// Where in the chunk it begins, and its size.
    pub(super) begin: i64,
    pub(super) len: i64,
}

impl Place {
    /// Where it begins in the whole, in blocks of `by`.
    pub(super) fn offset(self, emit: &Emit, by: i64) -> PassResult<Number> {
        let chunk = emit.multiply(self.position, self.extent / by)?;
        emit.add(chunk, Number::Known(self.begin / by))
    }

    /// What of a whole buffer is there.
    pub(super) fn of(self, emit: &Emit, whole: Value, dim: usize) -> PassResult<Value> {
        emit.slice(whole, dim, self.offset(emit, 1)?, self.len)
    }
}

/// Sets a buffer to zero.
pub(super) fn fill(emit: &Emit, buffer: Value) -> PassResult {
    let zero = zero(emit, buffer.ty().element())?;
    let element = buffer.ty().element();
    let builder = emit
        .builder("linalg.fill")
        .operands([zero, buffer])
        .attr(
            "operandSegmentSizes",
            Attr::i32_array(emit.anchor.context(), &[1, 1]),
        )
        .region(&[element, element], |block| {
            linalg_yield(emit, block, 0).map(drop)
        })?;
    emit.insert(builder).map(drop)
}

fn zero(emit: &Emit, element: Ty) -> PassResult<Value> {
    let zero = Attr::float(element, 0.0).or_else(|| Attr::integer(element, 0));
    let builder = emit.builder("arith.constant").attr("value", zero.ok_or(Failed)?);
    emit.value(builder.results([element]))
}

/// Ends a block with a `linalg.yield`, of one of its arguments until it is told another.
fn linalg_yield(emit: &Emit, block: Block, argument: usize) -> PassResult<crate::mlir::Op> {
    let value = block.arguments().nth(argument).ok_or(Failed)?;
    emit.builder("linalg.yield").operands([value]).append_to(block)
}

/// Adds the product of `left` and `right` to `target`.
pub(super) fn contract(
    emit: &Emit,
    contraction: &Contraction,
    left: Value,
    right: Value,
    target: Value,
) -> PassResult {
    let context = emit.anchor.context();
    let [first, second, product] = &contraction.maps;
    let is = |a: &[usize], b: &[usize], c: &[usize]| first == a && second == b && product == c;
    let name = match contraction.loops {
        3 if is(&[0, 2], &[2, 1], &[0, 1]) => "linalg.matmul",
        4 if is(&[0, 1, 3], &[0, 3, 2], &[0, 1, 2]) => "linalg.batch_matmul",
        _ => "linalg.contract",
    };
    let maps: Vec<Attr> = contraction
        .maps
        .iter()
        .map(|dims| Attr::projection(context, contraction.loops, dims))
        .collect();
    let types = [left, right, target].map(|value| value.ty().element());
    let builder = emit
        .builder(name)
        .operands([left, right, target])
        .attr("indexing_maps", Attr::array(context, &maps))
        .attr("operandSegmentSizes", Attr::i32_array(context, &[2, 1]))
        .region(&types, |block| {
            let end = linalg_yield(emit, block, 2)?;
            let inner = emit.before(end);
            let arguments: Vec<Value> = block.arguments().collect();
            let left = convert(&inner, arguments[0], types[2])?;
            let right = convert(&inner, arguments[1], types[2])?;
            let product = arithmetic(&inner, ["arith.mulf", "arith.muli"], left, right)?;
            let sum = arithmetic(&inner, ["arith.addf", "arith.addi"], arguments[2], product)?;
            end.set_operand(0, sum);
            Ok(())
        })?;
    emit.insert(builder).map(drop)
}

/// A scalar as another type of its kind.
fn convert(emit: &Emit, value: Value, to: Ty) -> PassResult<Value> {
    let from = value.ty();
    if from == to {
        return Ok(value);
    }
    let is_widened = from.element_bits() < to.element_bits();
    let name = match (to.is_integer(), is_widened) {
        (false, true) => "arith.extf",
        (false, false) => "arith.truncf",
        (true, true) => "arith.extsi",
        (true, false) => "arith.trunci",
    };
    emit.value(emit.builder(name).operands([value]).results([to]))
}

/// An op on two scalars of one type: the first name is that for floats.
fn arithmetic(emit: &Emit, names: [&str; 2], left: Value, right: Value) -> PassResult<Value> {
    let ty = left.ty();
    let name = names[usize::from(ty.is_integer())];
    emit.value(emit.builder(name).operands([left, right]).results([ty]))
}

/// A part of what an elementwise region reads besides: that which belongs to `place` along dimension `dim` of what the
/// region goes over.
fn cut(emit: &Emit, operand: Value, map: Attr, dim: usize, place: Place) -> PassResult<Value> {
    let mut part = operand;
    for (position, result) in map.as_divided_dims().ok_or(Failed)?.into_iter().enumerate() {
        if let Some((read, by)) = result
            && read == dim
            && (by == 1 || place.len % by == 0)
        {
            part = emit.slice(part, position, place.offset(emit, by)?, place.len / by)?;
        }
    }
    Ok(part)
}

/// What an elementwise region reads besides, on a chunk.
pub(super) struct Besides<'a> {
    pub(super) pointwise: &'a Pointwise,
    /// Operands in the place of the first ones, which are cut already.
    pub(super) given: &'a [Value],
    /// The dimension that is cut, and where; nothing where the region goes over the whole.
    pub(super) place: Option<(usize, Place)>,
}

impl<'a> Besides<'a> {
    pub(super) fn new(pointwise: &'a Pointwise, place: Option<(usize, Place)>) -> Self {
        Self {
            pointwise,
            given: &[],
            place,
        }
    }

    fn operands(&self, emit: &Emit) -> PassResult<Vec<(Value, Attr)>> {
        let mut operands = Vec::new();
        for (index, (&operand, &map)) in self
            .pointwise
            .operands
            .iter()
            .zip(&self.pointwise.maps)
            .enumerate()
        {
            let part = match (self.given.get(index), self.place) {
                (Some(&given), _) => given,
                (None, Some((dim, place))) => cut(emit, operand, map, dim, place)?,
                (None, None) => operand,
            };
            operands.push((part, map));
        }
        Ok(operands)
    }
}

/// Lets a region that there is make `target` from the elements of `source`, which may be the target.
pub(super) fn apply(emit: &Emit, besides: &Besides<'_>, source: Value, target: Value) -> PassResult {
    let region = besides.pointwise.block.ok_or(Failed)?;
    let mut inputs = besides.operands(emit)?;
    let in_place = source == target;
    if !in_place {
        inputs.insert(0, (source, identity(emit, source)?));
    }
    elementwise(emit, &inputs, target, |inner, arguments| {
        // In place the element that is there comes last.
        let mut arguments = arguments.to_vec();
        let last = arguments.pop().ok_or(Failed)?;
        if in_place {
            arguments.insert(0, last);
        }
        inline(inner, region, &arguments)
    })
}

/// Combines contributions from the left in the type `reduced`; where `finish` is given, divides an average by that many and
/// applies the epilogue.
pub(super) fn combine(
    emit: &Emit,
    kind: &str,
    reduced: Ty,
    contributions: &[Value],
    target: Value,
    finish: Option<(i64, &Besides<'_>)>,
) -> PassResult {
    let in_place = contributions[0] == target;
    let mut inputs = Vec::new();
    for &contribution in &contributions[usize::from(in_place)..] {
        inputs.push((contribution, identity(emit, contribution)?));
    }
    let count = inputs.len();
    if let Some((_, besides)) = finish {
        inputs.extend(besides.operands(emit)?);
    }
    elementwise(emit, &inputs, target, |inner, arguments| {
        let there = arguments.last().copied().filter(|_| in_place);
        let mut elements = there.into_iter().chain(arguments[..count].iter().copied());
        let mut sum = convert(inner, elements.next().ok_or(Failed)?, reduced)?;
        for element in elements {
            let element = convert(inner, element, reduced)?;
            sum = arithmetic(inner, reduction(kind, reduced)?, sum, element)?;
        }
        let Some((devices, besides)) = finish else {
            return Ok(sum);
        };
        if kind == "avg" {
            let number = Attr::float(reduced, devices as f64).ok_or(Failed)?;
            let builder = inner.builder("arith.constant").attr("value", number);
            let devices = inner.value(builder.results([reduced]))?;
            sum = arithmetic(inner, ["arith.divf", "arith.divsi"], sum, devices)?;
        }
        match besides.pointwise.block {
            Some(region) => {
                let besides = &arguments[count..arguments.len() - 1];
                let arguments: Vec<Value> = std::iter::once(sum).chain(besides.iter().copied()).collect();
                inline(inner, region, &arguments)
            }
            None => Ok(sum),
        }
    })
}

/// Ops that combine two elements, for floats and for integers. Booleans are added modulo 2, and ordered false before true.
fn reduction(kind: &str, ty: Ty) -> PassResult<[&'static str; 2]> {
    let is_boolean = ty.integer_width() == Some(1);
    Ok(match kind {
        "sum" | "avg" => ["arith.addf", "arith.addi"],
        "prod" => ["arith.mulf", "arith.muli"],
        "min" if is_boolean => ["arith.minimumf", "arith.andi"],
        "max" if is_boolean => ["arith.maximumf", "arith.ori"],
        "min" => ["arith.minimumf", "arith.minsi"],
        "max" => ["arith.maximumf", "arith.maxsi"],
        "and" => ["arith.andi"; 2],
        "or" => ["arith.ori"; 2],
        "xor" => ["arith.xori"; 2],
        _ => return Err(Failed),
    })
}

fn identity(emit: &Emit, buffer: Value) -> PassResult<Attr> {
    let rank = sizes(buffer)?.len();
    Ok(Attr::projection(
        emit.anchor.context(),
        rank,
        &(0..rank).collect::<Vec<_>>(),
    ))
}

/// Makes each element of `target` from those of `inputs` by their maps, and that which is there (the last argument).
fn elementwise(
    emit: &Emit,
    inputs: &[(Value, Attr)],
    target: Value,
    body: impl FnOnce(&Emit, &[Value]) -> PassResult<Value>,
) -> PassResult {
    let context = emit.anchor.context();
    let operands: Vec<Value> = inputs.iter().map(|&(value, _)| value).chain([target]).collect();
    let mut maps: Vec<Attr> = inputs.iter().map(|&(_, map)| map).collect();
    maps.push(identity(emit, target)?);
    let types: Vec<Ty> = operands.iter().map(|value| value.ty().element()).collect();
    let parallel = Attr::parse(context, "#linalg.iterator_type<parallel>").ok_or(Failed)?;
    let iterators = vec![parallel; sizes(target)?.len()];
    let builder: OpBuilder = emit
        .builder("linalg.generic")
        .attr("indexing_maps", Attr::array(context, &maps))
        .attr("iterator_types", Attr::array(context, &iterators))
        .attr(
            "operandSegmentSizes",
            Attr::i32_array(context, &[inputs.len() as i32, 1]),
        )
        .operands(operands.iter().copied())
        .region(&types, |block| {
            let end = linalg_yield(emit, block, inputs.len())?;
            let arguments: Vec<Value> = block.arguments().collect();
            end.set_operand(0, body(&emit.before(end), &arguments)?);
            Ok(())
        })?;
    emit.insert(builder).map(drop)
}

/// Copies the ops of a region; gives what it yields.
fn inline(emit: &Emit, region: Block, arguments: &[Value]) -> PassResult<Value> {
    let mut values: HashMap<Value, Value> = region.arguments().zip(arguments.iter().copied()).collect();
    let end = region.terminator().ok_or(Failed)?;
    for op in region.ops().filter(|&op| op != end) {
        let copy = op.clone_before(emit.anchor)?;
        for index in 0..copy.num_operands() {
            if let Some(&value) = values.get(&copy.operand(index)) {
                copy.set_operand(index, value);
            }
        }
        values.extend(op.results().zip(copy.results()));
    }
    values.get(&end.operand(0)).copied().ok_or(Failed)
}
