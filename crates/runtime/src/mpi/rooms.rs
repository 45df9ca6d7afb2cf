// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Meetings of groups, as this process sees them: what has been heard of each member.
//!
//! Every member keeps its own room for a meeting and fills it with the messages of the others; nobody is in charge. A room
//! is made by the first message, which may come long before this process gets there, and goes when its member leaves.
//!
//! Invariant: posts that differ are seen by every member, since each post goes to all.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::message::{Key, Offer};
use crate::collective::Call;

/// What a member issued.
#[derive(Clone, Debug)]
pub(super) struct Posted {
    pub(super) call: Arc<Call>,
    pub(super) offer: Option<Offer>,
}

/// Bytes of a step, from one member.
#[derive(Debug, Default)]
pub(super) struct Parcel {
    bytes: Vec<u8>,
    start: usize,
    total: usize,
}

impl Parcel {
    /// Adds a frame whose payload begins at `start`, of so many bytes in all.
    fn add(&mut self, frame: Vec<u8>, start: usize, total: usize) {
        if self.bytes.is_empty() {
            // The common case, one frame, is not copied.
            *self = Self {
                bytes: frame,
                start,
                total,
            };
        } else {
            self.bytes
                .reserve_exact(self.total + self.start - self.bytes.len());
            self.bytes.extend_from_slice(&frame[start..]);
        }
    }

    fn is_complete(&self) -> bool {
        self.bytes.len() - self.start >= self.total
    }

    /// Where its bytes begin.
    pub(super) fn data(&mut self) -> *mut u8 {
        self.bytes[self.start..].as_mut_ptr()
    }
}

/// One meeting.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// By rank.
    posts: BTreeMap<usize, Posted>,
    /// Rank that came first.
    first: Option<usize>,
    /// Two calls that differ.
    mismatch: Option<[Arc<Call>; 2]>,
    /// By step and rank.
    parcels: BTreeMap<(usize, usize), Parcel>,
    passed: BTreeSet<usize>,
}

impl Room {
    /// A member has come.
    pub(super) fn post(&mut self, rank: usize, posted: Posted, agree: impl FnOnce(&Call, &Call) -> bool) {
        let first = *self.first.get_or_insert(rank);
        if let Some(theirs) = self.posts.get(&first)
            && self.mismatch.is_none()
            && !agree(&theirs.call, &posted.call)
        {
            self.mismatch = Some([theirs.call.clone(), posted.call.clone()]);
        }
        self.posts.insert(rank, posted);
    }

    /// Part of a step has come.
    pub(super) fn part(&mut self, step: usize, rank: usize, frame: Vec<u8>, start: usize, total: usize) {
        self.parcels
            .entry((step, rank))
            .or_default()
            .add(frame, start, total);
    }

    /// A member has made its results.
    pub(super) fn pass(&mut self, rank: usize) {
        self.passed.insert(rank);
    }

    pub(super) fn mismatch(&self) -> Option<[Arc<Call>; 2]> {
        self.mismatch.clone()
    }

    /// Members that have not come.
    pub(super) fn absent(&self, sorted: &[usize]) -> Vec<usize> {
        let absent = sorted.iter().filter(|rank| !self.posts.contains_key(rank));
        absent.copied().collect()
    }

    /// What all members issued, by rank.
    pub(super) fn posts(&self) -> Vec<Posted> {
        self.posts.values().cloned().collect()
    }

    /// Those of these ranks whose bytes of a step have not all come.
    pub(super) fn lacking(&self, step: usize, ranks: &[usize]) -> Vec<usize> {
        let has = |rank: &usize| self.parcels.get(&(step, *rank)).is_some_and(Parcel::is_complete);
        ranks.iter().filter(|rank| !has(rank)).copied().collect()
    }

    /// Takes the bytes of a step, by rank.
    pub(super) fn take(&mut self, step: usize, ranks: &[usize]) -> BTreeMap<usize, Parcel> {
        let take = |&rank: &usize| Some((rank, self.parcels.remove(&(step, rank))?));
        ranks.iter().filter_map(take).collect()
    }

    /// Members that have not made their results.
    pub(super) fn unpassed(&self, sorted: &[usize]) -> Vec<usize> {
        let unpassed = sorted.iter().filter(|rank| !self.passed.contains(rank));
        unpassed.copied().collect()
    }
}

/// Rooms by meeting.
pub(super) type Rooms = BTreeMap<Key, Room>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parcel_may_come_in_several_frames() {
        let mut room = Room::default();
        room.part(0, 3, b"..abc".to_vec(), 2, 5);
        assert_eq!(room.lacking(0, &[3]), [3]);
        room.part(0, 3, b".de".to_vec(), 1, 5);
        assert_eq!(room.lacking(0, &[3]), [0usize; 0]);
        assert_eq!(room.lacking(1, &[3, 4]), [3, 4]);
        let mut parcel = room.take(0, &[3]).remove(&3).unwrap();
        // SAFETY: five bytes have come.
        assert_eq!(unsafe { std::slice::from_raw_parts(parcel.data(), 5) }, b"abcde");
    }
}
