// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Functions that MLIR's lowering to LLVM calls and that are not those of the C library.
//!
//! `memref.copy` between layouts that are not contiguous becomes a call of `memrefCopy`. Upstream has it in a library of its
//! runner's, which need not be installed. `memref.alloc` becomes a call of `malloc` whose result nobody looks at: the one here
//! is the C library's, but does not return where there is no memory. Its thread then sleeps for ever, and [`refused`] tells
//! who watches the run.

use std::{
    ffi::{CStr, c_char, c_void},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use comm_runtime::{Rank, ffi::comm_rt_rank_current};

/// `UnrankedMemRefType` of `mlir/ExecutionEngine/CRunnerUtils.h`: number of dimensions, and a pointer to the descriptor.
#[repr(C)]
struct Unranked {
    rank: i64,
    descriptor: *const i64,
}

unsafe extern "C" {
    /// Of the C library.
    fn malloc(bytes: usize) -> *mut c_void;
    /// Of the C library: the address of a symbol of this process.
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `RTLD_DEFAULT`: all that is loaded.
#[cfg(not(target_vendor = "apple"))]
const ALL_LOADED: *mut c_void = std::ptr::null_mut();
/// `RTLD_DEFAULT`: all that is loaded.
#[cfg(target_vendor = "apple")]
const ALL_LOADED: *mut c_void = -2isize as *mut c_void;

/// Names and addresses of the functions, for the engine.
pub(super) fn symbols() -> [(&'static str, *const c_void); 2] {
    [
        ("memrefCopy", memref_copy as *const c_void),
        ("malloc", allocate as *const c_void),
    ]
}

/// Whether this process, or a library that it has loaded, has a function of this name, which compiled code may call.
pub(super) fn is_loaded(name: &CStr) -> bool {
    // SAFETY: the name ends with a zero.
    !unsafe { dlsym(ALL_LOADED, name.as_ptr()) }.is_null()
}

/// A rank whose program has asked for so many bytes in vain; null where it was not the rank's own thread.
struct Refused {
    rank: *const Rank,
    bytes: usize,
}

// SAFETY: the rank is an address to compare with.
unsafe impl Send for Refused {}

static REFUSED: Mutex<Vec<Refused>> = Mutex::new(Vec::new());

/// The bytes for which there was no memory on one of these ranks, or on a stream, which knows no rank.
pub(super) fn refused(ranks: &[*const Rank]) -> Option<usize> {
    let mut all = REFUSED.lock().unwrap_or_else(PoisonError::into_inner);
    let position = all
        .iter()
        .position(|refused| refused.rank.is_null() || ranks.contains(&refused.rank))?;
    Some(all.swap_remove(position).bytes)
}

/// `malloc`, which gives memory or does not return.
unsafe extern "C" fn allocate(bytes: usize) -> *mut c_void {
    // SAFETY: any number may be asked for.
    let memory = unsafe { malloc(bytes) };
    if !memory.is_null() || bytes == 0 {
        return memory;
    }
    let rank = comm_rt_rank_current();
    REFUSED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(Refused { rank, bytes });
    // SAFETY: null, or the rank that this thread runs, which it goes on to do for ever.
    if let Some(rank) = unsafe { rank.as_ref() } {
        // Ends the others.
        let _ = rank.fail(&format!("no memory for {bytes} bytes"), "");
    }
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
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
