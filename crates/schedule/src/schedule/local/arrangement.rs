// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! An order of units that can be changed piece by piece, with its clocks and its live bytes.
//!
//! A change rearranges a segment. Live bytes outside the segment stay as they are, so memory is recounted in the segment
//! alone. Clocks are run from the begin of the segment until they agree with what they were, which is soon when a change
//! costs and gains no time, or until no link is busy, after which everything only shifts. So a change costs
//! O(length of the segment) in most cases and O(units) at worst.
//!
//! Limits are counted as *excess*: the sum over all positions of what goes beyond the limit. An order keeps the limits
//! where its excess is zero.

use super::super::measure::advance;
use super::super::units::{NONE, UnitKind, Units};

/// Limits that an arrangement measures its excess against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ceiling {
    pub(crate) bytes: u64,
    pub(crate) in_flight: u32,
    pub(crate) in_flight_bytes: u64,
}

impl Ceiling {
    fn counts_in_flight(&self) -> bool {
        self.in_flight < u32::MAX || self.in_flight_bytes < u64::MAX
    }
}

/// What the search makes small. Excess in bytes; a collective too many counts as `bytes_of_one`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cost {
    pub(crate) time_ns: u64,
    pub(crate) excess: u64,
}

/// See the [module](self) documentation.
pub(crate) struct Arrangement<'a> {
    units: &'a Units,
    ceiling: Ceiling,
    /// What one collective too many counts for.
    bytes_of_one: u64,
    order: Vec<u32>,
    positions: Vec<u32>,
    cost: Cost,
    work: u64,
    // By position, after its unit:
    compute: Vec<u64>,
    links: Vec<u64>,
    live: Vec<u64>,
    excess: Vec<u64>,
    flights: Vec<u32>,
    flight_bytes: Vec<u64>,
    // By unit:
    available: Vec<u64>,
    /// The position after which a buffer is free; `NONE` if it outlives the block.
    deaths: Vec<u32>,
    scratch: Scratch,
}

/// What a change has done so far, to be kept or undone.
#[derive(Default)]
struct Scratch {
    low: usize,
    high: usize,
    /// The position up to which clocks differ, exclusive; what all later clocks shift by.
    stop: usize,
    shift: i64,
    segment: Vec<u32>,
    moved: Vec<u32>,
    compute: Vec<u64>,
    links: Vec<u64>,
    live: Vec<u64>,
    excess: Vec<u64>,
    flights: Vec<u32>,
    flight_bytes: Vec<u64>,
    available: Vec<(u32, u64)>,
    deaths: Vec<(u32, u32)>,
    counts: Vec<u32>,
    holders: Vec<u32>,
    marks: Vec<u32>,
    mark: u32,
    now_links: Vec<u64>,
    now_flights: Vec<u32>,
}

impl<'a> Arrangement<'a> {
    /// Arranges units in a legal order.
    pub(crate) fn new(units: &'a Units, order: Vec<u32>, ceiling: Ceiling) -> Self {
        let count = units.len();
        let largest = units.bytes.iter().copied().max().unwrap_or(0).max(1);
        let mut arrangement = Arrangement {
            units,
            ceiling,
            bytes_of_one: largest,
            positions: vec![0; count],
            cost: Cost::default(),
            work: 0,
            compute: vec![0; count],
            links: vec![0; count * units.link_count],
            live: vec![0; count],
            excess: vec![0; count],
            flights: vec![0; count * units.stream_count],
            flight_bytes: vec![0; count],
            available: vec![0; count],
            deaths: vec![NONE; count],
            scratch: Scratch {
                counts: vec![0; count],
                marks: vec![0; count],
                ..Scratch::default()
            },
            order,
        };
        arrangement.recompute();
        arrangement
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Where a unit stands.
    pub(crate) fn position(&self, unit: u32) -> usize {
        self.positions[unit as usize] as usize
    }

    pub(crate) fn cost(&self) -> Cost {
        self.cost
    }

    /// Positions visited so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Computes everything anew.
    fn recompute(&mut self) {
        let count = self.order.len();
        for (position, unit) in self.order.iter().enumerate() {
            self.positions[*unit as usize] = position as u32;
        }
        let mut references = self.units.references.clone();
        self.deaths.fill(NONE);
        let mut dead = Vec::new();
        for (position, &unit) in self.order.iter().enumerate() {
            dead.extend(self.units.reads.of(unit));
            while let Some(buffer) = dead.pop() {
                references[buffer as usize] -= 1;
                if references[buffer as usize] == 0 {
                    self.deaths[buffer as usize] = position as u32;
                    dead.extend(self.units.holds.of(buffer));
                }
            }
            if self.units.references[unit as usize] == 0 {
                self.deaths[unit as usize] = position as u32;
                dead.extend(self.units.holds.of(unit));
                while let Some(buffer) = dead.pop() {
                    references[buffer as usize] -= 1;
                    if references[buffer as usize] == 0 {
                        self.deaths[buffer as usize] = position as u32;
                        dead.extend(self.units.holds.of(buffer));
                    }
                }
            }
        }
        if count == 0 {
            return;
        }
        self.scratch.low = 0;
        self.scratch.high = count - 1;
        self.run_clocks(true);
        self.recount();
        self.excess.fill(0);
        self.cost.excess = 0;
        self.keep();
    }

    /// Moves the unit at `from` to `to`, taking along what must stay on its side of it. Gives the cost that the order has
    /// then; [`keep`](Self::keep) or [`undo`](Self::undo) must follow. Nothing if the order does not change.
    pub(crate) fn shift(&mut self, from: usize, to: usize, most_ns: u64) -> Option<Cost> {
        self.work += 1;
        if from == to {
            return None;
        }
        let scratch = &mut self.scratch;
        let (low, high) = (from.min(to), from.max(to));
        scratch.low = low;
        scratch.high = high;
        scratch.segment.clear();
        scratch.segment.extend_from_slice(&self.order[low..=high]);
        scratch.moved.clear();
        scratch.mark += 1;
        let mark = scratch.mark;
        let unit = self.order[from];
        scratch.marks[unit as usize] = mark;
        scratch.moved.push(unit);
        if from < to {
            let mut next = low;
            for &other in &scratch.segment[1..] {
                let before = self.units.before.of(other);
                if before.iter().any(|unit| scratch.marks[*unit as usize] == mark) {
                    scratch.marks[other as usize] = mark;
                    scratch.moved.push(other);
                } else {
                    self.order[next] = other;
                    next += 1;
                }
            }
            if next == low {
                return None;
            }
            self.order[next..=high].copy_from_slice(&scratch.moved);
        } else {
            let mut next = high + 1;
            for &other in scratch.segment[..high - low].iter().rev() {
                let after = self.units.after.of(other);
                if after.iter().any(|unit| scratch.marks[*unit as usize] == mark) {
                    scratch.marks[other as usize] = mark;
                    scratch.moved.push(other);
                } else {
                    next -= 1;
                    self.order[next] = other;
                }
            }
            if next == high + 1 {
                return None;
            }
            scratch.moved.reverse();
            self.order[low..next].copy_from_slice(&scratch.moved);
        }
        self.run_clocks(false);
        // A position costs as much as it has clocks to look at, a few of them at once.
        let clocks = 1 + (self.units.link_count / 4) as u64;
        self.work += 1 + (high - low) as u64 + (self.scratch.stop - low) as u64 * clocks;
        let time_ns = self.scratch_time();
        if time_ns > most_ns {
            self.undo();
            return None;
        }
        self.recount();
        self.work += (high - low) as u64;
        let old: u64 = self.excess[low..=high].iter().sum();
        let new: u64 = self.scratch.excess.iter().sum();
        Some(Cost {
            time_ns,
            excess: self.cost.excess - old + new,
        })
    }

    /// The step time of the order as changed.
    fn scratch_time(&self) -> u64 {
        if self.scratch.stop < self.order.len() {
            return self.cost.time_ns.wrapping_add_signed(self.scratch.shift);
        }
        let count = self.units.link_count;
        let last = self.scratch.compute.len() - 1;
        let links = &self.scratch.links[last * count..];
        links.iter().copied().fold(self.scratch.compute[last], u64::max)
    }

    /// Runs the clocks from the begin of the segment on.
    fn run_clocks(&mut self, to_the_end: bool) {
        let units = self.units;
        let count = units.link_count;
        let scratch = &mut self.scratch;
        scratch.compute.clear();
        scratch.links.clear();
        scratch.available.clear();
        let mut links = std::mem::take(&mut scratch.now_links);
        links.clear();
        let mut compute = match scratch.low.checked_sub(1) {
            Some(before) => {
                links.extend_from_slice(&self.links[before * count..(before + 1) * count]);
                self.compute[before]
            }
            None => {
                links.resize(count, 0);
                0
            }
        };
        scratch.stop = self.order.len();
        scratch.shift = 0;
        // The largest end that differs from what it was: clocks agree only once both are past it.
        let mut changed = 0;
        for position in scratch.low..self.order.len() {
            let unit = self.order[position];
            let available = advance(units, unit, &mut compute, &mut links, &self.available);
            if let Some(end) = available {
                let old = std::mem::replace(&mut self.available[unit as usize], end);
                if old != end {
                    scratch.available.push((unit, old));
                    changed = changed.max(old).max(end);
                }
            }
            scratch.compute.push(compute);
            scratch.links.extend_from_slice(&links);
            if position >= scratch.high && !to_the_end {
                let old = self.compute[position];
                let old_links = &self.links[position * count..(position + 1) * count];
                let agree = compute == old && links[..] == *old_links && changed <= compute;
                let idle =
                    || links.iter().all(|link| *link <= compute) && old_links.iter().all(|link| *link <= old);
                if agree || idle() {
                    scratch.stop = position + 1;
                    scratch.shift = compute as i64 - old as i64;
                    break;
                }
            }
        }
        scratch.now_links = links;
    }

    /// Counts live bytes and what is in flight in the segment.
    fn recount(&mut self) {
        let units = self.units;
        let streams = units.stream_count;
        let scratch = &mut self.scratch;
        let (low, high) = (scratch.low, scratch.high);
        scratch.live.clear();
        scratch.excess.clear();
        scratch.deaths.clear();
        let dies = |buffer: u32, deaths: &[u32]| deaths[buffer as usize] <= high as u32;
        // How many readers and holders, of those in the segment, each buffer that dies here still has.
        for position in low..=high {
            let unit = self.order[position];
            for &buffer in units.reads.of(unit).iter().chain(held_by_dead(units, unit)) {
                if dies(buffer, &self.deaths) {
                    count_holders(units, buffer, &self.deaths, high, scratch);
                }
            }
        }
        let mut live = low.checked_sub(1).map_or(0, |before| self.live[before]);
        for position in low..=high {
            let unit = self.order[position];
            live += units.bytes[unit as usize];
            scratch.excess.push(live.saturating_sub(self.ceiling.bytes));
            for &buffer in units.reads.of(unit).iter().chain(held_by_dead(units, unit)) {
                live -= release(units, buffer, position as u32, scratch);
            }
            if units.references[unit as usize] == 0 {
                live -= units.bytes[unit as usize];
                scratch.deaths.push((unit, position as u32));
            }
            scratch.live.push(live);
        }
        if !self.ceiling.counts_in_flight() {
            return;
        }
        scratch.flights.clear();
        scratch.flight_bytes.clear();
        let mut flights = std::mem::take(&mut scratch.now_flights);
        flights.clear();
        let mut bytes = match low.checked_sub(1) {
            Some(before) => {
                flights.extend_from_slice(&self.flights[before * streams..(before + 1) * streams]);
                self.flight_bytes[before]
            }
            None => {
                flights.resize(streams, 0);
                0
            }
        };
        for position in low..=high {
            let unit = self.order[position] as usize;
            let partner = units.partner[unit];
            if partner != NONE {
                if units.kind[unit] == UnitKind::Start {
                    let flight = &mut flights[units.stream[unit] as usize];
                    *flight += 1;
                    bytes += units.bytes[unit];
                    let many = u64::from(flight.saturating_sub(self.ceiling.in_flight));
                    scratch.excess[position - low] +=
                        many * self.bytes_of_one + bytes.saturating_sub(self.ceiling.in_flight_bytes);
                } else {
                    flights[units.stream[partner as usize] as usize] -= 1;
                    bytes -= units.bytes[partner as usize];
                }
            }
            scratch.flights.extend_from_slice(&flights);
            scratch.flight_bytes.push(bytes);
        }
        scratch.now_flights = flights;
    }

    /// Keeps the change.
    pub(crate) fn keep(&mut self) {
        let (links, streams) = (self.units.link_count, self.units.stream_count);
        let scratch = &self.scratch;
        let (low, high, stop) = (scratch.low, scratch.high, scratch.stop);
        self.cost.time_ns = self.scratch_time();
        self.cost.excess -= self.excess[low..=high].iter().sum::<u64>();
        self.cost.excess += scratch.excess.iter().sum::<u64>();
        for position in low..=high {
            self.positions[self.order[position] as usize] = position as u32;
        }
        self.live[low..=high].copy_from_slice(&scratch.live);
        self.excess[low..=high].copy_from_slice(&scratch.excess);
        for &(buffer, position) in &scratch.deaths {
            self.deaths[buffer as usize] = position;
        }
        if self.ceiling.counts_in_flight() {
            self.flights[low * streams..(high + 1) * streams].copy_from_slice(&scratch.flights);
            self.flight_bytes[low..=high].copy_from_slice(&scratch.flight_bytes);
        }
        self.compute[low..stop].copy_from_slice(&scratch.compute);
        self.links[low * links..stop * links].copy_from_slice(&scratch.links);
        let shift = scratch.shift;
        if shift != 0 {
            for position in stop..self.order.len() {
                self.compute[position] = self.compute[position].saturating_add_signed(shift);
                let unit = self.order[position] as usize;
                self.available[unit] = self.available[unit].saturating_add_signed(shift);
            }
            for link in &mut self.links[stop * links..] {
                *link = link.saturating_add_signed(shift);
            }
        }
    }

    /// Undoes the change.
    pub(crate) fn undo(&mut self) {
        let scratch = &self.scratch;
        self.order[scratch.low..=scratch.high].copy_from_slice(&scratch.segment);
        for &(unit, old) in &scratch.available {
            self.available[unit as usize] = old;
        }
    }
}

/// What a unit whose result nobody needs holds: it is released as soon as it is made.
#[inline]
fn held_by_dead(units: &Units, unit: u32) -> &[u32] {
    match units.references[unit as usize] {
        0 => units.holds.of(unit),
        _ => &[],
    }
}

/// Counts a reader of a buffer that dies in the segment, and at the first one what the buffer holds.
fn count_holders(units: &Units, buffer: u32, deaths: &[u32], high: usize, scratch: &mut Scratch) {
    scratch.holders.push(buffer);
    while let Some(buffer) = scratch.holders.pop() {
        scratch.counts[buffer as usize] += 1;
        if scratch.counts[buffer as usize] == 1 {
            let held = units.holds.of(buffer).iter().copied();
            scratch
                .holders
                .extend(held.filter(|held| deaths[*held as usize] <= high as u32));
        }
    }
}

/// Releases a buffer once and gives the bytes that become free.
fn release(units: &Units, buffer: u32, position: u32, scratch: &mut Scratch) -> u64 {
    let mut bytes = 0;
    scratch.holders.push(buffer);
    while let Some(buffer) = scratch.holders.pop() {
        // A held buffer that outlives the segment has no count.
        if scratch.counts[buffer as usize] == 0 {
            continue;
        }
        scratch.counts[buffer as usize] -= 1;
        if scratch.counts[buffer as usize] == 0 {
            bytes += units.bytes[buffer as usize];
            scratch.deaths.push((buffer, position));
            scratch.holders.extend(units.holds.of(buffer));
        }
    }
    bytes
}
