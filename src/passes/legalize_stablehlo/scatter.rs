// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `scatter`: a region combines elements of an operand with updates, at places that a tensor of indices holds.
//!
//! A nest of loops over the updates, in row-major order, so that results are the same in every run. An update out of
//! bounds is dropped, each element for itself: its place is clamped, and the element there is written back as it was.

use super::{
    Translator,
    attributes::{Fields, check_dimensions},
    elementwise::expect_results,
    emit::{At, Integers},
    gather::{Indexing, Names, place},
    regions::ScalarRegion,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

const NUMBERS: &str = "scatter_dimension_numbers";

/// What one update needs.
struct Scatter<'a> {
    translator: &'a Translator,
    indexing: Indexing,
    region: ScalarRegion,
    /// What the region gets: elements of the operands, then of the updates.
    numbers: Vec<Number>,
    index: Number,
    indices: Value,
    updates: Vec<Value>,
    /// Shape of the updates, and which of their dimensions are of a window.
    sizes: Vec<i64>,
    windows: Vec<usize>,
}

/// Translates `stablehlo.scatter`.
pub(super) fn scatter(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let count = op.num_operands() / 2;
    let old: Vec<Value> = op.operands().collect();
    let (operands, updates) = (&old[..count], &old[old.len() - count..]);
    let same = |values: &[Value]| {
        values
            .iter()
            .all(|value| types::shape(*value) == types::shape(values[0]))
    };
    if old.len() != 2 * count + 1 || op.num_results() != count || !same(operands) || !same(updates) {
        return Err(diagnostics::op_error(
            op,
            "expects operands of one shape, indices, as many updates of one shape, and as many results",
        ));
    }
    let indexing = Indexing::of(
        op,
        operands[0],
        old[count],
        &Names {
            attribute: NUMBERS,
            collapsed: "inserted_window_dims",
            batching: "input_batching_dims",
            indices_batching: "scatter_indices_batching_dims",
            places: "scatter_dims_to_operand_dims",
        },
    )?;
    let sizes = types::shape(updates[0]);
    let windows = Fields::of(op, NUMBERS)?.list(op, "update_window_dims")?;
    let windows = check_dimensions(op, NUMBERS, &windows, sizes.len())?;
    let batch: Vec<i64> = (0..sizes.len())
        .filter(|dim| !windows.contains(dim))
        .map(|dim| sizes[dim])
        .collect();
    if windows.len() != indexing.with_offset().len() || batch != indexing.batch_sizes(old[count]) {
        return Err(diagnostics::op_error(
            op,
            &format!("has updates of shape {sizes:?}, which do not fit its indices and dimension numbers"),
        ));
    }
    let region = ScalarRegion::of(translator, op, 2 * count, count)?;
    let results: Vec<Value> = op.results().collect();
    expect_results(op, &results, &region)?;
    let numbers = operands.iter().chain(updates).map(|value| types::number(*value));
    let new = translator.operands(op)?;
    let scatter = Scatter {
        translator,
        indexing,
        region,
        numbers: numbers.collect(),
        index: types::number(old[count]),
        indices: new[count],
        updates: new[count + 1..].to_vec(),
        sizes,
        windows,
    };
    scatter.nest(at, &mut Vec::new(), &new[..count])
}

impl Scatter<'_> {
    /// The loops over the dimensions of the updates that are not yet among `loops`.
    fn nest(&self, at: At, loops: &mut Vec<Value>, results: &[Value]) -> PassResult<Vec<Value>> {
        let Some(&size) = self.sizes.get(loops.len()) else {
            return self.update(at, loops, results);
        };
        at.repeat(size, results, |at, index, results| {
            loops.push(index);
            let results = self.nest(at, loops, results);
            loops.pop();
            results
        })
    }

    /// One element of the updates.
    fn update(&self, at: At, loops: &[Value], results: &[Value]) -> PassResult<Vec<Value>> {
        let mut windows = self.windows.clone();
        windows.sort_unstable();
        let window: Vec<Value> = windows.iter().map(|&dim| loops[dim]).collect();
        let batch: Vec<Value> = (0..loops.len())
            .filter(|dim| !windows.contains(dim))
            .map(|dim| loops[dim])
            .collect();
        let start = self.indexing.start(at, self.indices, &batch, |value, _| {
            at.to_index(value, self.index)
        })?;
        let places = place(at, &start, &self.indexing.with_offset(), &window)?;
        let zero = at.index(0)?;
        let mut inside: Option<Value> = None;
        let mut clamped = Vec::with_capacity(places.len());
        for (place, &size) in places.into_iter().zip(&self.indexing.shape) {
            // Read without sign, a negative place is beyond the end.
            let fits = at.compare(Integers::Ult, place, at.index(size)?)?;
            clamped.push(at.select(fits, place, zero)?);
            inside = Some(match inside {
                None => fits,
                Some(inside) => at.same("arith.andi", &[inside, fits])?,
            });
        }
        let old: Vec<Value> = results
            .iter()
            .map(|&result| at.extract(result, &clamped))
            .collect::<PassResult<_>>()?;
        let mut scalars = old.clone();
        for &update in &self.updates {
            scalars.push(at.extract(update, loops)?);
        }
        let new = self.region.apply(self.translator, at, &scalars, &self.numbers)?;
        results
            .iter()
            .zip(new)
            .zip(old)
            .map(|((&result, new), old)| {
                let element = match inside {
                    Some(inside) => at.select(inside, new, old)?,
                    None => new,
                };
                at.insert(element, result, &clamped)
            })
            .collect()
    }
}
