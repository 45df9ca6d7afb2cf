// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! When each gather is due.
//!
//! On each stream the gathers that are awaited stand in consumer order; those of shards take the slots 1, 2, ... With
//! a limit of k, the gather in slot i is due
//! - *late*: just before the wait of slot max(1, i - k + 1), so that k are in flight there; without a limit before the
//!   first slot's wait;
//! - *first*: just after the wait of slot i - k, or at the head of the block when there is none.
//!
//! A gather of an activation takes no slot. It is due where the next slot after it would be: prefetching it earlier
//! would overtake shards whose consumers come first. If that place is past its own wait, its wait is its place.
//!
//! A gather that is due but whose operand is not available yet, or for which no slot is free, is issued as soon as
//! both hold. So the limit never depends on the windows being right. Amortised O(log n) a gather.

use super::Prepared;
use super::classes::Role;
use super::options::{AllGather, SortOptions};
use crate::node::NodeId;
use std::collections::BTreeSet;

/// One awaited gather of a stream.
struct Awaited {
    start: NodeId,
    /// It is due once the waits of this many slots have begun (late) or ended (first).
    threshold: u32,
}

#[derive(Default)]
struct Stream {
    gathers: Vec<Awaited>,
    /// How many of `gathers` are due.
    due: usize,
    /// Slots in use.
    in_flight: u32,
    /// Due and available gathers for which there was no slot.
    blocked: Vec<(u32, NodeId)>,
}

/// The windows of all streams, and which gathers may be issued now.
pub struct Windows {
    streams: Vec<Stream>,
    limit: u32,
    first: bool,
    /// For the wait of a gather in a slot, the number of that slot; 0 elsewhere.
    slot_of_wait: Vec<u32>,
    is_due: Vec<bool>,
    is_available: Vec<bool>,
    /// Due and available gathers, by number.
    issuable: BTreeSet<(u32, NodeId)>,
}

impl Windows {
    /// The windows of a classified problem. With `First`, the gathers at the head of the block are due at once.
    pub(super) fn new(prepared: &Prepared<'_>, options: &SortOptions) -> Self {
        let Prepared {
            problem,
            classes,
            numbers,
            ..
        } = prepared;
        let first = options.all_gather == AllGather::First;
        let limit = options.max_in_flight;
        let mut windows = Windows {
            streams: Vec::new(),
            limit,
            first,
            slot_of_wait: vec![0; problem.len()],
            is_due: vec![false; problem.len()],
            is_available: vec![false; problem.len()],
            issuable: BTreeSet::new(),
        };
        windows
            .streams
            .resize_with(problem.stream_count(), Stream::default);
        let mut slots = vec![0u32; problem.stream_count()];
        for &wait in &numbers.sequence {
            if classes.role(wait) != Role::GatherWait {
                continue;
            }
            let Some((start, stream)) = problem
                .of(wait)
                .and_then(|start| Some((start, problem.stream_of(start)?)))
            else {
                continue;
            };
            let before = slots[stream.index()];
            let slot = before + 1;
            let threshold = match (first, limit) {
                (true, 0) => 0,
                (true, limit) => slot.saturating_sub(limit),
                (false, 0) => 1,
                (false, limit) => (slot + 1).saturating_sub(limit).max(1),
            };
            if classes.slots[start.index()] {
                slots[stream.index()] = slot;
                windows.slot_of_wait[wait.index()] = slot;
            }
            windows.streams[stream.index()]
                .gathers
                .push(Awaited { start, threshold });
        }
        if first {
            for stream in 0..windows.streams.len() {
                windows.advance(prepared, stream, 0);
            }
        }
        windows
    }

    /// Notes that all that a gather's start depends on is there.
    pub(super) fn available(&mut self, prepared: &Prepared<'_>, start: NodeId) {
        self.is_available[start.index()] = true;
        if self.is_due[start.index()] {
            self.issuable
                .insert((prepared.numbers.numbers[start.index()], start));
        }
    }

    /// Notes that the wait of a gather is about to stand next.
    pub(super) fn wait_begins(&mut self, prepared: &Prepared<'_>, wait: NodeId) {
        if !self.first {
            self.advance_past(prepared, wait);
        }
    }

    /// Notes that a start stands in the order now.
    pub(super) fn started(&mut self, prepared: &Prepared<'_>, start: NodeId) {
        if self.takes_slot(prepared, start)
            && let Some(stream) = prepared.problem.stream_of(start)
        {
            self.streams[stream.index()].in_flight += 1;
        }
    }

    /// Notes that the wait of a gather stands in the order now.
    pub(super) fn wait_ended(&mut self, prepared: &Prepared<'_>, wait: NodeId) {
        if let Some(start) = prepared
            .problem
            .of(wait)
            .filter(|&start| prepared.classes.slots[start.index()])
            && let Some(stream) = prepared.problem.stream_of(start)
        {
            let stream = &mut self.streams[stream.index()];
            stream.in_flight -= 1;
            self.issuable.extend(stream.blocked.drain(..));
        }
        if self.first {
            self.advance_past(prepared, wait);
        }
    }

    /// Takes the next gather, by number, that is due and available and has a slot if it needs one.
    pub(super) fn next(&mut self, prepared: &Prepared<'_>) -> Option<NodeId> {
        while let Some((number, start)) = self.issuable.pop_first() {
            let stream = prepared.problem.stream_of(start)?;
            let stream = &mut self.streams[stream.index()];
            if self.limit > 0 && stream.in_flight >= self.limit && prepared.classes.slots[start.index()] {
                stream.blocked.push((number, start));
            } else {
                return Some(start);
            }
        }
        None
    }

    fn takes_slot(&self, prepared: &Prepared<'_>, start: NodeId) -> bool {
        prepared.classes.slots[start.index()] && prepared.classes.waits[start.index()].is_some()
    }

    fn advance_past(&mut self, prepared: &Prepared<'_>, wait: NodeId) {
        let slot = self.slot_of_wait[wait.index()];
        let stream = prepared
            .problem
            .of(wait)
            .and_then(|start| prepared.problem.stream_of(start));
        if let (1.., Some(stream)) = (slot, stream) {
            self.advance(prepared, stream.index(), slot);
        }
    }

    fn advance(&mut self, prepared: &Prepared<'_>, stream: usize, slot: u32) {
        let stream = &mut self.streams[stream];
        while let Some(gather) = stream
            .gathers
            .get(stream.due)
            .filter(|gather| gather.threshold <= slot)
        {
            stream.due += 1;
            self.is_due[gather.start.index()] = true;
            if self.is_available[gather.start.index()] {
                self.issuable
                    .insert((prepared.numbers.numbers[gather.start.index()], gather.start));
            }
        }
    }
}
