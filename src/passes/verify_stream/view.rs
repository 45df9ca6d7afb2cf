// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which bytes of which buffer a memref stands for.
//!
//! All numbers are in bytes from the beginning of the buffer; a number that is not known is nothing, and a view of which a
//! number is missing stands for the whole buffer. So what is not known can only make a program harder to prove.

use comm_happens::{Buffer, Region};

/// A memref of a known buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) buffer: Buffer,
    /// Of the first element.
    pub(super) offset: Option<i64>,
    /// Size, in elements, and distance of two neighbours, in bytes.
    pub(super) dims: Vec<Dim>,
    /// Bytes of an element; nothing where the type does not say.
    pub(super) element: Option<i64>,
}

/// One dimension of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dim {
    pub(super) size: Option<i64>,
    pub(super) stride: Option<i64>,
}

/// Sizes and strides of a view of another view, in elements, one a dimension.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) offsets: Vec<Option<i64>>,
    pub(super) sizes: Vec<Option<i64>>,
    pub(super) strides: Vec<Option<i64>>,
}

fn product(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    // Nothing is as far as zero steps of any length.
    if a == Some(0) || b == Some(0) {
        return Some(0);
    }
    a?.checked_mul(b?)
}

fn sum(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a?.checked_add(b?)
}

impl View {
    /// A view with the layout of its type: sizes, strides and offset in elements.
    pub(super) fn new(
        buffer: Buffer,
        element: Option<i64>,
        offset: Option<i64>,
        sizes: &[Option<i64>],
        strides: &[Option<i64>],
    ) -> Self {
        let dims = sizes.iter().zip(strides).map(|(&size, &stride)| Dim {
            size,
            stride: product(stride, element),
        });
        Self {
            buffer,
            offset: product(offset, element),
            dims: dims.collect(),
            element,
        }
    }

    /// A view of a buffer without strides.
    pub(super) fn contiguous(
        buffer: Buffer,
        element: Option<i64>,
        offset: Option<i64>,
        sizes: &[Option<i64>],
    ) -> Self {
        let mut view = Self {
            buffer,
            offset,
            dims: Vec::new(),
            element,
        };
        view.dims = row_major(sizes, element);
        view
    }

    /// The bytes that the view may stand for.
    pub(super) fn region(&self) -> Region {
        let dims: Option<Vec<(i64, i64)>> = self
            .dims
            .iter()
            .map(|dim| {
                let size = dim.size?;
                // The stride of a single element does not matter.
                Some((size, if size == 1 { 0 } else { dim.stride? }))
            })
            .collect();
        match (self.offset, self.element, dims) {
            (Some(offset), Some(element), Some(dims)) => Region::strided(offset, element, &dims),
            _ => Region::everything(),
        }
    }

    /// Part of the view, without the dimensions that `keep` leaves out. `tile` has as many entries as the view dimensions.
    pub(super) fn subview(&self, tile: &Tile, keep: &[usize]) -> Self {
        let steps = tile.offsets.iter().zip(&self.dims);
        let offset = steps.fold(self.offset, |offset, (&by, dim)| {
            sum(offset, product(by, dim.stride))
        });
        let dims: Vec<Dim> = self
            .dims
            .iter()
            .zip(tile.sizes.iter().zip(&tile.strides))
            .map(|(dim, (&size, &stride))| Dim {
                size,
                stride: product(dim.stride, stride),
            })
            .collect();
        Self {
            offset,
            dims: keep.iter().filter_map(|&dim| dims.get(dim).copied()).collect(),
            ..self.clone()
        }
    }

    /// Groups of neighbouring dimensions as one each; the type's verifier has seen that they continue each other.
    pub(super) fn collapse(&self, groups: &[Vec<usize>]) -> Self {
        let collapsed = groups.iter().map(|group| {
            let mut dims = group.iter().filter_map(|&dim| self.dims.get(dim));
            let size = dims
                .clone()
                .map(|dim| dim.size)
                .reduce(product)
                .unwrap_or(Some(1));
            // The innermost dimension of more than one element says how far neighbours are apart.
            let mut inwards = dims.clone().rev();
            let inner = inwards.find(|dim| dim.size != Some(1)).or(dims.next_back());
            Dim {
                size,
                stride: inner.and_then(|dim| dim.stride),
            }
        });
        Self {
            dims: collapsed.collect(),
            ..self.clone()
        }
    }

    /// Each dimension as a group of some, of these sizes.
    pub(super) fn expand(&self, groups: &[Vec<usize>], sizes: &[Option<i64>]) -> Self {
        let mut dims = Vec::with_capacity(sizes.len());
        for (dim, group) in self.dims.iter().zip(groups) {
            let mut stride = dim.stride;
            let mut inner: Vec<Dim> = Vec::with_capacity(group.len());
            for &target in group.iter().rev() {
                let size = sizes.get(target).copied().flatten();
                inner.push(Dim { size, stride });
                stride = product(stride, size);
            }
            dims.extend(inner.into_iter().rev());
        }
        Self { dims, ..self.clone() }
    }

    /// Dimensions in another order.
    pub(super) fn transpose(&self, order: &[usize]) -> Self {
        Self {
            dims: order
                .iter()
                .filter_map(|&dim| self.dims.get(dim).copied())
                .collect(),
            ..self.clone()
        }
    }
}

/// Dimensions of a buffer without strides.
fn row_major(sizes: &[Option<i64>], element: Option<i64>) -> Vec<Dim> {
    let mut stride = element;
    let mut dims: Vec<Dim> = Vec::with_capacity(sizes.len());
    for &size in sizes.iter().rev() {
        dims.push(Dim { size, stride });
        stride = product(stride, size);
    }
    dims.reverse();
    dims
}

#[cfg(test)]
mod tests {
    use comm_happens::{Region, Trace};

    use super::{Tile, View};

    fn known(numbers: &[i64]) -> Vec<Option<i64>> {
        numbers.iter().copied().map(Some).collect()
    }

    fn matrix() -> View {
        let buffer = Trace::new(1).buffer("matrix");
        View::contiguous(buffer, Some(4), Some(0), &known(&[6, 8]))
    }

    fn tile(offsets: &[i64], sizes: &[i64], strides: &[i64]) -> Tile {
        Tile {
            offsets: known(offsets),
            sizes: known(sizes),
            strides: known(strides),
        }
    }

    #[test]
    fn a_part_of_a_part_is_where_it_should_be() {
        let columns = matrix().subview(&tile(&[1, 2], &[4, 4], &[1, 1]), &[0, 1]);
        assert_eq!(columns.region(), Region::strided(40, 4, &[(4, 32), (4, 4)]));
        let part = columns.subview(&tile(&[0, 1], &[2, 2], &[2, 2]), &[0, 1]);
        assert_eq!(part.region(), Region::strided(44, 4, &[(2, 64), (2, 8)]));
        let row = columns.subview(&tile(&[3, 0], &[1, 4], &[1, 1]), &[1]);
        assert_eq!((row.dims.len(), row.region()), (1, Region::contiguous(136, 16)));
    }

    #[test]
    fn shapes_of_the_same_memory_are_the_same_region() {
        let all = matrix().region();
        let flat = matrix().collapse(&[vec![0, 1]]);
        assert_eq!((flat.dims.len(), flat.region()), (1, all.clone()));
        let split = flat.expand(&[vec![0, 1, 2]], &known(&[3, 2, 8]));
        assert_eq!(split.region(), all);
        let block = split.subview(&tile(&[1, 0, 0], &[1, 2, 8], &[1, 1, 1]), &[0, 1, 2]);
        assert_eq!(block.region(), Region::contiguous(64, 64));
        assert_eq!(matrix().transpose(&[1, 0]).region(), all);
    }

    #[test]
    fn what_is_not_known_is_the_whole_buffer() {
        let mut unknown = tile(&[0, 0], &[2, 8], &[1, 1]);
        unknown.offsets[0] = None;
        assert_eq!(matrix().subview(&unknown, &[0, 1]).region(), Region::everything());
        let mut row = tile(&[0, 0], &[1, 8], &[1, 1]);
        row.strides[0] = None;
        assert_eq!(
            matrix().subview(&row, &[0, 1]).region(),
            Region::contiguous(0, 32)
        );
    }
}
