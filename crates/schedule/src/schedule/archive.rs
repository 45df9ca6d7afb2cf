// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! All schedules that were found, as far as no other is better in both time and memory.
//!
//! The archive is filled without regard to any memory limit, and a limit is answered from it. So the best time never
//! rises when the limit does, and the least limit that an error names is met when it is asked for.

use super::measure::{State, measure};
use super::options::Point;
use super::units::Units;

/// See the [module](self) documentation.
pub(crate) struct Archive<'a> {
    units: &'a Units,
    max_in_flight: u32,
    max_in_flight_bytes: u64,
    state: State,
    /// By rising time, and so by falling peak.
    entries: Vec<(Point, Vec<u32>)>,
    /// The least numbers in flight of any order that keeps the limits, each on its own.
    pub(crate) least_in_flight: u32,
    pub(crate) least_in_flight_bytes: u64,
}

impl<'a> Archive<'a> {
    /// An empty archive, for orders with at most so much in flight.
    pub(crate) fn new(units: &'a Units, max_in_flight: u32, max_in_flight_bytes: u64) -> Self {
        Archive {
            units,
            max_in_flight,
            max_in_flight_bytes,
            state: State::new(units),
            entries: Vec::new(),
            least_in_flight: u32::MAX,
            least_in_flight_bytes: u64::MAX,
        }
    }

    /// Offers an order.
    pub(crate) fn offer(&mut self, order: Vec<u32>) {
        let found = measure(self.units, &order, &mut self.state);
        if found.in_flight > self.max_in_flight || found.in_flight_bytes > self.max_in_flight_bytes {
            return;
        }
        self.least_in_flight = self.least_in_flight.min(found.in_flight);
        self.least_in_flight_bytes = self.least_in_flight_bytes.min(found.in_flight_bytes);
        let point = Point {
            time_ns: found.time_ns,
            peak_bytes: found.peak_bytes,
        };
        let at = self
            .entries
            .partition_point(|(other, _)| other.time_ns < point.time_ns);
        let is_dominated =
            |other: &Point| other.time_ns <= point.time_ns && other.peak_bytes <= point.peak_bytes;
        if self.entries[..at]
            .last()
            .is_some_and(|(other, _)| is_dominated(other))
            || self.entries.get(at).is_some_and(|(other, _)| is_dominated(other))
        {
            return;
        }
        let end = at + self.entries[at..].partition_point(|(other, _)| other.peak_bytes >= point.peak_bytes);
        self.entries.splice(at..end, [(point, order)]);
    }

    /// Gives every order its last touch, which makes none worse, so that what is answered is what is counted.
    pub(crate) fn finish(&mut self, touch: impl Fn(&[u32], Point) -> Vec<u32>) {
        for (point, order) in std::mem::take(&mut self.entries) {
            self.offer(touch(&order, point));
        }
    }

    /// The fastest schedule with at most so many live bytes.
    pub(crate) fn best(&self, bytes: u64) -> Option<&(Point, Vec<u32>)> {
        self.entries.iter().find(|(point, _)| point.peak_bytes <= bytes)
    }

    /// The schedule with the fewest live bytes.
    pub(crate) fn lowest(&self) -> Option<&(Point, Vec<u32>)> {
        self.entries.last()
    }

    /// Whether a schedule is known that is neither slower nor larger than `bound`, which nothing beats. Then it is all there is.
    pub(crate) fn reaches(&self, bound: Point) -> bool {
        let is_reached =
            |point: &Point| point.time_ns <= bound.time_ns && point.peak_bytes <= bound.peak_bytes;
        self.entries.first().is_some_and(|(point, _)| is_reached(point))
    }

    /// All points, by rising time.
    pub(crate) fn front(&self) -> Vec<Point> {
        self.entries.iter().map(|(point, _)| *point).collect()
    }
}
