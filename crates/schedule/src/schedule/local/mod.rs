// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Local search: an order is changed one unit at a time, and worse orders are accepted less and less.
//!
//! A move takes a random unit some way up or down and carries along what must stay on its side of it. It is accepted if
//! it makes the cost, time plus a price for each byte of excess over a ceiling, greater by no more than a random part of
//! a threshold that falls to nothing (threshold accepting: Dueck, Scheuer 1990, with a random threshold, which comes
//! close to annealing and needs no function whose last digit depends on the machine).
//!
//! The amount of work is fixed beforehand, in positions visited, and so is the seed: the same units give the same order.
//! No ceiling is ever given up: only orders without excess are handed out.

pub(crate) mod arrangement;

use super::measure::measure_alone;
use super::options::Point;
use super::units::Units;
use arrangement::{Arrangement, Ceiling, Cost};

/// The farthest that a move takes a unit.
const REACH: usize = 512;

/// What excess over the ceiling costs: the ceiling itself, at one position, costs this part of the step time.
const PRICE: f64 = 0.1;

/// The same where only memory is sought.
const PRICE_OF_MEMORY: f64 = 5.0;

/// How a search cools: thresholds as parts of the step time, and the work that it may do, in positions visited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cooling {
    pub(crate) first: f64,
    pub(crate) last: f64,
    pub(crate) work: u64,
}

/// Searches from an order for a faster one under a ceiling; stops at a step time of `bound_ns`, which nothing beats. Gives the
/// fastest order without excess that was seen, if any was.
pub(crate) fn search(
    units: &Units,
    order: &[u32],
    ceiling: Ceiling,
    bound_ns: u64,
    cooling: Cooling,
    random: &mut fastrand::Rng,
) -> Option<Vec<u32>> {
    search_at(units, order, ceiling, bound_ns, cooling, PRICE, random)
}

fn search_at(
    units: &Units,
    order: &[u32],
    ceiling: Ceiling,
    bound_ns: u64,
    cooling: Cooling,
    price: f64,
    random: &mut fastrand::Rng,
) -> Option<Vec<u32>> {
    let mut arrangement = Arrangement::new(units, order.to_vec(), ceiling);
    let count = order.len();
    let scale = arrangement.cost().time_ns as f64;
    let price = scale * price / ceiling.bytes.clamp(1, units.total_bytes().max(1)) as f64;
    let value = |cost: Cost| cost.time_ns as f64 + price * cost.excess as f64;
    let mut current = value(arrangement.cost());
    let mut best = (arrangement.cost().excess == 0).then(|| (arrangement.cost().time_ns, order.to_vec()));
    // The threshold falls by the same factor at each of so many stages.
    const STAGES: u64 = 64;
    let factor = root(cooling.last / cooling.first, STAGES);
    let mut threshold = scale * cooling.first;
    let mut stage = 0;
    while count > 1 && arrangement.work() < cooling.work {
        if best.as_ref().is_some_and(|(time, _)| *time <= bound_ns) {
            break;
        }
        while stage < arrangement.work().saturating_mul(STAGES) / cooling.work {
            threshold *= factor;
            stage += 1;
        }
        let from = random.usize(..count);
        let part = random.f64();
        let span = 1 + (part * part * part * (count - 1).min(REACH) as f64) as usize;
        let to = if random.bool() {
            (from + span).min(count - 1)
        } else {
            from.saturating_sub(span)
        };
        let part = random.f64();
        let most = current + 3.0 * threshold * part * part;
        let Some(cost) = arrangement.shift(from, to, most as u64) else {
            continue;
        };
        if value(cost) > most {
            arrangement.undo();
            continue;
        }
        arrangement.keep();
        current = value(cost);
        if cost.excess == 0 && best.as_ref().is_none_or(|(time, _)| cost.time_ns < *time) {
            best = Some((cost.time_ns, arrangement.order().to_vec()));
        }
    }
    best.map(|(_, order)| order)
}

/// Lowers the peak of an order that takes at most `most_ns` as far as it can, by searching under a lower ceiling again and again.
/// Gives every order found, those that take longer included. Ends with an order that has the time and the peak of `bound`, which
/// nothing beats.
pub(crate) fn lower(
    units: &Units,
    order: &[u32],
    in_flight: Ceiling,
    most_ns: u64,
    bound: Point,
    cooling: Cooling,
    random: &mut fastrand::Rng,
) -> Vec<Vec<u32>> {
    // A ceiling is out of reach when a whole share of the work finds nothing under it.
    const SHARES: u64 = 12;
    let share = Cooling {
        work: cooling.work / SHARES,
        ..cooling
    };
    let price = if most_ns == u64::MAX {
        PRICE_OF_MEMORY
    } else {
        PRICE
    };
    let mut found = Vec::new();
    let mut order = order.to_vec();
    let mut peak = measure_alone(units, &order).peak_bytes;
    let mut step = peak / 16;
    for _ in 0..SHARES {
        let ceiling = Ceiling {
            bytes: peak.saturating_sub(step.max(1)),
            ..in_flight
        };
        let lowered = search_at(units, &order, ceiling, most_ns, share, price, random);
        let measure = lowered.as_ref().map(|order| measure_alone(units, order));
        found.extend(lowered.clone());
        match (lowered, measure) {
            (_, Some(measure))
                if measure.time_ns <= bound.time_ns && measure.peak_bytes <= bound.peak_bytes =>
            {
                break;
            }
            (Some(lowered), Some(measure)) if measure.time_ns <= most_ns => {
                order = lowered;
                peak = measure.peak_bytes;
                step *= 2;
            }
            _ if step == 0 => break,
            _ => step /= 4,
        }
    }
    found
}

/// The `power`-th root of a number in (0, 1], by bisection.
fn root(number: f64, power: u64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let mut product = 1.0;
        for _ in 0..power {
            product *= middle;
        }
        if product < number {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}
