// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Affine maps from loops to the dimensions of operands.

use mlir_sys::*;

use crate::mlir::Attr;

/// Where in a dimension of an operand a turn of the loops reads: the sum of loop counters, each times a factor, and a
/// constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    terms: Vec<(usize, i64)>,
    constant: i64,
}

impl Place {
    /// The counter of a loop.
    pub(super) fn dim(dim: usize) -> Self {
        Self::default().plus(dim, 1)
    }

    /// The same place in every turn.
    pub(super) fn constant(constant: i64) -> Self {
        Self {
            constant,
            ..Self::default()
        }
    }

    /// This place, and a counter times a factor.
    pub(super) fn plus(mut self, dim: usize, factor: i64) -> Self {
        self.terms.push((dim, factor));
        self
    }
}

/// One place a dimension of the operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Map {
    loops: usize,
    places: Vec<Place>,
}

impl Map {
    pub(super) fn new(loops: usize, places: Vec<Place>) -> Self {
        Self { loops, places }
    }

    /// Loops are the dimensions.
    pub(super) fn identity(rank: usize) -> Self {
        Self::of_dims(rank, 0..rank)
    }

    /// Some loops, in an order, are the dimensions.
    pub(super) fn of_dims(loops: usize, dims: impl IntoIterator<Item = usize>) -> Self {
        Self::new(loops, dims.into_iter().map(Place::dim).collect())
    }

    pub(super) fn attr(&self, context: MlirContext) -> Attr {
        // SAFETY: the context is alive, and so is the array during the call. An affine map is never null.
        unsafe {
            let mut results: Vec<MlirAffineExpr> = self
                .places
                .iter()
                .map(|place| expression(context, place))
                .collect();
            let map = mlirAffineMapGet(
                context,
                self.loops as isize,
                0,
                results.len() as isize,
                results.as_mut_ptr(),
            );
            Attr::of_map(map)
        }
    }
}

/// # Safety
///
/// The context is alive.
unsafe fn expression(context: MlirContext, place: &Place) -> MlirAffineExpr {
    // SAFETY: by the caller's promise.
    unsafe {
        let constant = |value| mlirAffineConstantExprGet(context, value);
        let terms = place.terms.iter().map(|&(dim, factor)| {
            let dim = mlirAffineDimExprGet(context, dim as isize);
            if factor == 1 {
                dim
            } else {
                mlirAffineMulExprGet(dim, constant(factor))
            }
        });
        let sum = terms.reduce(|sum, term| mlirAffineAddExprGet(sum, term));
        match sum {
            None => constant(place.constant),
            Some(sum) if place.constant == 0 => sum,
            Some(sum) => mlirAffineAddExprGet(sum, constant(place.constant)),
        }
    }
}
