// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `gather`: slices of an operand at places that a tensor of indices holds, moved to where they fit.
//!
//! A `linalg.generic` over the result computes where each element comes from, as the specification does: the place of
//! the slice, from the dimensions that are no offsets, clamped, and the offset in the slice.

use super::{
    Translator,
    attributes::{Fields, check_dimensions, integers_of_length},
    dynamic::{clamp, index_number},
    emit::{At, Iterator},
    maps::Map,
    types,
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

const NUMBERS: &str = "dimension_numbers";

/// How the elements of a tensor of indices are places in an operand; the same for gather and scatter.
pub(super) struct Indexing {
    /// Shape of the operand.
    pub(super) shape: Vec<i64>,
    /// Dimensions of the operand that have no offset within a slice: collapsed, inserted or batching ones.
    without_offset: Vec<usize>,
    /// Dimensions of the operand that are walked with one of the indices, in pairs.
    batching: Vec<(usize, usize)>,
    /// Dimension of the operand that each number of an index is for.
    places: Vec<usize>,
    /// Dimension of the indices that holds the numbers of one; their rank where there is none.
    vector: usize,
    /// Rank of the indices.
    rank: usize,
}

/// Names of the fields of `Indexing` in an attribute.
pub(super) struct Names {
    pub(super) attribute: &'static str,
    pub(super) collapsed: &'static str,
    pub(super) batching: &'static str,
    pub(super) indices_batching: &'static str,
    pub(super) places: &'static str,
}

impl Indexing {
    pub(super) fn of(op: Op, operand: Value, indices: Value, names: &Names) -> PassResult<Self> {
        let fields = Fields::of(op, names.attribute)?;
        let (shape, rank) = (types::shape(operand), types::shape(indices).len());
        let batching = fields.list(op, names.batching)?;
        let collapsed = [fields.list(op, names.collapsed)?, batching.clone()].concat();
        let without_offset = check_dimensions(op, names.attribute, &collapsed, shape.len())?;
        let batching = check_dimensions(op, names.attribute, &batching, shape.len())?;
        let indices_batching = fields.list(op, names.indices_batching)?;
        let indices_batching = check_dimensions(op, names.attribute, &indices_batching, rank)?;
        let places = fields.list(op, names.places)?;
        let places = check_dimensions(op, names.attribute, &places, shape.len())?;
        let vector = fields.number(op, "index_vector_dim")?;
        let vector = usize::try_from(vector).ok().filter(|&dim| dim <= rank);
        let vector = vector.filter(|vector| !indices_batching.contains(vector));
        let length = |dim: usize| types::shape(indices).get(dim).copied().unwrap_or(1);
        let indexing = vector.filter(|&vector| length(vector) == places.len() as i64);
        let sizes_agree = batching.len() == indices_batching.len()
            && batching
                .iter()
                .zip(&indices_batching)
                .all(|(&dim, &other)| shape[dim] == length(other));
        let (Some(vector), true) = (indexing, sizes_agree) else {
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "has '{}' that do not fit indices of shape {:?}",
                    names.attribute,
                    types::shape(indices)
                ),
            ));
        };
        index_number(op, indices)?;
        Ok(Self {
            shape,
            without_offset,
            batching: batching.into_iter().zip(indices_batching).collect(),
            places,
            vector,
            rank,
        })
    }

    /// Dimensions of the operand that have an offset, in order.
    pub(super) fn with_offset(&self) -> Vec<usize> {
        (0..self.shape.len())
            .filter(|dim| !self.without_offset.contains(dim))
            .collect()
    }

    /// How many dimensions the indices have without that of the numbers of one.
    pub(super) fn batch_rank(&self) -> usize {
        self.rank - usize::from(self.vector < self.rank)
    }

    /// Sizes of the indices without that dimension.
    pub(super) fn batch_sizes(&self, indices: Value) -> Vec<i64> {
        let mut sizes = types::shape(indices);
        if self.vector < self.rank {
            sizes.remove(self.vector);
        }
        sizes
    }

    /// The place of a slice by dimension of the operand, nothing where it is 0. `batch` is where in the indices it stands;
    /// `number` makes an index of one of their elements, for a dimension of the operand.
    pub(super) fn start(
        &self,
        at: At,
        indices: Value,
        batch: &[Value],
        mut number: impl FnMut(Value, usize) -> PassResult<Value>,
    ) -> PassResult<Vec<Option<Value>>> {
        let mut start = vec![None; self.shape.len()];
        for (component, &dim) in self.places.iter().enumerate() {
            let mut place = batch.to_vec();
            if self.vector < self.rank {
                place.insert(self.vector, at.index(component as i64)?);
            }
            start[dim] = Some(number(at.extract(indices, &place)?, dim)?);
        }
        for &(dim, other) in &self.batching {
            // Dimensions behind that of the numbers come one earlier without it.
            start[dim] = Some(batch[other - usize::from(other > self.vector)]);
        }
        Ok(start)
    }
}

/// Sums by dimension of where a slice begins and of offsets in it.
pub(super) fn place(
    at: At,
    start: &[Option<Value>],
    with_offset: &[usize],
    offsets: &[Value],
) -> PassResult<Vec<Value>> {
    (0..start.len())
        .map(|dim| {
            let offset = with_offset
                .iter()
                .position(|other| *other == dim)
                .map(|place| offsets[place]);
            match (start[dim], offset) {
                (Some(start), Some(offset)) => at.same("arith.addi", &[start, offset]),
                (Some(place), None) | (None, Some(place)) => Ok(place),
                (None, None) => at.index(0),
            }
        })
        .collect()
}

/// Translates `stablehlo.gather`.
pub(super) fn gather(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let (operand, indices, result) = (op.operand(0), op.operand(1), op.result(0));
    let indexing = Indexing::of(
        op,
        operand,
        indices,
        &Names {
            attribute: NUMBERS,
            collapsed: "collapsed_slice_dims",
            batching: "operand_batching_dims",
            indices_batching: "start_indices_batching_dims",
            places: "start_index_map",
        },
    )?;
    let rank = types::shape(result).len();
    let offsets = Fields::of(op, NUMBERS)?.list(op, "offset_dims")?;
    let offsets = check_dimensions(op, NUMBERS, &offsets, rank)?;
    let sizes = integers_of_length(op, "slice_sizes", indexing.shape.len())?;
    let with_offset = indexing.with_offset();
    let fits = sizes
        .iter()
        .zip(&indexing.shape)
        .all(|(&size, &whole)| 0 <= size && size <= whole)
        && (0..sizes.len()).all(|dim| with_offset.contains(&dim) || sizes[dim] == 1)
        && offsets.len() == with_offset.len()
        && rank == offsets.len() + indexing.batch_rank();
    if !fits {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "cannot gather slices {sizes:?} of shape {:?} in this way",
                indexing.shape
            ),
        ));
    }
    // The shape that the result must have, for the driver to compare.
    let mut batch_sizes = indexing.batch_sizes(indices).into_iter();
    let mut offset_sizes = with_offset.iter().map(|&dim| sizes[dim]);
    let shape: Vec<i64> = (0..rank)
        .map(|dim| match offsets.contains(&dim) {
            true => offset_sizes.next().unwrap_or(0),
            false => batch_sizes.next().unwrap_or(0),
        })
        .collect();
    let number = types::number(indices);
    let (operand, indices) = (translator.operand(op, 0)?, translator.operand(op, 1)?);
    let init = at.empty(types::tensor(operand.ty().element(), &shape))?;
    at.generic(
        &[],
        &[(init, Map::identity(rank))],
        &vec![Iterator::Parallel; rank],
        |at, _| {
            let loops: Vec<Value> = (0..rank)
                .map(|dim| at.loop_index(dim))
                .collect::<PassResult<_>>()?;
            let batch: Vec<Value> = (0..rank)
                .filter(|dim| !offsets.contains(dim))
                .map(|dim| loops[dim])
                .collect();
            // Offset dimensions of the result are those of the operand in order, whatever order they are listed in.
            let mut sorted = offsets.clone();
            sorted.sort_unstable();
            let inner: Vec<Value> = sorted.iter().map(|&dim| loops[dim]).collect();
            let start = indexing.start(at, indices, &batch, |value, dim| {
                clamp(at, value, number, indexing.shape[dim] - sizes[dim])
            })?;
            let place = place(at, &start, &with_offset, &inner)?;
            Ok(vec![at.extract(operand, &place)?])
        },
    )
}
