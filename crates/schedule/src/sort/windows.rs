// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! When each gather is due.
//!
//! On each stream the gathers that are awaited stand in consumer order; those of shards take the slots 1, 2, ... With
//! a limit of k, the gather in slot i is due
//! - *late*: just before the wait of slot max(1, i - k + 1), so that k are in flight there; without a limit before the
//!   first slot's wait;
//! - *first*: just after the wait of slot i - k, or at the head of the block when there is none.
//!
//! A gather of an activation takes no slot. It is due by the same rule over the waits of all gathers of the stream: the
//! i-th of them just before the (i - k + 1)-th wait, so that it overtakes at most k - 1 gathers that are needed before.
//! (By the slots alone it would have no window where activations are all that is gathered, as in the body of a loop
//! that gathers what an optimization barrier yields.)
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
    /// It is due once this many waits of its queue's count have begun (late) or ended (first).
    threshold: u32,
}

/// Gathers that become due in their order.
#[derive(Default)]
struct Queue {
    gathers: Vec<Awaited>,
    /// How many of `gathers` are due.
    due: usize,
}

#[derive(Default)]
struct Stream {
    /// Gathers in slots; their windows count the waits of slots.
    slots: Queue,
    /// Gathers of activations; their windows count all waits.
    activations: Queue,
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
    /// For the wait of a gather, how many slots and how many gathers there are up to it on its stream; 0 elsewhere.
    slots_up_to: Vec<u32>,
    gathers_up_to: Vec<u32>,
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
            slots_up_to: vec![0; problem.len()],
            gathers_up_to: vec![0; problem.len()],
            is_due: vec![false; problem.len()],
            is_available: vec![false; problem.len()],
            issuable: BTreeSet::new(),
        };
        windows
            .streams
            .resize_with(problem.stream_count(), Stream::default);
        let mut seen = vec![(0u32, 0u32); problem.stream_count()];
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
            let takes_slot = classes.slots[start.index()];
            let (slots, gathers) = &mut seen[stream.index()];
            *slots += u32::from(takes_slot);
            *gathers += 1;
            windows.slots_up_to[wait.index()] = *slots;
            windows.gathers_up_to[wait.index()] = *gathers;
            let stream = &mut windows.streams[stream.index()];
            let (queue, place) = match takes_slot {
                true => (&mut stream.slots, *slots),
                false => (&mut stream.activations, *gathers),
            };
            let threshold = match (first, limit) {
                (true, 0) => 0,
                (true, limit) => place.saturating_sub(limit),
                (false, 0) => 1,
                (false, limit) => (place + 1).saturating_sub(limit).max(1),
            };
            queue.gathers.push(Awaited { start, threshold });
        }
        if first {
            for stream in 0..windows.streams.len() {
                windows.advance(prepared, stream, 0, 0);
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
        let (slots, gathers) = (self.slots_up_to[wait.index()], self.gathers_up_to[wait.index()]);
        let stream = prepared
            .problem
            .of(wait)
            .and_then(|start| prepared.problem.stream_of(start));
        if let Some(stream) = stream {
            self.advance(prepared, stream.index(), slots, gathers);
        }
    }

    /// Makes due what is so once `slots` slots and `gathers` gathers of a stream are being, or have been, awaited.
    fn advance(&mut self, prepared: &Prepared<'_>, stream: usize, slots: u32, gathers: u32) {
        let stream = &mut self.streams[stream];
        for (queue, waits) in [(&mut stream.slots, slots), (&mut stream.activations, gathers)] {
            while let Some(gather) = queue
                .gathers
                .get(queue.due)
                .filter(|gather| gather.threshold <= waits)
            {
                queue.due += 1;
                self.is_due[gather.start.index()] = true;
                if self.is_available[gather.start.index()] {
                    self.issuable
                        .insert((prepared.numbers.numbers[gather.start.index()], gather.start));
                }
            }
        }
    }
}
