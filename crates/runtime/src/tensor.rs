// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Views of memory as tensors: a pointer, sizes and strides, as in a memref.
//!
//! A view owns nothing. Whoever makes one answers for the memory; everything that reads or writes through it is
//! unsafe or reached from an unsafe function only.

use std::fmt;

use crate::element::Element;

/// A view of memory that the program owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    pub(crate) data: *mut u8,
    pub(crate) element: Element,
    pub(crate) sizes: Vec<usize>,
    pub(crate) strides: Vec<isize>,
}

// SAFETY: a view is a description. What it points to is read and written by unsafe code alone, whose callers promise
// that the memory stays valid and that streams, events and meetings order conflicting uses.
unsafe impl Send for Tensor {}
// SAFETY: as above; a shared view cannot be written through without unsafe code.
unsafe impl Sync for Tensor {}

impl Tensor {
    /// Row-major elements without gaps.
    pub fn contiguous(data: *mut u8, element: Element, sizes: &[usize]) -> Self {
        let mut strides = vec![1; sizes.len()];
        for dim in (1..sizes.len()).rev() {
            strides[dim - 1] = strides[dim] * sizes[dim].max(1) as isize;
        }
        Self {
            data,
            element,
            sizes: sizes.to_vec(),
            strides,
        }
    }

    /// Elements at these strides, counted in elements; `data` is where the element at index 0 lies. Nothing if there
    /// are not as many strides as sizes.
    pub fn strided(data: *mut u8, element: Element, sizes: &[usize], strides: &[isize]) -> Option<Self> {
        (sizes.len() == strides.len()).then(|| Self {
            data,
            element,
            sizes: sizes.to_vec(),
            strides: strides.to_vec(),
        })
    }

    /// Where the element at index 0 lies.
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    /// The element type.
    pub fn element(&self) -> Element {
        self.element
    }

    /// Sizes of the dimensions.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Bytes of the elements, gaps not counted.
    pub fn bytes(&self) -> usize {
        self.count() * self.element.bytes()
    }

    /// `extent` positions of a dimension, from `start` on.
    pub(crate) fn slice(&self, dim: usize, start: usize, extent: usize) -> Self {
        let mut part = self.clone();
        part.sizes[dim] = extent;
        if part.count() > 0 {
            let offset = start as isize * self.strides[dim] * self.element.bytes() as isize;
            part.data = self.data.wrapping_offset(offset);
        }
        part
    }

    /// The addresses from the first to behind the last byte; empty for an empty tensor.
    pub(crate) fn span(&self) -> (usize, usize) {
        if self.count() == 0 {
            return (0, 0);
        }
        let bytes = self.element.bytes();
        let (mut low, mut high) = (self.data.addr(), self.data.addr() + bytes);
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            let reach = (size - 1) * stride.unsigned_abs() * bytes;
            if stride < 0 {
                low = low.saturating_sub(reach);
            } else {
                high = high.saturating_add(reach);
            }
        }
        (low, high)
    }

    /// Whether the address ranges of two tensors meet. Interleaved strided tensors count as overlapping.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let ((a, b), (c, d)) = (self.span(), other.span());
        a < d && c < b
    }
}

impl fmt::Display for Tensor {
    /// As in `f32[8x16]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}[", self.element)?;
        for (dim, size) in self.sizes.iter().enumerate() {
            let x = if dim > 0 { "x" } else { "" };
            write!(formatter, "{x}{size}")?;
        }
        formatter.write_str("]")
    }
}
