// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reshapes: the elements in row-major order, in another shape.
//!
//! Dimensions of both shapes are cut into the smallest groups with the same number of elements; each group is collapsed
//! into one dimension and expanded again, where it has more than one. O(rank).

use super::{
    Translator,
    emit::{At, splat},
    types,
};
use crate::{
    diagnostics,
    mlir::{Attr, Op, PassResult, Value},
};

/// Translates `stablehlo.reshape`.
pub(super) fn reshape(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let (from, to) = (types::shape(op.operand(0)), types::shape(op.result(0)));
    let count = |shape: &[i64]| {
        shape
            .iter()
            .try_fold(1_i64, |count, &size| count.checked_mul(size))
    };
    if count(&from).is_none() || count(&from) != count(&to) {
        return Err(diagnostics::op_error(
            op,
            &format!("cannot give {from:?} the shape {to:?}: the numbers of elements differ"),
        ));
    }
    Ok(vec![reshaped(at, translator.operand(op, 0)?, &to)?])
}

/// A tensor in another shape of as many elements, of which there is at least one.
pub(super) fn reshaped(at: At, tensor: Value, to: &[i64]) -> PassResult<Value> {
    let from = types::shape(tensor);
    let element = tensor.ty().element();
    if from == to {
        return Ok(tensor);
    }
    if let Some(scalar) = splat(tensor) {
        return at.fill(scalar, types::tensor(element, to));
    }
    let groups = groups(&from, to);
    let context = at.context();
    let attr = |groups: Vec<std::ops::Range<usize>>| {
        let groups = groups.into_iter().map(|dims| {
            let dims: Vec<Attr> = dims.map(|dim| Attr::i64(context, dim as i64)).collect();
            Attr::array(context, &dims)
        });
        Attr::array(context, &groups.collect::<Vec<_>>())
    };
    let middle: Vec<i64> = groups
        .iter()
        .map(|(dims, _)| from[dims.clone()].iter().product())
        .collect();
    let mut result = tensor;
    if middle.len() != from.len() {
        let reassociation = attr(groups.iter().map(|group| group.0.clone()).collect());
        result = at.make_with(
            "tensor.collapse_shape",
            &[result],
            types::tensor(element, &middle),
            &[("reassociation", reassociation)],
        )?;
    }
    if middle.len() != to.len() {
        let reassociation = attr(groups.iter().map(|group| group.1.clone()).collect());
        result = at.make_with(
            "tensor.expand_shape",
            &[result],
            types::tensor(element, to),
            &[
                ("reassociation", reassociation),
                ("static_output_shape", Attr::i64_array(context, to)),
            ],
        )?;
    }
    Ok(result)
}

type Group = (std::ops::Range<usize>, std::ops::Range<usize>);

/// Groups of dimensions with the same number of elements. There are none where one of the shapes has no dimension.
fn groups(from: &[i64], to: &[i64]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut left, mut right) = (0, 0);
    while left < from.len() && right < to.len() {
        let begin = (left, right);
        let (mut count, mut other) = (from[left], to[right]);
        (left, right) = (left + 1, right + 1);
        while count != other {
            if count < other && left < from.len() {
                count *= from[left];
                left += 1;
            } else if count > other && right < to.len() {
                other *= to[right];
                right += 1;
            } else {
                break;
            }
        }
        groups.push((begin.0..left, begin.1..right));
    }
    // What is left over are dimensions of size 1.
    if let Some((last, other)) = groups.last_mut() {
        last.end = from.len();
        other.end = to.len();
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn groups_are_the_smallest_ones() {
        assert_eq!(groups(&[2, 3, 4], &[6, 4]), [(0..2, 0..1), (2..3, 1..2)]);
        assert_eq!(groups(&[4, 6], &[6, 4]), [(0..2, 0..2)]);
        assert_eq!(groups(&[1, 4], &[4, 1]), [(0..2, 0..2)]);
        assert_eq!(groups(&[5, 1, 1], &[5]), [(0..3, 0..1)]);
        assert_eq!(
            groups(&[2, 12, 5], &[2, 3, 4, 5]),
            [(0..1, 0..1), (1..2, 1..3), (2..3, 3..4)]
        );
        assert!(groups(&[1, 1], &[]).is_empty());
    }
}
