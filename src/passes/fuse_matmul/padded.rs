// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Products that are padded at the end of the scattered dimension, as frameworks do where a group does not divide it.
//!
//! A fused op makes chunks of one size, so a factor is padded instead. What that makes of the padding need not be what the
//! program has there: zero times infinity is no zero. So the partial region puts the program's number in its place, by a
//! mask over the dimension.

use super::elementwise::splat_number;
use crate::mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value};

/// A constant that is appended along one dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padded {
    pub(super) op: Op,
    /// The constant that makes the number in the padding.
    pub(super) number: Op,
    pub(super) dim: usize,
    /// Extent of the dimension before.
    pub(super) given: i64,
    /// And after.
    pub(super) whole: i64,
}

impl Padded {
    /// What an op appends along `dim` alone. O(dimensions).
    pub(super) fn of(op: Op, dim: usize) -> Option<Self> {
        let array = |name: &str| op.attr(name).and_then(Attr::as_i64_array);
        let (low, high, number) = match op.name() {
            "tensor.pad" if op.num_operands() == 1 => {
                let number = op.region(0).next()?.terminator()?.operand(0);
                (array("static_low")?, array("static_high")?, number)
            }
            "stablehlo.pad" => {
                let is_dense = array("interior_padding")?.iter().all(|&between| between == 0);
                let (low, high) = (array("edge_padding_low")?, array("edge_padding_high")?);
                is_dense.then_some((low, high, op.operand(1)))?
            }
            _ => return None,
        };
        let number = number.defining_op()?;
        splat_number(number)?;
        let is_appended = |(other, &high): (usize, &i64)| high == 0 || (other == dim && high > 0);
        if low.iter().any(|&low| low != 0) || !high.iter().enumerate().all(is_appended) {
            return None;
        }
        let extent = |value: Value| value.ty().shape()?.get(dim).copied()?;
        Some(Self {
            op,
            number,
            dim,
            given: extent(op.operand(0))?,
            whole: extent(op.result(0))?,
        })
    }

    /// What is padded.
    pub(super) fn source(self) -> Value {
        self.op.operand(0)
    }

    /// A tensor over the dimension that says what is not padding, before `anchor`.
    pub(super) fn mask(self, anchor: Op) -> PassResult<Value> {
        let flags: Vec<&str> = (0..self.whole)
            .map(|index| if index < self.given { "true" } else { "false" })
            .collect();
        let text = format!("dense<[{}]> : tensor<{}xi1>", flags.join(", "), self.whole);
        let ty = Ty::parse(anchor.context(), &format!("tensor<{}xi1>", self.whole)).ok_or(Failed)?;
        let builder = OpBuilder::new("arith.constant", self.op.location())
            .attr("value", Attr::parse(anchor.context(), &text).ok_or(Failed)?)
            .results([ty]);
        Ok(builder.insert_before(anchor)?.result(0))
    }

    /// The type of a factor that is padded at a dimension.
    pub(super) fn padded(self, factor: Ty, at: usize) -> Ty {
        let mut shape = factor.shape().unwrap_or_default();
        if let Some(size) = shape.get_mut(at) {
            *size = Some(self.whole);
        }
        factor.with_shape(&shape)
    }

    /// A factor with zeros appended at a dimension, before `anchor`.
    pub(super) fn pad(self, factor: Value, at: usize, anchor: Op) -> PassResult<Value> {
        let context = anchor.context();
        let element = factor.ty().element();
        let zero = Attr::float(element, 0.0).or_else(|| Attr::integer(element, 0));
        let zero = OpBuilder::new("arith.constant", self.op.location())
            .attr("value", zero.ok_or(Failed)?)
            .results([element])
            .insert_before(anchor)?
            .result(0);
        let ty = self.padded(factor.ty(), at);
        let rank = ty.shape().map_or(0, |shape| shape.len());
        let mut high = vec![0; rank];
        high[at] = self.whole - self.given;
        let builder = OpBuilder::new("tensor.pad", self.op.location())
            .operands([factor])
            .results([ty])
            .attr("static_low", Attr::i64_array(context, &vec![0; rank]))
            .attr("static_high", Attr::i64_array(context, &high))
            .attr("operandSegmentSizes", Attr::i32_array(context, &[1, 0, 0]))
            .region(&vec![Ty::index(context); rank], |block| {
                OpBuilder::new("tensor.yield", self.op.location())
                    .operands([zero])
                    .append_to(block)
                    .map(drop)
            })?;
        Ok(builder.insert_before(anchor)?.result(0))
    }
}
