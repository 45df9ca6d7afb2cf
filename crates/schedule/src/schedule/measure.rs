// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Time, memory and numbers in flight of an order of units.
//!
//! The clocks are those of the timing model and the bytes those of the memory model, in the form that a search can ask
//! for millions of times: no allocation, arrays by unit. O(units + dependences) an order.

use super::units::{NONE, UnitKind, Units};

/// What an order of units costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Measure {
    /// The step time.
    pub(crate) time_ns: u64,
    /// The most live bytes.
    pub(crate) peak_bytes: u64,
    /// The most collectives in flight on one stream.
    pub(crate) in_flight: u32,
    /// The most bytes in flight.
    pub(crate) in_flight_bytes: u64,
}

/// The clocks and counters after a prefix of an order.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) compute_ns: u64,
    pub(crate) links_ns: Vec<u64>,
    /// Ends of starts, and of what passes the results of stream waits on.
    pub(crate) available_ns: Vec<u64>,
    pub(crate) live_bytes: u64,
    references: Vec<u32>,
    in_flight: Vec<u32>,
    in_flight_bytes: u64,
    pub(crate) most: Measure,
}

impl State {
    /// Before the first unit.
    pub(crate) fn new(units: &Units) -> State {
        State {
            compute_ns: 0,
            links_ns: vec![0; units.link_count],
            available_ns: vec![0; units.len()],
            live_bytes: 0,
            references: units.references.clone(),
            in_flight: vec![0; units.stream_count],
            in_flight_bytes: 0,
            most: Measure::default(),
        }
    }

    /// Before the first unit, again.
    pub(crate) fn reset(&mut self, units: &Units) {
        self.compute_ns = 0;
        self.links_ns.fill(0);
        self.live_bytes = 0;
        self.references.copy_from_slice(&units.references);
        self.in_flight.fill(0);
        self.in_flight_bytes = 0;
        self.most = Measure::default();
    }

    /// Issues a unit after all that must stand before it.
    #[inline]
    pub(crate) fn issue(&mut self, units: &Units, unit: u32) {
        self.tick(units, unit);
        self.count(units, unit);
        self.allocate(units, unit);
    }

    /// Moves the clocks.
    #[inline]
    pub(crate) fn tick(&mut self, units: &Units, unit: u32) {
        let (compute, links) = (&mut self.compute_ns, &mut self.links_ns);
        if let Some(end) = advance(units, unit, compute, links, &self.available_ns) {
            self.available_ns[unit as usize] = end;
        }
    }

    /// Counts what is in flight.
    #[inline]
    fn count(&mut self, units: &Units, unit: u32) {
        let index = unit as usize;
        if units.partner[index] == NONE {
            return;
        }
        if units.kind[index] == UnitKind::Start {
            let stream = &mut self.in_flight[units.stream[index] as usize];
            *stream += 1;
            self.most.in_flight = self.most.in_flight.max(*stream);
            self.in_flight_bytes += units.bytes[index];
            self.most.in_flight_bytes = self.most.in_flight_bytes.max(self.in_flight_bytes);
        } else {
            let start = units.partner[index] as usize;
            self.in_flight[units.stream[start] as usize] -= 1;
            self.in_flight_bytes -= units.bytes[start];
        }
    }

    /// Allocates what the unit owns and frees what it was the last to need.
    #[inline]
    fn allocate(&mut self, units: &Units, unit: u32) {
        self.live_bytes += units.bytes[unit as usize];
        self.most.peak_bytes = self.most.peak_bytes.max(self.live_bytes);
        for &buffer in units.reads.of(unit) {
            self.release(units, buffer);
        }
        if self.references[unit as usize] == 0 {
            self.free(units, unit);
        }
    }

    #[inline]
    fn release(&mut self, units: &Units, buffer: u32) {
        self.references[buffer as usize] -= 1;
        if self.references[buffer as usize] == 0 {
            self.free(units, buffer);
        }
    }

    /// Frees a buffer and what it alone kept alive. The chain of holders is walked without recursion.
    fn free(&mut self, units: &Units, buffer: u32) {
        self.live_bytes -= units.bytes[buffer as usize];
        if units.holds.of(buffer).is_empty() {
            return;
        }
        let mut dead = vec![buffer];
        while let Some(holder) = dead.pop() {
            for &held in units.holds.of(holder) {
                self.references[held as usize] -= 1;
                if self.references[held as usize] == 0 {
                    self.live_bytes -= units.bytes[held as usize];
                    dead.push(held);
                }
            }
        }
    }

    /// How many readers and holders of a buffer are still to come.
    pub(crate) fn references(&self, buffer: u32) -> u32 {
        self.references[buffer as usize]
    }

    /// The step time if nothing followed.
    #[inline]
    pub(crate) fn step_ns(&self) -> u64 {
        self.links_ns.iter().copied().fold(self.compute_ns, u64::max)
    }
}

/// Moves the clocks by one unit, and gives what becomes available with it: the end of a start, or what a stream wait or a
/// view passes on.
#[inline]
pub(crate) fn advance(
    units: &Units,
    unit: u32,
    compute: &mut u64,
    links: &mut [u64],
    available: &[u64],
) -> Option<u64> {
    let index = unit as usize;
    let of_partner = || available[units.partner[index] as usize];
    let read = || {
        let reads = units.stream_reads.of(unit).iter();
        reads.map(|source| available[*source as usize]).max().unwrap_or(0)
    };
    match units.kind[index] {
        UnitKind::Compute => {
            let occupied = units.occupied.of(unit);
            let begin = occupied
                .iter()
                .fold(*compute, |begin, link| begin.max(links[*link as usize]));
            *compute = begin + units.ns[index];
            for link in occupied {
                links[*link as usize] = *compute;
            }
            None
        }
        UnitKind::Wait => {
            *compute = (*compute).max(of_partner());
            None
        }
        UnitKind::StreamWait => Some(of_partner()),
        UnitKind::View => Some(read()),
        UnitKind::Start | UnitKind::Blocking | UnitKind::StreamBlocking => {
            let link = &mut links[units.link[index] as usize];
            *link = (*compute).max(*link).max(read()) + units.ns[index];
            if units.kind[index] == UnitKind::Blocking {
                *compute = *link;
                return None;
            }
            Some(*link)
        }
    }
}

/// Measures an order; `state` is room to work in.
pub(crate) fn measure(units: &Units, order: &[u32], state: &mut State) -> Measure {
    state.reset(units);
    for &unit in order {
        state.issue(units, unit);
    }
    Measure {
        time_ns: state.step_ns(),
        ..state.most
    }
}

/// As [`measure`], with room of its own.
pub(crate) fn measure_alone(units: &Units, order: &[u32]) -> Measure {
    measure(units, order, &mut State::new(units))
}
