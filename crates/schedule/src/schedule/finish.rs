// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The last touch of a schedule: waits as late as they can be without any cost.
//!
//! Within the model a wait is as good at any place from the end of its collective to the first consumer, and earlier
//! it frees the operand earlier. On a machine that is slower than the model says, an early wait holds computation up.
//! So each wait goes right before its first consumer unless that raises the time or the peak of the schedule, or exceeds a
//! limit. O(waits x distance moved), within a fixed number of steps.

use super::local::arrangement::{Arrangement, Ceiling};
use super::options::Point;
use super::units::{UnitKind, Units};

/// Positions visited at most.
const WORK: u64 = 20_000_000;

/// Clocks that are kept at most, one a unit and a link or stream; beyond that waits stay where they are.
const MOST_CLOCKS: usize = 1 << 26;

/// The order with its waits late. `point` are the figures of the order, which do not get worse.
pub(crate) fn finish(units: &Units, order: &[u32], point: Point, in_flight: Ceiling) -> Vec<u32> {
    let ceiling = Ceiling {
        bytes: point.peak_bytes,
        ..in_flight
    };
    if units.len().saturating_mul(units.link_count + units.stream_count) > MOST_CLOCKS {
        return order.to_vec();
    }
    let mut arrangement = Arrangement::new(units, order.to_vec(), ceiling);
    let waits = order.iter().rev().copied();
    let waits =
        waits.filter(|unit| matches!(units.kind[*unit as usize], UnitKind::Wait | UnitKind::StreamWait));
    for wait in waits {
        if arrangement.work() > WORK {
            break;
        }
        let from = arrangement.position(wait);
        let last = order.len() - 1;
        let to = units
            .after
            .of(wait)
            .iter()
            .map(|user| arrangement.position(*user) - 1)
            .min()
            .unwrap_or(last);
        if to <= from {
            continue;
        }
        if let Some(cost) = arrangement.shift(from, to, point.time_ns) {
            if cost.excess == 0 {
                arrangement.keep();
            } else {
                arrangement.undo();
            }
        }
    }
    arrangement.order().to_vec()
}
