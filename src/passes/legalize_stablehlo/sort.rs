// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `sort`, of any number of operands by one comparator: a stable merge sort of each line along the dimension.
//!
//! Merge sort from the bottom up, in n log2 n comparisons: in each round, sorted runs of twice the length are merged from
//! the line into a buffer, and copied back. A later element goes first only where the comparator says so, which makes the
//! sort stable whether or not the op asks for it.

use super::{
    Translator,
    attributes::{check_dimensions, integer},
    emit::{At, Integers, Offset, Slice},
    regions::ScalarRegion,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

struct Sort<'a> {
    translator: &'a Translator,
    region: ScalarRegion,
    /// What the comparator gets: two elements of each operand, side by side.
    numbers: Vec<Number>,
    shape: Vec<i64>,
    dim: usize,
}

/// Translates `stablehlo.sort`.
pub(super) fn sort(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let count = op.num_operands();
    let shape = types::shape(op.operand(0));
    if op.num_results() != count || op.operands().any(|operand| types::shape(operand) != shape) {
        return Err(diagnostics::op_error(
            op,
            "expects operands of one shape and as many results",
        ));
    }
    let rank = shape.len();
    let dim = match op.attr("dimension") {
        None => -1,
        Some(_) => integer(op, "dimension")?,
    };
    // Counted from the last dimension where negative.
    let dim = if dim < 0 {
        dim.saturating_add(rank as i64)
    } else {
        dim
    };
    let dim = check_dimensions(op, "dimension", &[dim], rank)?[0];
    let region = ScalarRegion::of(translator, op, 2 * count, 1)?;
    if region.result(0) != Number::Bool {
        return Err(diagnostics::op_error(op, "expects a comparator that returns i1"));
    }
    let numbers = op.operands().flat_map(|operand| [types::number(operand); 2]);
    let lines = translator.operands(op)?;
    if shape[dim] < 2 {
        return Ok(lines);
    }
    let sort = Sort {
        translator,
        region,
        numbers: numbers.collect(),
        dim,
        shape,
    };
    // Buffers of one line, made once.
    let mut carried = lines.clone();
    for line in &lines {
        carried.push(at.empty(types::tensor(line.ty().element(), &[sort.shape[dim]]))?);
    }
    let mut results = sort.nest(at, &mut Vec::new(), &carried)?;
    results.truncate(count);
    Ok(results)
}

impl Sort<'_> {
    /// The loops over the other dimensions that are not yet among `loops`. Carried are the tensors, then the buffers.
    fn nest(&self, at: At, loops: &mut Vec<Value>, carried: &[Value]) -> PassResult<Vec<Value>> {
        if loops.len() == self.shape.len() {
            return self.line(at, loops, carried);
        }
        let dim = loops.len();
        if dim == self.dim {
            // The slice begins at 0 there.
            loops.push(at.index(0)?);
            let results = self.nest(at, loops, carried);
            loops.pop();
            return results;
        }
        at.repeat(self.shape[dim], carried, |at, index, carried| {
            loops.push(index);
            let results = self.nest(at, loops, carried);
            loops.pop();
            results
        })
    }

    fn line(&self, at: At, loops: &[Value], carried: &[Value]) -> PassResult<Vec<Value>> {
        let (tensors, buffers) = carried.split_at(carried.len() / 2);
        let size = self.shape[self.dim];
        let offsets = loops.iter().enumerate().map(|(dim, &index)| match dim {
            dim if dim == self.dim => Offset::Constant(0),
            _ => Offset::Value(index),
        });
        let mut sizes = vec![1; self.shape.len()];
        sizes[self.dim] = size;
        let slice = Slice {
            offsets: offsets.collect(),
            strides: vec![1; sizes.len()],
            sizes,
        };
        let mut state: Vec<Value> = tensors
            .iter()
            .map(|&tensor| {
                let ty = types::tensor(tensor.ty().element(), &[size]);
                at.slice_op("tensor.extract_slice", &[tensor], &slice, ty)
            })
            .collect::<PassResult<_>>()?;
        state.extend(buffers);
        // Rounds merge runs of 1, 2, 4, ... elements.
        let rounds = i64::from((size - 1).ilog2()) + 1;
        let state = at.repeat(rounds, &state, |at, round, state| {
            let one = at.index(1)?;
            let length = at.same("arith.shli", &[one, round])?;
            self.round(at, length, state)
        })?;
        let (lines, buffers) = state.split_at(tensors.len());
        let mut results: Vec<Value> = tensors
            .iter()
            .zip(lines)
            .map(|(&tensor, &line)| at.slice_op("tensor.insert_slice", &[line, tensor], &slice, tensor.ty()))
            .collect::<PassResult<_>>()?;
        results.extend(buffers);
        Ok(results)
    }

    /// Merges pairs of runs of a length from the lines into the buffers, and copies them back.
    fn round(&self, at: At, length: Value, state: &[Value]) -> PassResult<Vec<Value>> {
        let (lines, buffers) = state.split_at(state.len() / 2);
        let size = at.index(self.shape[self.dim])?;
        let zero = at.index(0)?;
        let both = at.same("arith.addi", &[length, length])?;
        let buffers = at.count([zero, size, both], buffers, |at, begin, buffers| {
            let middle = at.same("arith.addi", &[begin, length])?;
            let middle = at.same("arith.minsi", &[middle, size])?;
            let end = at.same("arith.addi", &[begin, both])?;
            let end = at.same("arith.minsi", &[end, size])?;
            self.merge(at, [begin, middle, end], lines, buffers)
        })?;
        let mut results = Vec::with_capacity(state.len());
        for (&line, &buffer) in lines.iter().zip(&buffers) {
            results.push(at.copy_into(buffer, line)?);
        }
        results.extend(buffers);
        Ok(results)
    }

    /// Merges the runs [begin, middle) and [middle, end) of the lines into the buffers.
    fn merge(
        &self,
        at: At,
        [begin, middle, end]: [Value; 3],
        lines: &[Value],
        buffers: &[Value],
    ) -> PassResult<Vec<Value>> {
        let one = at.index(1)?;
        let last = at.index(self.shape[self.dim] - 1)?;
        let carried: Vec<Value> = [begin, middle]
            .into_iter()
            .chain(buffers.iter().copied())
            .collect();
        let results = at.count([begin, end, one], &carried, |at, place, carried| {
            let (left, right) = (carried[0], carried[1]);
            // A run that is used up is read at a place that exists; what is read there is not picked.
            let [left_place, right_place] = [left, right].map(|place| at.same("arith.minsi", &[place, last]));
            let (left_place, right_place) = (left_place?, right_place?);
            let mut pairs = Vec::with_capacity(2 * lines.len());
            for &line in lines {
                pairs.push(at.extract(line, &[right_place])?);
                pairs.push(at.extract(line, &[left_place])?);
            }
            let before = self.region.apply(self.translator, at, &pairs, &self.numbers)?[0];
            let left_empty = at.compare(Integers::Sge, left, middle)?;
            let right_left = at.compare(Integers::Slt, right, end)?;
            let first = at.same("arith.ori", &[before, left_empty])?;
            let takes_right = at.same("arith.andi", &[first, right_left])?;
            let next_left = at.same("arith.addi", &[left, one])?;
            let next_right = at.same("arith.addi", &[right, one])?;
            let mut next = vec![
                at.select(takes_right, left, next_left)?,
                at.select(takes_right, next_right, right)?,
            ];
            for (pair, &buffer) in pairs.chunks_exact(2).zip(&carried[2..]) {
                let element = at.select(takes_right, pair[0], pair[1])?;
                next.push(at.insert(element, buffer, &[place])?);
            }
            Ok(next)
        })?;
        Ok(results[2..].to_vec())
    }
}
