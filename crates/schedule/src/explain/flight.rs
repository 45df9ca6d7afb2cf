// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is in flight along an order: collectives by stream, and bytes on all streams. Kept only where it is limited.

use super::range_max::RangeMax;
use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use crate::schedule::ScheduleOptions;
use std::ops::Range;

/// Amounts in flight under the limits on them.
pub(super) struct Flights {
    /// The limit, and the collectives in flight on each stream.
    by_stream: Option<(u64, Vec<Amounts>)>,
    /// The limit, and the bytes in flight.
    bytes: Option<(u64, Amounts)>,
}

/// An amount that changes at some positions.
struct Amounts {
    positions: Vec<usize>,
    after: Vec<u64>,
    maxima: RangeMax,
}

impl Amounts {
    fn new(changes: Vec<(usize, u64)>) -> Self {
        let (positions, after): (Vec<usize>, Vec<u64>) = changes.into_iter().unzip();
        Amounts {
            positions,
            maxima: RangeMax::new(after.clone()),
            after,
        }
    }

    /// The most that a node which moves from the end of a range of positions to its begin would meet.
    fn over(&self, range: Range<usize>) -> u64 {
        let changes = |position| self.positions.partition_point(|&change| change < position);
        let (low, high) = (changes(range.start), changes(range.end));
        let before = low.checked_sub(1).map_or(0, |last| self.after[last]);
        self.maxima.over(low..high).max(before)
    }
}

impl Flights {
    pub(super) fn new(problem: &Problem, order: &[NodeId], options: &ScheduleOptions) -> Self {
        let waits = problem.waits();
        let mut streams = vec![Vec::new(); problem.stream_count()];
        let mut bytes = Vec::new();
        let (mut counts, mut sum) = (vec![0u64; problem.stream_count()], 0);
        for (position, &id) in order.iter().enumerate() {
            let start = problem.of(id).unwrap_or(id);
            let is_change = match problem.kind(id) {
                Kind::Start => waits[id.index()].is_some(),
                Kind::Wait => true,
                _ => false,
            };
            let Some(stream) = problem.stream_of(start).filter(|_| is_change) else {
                continue;
            };
            let count = &mut counts[stream.index()];
            if start == id {
                *count += 1;
                sum += problem.bytes(start);
            } else {
                *count -= 1;
                sum -= problem.bytes(start);
            }
            streams[stream.index()].push((position, *count));
            bytes.push((position, sum));
        }
        Flights {
            by_stream: options
                .max_in_flight
                .map(|limit| (u64::from(limit), streams.into_iter().map(Amounts::new).collect())),
            bytes: options
                .max_in_flight_bytes
                .map(|limit| (limit, Amounts::new(bytes))),
        }
    }

    /// Whether a start behind the range, moved to the begin of it, would exceed a limit.
    pub(super) fn would_exceed(&self, problem: &Problem, start: NodeId, range: Range<usize>) -> bool {
        let stream = problem.stream_of(start);
        let too_many = match (&self.by_stream, stream) {
            (Some((limit, streams)), Some(stream)) => {
                streams[stream.index()].over(range.clone()) + 1 > *limit
            }
            _ => false,
        };
        let bytes = problem.bytes(start);
        let too_large = |(limit, sum): &(u64, Amounts)| sum.over(range.clone()) + bytes > *limit;
        too_many || self.bytes.as_ref().is_some_and(too_large)
    }
}
