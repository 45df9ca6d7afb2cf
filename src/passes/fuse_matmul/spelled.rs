// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives along another dimension, as frameworks spell them whose collectives know the first only: a gather, its pieces
//! and their concatenation along another dimension; pieces along another dimension, their concatenation and a
//! reduce-scatter.

use crate::mlir::{Attr, Op, Value};

/// A concatenation and the pieces of one tensor that it is made of.
#[derive(Clone, Debug)]
pub(super) struct Repacked {
    pub(super) source: Value,
    pub(super) result: Value,
    /// Along which the source is cut.
    pub(super) cut: usize,
    /// Along which the pieces are put together.
    pub(super) joined: usize,
    pub(super) pieces: usize,
}

impl Repacked {
    /// What a concatenation of equal pieces, all there are of one tensor in their order, does.
    pub(super) fn of(join: Op) -> Option<Self> {
        let joined = match join.name() {
            "stablehlo.concatenate" => join.attr("dimension")?.as_i64()?,
            "tensor.concat" => join.attr("dim")?.as_i64()?,
            _ => return None,
        };
        let pieces = join.num_operands();
        let source = join.operand(0).defining_op()?.operand(0);
        let shape: Vec<i64> = source.ty().shape()?.into_iter().collect::<Option<_>>()?;
        let mut cut = None;
        for (position, piece) in join.operands().enumerate() {
            let piece = piece.defining_op()?;
            if piece.operand(0) != source {
                return None;
            }
            let (begin, size) = slice(piece)?;
            for (dim, (&begin, (&size, &whole))) in begin.iter().zip(size.iter().zip(&shape)).enumerate() {
                if begin == 0 && size == whole {
                    continue;
                }
                let is_next = begin == size * position as i64 && size * pieces as i64 == whole;
                if !is_next || cut.is_some_and(|cut| cut != dim) {
                    return None;
                }
                cut = Some(dim);
            }
        }
        Some(Self {
            source,
            result: join.result(0),
            cut: cut?,
            joined: usize::try_from(joined).ok()?,
            pieces,
        })
    }

    /// The repacking that all uses of `value` are part of.
    pub(super) fn after(value: Value) -> Option<Self> {
        let piece = value.uses().next()?.op();
        let join = piece.results().next()?.uses().next()?.op();
        let repacked = Self::of(join).filter(|repacked| repacked.source == value)?;
        let all_pieces = value.uses().all(|r#use| {
            let piece = r#use.op();
            piece.num_results() == 1 && piece.result(0).uses().all(|r#use| r#use.op() == join)
        });
        (all_pieces && value.uses().count() == repacked.pieces).then_some(repacked)
    }
}

/// Where a slice of stride one begins, and its sizes.
pub(super) fn slice(op: Op) -> Option<(Vec<i64>, Vec<i64>)> {
    let array = |name: &str| op.attr(name).and_then(Attr::as_i64_array);
    let is_dense = |strides: Vec<i64>| strides.iter().all(|&stride| stride == 1);
    match op.name() {
        "stablehlo.slice" => {
            array("strides").filter(|strides| is_dense(strides.clone()))?;
            let begin = array("start_indices")?;
            let size = array("limit_indices")?
                .iter()
                .zip(&begin)
                .map(|(end, begin)| end - begin)
                .collect();
            Some((begin, size))
        }
        "tensor.extract_slice" if op.num_operands() == 1 => {
            array("static_strides").filter(|strides| is_dense(strides.clone()))?;
            let [begin, size] = [array("static_offsets")?, array("static_sizes")?];
            let rank = op.result(0).ty().rank()?;
            (i64::try_from(begin.len()) == Ok(rank)).then_some((begin, size))
        }
        _ => None,
    }
}
