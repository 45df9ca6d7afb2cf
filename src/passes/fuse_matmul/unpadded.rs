// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Gathers of shards that were padded to one size, as frameworks make them where a group does not divide a dimension: the end
//! of the gathered dimension, which is padding, is cut off before products read what is left.
//!
//! Rows of a product depend on the same rows of a factor alone, so the end may be cut off the product instead, whatever stands
//! in the padding. That holds where the dimension is one of the product's. A contracted one would add the padding, and zero
//! in the other factor would not undo it, since zero times infinity is no number. Nor may anything else be read along the
//! dimension, since it has no rows for the padding.

use super::spelled::slice;
use crate::mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value};

/// A slice that leaves the begin of one dimension of a tensor, and all of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unpadded {
    pub(super) op: Op,
    /// Extent of the dimension with padding.
    padded: i64,
    /// And without.
    left: i64,
}

impl Unpadded {
    /// The only slice of this kind along `dim` that reads `whole`. O(uses).
    pub(super) fn after(whole: Value, dim: usize) -> Option<Self> {
        let mut slices = whole.uses().filter_map(|r#use| Self::of(r#use.op(), dim));
        let first = slices.next()?;
        slices.next().is_none().then_some(first)
    }

    fn of(op: Op, dim: usize) -> Option<Self> {
        let (begin, sizes) = slice(op)?;
        let shape: Vec<i64> = op.operand(0).ty().shape()?.into_iter().collect::<Option<_>>()?;
        let keeps_others = sizes
            .iter()
            .zip(&shape)
            .enumerate()
            .all(|(other, (size, whole))| other == dim || size == whole);
        let unpadded = Self {
            op,
            padded: *shape.get(dim)?,
            left: *sizes.get(dim)?,
        };
        (keeps_others && begin.iter().all(|&begin| begin == 0)).then_some(unpadded)
    }

    /// What it leaves.
    pub(super) fn result(self) -> Value {
        self.op.result(0)
    }

    /// The type of a product with the padding at dimension `dim`.
    pub(super) fn padded(self, ty: Ty, dim: usize) -> Ty {
        let mut shape = ty.shape().unwrap_or_default();
        if let Some(size) = shape.get_mut(dim) {
            *size = Some(self.padded);
        }
        ty.with_shape(&shape)
    }

    /// Cuts the padding off a product at dimension `dim`, before `anchor`, by an op of the same name.
    pub(super) fn cut(self, product: Value, dim: usize, anchor: Op) -> PassResult<Value> {
        let shape = product.ty().shape().ok_or(Failed)?;
        let mut sizes: Vec<i64> = shape.into_iter().collect::<Option<_>>().ok_or(Failed)?;
        sizes[dim] = self.left;
        let (context, rank) = (anchor.context(), sizes.len());
        let known: Vec<Option<i64>> = sizes.iter().copied().map(Some).collect();
        let builder = OpBuilder::new(self.op.name(), self.op.location())
            .operands([product])
            .results([product.ty().with_shape(&known)]);
        let list = |numbers: &[i64]| Attr::i64_array(context, numbers);
        let [begin, strides] = [0, 1].map(|number| list(&vec![number; rank]));
        let builder = if self.op.name() == "stablehlo.slice" {
            builder
                .attr("start_indices", begin)
                .attr("limit_indices", list(&sizes))
                .attr("strides", strides)
        } else {
            builder
                .attr("static_offsets", begin)
                .attr("static_sizes", list(&sizes))
                .attr("static_strides", strides)
                .attr("operandSegmentSizes", Attr::i32_array(context, &[1, 0, 0, 0]))
        };
        Ok(builder.insert_before(anchor)?.result(0))
    }
}
