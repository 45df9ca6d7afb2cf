// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Symmetric memory of this process: its own parts, and those of others that it has mapped.
//!
//! Invariant: a mapping stays until its buffer is freed, or until the run has ended, failures or not, since streams may
//! use it. Each process has mappings of its own, so nobody can take memory away from another.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use super::segment::Segment;
use crate::threads::{count_symmetric, uncount_symmetric};

#[derive(Debug)]
struct Part {
    rank: usize,
    /// That are this rank's own.
    counted: usize,
    segment: Segment,
}

impl Drop for Part {
    fn drop(&mut self) {
        uncount_symmetric(self.counted);
    }
}

/// Parts by the number of their buffer.
#[derive(Debug, Default)]
pub(super) struct Memory(RwLock<BTreeMap<u64, Vec<Part>>>);

impl Memory {
    /// Keeps the parts of a buffer; the rank's own one, of so many bytes, counts as its memory.
    pub(super) fn keep(&self, buffer: u64, own: usize, bytes: usize, segments: Vec<(usize, Segment)>) {
        count_symmetric(bytes);
        let part = |(rank, segment)| Part {
            rank,
            counted: if rank == own { bytes } else { 0 },
            segment,
        };
        let parts = segments.into_iter().map(part).collect();
        let mut buffers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        buffers.insert(buffer, parts);
    }

    /// Unmaps the parts of a buffer.
    pub(super) fn free(&self, buffer: u64) {
        let mut buffers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        buffers.remove(&buffer);
    }

    /// The rank in whose part an address lies.
    pub(super) fn owner(&self, address: *mut u8) -> Option<usize> {
        let buffers = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut parts = buffers.values().flatten();
        let found = parts.find(|part| part.segment.has(address));
        found.map(|part| part.rank)
    }
}
