// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The symmetric memory of a world: every part of every buffer, whom it belongs to, and its end.
//!
//! Invariant: what is not freed explicitly is freed when the world's threads have all ended, failures or not, and
//! never before, since streams of any rank may still be using it.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    collections::BTreeMap,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Bytes to which parts are aligned: a cache line, and the widest vector register.
pub(super) const ALIGNMENT: usize = 64;

static LIVE: AtomicUsize = AtomicUsize::new(0);

/// Bytes of symmetric memory that this process holds now, over all worlds. For tests of leaks.
pub fn live_symmetric_bytes() -> usize {
    LIVE.load(Ordering::SeqCst)
}

/// Counts bytes that another backend holds.
#[cfg(feature = "mpi")]
pub(crate) fn count_symmetric(bytes: usize) {
    LIVE.fetch_add(bytes, Ordering::SeqCst);
}

/// They are freed.
#[cfg(feature = "mpi")]
pub(crate) fn uncount_symmetric(bytes: usize) {
    LIVE.fetch_sub(bytes, Ordering::SeqCst);
}

struct Part {
    data: *mut u8,
    layout: Layout,
    rank: usize,
}

// SAFETY: a part owns its memory, and only frees it.
unsafe impl Send for Part {}
// SAFETY: a shared part gives out its address alone.
unsafe impl Sync for Part {}

impl Drop for Part {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and dropped once.
        unsafe { dealloc(self.data, self.layout) };
        LIVE.fetch_sub(self.layout.size(), Ordering::SeqCst);
    }
}

/// All parts, by address.
#[derive(Default)]
pub(super) struct Memory(RwLock<BTreeMap<usize, Part>>);

impl Memory {
    /// Zeroed memory of a rank; nothing if there is none to be had.
    pub(super) fn allocate(&self, rank: usize, bytes: usize) -> Option<*mut u8> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT)
            .ok()?
            .pad_to_align();
        // SAFETY: the size is not zero.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            return None;
        }
        LIVE.fetch_add(layout.size(), Ordering::SeqCst);
        let part = Part { data, layout, rank };
        let mut parts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        parts.insert(data.addr(), part);
        Some(data)
    }

    /// Frees the part that begins at this address.
    pub(super) fn free(&self, data: *mut u8) {
        let mut parts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        parts.remove(&data.addr());
    }

    /// The rank in whose memory an address lies.
    pub(super) fn owner(&self, address: *mut u8) -> Option<usize> {
        let parts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (start, part) = parts.range(..=address.addr()).next_back()?;
        (address.addr() - start < part.layout.size()).then_some(part.rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_whose_an_address_is() {
        let memory = Memory::default();
        let (a, b) = (memory.allocate(3, 100).unwrap(), memory.allocate(5, 0).unwrap());
        assert_eq!(a.addr() % ALIGNMENT + b.addr() % ALIGNMENT, 0);
        assert_eq!(memory.owner(a.wrapping_add(99)), Some(3));
        assert_eq!(memory.owner(b), Some(5));
        let mut local = 0u8;
        assert_eq!(memory.owner(&raw mut local), None);
        memory.free(a);
        assert_eq!(memory.owner(a), None);
        assert_eq!(memory.owner(b), Some(5));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        assert_eq!(Memory::default().allocate(0, usize::MAX), None);
        assert_eq!(Memory::default().allocate(0, isize::MAX as usize - 100), None);
    }
}
