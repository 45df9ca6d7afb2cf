// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which searches are run, and in what order: the list orders, then local search from fast to lean.
//!
//! The fastest schedule and the leanest, the one of least memory, are sought first; then schedules under ceilings in between, each time
//! in the middle of the gap in which most could still be found: the one whose ends lie farthest apart in time and memory
//! together. A search begins from the fastest order known under its ceiling, so it finds one at least as good. No step
//! looks at the memory limit that is asked for.

use super::archive::Archive;
use super::earliest::earliest;
use super::list;
use super::local::arrangement::Ceiling;
use super::local::{self, Cooling};
use super::measure::{State, measure_alone};
use super::options::Point;
use super::throttle::throttled;
use super::ties;
use super::units::{UnitKind, Units};

/// How many ceilings between the fastest and the leanest schedule are tried.
const CEILINGS: u64 = 12;

/// A gap with less than this part of the fastest time, or of the peak of the fastest, between its ends is left alone.
const LEAST_TIME: f64 = 1e-3;
const LEAST_BYTES: f64 = 5e-3;

/// The list orders, each also with collectives as late as its slack allows, and the fastest with prefetches held back.
/// O((n + e) log n).
pub(crate) fn list_orders(units: &Units, archive: &mut Archive) {
    let reversed = units.reversed();
    let mirror = |order: Vec<u32>| -> Vec<u32> {
        let last = units.len() as u32;
        order.iter().rev().map(|unit| last - 1 - unit).collect()
    };
    let mut offer = |order: Vec<u32>| {
        archive.offer(list::justify(units, &order));
        archive.offer(order);
    };
    let canonical: Vec<u32> = (0..units.len() as u32).collect();
    let forward = list::dispatch(units, &list::tails(units));
    let backward = mirror(list::dispatch(&reversed, &list::tails(&reversed)));
    let backward = earliest(units, &backward);
    // The backward order again, by its own sequence as priority: what it left idle is filled.
    let refilled = list::dispatch(units, &urgency(&backward));
    for order in [canonical, forward, backward, refilled] {
        offer(order);
    }
    hold_back(units, archive);
}

/// Offers the fastest order with its prefetches held back.
fn hold_back(units: &Units, archive: &mut Archive) {
    if let Some((point, order)) = archive.best(u64::MAX).cloned() {
        for order in throttled(units, &order, point.peak_bytes) {
            archive.offer(order);
        }
    }
}

/// Offers what communication can make of the source's order of computation: as early as it can be, as late as its slack
/// allows, and with prefetches held back.
pub(crate) fn source_orders(units: &Units, archive: &mut Archive, source: &[u32]) {
    let early = earliest(units, source);
    let peak_bytes = measure_alone(units, &early).peak_bytes;
    for order in throttled(units, &early, peak_bytes) {
        archive.offer(list::justify(units, &order));
        archive.offer(order);
    }
    archive.offer(list::justify(units, &early));
    archive.offer(early);
}

/// Priorities that follow an order.
fn urgency(order: &[u32]) -> Vec<u64> {
    let mut urgency = vec![0; order.len()];
    for (position, &unit) in order.iter().enumerate() {
        urgency[unit as usize] = (order.len() - position) as u64;
    }
    urgency
}

/// Local search with `work` positions visited in all; `bound` are a step time and a peak that nothing beats. It ends as soon as
/// one order has both.
pub(crate) fn local_search(
    units: &Units,
    archive: &mut Archive,
    in_flight: Ceiling,
    bound: Point,
    work: u64,
) {
    // A typical unit takes the step time over their number; at the end hardly anything worse is accepted.
    let typical = 1.0 / units.len().max(5) as f64;
    let mut chains = Chains {
        units,
        in_flight,
        bound,
        cooling: Cooling {
            first: typical,
            last: typical / 300.0,
            work: work / (CEILINGS + 9),
        },
        // The seed is arbitrary; it only has to be the same every time.
        random: fastrand::Rng::with_seed(0x636f_6d6d),
    };
    // Where no order keeps the limits in flight yet, the search begins from the one with the least in flight.
    let canonical = || (0..units.len() as u32).collect();
    let start = archive
        .best(u64::MAX)
        .map_or_else(canonical, |(_, order)| order.clone());
    chains.under(archive, &start, u64::MAX, 3);
    hold_back(units, archive);
    if archive.reaches(bound) {
        return;
    }
    let Some((_, order)) = archive.lowest().cloned() else {
        return;
    };
    chains.lower(archive, &order, u64::MAX);
    let Some((lean, order)) = archive.lowest().cloned() else {
        return;
    };
    chains.under(archive, &order, lean.peak_bytes, 2);
    if archive.reaches(bound) {
        return;
    }

    let mut tried = Vec::new();
    for _ in 0..CEILINGS {
        let Some(bytes) = widest_gap(&archive.front(), &tried) else {
            break;
        };
        tried.push(bytes);
        let Some((_, order)) = archive.best(bytes).cloned() else {
            break;
        };
        chains.under(archive, &order, bytes, 1);
    }
    // Least time first, then least memory at that time.
    let Some((fast, order)) = archive.best(u64::MAX).cloned() else {
        return;
    };
    chains.lower(archive, &order, fast.time_ns);
}

/// How many runs of starts were looked at as ties, in the fastest and in the leanest order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TieReport {
    /// Ties all of whose orders were compared.
    pub resolved: u32,
    /// Ties that were over the budget and stay as they were.
    pub over_budget: u32,
}

/// Classes of an e-graph that a tie may take.
const TIE_BUDGET: usize = 4096;

/// Looks at each run of starts in the fastest and in the leanest order as a tie, and offers every order of it that is better
/// in anything.
pub(crate) fn resolve_ties(units: &Units, archive: &mut Archive) -> TieReport {
    let mut report = TieReport::default();
    let ends = [archive.best(u64::MAX), archive.lowest()];
    let mut ends: Vec<Vec<u32>> = ends
        .into_iter()
        .flatten()
        .map(|(_, order)| order.clone())
        .collect();
    ends.dedup();
    for mut order in ends {
        let mut state = State::new(units);
        let mut begin = 0;
        while begin < order.len() {
            let is_start = |unit: &&u32| units.kind[**unit as usize] == UnitKind::Start;
            let length = order[begin..].iter().take_while(is_start).count();
            if length > 1 {
                match ties::fronts(units, &state, &order[begin..begin + length], TIE_BUDGET) {
                    Some(fronts) => {
                        report.resolved += 1;
                        let with = |front: Vec<u32>| {
                            let mut order = order.clone();
                            order[begin..begin + length].copy_from_slice(&front);
                            let measure = measure_alone(units, &order);
                            (measure.time_ns, measure.peak_bytes, order)
                        };
                        let best = fronts.into_iter().map(with).min();
                        if let Some((_, _, best)) = best {
                            order = best;
                        }
                    }
                    None => report.over_budget += 1,
                }
            }
            for &unit in &order[begin..begin + length.max(1)] {
                state.issue(units, unit);
            }
            begin += length.max(1);
        }
        archive.offer(order);
    }
    report
}

/// Searches one after the other, with one source of random numbers.
struct Chains<'a> {
    units: &'a Units,
    in_flight: Ceiling,
    bound: Point,
    cooling: Cooling,
    random: fastrand::Rng,
}

impl Chains<'_> {
    /// Searches for less time under a ceiling, with so many shares of the work.
    fn under(&mut self, archive: &mut Archive, order: &[u32], bytes: u64, shares: u64) {
        let ceiling = Ceiling {
            bytes,
            ..self.in_flight
        };
        let cooling = Cooling {
            work: self.cooling.work * shares,
            ..self.cooling
        };
        let found = local::search(
            self.units,
            order,
            ceiling,
            self.bound.time_ns,
            cooling,
            &mut self.random,
        );
        if let Some(order) = found {
            archive.offer(list::justify(self.units, &order));
            archive.offer(order);
        }
    }

    /// Searches for less memory within a time, with two shares of the work.
    fn lower(&mut self, archive: &mut Archive, order: &[u32], most_ns: u64) {
        let cooling = Cooling {
            work: self.cooling.work * 2,
            ..self.cooling
        };
        for order in local::lower(
            self.units,
            order,
            self.in_flight,
            most_ns,
            self.bound,
            cooling,
            &mut self.random,
        ) {
            archive.offer(order);
        }
    }
}

/// The middle of the gap between two ceilings, points of the front or ceilings tried, whose best times and whose bytes
/// differ most.
fn widest_gap(front: &[Point], tried: &[u64]) -> Option<u64> {
    let best = |bytes: u64| front.iter().find(|point| point.peak_bytes <= bytes);
    let mut ceilings: Vec<u64> = front
        .iter()
        .map(|point| point.peak_bytes)
        .chain(tried.iter().copied())
        .collect();
    ceilings.sort_unstable();
    let fastest = front.first()?;
    let mut widest = (0.0, None);
    for pair in ceilings.windows(2) {
        let (Some(lean), Some(fast)) = (best(pair[0]), best(pair[1])) else {
            continue;
        };
        let time = (lean.time_ns - fast.time_ns) as f64 / fastest.time_ns as f64;
        let bytes = (pair[1] - pair[0]) as f64 / fastest.peak_bytes.max(1) as f64;
        if time > LEAST_TIME && bytes > LEAST_BYTES && time * bytes > widest.0 {
            widest = (time * bytes, Some(pair[0] + (pair[1] - pair[0]) / 2));
        }
    }
    widest.1
}
