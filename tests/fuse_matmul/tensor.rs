// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Dense tensors of doubles, row-major.

/// A tensor, or, without dimensions, a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<f64>,
}

/// Every index into a shape, the last dimension fastest.
pub(crate) fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![Vec::new()], |prefixes, &size| {
        let longer = |prefix: Vec<usize>| {
            (0..size).map(move |index| {
                let mut next = prefix.clone();
                next.push(index);
                next
            })
        };
        prefixes.into_iter().flat_map(longer).collect()
    })
}

impl Tensor {
    pub(crate) fn scalar(value: f64) -> Self {
        Self {
            shape: Vec::new(),
            data: vec![value],
        }
    }

    pub(crate) fn make(shape: &[usize], mut element: impl FnMut(&[usize]) -> f64) -> Self {
        Self {
            data: indices(shape).iter().map(|index| element(index)).collect(),
            shape: shape.to_vec(),
        }
    }

    pub(crate) fn at(&self, index: &[usize]) -> f64 {
        assert_eq!(index.len(), self.shape.len());
        let offset = index.iter().zip(&self.shape).fold(0, |offset, (index, size)| {
            assert!(index < size, "index {index} of {size}");
            offset * size + index
        });
        self.data[offset]
    }

    pub(crate) fn zip(&self, other: &Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        assert_eq!(self.shape, other.shape);
        let data = self.data.iter().zip(&other.data).map(|(a, b)| combine(*a, *b));
        Self {
            shape: self.shape.clone(),
            data: data.collect(),
        }
    }

    pub(crate) fn map(&self, apply: impl Fn(f64) -> f64) -> Self {
        Self {
            shape: self.shape.clone(),
            data: self.data.iter().map(|value| apply(*value)).collect(),
        }
    }

    /// The piece of `size` along `dim` that begins at `begin`.
    pub(crate) fn piece(&self, dim: usize, begin: usize, size: usize) -> Self {
        let mut shape = self.shape.clone();
        shape[dim] = size;
        Self::make(&shape, |index| {
            let mut index = index.to_vec();
            index[dim] += begin;
            self.at(&index)
        })
    }

    /// Pieces of one size after each other along `dim`.
    pub(crate) fn join(pieces: &[Self], dim: usize) -> Self {
        let size = pieces[0].shape[dim];
        let mut shape = pieces[0].shape.clone();
        shape[dim] *= pieces.len();
        Self::make(&shape, |index| {
            let mut index = index.to_vec();
            let piece = index[dim] / size;
            index[dim] %= size;
            pieces[piece].at(&index)
        })
    }
}
