// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The sets of units that can have been issued at some point of an order, and what depends on nothing but the set.
//!
//! A down-set holds with each unit all that it needs. The live bytes, what is in flight, and what remains to be done
//! follow from the set, whatever the order within it. The sets that keep the limits are found by size, and for each the
//! least peak that any completion has is computed backwards; a set without completion is marked so.

use super::InFlightLimits;
use super::table::{Action, Set, Table, Unit, members};
use std::collections::HashMap;
use std::ops::Range;

/// The peak where no completion keeps the limits.
pub(super) const NO_COMPLETION: u64 = u64::MAX;

/// A down-set. See the [module](self) documentation.
pub(super) struct DownSet {
    /// Its members.
    pub set: Set,
    /// The collectives in it whose ends are still needed.
    pub ends: Set,
    /// For each of them, the least time from its end to that of the step, as far as what remains needs it.
    pub end_tails: Vec<u64>,
    /// What can be issued next, with the number of the set that results.
    pub next: Vec<(u8, u32)>,
    /// The least peak of what is issued from here on.
    pub least_peak: u64,
    /// The least time from the clock of computation to the end of the step.
    pub compute_tail: u64,
    /// The least time from the clock of each link to the end of the step; none if nothing remains for the link.
    pub link_tails: Vec<Option<u64>>,
    live: u64,
}

/// All down-sets by size; the first holds what stands already and the last holds everything.
pub(super) struct DownSets {
    /// The sets.
    pub sets: Vec<DownSet>,
    /// The numbers of the sets of each size.
    pub levels: Vec<Range<usize>>,
}

impl DownSets {
    /// The down-sets of a table; `None` if finding them takes more than `budget` steps, of which each set takes one a unit.
    pub fn new(table: &Table, limits: InFlightLimits, budget: &mut u64) -> Option<DownSets> {
        let mut sets = vec![DownSet::new(table, table.first)];
        let mut levels: Vec<Range<usize>> = Vec::with_capacity(table.units.len() + 1);
        levels.push(0..1);
        for _ in members(table.all() & !table.first) {
            let level = levels.last().cloned().unwrap_or_default();
            // Numbers are looked up only, so the order in which the map keeps them has no effect.
            let mut numbers: HashMap<Set, u32> = HashMap::new();
            for from in level.clone() {
                let set = sets[from].set;
                for unit in table.ready(set).filter(|unit| limits.allow(table, set, *unit)) {
                    let larger = set | 1 << unit;
                    let number = *numbers.entry(larger).or_insert(sets.len() as u32);
                    if number as usize == sets.len() {
                        *budget = budget.checked_sub(table.units.len() as u64)?;
                        sets.push(DownSet::new(table, larger));
                    }
                    sets[from].next.push((unit as u8, number));
                }
            }
            levels.push(level.end..sets.len());
        }
        let mut down_sets = DownSets { sets, levels };
        down_sets.find_least_peaks(table);
        Some(down_sets)
    }

    fn find_least_peaks(&mut self, table: &Table) {
        for number in (0..self.sets.len()).rev() {
            let from = &self.sets[number];
            let peaks = from.next.iter().map(|&(unit, to)| {
                let here = from.live + table.units[unit as usize].bytes;
                here.max(self.sets[to as usize].least_peak)
            });
            let is_whole = from.set == table.all();
            self.sets[number].least_peak = if is_whole {
                0
            } else {
                peaks.min().unwrap_or(NO_COMPLETION)
            };
        }
    }
}

impl DownSet {
    fn new(table: &Table, set: Set) -> DownSet {
        let rest = table.all() & !set;
        let mut work = table.rest.clone();
        members(rest).for_each(|unit| work.add(&table.units[unit]));
        let ends = table.needed_ends(set);
        let tail_by = |unit: &Unit| match unit.action {
            Action::Wait(_) => unit.tail,
            _ => unit.ns + unit.tail,
        };
        let end_tail = |end: usize| {
            let users = members(table.units[end].end_needed & rest);
            users.map(|user| tail_by(&table.units[user])).max().unwrap_or(0)
        };
        DownSet {
            set,
            ends,
            end_tails: members(ends).map(end_tail).collect(),
            next: Vec::new(),
            least_peak: 0,
            compute_tail: work.compute_tail(),
            link_tails: work.link_tails(),
            live: table.live(set),
        }
    }

    /// Live bytes where `bytes` are added to what lives after the set.
    pub fn peak_with(&self, bytes: u64) -> u64 {
        self.live + bytes
    }
}

impl InFlightLimits {
    /// Whether a unit may be issued next after `done`.
    fn allow(&self, table: &Table, done: Set, unit: usize) -> bool {
        let unit = &table.units[unit];
        let Some((stream, _)) = unit.flight else {
            return true;
        };
        let (mut count, mut bytes) = (1, unit.bytes);
        for other in members(done).map(|other| &table.units[other]) {
            if let Some((on, awaited)) = other.flight
                && awaited & !done != 0
            {
                count += u32::from(on == stream);
                bytes += other.bytes;
            }
        }
        self.max_in_flight.is_none_or(|most| count <= most)
            && self.max_in_flight_bytes.is_none_or(|most| bytes <= most)
    }
}
