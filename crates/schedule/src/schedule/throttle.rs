// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! An order with its prefetches held back until memory allows them.
//!
//! Starts that need nothing but arguments only make memory rise, from where they stand to where their results are first
//! read; anything else keeps its place here. First each such start and its wait go right before the first reader, which
//! is the least memory that the order of all else can have. Then, in the order in which they were issued, each start moves
//! forward again, to where it stood or as far as the ceiling lets it, and not before the one issued before it unless it is
//! needed earlier. So only those prefetches become late that meet the peak, and the time lost is theirs alone.
//!
//! The order stays a linear extension. Its peak is at most the ceiling, or that of the order with all prefetches at their
//! readers where that is larger. O(n + e + positions that prefetches are moved over), and the latter at most
//! [`WORK`] times n; starts that are left then stay at their readers.

use super::measure::State;
use super::units::{NONE, UnitKind, Units};

/// Positions visited for each unit, on average.
const WORK: usize = 64;

/// How many ceilings are tried between the least peak of an order of computation and the peak it has.
const CEILINGS: u64 = 4;

/// The orders that hold prefetches back under some ceilings, the least first.
pub(crate) fn throttled(units: &Units, order: &[u32], peak_bytes: u64) -> Vec<Vec<u32>> {
    let prefetches = Prefetches::of(units, order);
    if prefetches.starts.is_empty() {
        return Vec::new();
    }
    let least = prefetches.peaks.iter().copied().max().unwrap_or(0);
    let above = peak_bytes.saturating_sub(least);
    let mut ceilings: Vec<u64> = (0..CEILINGS)
        .map(|rung| least + above / CEILINGS * rung)
        .collect();
    ceilings.dedup();
    ceilings
        .into_iter()
        .map(|ceiling| prefetches.under(units, ceiling))
        .collect()
}

/// A start that only makes memory rise. Places are numbers of kept units that stand before.
struct Prefetch {
    unit: u32,
    /// Where it stood.
    issued: usize,
    /// The latest place that it can have.
    latest: usize,
    /// Where its wait stands, right before what reads it.
    read: usize,
}

/// An order taken apart.
struct Prefetches {
    /// All else, in order.
    kept: Vec<u32>,
    /// In the order in which they are issued.
    starts: Vec<Prefetch>,
    /// The bytes live while each kept unit runs if each start stands at its reader.
    peaks: Vec<u64>,
}

impl Prefetches {
    fn of(units: &Units, order: &[u32]) -> Self {
        let is_start = |unit: u32| {
            let wait = units.partner[unit as usize];
            units.kind[unit as usize] == UnitKind::Start
                && units.before.of(unit).is_empty()
                && wait != NONE
                && units.kind[wait as usize] == UnitKind::Wait
                && units.before.of(wait) == [unit]
        };
        let is_moved = |unit: u32| {
            let index = unit as usize;
            is_start(unit) || units.kind[index] == UnitKind::Wait && is_start(units.partner[index])
        };
        let mut place = vec![0; units.len()];
        let mut kept = Vec::with_capacity(order.len());
        let mut starts = Vec::new();
        for &unit in order {
            place[unit as usize] = kept.len();
            if is_start(unit) {
                starts.push(unit);
            }
            if !is_moved(unit) {
                kept.push(unit);
            }
        }
        // The first kept unit that must stand later. No start or wait that moves depends on another.
        let follower = |unit: u32| {
            let followers = units.after.of(unit).iter().filter(|other| !is_moved(**other));
            followers
                .map(|other| place[*other as usize])
                .min()
                .unwrap_or(kept.len())
        };
        let starts: Vec<Prefetch> = starts
            .into_iter()
            .map(|unit| {
                let read = follower(units.partner[unit as usize]);
                Prefetch {
                    unit,
                    issued: place[unit as usize],
                    latest: follower(unit).min(read),
                    read,
                }
            })
            .collect();
        let mut prefetches = Prefetches {
            kept,
            starts,
            peaks: Vec::new(),
        };
        let latest: Vec<usize> = prefetches.starts.iter().map(|start| start.latest).collect();
        let mut state = State::new(units);
        for unit in prefetches.merged(units, &latest) {
            if !is_moved(unit) {
                prefetches
                    .peaks
                    .push(state.live_bytes + units.bytes[unit as usize]);
            }
            state.issue(units, unit);
        }
        prefetches
    }

    /// The order with each start as early as before, or as the ceiling lets it.
    fn under(&self, units: &Units, ceiling: u64) -> Vec<u32> {
        let mut live = self.peaks.clone();
        let mut work = WORK * units.len();
        let mut last = 0;
        let places: Vec<usize> = self
            .starts
            .iter()
            .map(|start| {
                let bytes = units.bytes[start.unit as usize];
                let earliest = start.issued.max(last).min(start.latest);
                let mut place = start.latest;
                while place > earliest && work > 0 && live[place - 1].saturating_add(bytes) <= ceiling {
                    place -= 1;
                    work -= 1;
                }
                live[place..start.latest]
                    .iter_mut()
                    .for_each(|live| *live += bytes);
                last = last.max(place);
                place
            })
            .collect();
        self.merged(units, &places)
    }

    /// The order with each start at a place, and its wait at its reader.
    fn merged(&self, units: &Units, places: &[usize]) -> Vec<u32> {
        let mut moved: Vec<(usize, bool, u32)> = Vec::with_capacity(2 * self.starts.len());
        for (start, &place) in self.starts.iter().zip(places) {
            moved.push((place, false, start.unit));
            moved.push((start.read, true, units.partner[start.unit as usize]));
        }
        // Starts before waits of the same place; both in the order in which they were.
        moved.sort_by_key(|&(place, is_wait, _)| (place, is_wait));
        let mut moved = moved.into_iter().peekable();
        let mut order = Vec::with_capacity(units.len());
        for place in 0..=self.kept.len() {
            while let Some((_, _, unit)) = moved.next_if(|(at, _, _)| *at <= place) {
                order.push(unit);
            }
            order.extend(self.kept.get(place));
        }
        order
    }
}
