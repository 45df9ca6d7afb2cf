// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Matrix products in one form, whatever they are spelled as: two factors and three maps from loops to dimensions.
//!
//! Read are `stablehlo.dot_general` and linalg's contractions, named or generic. Each map is a projected permutation, each
//! loop is in at least two of them. A product that begins with anything but zero, or that sums otherwise than the fused ops
//! do, is none here. Nothing is changed.

use crate::{
    cost::listed,
    mlir::{Attr, Op, Ty, Value, indexing_maps, is_contraction},
};

/// A matrix product.
#[derive(Clone, Debug)]
pub(super) struct Contraction {
    pub(super) op: Op,
    pub(super) factors: [Value; 2],
    /// Loops over which the dimensions of both factors and of the product run.
    pub(super) maps: [Vec<usize>; 3],
    /// Trip counts of the loops; nothing where one is not known.
    pub(super) extents: Vec<Option<i64>>,
    /// Element type in which it is accumulated; that of the result, or wider.
    pub(super) accumulated: Ty,
}

impl Contraction {
    /// The op as a product, if it is one. O(dimensions).
    pub(super) fn of(op: Op) -> Option<Self> {
        let maps = match op.name() {
            "stablehlo.dot_general" => dot_general(op)?,
            _ => linalg(op)?,
        };
        let factors = [op.operand(0), op.operand(1)];
        let loops = maps.iter().flatten().max().map_or(0, |dim| dim + 1);
        let mut extents = vec![None; loops];
        for (map, value) in maps.iter().zip([factors[0], factors[1], op.result(0)]) {
            let shape = value.ty().shape()?;
            if shape.len() != map.len() || has_twice(map) || value.ty().has_encoding() {
                return None;
            }
            for (&dim, size) in map.iter().zip(shape) {
                extents[dim] = extents[dim].or(size);
            }
        }
        if (0..loops).any(|dim| maps.iter().filter(|map| map.contains(&dim)).count() < 2) {
            return None;
        }
        let result = op.result(0).ty().element();
        let is_float = |ty: Ty| ty.float_width().is_some();
        let accumulated = match result.float_width() {
            // What StableHLO leaves to the implementation, and every implementation does.
            Some(0..=16) if op.name() == "stablehlo.dot_general" => Ty::f32(op.context()),
            _ => result,
        };
        let widens = factors.iter().all(|factor| {
            let element = factor.ty().element();
            is_float(element) == is_float(accumulated)
                && (element == accumulated || element.element_bits() < accumulated.element_bits())
        });
        let is_number = is_float(accumulated) || accumulated.is_integer();
        (widens && is_number).then_some(Self {
            op,
            factors,
            maps,
            extents,
            accumulated,
        })
    }

    pub(super) fn result(&self) -> Value {
        self.op.result(0)
    }

    /// The maps as attributes, with the factors in the given order.
    pub(super) fn map_attrs(&self, first: usize) -> [Attr; 3] {
        let context = self.op.context();
        [first, 1 - first, 2].map(|index| Attr::projection(context, self.extents.len(), &self.maps[index]))
    }

    /// The loop that dimension `dim` of factor `factor` runs over.
    pub(super) fn loop_of(&self, factor: usize, dim: usize) -> usize {
        self.maps[factor][dim]
    }

    /// The dimension of the product that a loop runs over, if any.
    pub(super) fn placed_at(&self, dim: usize) -> Option<usize> {
        self.maps[2].iter().position(|&result| result == dim)
    }
}

fn has_twice(map: &[usize]) -> bool {
    map.iter()
        .enumerate()
        .any(|(index, dim)| map[..index].contains(dim))
}

/// Loops of a `dot_general`: batch, rows, columns, contracted, as its result is laid out.
fn dot_general(op: Op) -> Option<[Vec<usize>; 3]> {
    let numbers = op.attr("dot_dimension_numbers")?;
    let [left_batch, right_batch, left_contracted, right_contracted] = [
        "lhs_batching_dimensions",
        "rhs_batching_dimensions",
        "lhs_contracting_dimensions",
        "rhs_contracting_dimensions",
    ]
    .map(|name| listed(numbers, name));
    if left_batch.len() != right_batch.len() || left_contracted.len() != right_contracted.len() {
        return None;
    }
    let ranks = [
        op.operand(0).ty().shape()?.len(),
        op.operand(1).ty().shape()?.len(),
    ];
    let free = [ranks[0], ranks[1]].map(|rank| rank.checked_sub(left_batch.len() + left_contracted.len()));
    let [rows, columns] = [free[0]?, free[1]?];
    let batch = left_batch.len();
    let contracted = batch + rows + columns;
    let side = |rank: usize, batching: &[usize], contracting: &[usize], first_free: usize| {
        let mut free = first_free..;
        (0..rank)
            .map(|dim| {
                let at = |list: &[usize]| list.iter().position(|&other| other == dim);
                match (at(batching), at(contracting)) {
                    (Some(position), _) => Some(position),
                    (_, Some(position)) => Some(contracted + position),
                    (None, None) => free.next(),
                }
            })
            .collect::<Option<Vec<usize>>>()
    };
    Some([
        side(ranks[0], &left_batch, &left_contracted, batch)?,
        side(ranks[1], &right_batch, &right_contracted, batch + rows)?,
        (0..contracted).collect(),
    ])
}

/// Loops of a linalg contraction on tensors that begins with zero and whose factors are converted as signed numbers.
fn linalg(op: Op) -> Option<[Vec<usize>; 3]> {
    if !is_contraction(op) || op.num_operands() != 3 || op.num_results() != 1 || op.attr("cast").is_some() {
        return None;
    }
    if !is_zero(op.operand(2)) {
        return None;
    }
    let maps: Vec<Vec<usize>> = indexing_maps(op)?.into_iter().map(|(_, map)| map).collect();
    maps.try_into().ok()
}

/// Whether a tensor is zero throughout: a fill with it, or a constant.
fn is_zero(value: Value) -> bool {
    let Some(op) = value.defining_op() else {
        return false;
    };
    match op.name() {
        "linalg.fill" => op.operand(0).defining_op().is_some_and(is_zero_constant),
        _ => is_zero_constant(op),
    }
}

fn is_zero_constant(op: Op) -> bool {
    let number = |attr: Attr| attr.splat_element().unwrap_or(attr);
    op.name() == "arith.constant"
        && op.attr("value").map(number).is_some_and(|number| {
            // Minus zero is no neutral element to begin a sum with: 0 + -0 is 0.
            number
                .as_f64()
                .is_some_and(|value| value == 0.0 && value.is_sign_positive())
                || number.as_i64() == Some(0)
        })
}
