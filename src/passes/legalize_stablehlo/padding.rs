// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Padding before, behind and between elements; a negative amount takes elements away.
//!
//! The result is filled with the padding value, and what is left of the operand is put into it with a stride.

use super::{
    Translator,
    attributes::integers_of_length,
    emit::{At, Slice},
    types,
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

/// Largest amount of padding: no tensor in memory has a dimension of that size, and sums of it do not overflow.
const MOST: u64 = 1 << 48;

/// Padding of one dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Padding {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) interior: i64,
}

impl Padding {
    /// Size of a padded dimension; nothing where it would be negative or too large.
    pub(super) fn padded(self, size: i64) -> Option<i64> {
        if [self.low, self.high, self.interior]
            .iter()
            .any(|amount| amount.unsigned_abs() > MOST)
            || self.interior < 0
        {
            return None;
        }
        let gaps = (size - 1).max(0).checked_mul(self.interior)?;
        let sum = size.checked_add(gaps)?.checked_add(self.low)?;
        sum.checked_add(self.high).filter(|&sum| sum >= 0)
    }

    fn is_none(self) -> bool {
        self.low == 0 && self.high == 0 && self.interior == 0
    }
}

/// Translates `stablehlo.pad`.
pub(super) fn pad(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let rank = types::shape(op.operand(0)).len();
    let [low, high, interior] = ["edge_padding_low", "edge_padding_high", "interior_padding"]
        .map(|name| integers_of_length(op, name, rank));
    let (low, high, interior) = (low?, high?, interior?);
    let paddings: Vec<Padding> = (0..rank)
        .map(|dim| Padding {
            low: low[dim],
            high: high[dim],
            interior: interior[dim],
        })
        .collect();
    if !types::shape(op.operand(1)).is_empty() || types::number(op.operand(1)) != types::number(op.operand(0))
    {
        return Err(diagnostics::op_error(
            op,
            "expects a padding value of rank 0 with its operand's element type",
        ));
    }
    let value = at.scalar(translator.operand(op, 1)?)?;
    let operand = translator.operand(op, 0)?;
    Ok(vec![padded(op, at, operand, value, &paddings)?])
}

/// A tensor, padded with a scalar.
pub(super) fn padded(
    op: Op,
    at: At,
    operand: Value,
    value: Value,
    paddings: &[Padding],
) -> PassResult<Value> {
    if paddings.iter().all(|padding| padding.is_none()) {
        return Ok(operand);
    }
    let shape = types::shape(operand);
    let rank = shape.len();
    let sizes = paddings
        .iter()
        .zip(&shape)
        .map(|(padding, &size)| padding.padded(size))
        .collect::<Option<Vec<i64>>>()
        .ok_or_else(|| {
            diagnostics::op_error(
                op,
                &format!("cannot pad shape {shape:?} in this way: {paddings:?}"),
            )
        })?;
    let filled = at.fill(value, types::tensor(operand.ty().element(), &sizes))?;
    let (mut first, mut counts, mut offsets, mut strides) = (vec![], vec![], vec![], vec![]);
    for ((padding, &size), &padded) in paddings.iter().zip(&shape).zip(&sizes) {
        // Element k goes to low + k * step.
        let step = padding.interior + 1;
        let begin = if padding.low < 0 {
            (-padding.low + step - 1) / step
        } else {
            0
        };
        let last = (padded - 1 - padding.low).div_euclid(step).min(size - 1);
        first.push(begin.min(size));
        counts.push((last - begin + 1).max(0));
        offsets.push(padding.low + begin * step);
        strides.push(step);
    }
    if counts.contains(&0) {
        return Ok(filled);
    }
    let part = if counts == shape {
        operand
    } else {
        at.extract_slice(operand, &Slice::constant(&first, &counts, &vec![1; rank]))?
    };
    at.insert_slice(part, filled, &Slice::constant(&offsets, &counts, &strides))
}
