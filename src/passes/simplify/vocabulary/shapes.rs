// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Shapes and lists of dimensions: what ops spell as lists of integers.

use comm_algebra::{Dot, Op as AlgebraOp, Side};

use crate::mlir::Value;

/// Integers as dimensions or extents; nothing where one is negative.
pub(super) fn unsigned(values: &[i64]) -> Option<Vec<usize>> {
    values.iter().map(|&value| usize::try_from(value).ok()).collect()
}

/// The other way.
pub(super) fn signed(values: &[usize]) -> Vec<i64> {
    values.iter().map(|&value| value as i64).collect()
}

/// Extents of a ranked tensor of static shape.
pub(super) fn extents(value: Value) -> Option<Vec<usize>> {
    let extents = value.ty().shape()?.into_iter();
    extents.map(|extent| usize::try_from(extent?).ok()).collect()
}

/// The slice of a tensor of shape `whole` from `starts` to one before `ends`, where no more than one dimension is cut.
pub(super) fn slice(whole: &[usize], starts: &[usize], ends: &[usize]) -> Option<AlgebraOp> {
    if starts.len() != whole.len() || ends.len() != whole.len() {
        return None;
    }
    let mut cut = (0..whole.len()).filter(|&dim| starts[dim] != 0 || ends[dim] != whole[dim]);
    let dim = cut.next().unwrap_or(0);
    (cut.next().is_none() && dim < whole.len()).then(|| AlgebraOp::Slice {
        dim,
        start: starts[dim],
        end: ends[dim],
    })
}

/// Groups of consecutive dimensions of `from` of which each is one dimension of `to`; nothing where there are none.
/// O(rank).
pub(super) fn collapse(from: &[usize], to: &[usize]) -> Option<Vec<Vec<usize>>> {
    let mut groups = Vec::with_capacity(to.len());
    let mut dims = 0..from.len();
    for &extent in to {
        let mut group = vec![dims.next()?];
        let mut product = from[group[0]];
        while product != extent {
            let dim = dims.next()?;
            group.push(dim);
            product = product.checked_mul(from[dim])?;
        }
        groups.push(group);
    }
    let rest: Vec<usize> = dims.collect();
    if rest.iter().any(|&dim| from[dim] != 1) {
        return None;
    }
    if let Some(last) = groups.last_mut() {
        last.extend(rest);
    }
    Some(groups)
}

/// The loops over which the operands and the result of a matrix product run: those of the result in order, then those summed
/// over.
pub(super) fn loops(dot: &Dot, ranks: [usize; 2]) -> [Vec<usize>; 3] {
    let free = [dot.free(Side::Left, ranks[0]), dot.free(Side::Right, ranks[1])];
    let batch = dot.batch.len();
    let outer = batch + free[0].len() + free[1].len();
    let mut maps = [vec![0; ranks[0]], vec![0; ranks[1]]];
    for (number, &(left, right)) in dot.batch.iter().enumerate() {
        (maps[0][left], maps[1][right]) = (number, number);
    }
    for (number, &(left, right)) in dot.contract.iter().enumerate() {
        (maps[0][left], maps[1][right]) = (outer + number, outer + number);
    }
    for (number, &dim) in free[0].iter().enumerate() {
        maps[0][dim] = batch + number;
    }
    for (number, &dim) in free[1].iter().enumerate() {
        maps[1][dim] = batch + free[0].len() + number;
    }
    let [left, right] = maps;
    [left, right, (0..outer).collect()]
}

/// The matrix product whose operands and result run over these loops; nothing where the result's dimensions stand in an
/// order that the algebra does not know, or a loop is in one place only. Each list has no loop twice. O(rank^2).
pub(super) fn dot(maps: [&[usize]; 3], element: comm_algebra::Element) -> Option<Dot> {
    let [left, right, result] = maps;
    let place = |list: &[usize], of: usize| list.iter().position(|&dim| dim == of);
    let mut dot = Dot {
        batch: Vec::new(),
        contract: Vec::new(),
        element,
    };
    for &dim in result {
        if let (Some(l), Some(r)) = (place(left, dim), place(right, dim)) {
            dot.batch.push((l, r));
        }
    }
    for (l, &dim) in left.iter().enumerate() {
        if let (Some(r), None) = (place(right, dim), place(result, dim)) {
            dot.contract.push((l, r));
        }
    }
    let batch = dot.batch.iter().map(|&(dim, _)| left[dim]);
    let free_left = dot.free(Side::Left, left.len());
    let free_right = dot.free(Side::Right, right.len());
    let free = free_left
        .iter()
        .map(|&dim| left[dim])
        .chain(free_right.iter().map(|&dim| right[dim]));
    // A loop of one operand alone would be summed over without a partner, and is not in the result then.
    batch.chain(free).eq(result.iter().copied()).then_some(dot)
}

#[cfg(test)]
mod tests {
    use comm_algebra::Element;

    use super::*;

    #[test]
    fn dimensions_collapse_where_products_agree() {
        let groups = |from: &[usize], to: &[usize]| collapse(from, to);
        assert_eq!(groups(&[2, 3, 4], &[6, 4]), Some(vec![vec![0, 1], vec![2]]));
        assert_eq!(groups(&[1, 8], &[8]), Some(vec![vec![0, 1]]));
        assert_eq!(groups(&[8, 1, 1], &[8]), Some(vec![vec![0, 1, 2]]));
        assert_eq!(groups(&[2, 1, 3], &[2, 3]), Some(vec![vec![0], vec![1, 2]]));
        assert_eq!(groups(&[1, 1], &[]), Some(vec![]));
        assert_eq!(groups(&[6, 4], &[8, 3]), None);
        assert_eq!(groups(&[4, 6], &[2, 12]), None);
        assert_eq!(groups(&[8], &[8, 1]), None);
    }

    #[test]
    fn loops_of_a_product_name_it() {
        let product = Dot {
            batch: vec![(0, 1)],
            contract: vec![(3, 0), (1, 2)],
            element: Element::F32,
        };
        let maps = loops(&product, [4, 4]);
        assert_eq!(maps, [vec![0, 4, 1, 3], vec![3, 0, 4, 2], vec![0, 1, 2]]);
        let read = dot([&maps[0], &maps[1], &maps[2]], Element::F32).expect("a product");
        let mut contract = read.contract.clone();
        contract.reverse();
        assert_eq!(contract, product.contract);
        assert_eq!(read.batch, product.batch);
        // A transposed result, a loop summed over in one operand, a result repeated along a loop.
        assert_eq!(dot([&[0, 2], &[2, 1], &[1, 0]], Element::F32), None);
        assert_eq!(dot([&[0, 2, 3], &[2, 1], &[0, 1]], Element::F32), None);
        assert_eq!(dot([&[0, 2], &[2, 1], &[0, 1, 4]], Element::F32), None);
    }

    #[test]
    fn slices_cut_one_dimension() {
        let cut = |starts: &[usize], ends: &[usize]| slice(&[8, 6], starts, ends);
        let of = |dim, start, end| Some(AlgebraOp::Slice { dim, start, end });
        assert_eq!(cut(&[0, 2], &[8, 4]), of(1, 2, 4));
        assert_eq!(cut(&[0, 0], &[8, 6]), of(0, 0, 8));
        assert_eq!(cut(&[1, 2], &[8, 4]), None);
        assert_eq!(cut(&[0], &[8]), None);
    }
}
