// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Walks over strided tensors row by row, and copies between them.

use crate::tensor::Tensor;

/// Calls `row(offsets, count, strides)` for each innermost row of tensors of one shape: the byte offset of the row in
/// each tensor, its elements, and the distance in bytes between elements in each. Dimensions that lie behind each
/// other in all tensors are walked as one, so contiguous tensors are a single row. O(rows × tensors).
pub(crate) fn rows(tensors: &[&Tensor], mut row: impl FnMut(&[isize], usize, &[isize])) {
    let Some(first) = tensors.first() else { return };
    if first.count() == 0 {
        return;
    }
    let mut dims: Vec<(usize, Vec<isize>)> = Vec::new();
    for (dim, &size) in first.sizes.iter().enumerate() {
        if size == 1 {
            continue;
        }
        let bytes = |tensor: &&Tensor| tensor.strides[dim] * tensor.element.bytes() as isize;
        let strides: Vec<isize> = tensors.iter().map(bytes).collect();
        if let Some((outer, outer_strides)) = dims.last_mut()
            && outer_strides
                .iter()
                .zip(&strides)
                .all(|(a, b)| *a == *b * size as isize)
        {
            *outer *= size;
            *outer_strides = strides;
        } else {
            dims.push((size, strides));
        }
    }
    let (count, inner) = dims.pop().unwrap_or_else(|| {
        let bytes = |tensor: &&Tensor| tensor.element.bytes() as isize;
        (1, tensors.iter().map(bytes).collect())
    });
    let mut index = vec![0; dims.len()];
    let mut offsets = vec![0; tensors.len()];
    loop {
        row(&offsets, count, &inner);
        // One more at the innermost dimension that has one more; those inside it start over.
        let mut dim = dims.len();
        loop {
            if dim == 0 {
                return;
            }
            dim -= 1;
            let (size, strides) = &dims[dim];
            index[dim] += 1;
            let is_over = index[dim] == *size;
            let step = if is_over { 1 - *size as isize } else { 1 };
            for (offset, stride) in offsets.iter_mut().zip(strides) {
                *offset += step * stride;
            }
            if !is_over {
                break;
            }
            index[dim] = 0;
        }
    }
}

/// Copies the elements of `source` to `target`, a tensor of the same shape and element type.
///
/// # Safety
/// Both are valid for their whole extent, nobody writes `source` or touches `target` meanwhile, and they do not
/// overlap, unless they are the same elements.
pub(crate) unsafe fn copy(target: &Tensor, source: &Tensor) {
    if target.data == source.data && target.strides == source.strides {
        return;
    }
    let bytes = source.element.bytes();
    rows(&[target, source], |offsets, count, strides| {
        let to = target.data.wrapping_offset(offsets[0]);
        let from = source.data.wrapping_offset(offsets[1]);
        if strides.iter().all(|&stride| stride == bytes as isize) {
            // SAFETY: rows stay within the tensors, which the caller vouches for.
            unsafe { std::ptr::copy_nonoverlapping(from, to, count * bytes) };
            return;
        }
        for index in 0..count as isize {
            let (to, from) = (
                to.wrapping_offset(index * strides[0]),
                from.wrapping_offset(index * strides[1]),
            );
            // SAFETY: as above.
            unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) };
        }
    });
}

/// Sets all elements to zero.
///
/// # Safety
/// The tensor is valid for its whole extent and nobody touches it meanwhile.
pub(crate) unsafe fn zero(target: &Tensor) {
    let bytes = target.element.bytes();
    rows(&[target], |offsets, count, strides| {
        let to = target.data.wrapping_offset(offsets[0]);
        for index in 0..count as isize {
            // SAFETY: rows stay within the tensor, which the caller vouches for.
            unsafe { std::ptr::write_bytes(to.wrapping_offset(index * strides[0]), 0, bytes) };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Element;

    fn tensor(data: &mut [i32], start: usize, sizes: &[usize], strides: &[isize]) -> Tensor {
        let start = data.as_mut_ptr().wrapping_add(start).cast();
        Tensor::strided(start, Element::I32, sizes, strides).expect("as many strides as sizes")
    }

    #[test]
    fn copies_between_layouts() {
        let mut from: Vec<i32> = (0..24).collect();
        let mut to = vec![-1; 24];
        // A transpose: column-major to row-major, with a reversed dimension.
        let source = tensor(&mut from, 5, &[6, 4], &[-1, 6]);
        let target = tensor(&mut to, 0, &[6, 4], &[4, 1]);
        // SAFETY: both views lie within their vectors.
        unsafe { copy(&target, &source) };
        let expected: Vec<i32> = (0..24).map(|index| 5 - index / 4 + index % 4 * 6).collect();
        assert_eq!(to, expected);
    }

    #[test]
    fn contiguous_tensors_are_one_row() {
        let mut data = vec![0; 60];
        let whole = tensor(&mut data, 0, &[3, 4, 5], &[20, 5, 1]);
        let mut calls = Vec::new();
        rows(&[&whole, &whole], |offsets, count, _| {
            calls.push((offsets[0], count))
        });
        assert_eq!(calls, [(0, 60)]);
        calls.clear();
        rows(&[&whole.slice(1, 1, 2)], |offsets, count, _| {
            calls.push((offsets[0], count))
        });
        assert_eq!(calls, [(0, 10), (80, 10), (160, 10)]);
        calls.clear();
        rows(&[&whole.slice(0, 3, 0)], |offsets, count, _| {
            calls.push((offsets[0], count))
        });
        assert_eq!(calls, []);
    }

    #[test]
    fn zeroes_what_it_should() {
        let mut data = vec![7; 8];
        let even = tensor(&mut data, 0, &[4], &[2]);
        // SAFETY: the view lies within the vector.
        unsafe { zero(&even) };
        assert_eq!(data, [0, 7, 0, 7, 0, 7, 0, 7]);
    }
}
