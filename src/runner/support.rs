// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The one function that MLIR's lowering to LLVM calls and no C library has.
//!
//! `memref.copy` between layouts that are not contiguous becomes a call of `memrefCopy`. Upstream has it in a library of its
//! runner's, which need not be installed.

use std::ffi::c_void;

/// `UnrankedMemRefType` of `mlir/ExecutionEngine/CRunnerUtils.h`: number of dimensions, and a pointer to the descriptor.
#[repr(C)]
struct Unranked {
    rank: i64,
    descriptor: *const i64,
}

/// Name and address of the function, for the engine.
pub(super) fn symbols() -> [(&'static str, *const c_void); 1] {
    [("memrefCopy", memref_copy as *const c_void)]
}

/// Copies a buffer to one of the same shape. O(elements).
///
/// # Safety
/// Both describe buffers that are alive, of one shape and of elements of so many bytes; the buffers are apart.
unsafe extern "C" fn memref_copy(element_bytes: i64, source: *const Unranked, target: *const Unranked) {
    // SAFETY: as promised: a descriptor has two pointers, an offset, sizes and strides.
    unsafe {
        let rank = (*source).rank as usize;
        let source = std::slice::from_raw_parts((*source).descriptor, 3 + 2 * rank);
        let target = std::slice::from_raw_parts((*target).descriptor, 3 + 2 * rank);
        let bytes = element_bytes as isize;
        let sizes = &source[3..3 + rank];
        if sizes.contains(&0) {
            return;
        }
        let strides = |descriptor: &[i64]| -> Vec<isize> {
            descriptor[3 + rank..]
                .iter()
                .map(|&stride| stride as isize * bytes)
                .collect()
        };
        let start = |descriptor: &[i64]| (descriptor[1] as *mut u8).offset(descriptor[2] as isize * bytes);
        let (from_strides, to_strides) = (strides(source), strides(target));
        // Inner dimensions that lie without gaps on both sides are copied in one piece.
        let mut piece = bytes;
        let mut outer = rank;
        while outer > 0 && from_strides[outer - 1] == piece && to_strides[outer - 1] == piece {
            piece *= sizes[outer - 1] as isize;
            outer -= 1;
        }
        let (mut from, mut to) = (start(source), start(target));
        let mut index = vec![0i64; outer];
        loop {
            std::ptr::copy_nonoverlapping(from, to, piece as usize);
            // The next index, like a counter of mixed digits.
            let mut dim = outer;
            loop {
                if dim == 0 {
                    return;
                }
                dim -= 1;
                index[dim] += 1;
                from = from.wrapping_offset(from_strides[dim]);
                to = to.wrapping_offset(to_strides[dim]);
                if index[dim] < sizes[dim] {
                    break;
                }
                from = from.wrapping_offset(-from_strides[dim] * sizes[dim] as isize);
                to = to.wrapping_offset(-to_strides[dim] * sizes[dim] as isize);
                index[dim] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Unranked, memref_copy};

    /// A descriptor at an address.
    fn descriptor(data: *const f32, offset: i64, sizes: &[i64], strides: &[i64]) -> Vec<i64> {
        let head = [data as i64, data as i64, offset];
        head.iter().chain(sizes).chain(strides).copied().collect()
    }

    #[test]
    fn strides_on_either_side_are_followed() {
        let source: Vec<f32> = (0..12u8).map(f32::from).collect();
        let mut target = vec![-1.0f32; 12];
        // The transposed middle of 4x3, into every other place.
        let from = descriptor(source.as_ptr(), 3, &[3, 2], &[1, 3]);
        let to = descriptor(target.as_mut_ptr(), 0, &[3, 2], &[4, 2]);
        let unranked = |descriptor: &[i64]| Unranked {
            rank: 2,
            descriptor: descriptor.as_ptr(),
        };
        // SAFETY: both buffers are as large as their descriptors say.
        unsafe { memref_copy(4, &unranked(&from), &unranked(&to)) };
        assert_eq!(
            target,
            [3.0, -1.0, 6.0, -1.0, 4.0, -1.0, 7.0, -1.0, 5.0, -1.0, 8.0, -1.0]
        );
    }

    #[test]
    fn numbers_and_nothing_are_copied() {
        let (source, mut target) = ([7.0f32], [0.0f32]);
        let from = descriptor(source.as_ptr(), 0, &[], &[]);
        let to = descriptor(target.as_mut_ptr(), 0, &[], &[]);
        let none = descriptor(source.as_ptr(), 0, &[0], &[1]);
        // SAFETY: as above.
        unsafe {
            memref_copy(
                4,
                &Unranked {
                    rank: 0,
                    descriptor: from.as_ptr(),
                },
                &Unranked {
                    rank: 0,
                    descriptor: to.as_ptr(),
                },
            );
            memref_copy(
                4,
                &Unranked {
                    rank: 1,
                    descriptor: none.as_ptr(),
                },
                &Unranked {
                    rank: 1,
                    descriptor: none.as_ptr(),
                },
            );
        }
        assert_eq!(target, [7.0]);
    }
}
