// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Attributes read from their texts, apart from how the pass reads them.

use melior::ir::{OperationRef, operation::OperationLike};

use crate::tensor::{Tensor, indices};

/// The integers in a text that is made of brackets and integers.
pub(crate) fn integers(text: &str) -> Vec<usize> {
    text.split(|character: char| !character.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect()
}

/// `array<i64: 0, 1>`, without its type.
pub(crate) fn array(op: OperationRef, name: &str) -> Vec<usize> {
    integers(text(op, name).strip_prefix("array<i64").expect("an array of i64"))
}

pub(crate) fn text(op: OperationRef, name: &str) -> String {
    op.attribute(name)
        .unwrap_or_else(|_| panic!("no {name} on {op}"))
        .to_string()
}

pub(crate) fn integer(op: OperationRef, name: &str) -> usize {
    integers(text(op, name).split(':').next().unwrap_or_default())[0]
}

/// The list after `name =` within an attribute.
pub(crate) fn list_in(text: &str, name: &str) -> Vec<usize> {
    let Some((_, rest)) = text.split_once(&format!("{name} = [")) else {
        return Vec::new();
    };
    integers(rest.split(']').next().unwrap_or_default())
}

/// `#comm.groups<[[0, 1], [2, 3]]>`: the group of a rank.
pub(crate) fn group_of(op: OperationRef, rank: usize) -> Vec<usize> {
    let text = text(op, "groups");
    let inner = text.split_once("<[").expect("explicit groups").1;
    inner
        .split(']')
        .map(integers)
        .find(|group| group.contains(&rank))
        .expect("every rank is in a group")
}

/// An affine map: each result is a dimension divided by a number, or nothing for 0.
pub(crate) struct Map(Vec<Option<(usize, usize)>>);

impl Map {
    /// All maps in the text of an attribute.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let bodies = text.split("affine_map<").skip(1);
        bodies
            .map(|body| {
                let results = body.split_once("-> (").expect("an arrow").1;
                let results = results.split(")>").next().expect("an end");
                let parsed = results
                    .split(", ")
                    .filter(|result| !result.is_empty())
                    .map(|result| {
                        let mut parts = result.split(" floordiv ");
                        let dim = parts.next()?.strip_prefix('d')?.parse().ok()?;
                        Some((dim, parts.next().map_or(1, |by| by.parse().expect("a divisor"))))
                    });
                Self(parsed.collect())
            })
            .collect()
    }

    pub(crate) fn of_dims(dims: &[usize]) -> Self {
        Self(dims.iter().map(|&dim| Some((dim, 1))).collect())
    }

    pub(crate) fn apply(&self, index: &[usize]) -> Vec<usize> {
        let read = |result: &Option<(usize, usize)>| result.map_or(0, |(dim, by)| index[dim] / by);
        self.0.iter().map(read).collect()
    }

    fn dims(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().map(|result| result.expect("a dimension").0)
    }
}

/// The contraction of two tensors, begun with zero.
pub(crate) fn contract(left: &Tensor, right: &Tensor, maps: &[Map]) -> Tensor {
    let loops = maps.iter().flat_map(Map::dims).max().map_or(0, |dim| dim + 1);
    let mut extents = vec![0; loops];
    for (map, tensor) in maps.iter().zip([left, right]) {
        for (dim, size) in map.dims().zip(&tensor.shape) {
            extents[dim] = *size;
        }
    }
    let shape: Vec<usize> = maps[2].dims().map(|dim| extents[dim]).collect();
    let mut sums: std::collections::HashMap<Vec<usize>, f64> = std::collections::HashMap::new();
    for index in indices(&extents) {
        let product = left.at(&maps[0].apply(&index)) * right.at(&maps[1].apply(&index));
        *sums.entry(maps[2].apply(&index)).or_default() += product;
    }
    Tensor::make(&shape, |index| sums[index])
}
