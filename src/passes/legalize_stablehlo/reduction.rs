// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `reduce` and `reduce_window`, of any number of operands and with any elementwise region.
//!
//! Both are a `linalg.generic` whose outputs start as the initial values. Elements are combined in row-major order, the
//! value so far on the left. Windows read the operand padded with the initial value, as the specification has it, and an
//! operand of the window's shape, which is never looked at, gives the loops over it their bounds.

use super::{
    Translator,
    attributes::{self, integers_of_length, integers_or},
    elementwise::expect_results,
    emit::{At, Iterator},
    maps::{Map, Place},
    padding::{Padding, padded},
    regions::ScalarRegion,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

/// Operands of a reduction: half of them tensors of one shape, half initial values.
struct Operands {
    shape: Vec<i64>,
    tensors: Vec<Value>,
    initial: Vec<Value>,
    region: ScalarRegion,
    /// What the region gets: the values so far, then the elements.
    numbers: Vec<Number>,
}

/// What a nest of loops reads and writes.
struct Loops {
    /// The tensors, and where in each of them a turn of the loops reads.
    tensors: Vec<Value>,
    places: Map,
    /// What is not looked at, but gives loops their bounds.
    window: Option<(Value, Map)>,
    /// Shape of the results, and where a turn writes.
    sizes: Vec<i64>,
    kept: Map,
    iterators: Vec<Iterator>,
}

impl Operands {
    fn of(translator: &Translator, op: Op, at: At) -> PassResult<Self> {
        let count = op.num_operands() / 2;
        let old: Vec<Value> = op.operands().collect();
        let (tensors, initial) = old.split_at(count);
        let shape = types::shape(old[0]);
        if old.len() != 2 * count
            || op.num_results() != count
            || tensors.iter().any(|tensor| types::shape(*tensor) != shape)
            || initial.iter().any(|value| !types::shape(*value).is_empty())
        {
            return Err(diagnostics::op_error(
                op,
                "expects tensors of one shape, as many initial values of rank 0, and as many results",
            ));
        }
        let region = ScalarRegion::of(translator, op, 2 * count, count)?;
        let results: Vec<Value> = op.results().collect();
        expect_results(op, &results, &region)?;
        // What is carried from element to element has the result's type, and so has the region's argument for it.
        let carried = results.iter().map(|result| types::number(*result));
        let numbers: Vec<Number> = carried
            .chain(tensors.iter().map(|tensor| types::number(*tensor)))
            .collect();
        if (0..count).any(|index| {
            region.argument(index) != numbers[index] || types::number(initial[index]) != numbers[index]
        }) {
            return Err(diagnostics::op_error(
                op,
                "expects initial values, and arguments of its region, of its results' element types",
            ));
        }
        let new = translator.operands(op)?;
        let initial = new[count..]
            .iter()
            .map(|&value| at.scalar(value))
            .collect::<PassResult<_>>()?;
        Ok(Self {
            shape,
            tensors: new[..count].to_vec(),
            initial,
            region,
            numbers,
        })
    }

    /// The reduction in one nest of loops.
    fn reduced(&self, translator: &Translator, at: At, loops: &Loops) -> PassResult<Vec<Value>> {
        let mut inputs: Vec<(Value, Map)> = loops
            .tensors
            .iter()
            .map(|&tensor| (tensor, loops.places.clone()))
            .collect();
        let count = inputs.len();
        inputs.extend(loops.window.clone());
        let outputs: Vec<(Value, Map)> = self
            .initial
            .iter()
            .map(|&scalar| {
                let ty = types::tensor(scalar.ty(), &loops.sizes);
                Ok((at.fill(scalar, ty)?, loops.kept.clone()))
            })
            .collect::<PassResult<_>>()?;
        let begin = inputs.len();
        at.generic(&inputs, &outputs, &loops.iterators, |at, elements| {
            let scalars = [&elements[begin..], &elements[..count]].concat();
            self.region.apply(translator, at, &scalars, &self.numbers)
        })
    }
}

/// Translates `stablehlo.reduce`.
pub(super) fn reduce(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let operands = Operands::of(translator, op, at)?;
    let rank = operands.shape.len();
    let reduced = attributes::dimensions(op, "dimensions", rank)?;
    let kept: Vec<usize> = (0..rank).filter(|dim| !reduced.contains(dim)).collect();
    let sizes: Vec<i64> = kept.iter().map(|&dim| operands.shape[dim]).collect();
    let iterators: Vec<Iterator> = (0..rank)
        .map(|dim| match reduced.contains(&dim) {
            true => Iterator::Reduction,
            false => Iterator::Parallel,
        })
        .collect();
    let loops = Loops {
        tensors: operands.tensors.clone(),
        places: Map::identity(rank),
        window: None,
        sizes,
        kept: Map::of_dims(rank, kept),
        iterators,
    };
    operands.reduced(translator, at, &loops)
}

/// Translates `stablehlo.reduce_window`.
pub(super) fn reduce_window(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let operands = Operands::of(translator, op, at)?;
    let rank = operands.shape.len();
    let window = integers_of_length(op, "window_dimensions", rank)?;
    let strides = integers_or(op, "window_strides", 1, rank)?;
    let base = integers_or(op, "base_dilations", 1, rank)?;
    let dilations = integers_or(op, "window_dilations", 1, rank)?;
    let paddings = edges(op, rank)?;
    let all = || window.iter().chain(&strides).chain(&base).chain(&dilations);
    if all().any(|&number| !(1..=1 << 31).contains(&number)) {
        return Err(diagnostics::op_error(
            op,
            "expects window dimensions, strides and dilations of 1 or more",
        ));
    }
    let paddings: Vec<Padding> = paddings
        .into_iter()
        .zip(&base)
        .map(|([low, high], base)| Padding {
            low,
            high,
            interior: base - 1,
        })
        .collect();
    let tensors = operands
        .tensors
        .iter()
        .zip(&operands.initial)
        .map(|(&tensor, &value)| padded(op, at, tensor, value, &paddings))
        .collect::<PassResult<Vec<Value>>>()?;
    let sizes: Vec<i64> = (0..rank)
        .map(|dim| {
            let covered = (window[dim] - 1) * dilations[dim] + 1;
            match types::shape(tensors[0])[dim] - covered {
                negative if negative < 0 => 0,
                rest => rest / strides[dim] + 1,
            }
        })
        .collect();
    // Loops over the result first, then those over the window.
    let count = 2 * rank;
    let places = (0..rank).map(|dim| {
        Place::default()
            .plus(dim, strides[dim])
            .plus(rank + dim, dilations[dim])
    });
    let bounds = at.empty(types::tensor(at.bool_ty(), &window))?;
    let mut iterators = vec![Iterator::Parallel; rank];
    iterators.extend(vec![Iterator::Reduction; rank]);
    let loops = Loops {
        places: Map::new(count, places.collect()),
        tensors,
        window: Some((bounds, Map::of_dims(count, rank..count))),
        sizes,
        kept: Map::of_dims(count, 0..rank),
        iterators,
    };
    operands.reduced(translator, at, &loops)
}

/// Padding before and behind each dimension.
fn edges(op: Op, rank: usize) -> PassResult<Vec<[i64; 2]>> {
    let Some(attr) = op.attr("padding") else {
        return Ok(vec![[0, 0]; rank]);
    };
    match attr.as_dense_i64() {
        Some((shape, list)) if shape == [rank as i64, 2] => {
            Ok(list.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
        }
        _ => Err(diagnostics::op_error(
            op,
            &format!(
                "expects a matrix of {rank} x 2 numbers as 'padding', but it is {}",
                attr.to_text()
            ),
        )),
    }
}
