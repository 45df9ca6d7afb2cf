// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Numbers and views that ops compute from what is known of their operands.

use super::{
    super::{
        super::verify_order::evaluate::wrap,
        affine,
        instruction::{Instruction, MapUse, Number},
        layout,
        view::{Tile, View},
    },
    Known, Machine,
};
use crate::mlir::Op;

impl Machine<'_, '_> {
    /// A number that an op computes.
    pub(super) fn evaluate(&self, op: Op, instruction: &Instruction) -> Option<i64> {
        let operands = || op.operands().map(|operand| self.number(operand));
        match instruction {
            Instruction::Constant(value) => *value,
            Instruction::Rank(groups) => {
                let rank = i64::from(self.rank);
                let group = groups.0.iter().find(|group| group.contains(&rank))?;
                i64::try_from(group.iter().position(|&member| member == rank)?).ok()
            }
            Instruction::Arithmetic(operation, source) => {
                let values: Option<Vec<i64>> = operands().collect();
                let result = operation.apply(&values?, *source)?;
                Some(wrap(result, op.result(0).ty().integer_width()?))
            }
            Instruction::Map(map, how) => {
                let results = affine::apply(*map, &operands().collect::<Vec<_>>())?;
                let results: Option<Vec<i64>> = results.into_iter().collect();
                match how {
                    MapUse::Apply => results?.first().copied(),
                    MapUse::Min => results?.into_iter().min(),
                    MapUse::Max => results?.into_iter().max(),
                }
            }
            Instruction::Dim => {
                let dim = usize::try_from(self.number(op.operand(1))?).ok()?;
                let Known::Views(views) = self.get(op.operand(0)) else {
                    return None;
                };
                let size = views.first()?.dims.get(dim)?.size?;
                let same = views
                    .iter()
                    .all(|view| view.dims.get(dim).is_some_and(|other| other.size == Some(size)));
                same.then_some(size)
            }
            _ => None,
        }
    }

    /// A view of a view.
    pub(super) fn derive(&self, op: Op, instruction: &Instruction, source: &View) -> View {
        let ty = op.result(0).ty();
        match instruction {
            Instruction::Subview {
                offsets,
                sizes,
                strides,
            } => {
                let tile = Tile {
                    offsets: self.read_all(op, offsets),
                    sizes: self.read_all(op, sizes),
                    strides: self.read_all(op, strides),
                };
                source.subview(&tile, &kept_dimensions(sizes, &ty.dims().unwrap_or_default()))
            }
            Instruction::Reinterpret {
                offset,
                sizes,
                strides,
            } => View::new(
                source.buffer,
                source.element,
                self.read(op, *offset),
                &self.read_all(op, sizes),
                &self.read_all(op, strides),
            ),
            Instruction::Bytes => {
                let shift = self.number(op.operand(1));
                let offset = source
                    .offset
                    .zip(shift)
                    .and_then(|(offset, shift)| offset.checked_add(shift));
                let mut dynamic = op.operands().skip(2).map(|size| self.number(size));
                let dims = ty.dims().unwrap_or_default().into_iter();
                let sizes: Vec<Option<i64>> = dims
                    .map(|size| size.or_else(|| dynamic.next().flatten()))
                    .collect();
                View::contiguous(source.buffer, layout::element_bytes(ty), offset, &sizes)
            }
            Instruction::Collapse(groups) => source.collapse(groups),
            Instruction::Expand(groups, sizes) => source.expand(groups, &self.read_all(op, sizes)),
            Instruction::Transpose(order) => source.transpose(order),
            _ => source.clone(),
        }
    }

    /// `memref.extract_strided_metadata`: the base buffer, offset, sizes, strides.
    pub(super) fn metadata(&mut self, op: Op) {
        let Known::Views(views) = self.get(op.operand(0)) else {
            self.bind(op.results(), &[]);
            return;
        };
        let described = views.iter().map(|view| {
            let in_elements =
                |bytes: Option<i64>| Known::number(bytes.and_then(|bytes| bytes.checked_div(view.element?)));
            let base = View {
                offset: Some(0),
                dims: Vec::new(),
                ..view.clone()
            };
            let numbers = std::iter::once(in_elements(view.offset))
                .chain(view.dims.iter().map(|dim| Known::number(dim.size)))
                .chain(view.dims.iter().map(|dim| in_elements(dim.stride)));
            std::iter::once(Known::view(base)).chain(numbers).collect()
        });
        let joined = described.reduce(|some: Vec<Known>, more| {
            some.iter()
                .zip(&more)
                .map(|(one, other)| one.join(other))
                .collect()
        });
        self.bind(op.results(), &joined.unwrap_or_default());
    }
}

/// Dimensions of a subview that its type keeps: dropped ones have size 1, and of several such it does not matter which.
fn kept_dimensions(sizes: &[Number], kept: &[Option<i64>]) -> Vec<usize> {
    let mut droppable = sizes.len().saturating_sub(kept.len());
    let mut result = Vec::with_capacity(kept.len());
    for (dim, size) in sizes.iter().enumerate() {
        let fixed = match size {
            Number::Constant(size) => Some(*size),
            Number::Operand(_) => None,
        };
        let is_wanted = kept.get(result.len()) == Some(&fixed);
        if droppable > 0 && fixed == Some(1) && !is_wanted {
            droppable -= 1;
        } else {
            result.push(dim);
        }
    }
    // A wanted 1 may have been kept too early; the rest of the droppable ones is at the end then.
    while result.len() > kept.len() {
        let unit = result
            .iter()
            .rposition(|&dim| matches!(sizes[dim], Number::Constant(1)));
        result.remove(unit.unwrap_or(result.len() - 1));
    }
    result
}
