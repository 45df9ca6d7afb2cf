// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! List orders: a first order by critical path, and better ones by justification.
//!
//! [`dispatch`] simulates the step and always runs the ready computation of greatest priority; a collective is issued
//! when its link would otherwise fall idle before that computation ends, so urgent ones overtake those that can wait.
//! With the longest path to the end as priority this is critical-path list scheduling (Graham 1966); Graham's bound,
//! twice the optimum for two machines, holds here too.
//!
//! [`justify`] improves an order by running time backwards from its end, each unit as late as what follows it allows,
//! and forwards again in the order of those late times (double justification: Valls, Ballestin, Quintanilla 2005).
//!
//! Each order costs O((n + e) log n).

use super::lists::Lists;
use super::measure::State;
use super::units::{NONE, UnitKind, Units};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// For each unit the longest path from its begin to the end of the step. O(n + e).
pub(crate) fn tails(units: &Units) -> Vec<u64> {
    let mut tails = vec![0u64; units.len()];
    for unit in (0..units.len() as u32).rev() {
        let after = units.after.of(unit).iter();
        let rest = after.map(|user| tails[*user as usize]).max().unwrap_or(0);
        tails[unit as usize] = rest + units.ns[unit as usize];
    }
    tails
}

/// Units that can be issued, by what they do.
struct Ready {
    computations: BinaryHeap<(u64, Reverse<u32>)>,
    collectives: Vec<BinaryHeap<(u64, Reverse<u32>)>>,
    /// Waits by the end of what they wait for.
    waits: BinaryHeap<Reverse<(u64, u32)>>,
    /// Views and stream waits, which take no time.
    free: Vec<u32>,
}

/// The order in which a simulation runs the units, by priority among those that can run.
pub(crate) fn dispatch(units: &Units, priority: &[u64]) -> Vec<u32> {
    let count = units.len() as u32;
    let mut missing = counts(&units.before, units.len());
    let mut state = State::new(units);
    let mut order: Vec<u32> = Vec::with_capacity(units.len());
    let mut ready = Ready {
        computations: BinaryHeap::new(),
        collectives: vec![BinaryHeap::new(); units.link_count],
        waits: BinaryHeap::new(),
        free: Vec::new(),
    };
    for unit in (0..count).filter(|unit| missing[*unit as usize] == 0) {
        ready.push(units, priority, &state, unit);
    }
    while let Some(unit) = ready.pop(units, &state) {
        state.tick(units, unit);
        order.push(unit);
        release(units.after.of(unit), &mut missing, |user| {
            ready.push(units, priority, &state, user);
        });
    }
    order
}

impl Ready {
    fn push(&mut self, units: &Units, priority: &[u64], state: &State, unit: u32) {
        let index = unit as usize;
        match units.kind[index] {
            UnitKind::Compute => {
                self.computations.push((priority[index], Reverse(unit)));
            }
            UnitKind::Wait => {
                let end = state.available_ns[units.partner[index] as usize];
                self.waits.push(Reverse((end, unit)));
            }
            UnitKind::StreamWait | UnitKind::View => self.free.push(unit),
            UnitKind::Start | UnitKind::Blocking | UnitKind::StreamBlocking => {
                self.collectives[units.link[index] as usize].push((priority[index], Reverse(unit)));
            }
        }
    }

    fn pop(&mut self, units: &Units, state: &State) -> Option<u32> {
        if let Some(unit) = self.free.pop() {
            return Some(unit);
        }
        if let Some(&Reverse((end, unit))) = self.waits.peek()
            && end <= state.compute_ns
        {
            self.waits.pop();
            return Some(unit);
        }
        let horizon = match (self.computations.peek(), self.waits.peek()) {
            (Some((_, Reverse(unit))), _) => state.compute_ns + units.ns[*unit as usize],
            // Nothing to compute before that wait ends.
            (None, Some(Reverse((end, _)))) => *end,
            (None, None) => u64::MAX,
        };
        let link = (0..units.link_count)
            .filter(|link| !self.collectives[*link].is_empty() && state.links_ns[*link] <= horizon)
            .min_by_key(|link| state.links_ns[*link]);
        if let Some(link) = link {
            return self.collectives[link].pop().map(|(_, Reverse(unit))| unit);
        }
        let computation = self.computations.pop().map(|(_, Reverse(unit))| unit);
        computation.or_else(|| self.waits.pop().map(|Reverse((_, unit))| unit))
    }
}

/// The order of least keys that is a linear extension; of equal keys, the unit with the least number first.
pub(crate) fn by_keys(units: &Units, keys: &[u64]) -> Vec<u32> {
    if follow_dependences(units, keys) {
        return sorted(keys);
    }
    let mut heap: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    let mut order = Vec::with_capacity(units.len());
    let mut missing = counts(&units.before, units.len());
    let push = |heap: &mut BinaryHeap<_>, unit: u32| heap.push(Reverse((keys[unit as usize], unit)));
    let ready = (0..units.len() as u32).filter(|unit| missing[*unit as usize] == 0);
    ready.for_each(|unit| push(&mut heap, unit));
    while let Some(Reverse((_, unit))) = heap.pop() {
        order.push(unit);
        release(units.after.of(unit), &mut missing, |user| push(&mut heap, user));
    }
    order
}

/// The same from the end: the order of greatest keys in which every unit stands behind those that depend on it; of equal
/// keys, the unit with the greatest number first.
fn by_keys_backwards(units: &Units, keys: &[u64]) -> Vec<u32> {
    if follow_dependences(units, keys) {
        let mut order = sorted(keys);
        order.reverse();
        return order;
    }
    let mut heap: BinaryHeap<(u64, u32)> = BinaryHeap::new();
    let mut order = Vec::with_capacity(units.len());
    let mut missing = counts(&units.after, units.len());
    let push = |heap: &mut BinaryHeap<_>, unit: u32| heap.push((keys[unit as usize], unit));
    let ready = (0..units.len() as u32).filter(|unit| missing[*unit as usize] == 0);
    ready.for_each(|unit| push(&mut heap, unit));
    while let Some((_, unit)) = heap.pop() {
        order.push(unit);
        release(units.before.of(unit), &mut missing, |other| {
            push(&mut heap, other)
        });
    }
    order
}

/// Whether keys never fall along a dependence. Then sorting by key and number gives a linear extension, since numbers rise,
/// and the same one as always taking the least key of what can run; it takes a fraction of the time.
fn follow_dependences(units: &Units, keys: &[u64]) -> bool {
    (0..units.len() as u32).all(|unit| {
        let before = units.before.of(unit).iter();
        before
            .map(|other| keys[*other as usize])
            .all(|key| key <= keys[unit as usize])
    })
}

/// Units by key and number.
fn sorted(keys: &[u64]) -> Vec<u32> {
    let bits = usize::BITS - keys.len().leading_zeros();
    if keys.iter().all(|key| key.leading_zeros() >= bits) {
        // One number sorts faster than two.
        let mut packed: Vec<u64> = keys
            .iter()
            .zip(0u64..)
            .map(|(key, unit)| key << bits | unit)
            .collect();
        packed.sort_unstable();
        let unit = |packed: u64| (packed & ((1 << bits) - 1)) as u32;
        return packed.into_iter().map(unit).collect();
    }
    let mut pairs: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, unit)| unit).collect()
}

/// How long the list of each unit is.
fn counts(lists: &Lists, units: usize) -> Vec<u32> {
    (0..units as u32)
        .map(|unit| lists.of(unit).len() as u32)
        .collect()
}

/// Counts one less as missing for each of `others`, and tells of those that miss nothing any more.
fn release(others: &[u32], missing: &mut [u32], mut ready: impl FnMut(u32)) {
    for &other in others {
        missing[other as usize] -= 1;
        if missing[other as usize] == 0 {
            ready(other);
        }
    }
}

/// One backward and one forward pass over an order.
pub(crate) fn justify(units: &Units, order: &[u32]) -> Vec<u32> {
    let late = late_begins(units, order);
    by_keys(units, &keys_of_begins(units, &late))
}

/// Sorting keys that put each unit where it is issued if it begins at the given time: a computation after what ends
/// before it ends, a collective before the computation that runs when it begins, and a wait before what needs it.
fn keys_of_begins(units: &Units, begins: &[u64]) -> Vec<u64> {
    // Twice the time, so that at equal times computations that end come before collectives that begin.
    let key = |(unit, begin): (usize, &u64)| match units.kind[unit] {
        UnitKind::Compute => 2 * (begin + units.ns[unit]),
        UnitKind::Wait | UnitKind::StreamWait | UnitKind::View => 2 * begin,
        UnitKind::Start | UnitKind::Blocking | UnitKind::StreamBlocking => 2 * begin + 1,
    };
    let mut keys: Vec<u64> = begins.iter().enumerate().map(key).collect();
    // What takes no time goes with the first unit that needs it.
    for unit in (0..units.len() as u32).rev() {
        if units.ns[unit as usize] == 0 && units.link[unit as usize] == NONE {
            let after = units.after.of(unit).iter();
            if let Some(key) = after.map(|user| keys[*user as usize]).min() {
                keys[unit as usize] = key;
            }
        }
    }
    keys
}

/// When each unit begins if time runs backwards from the end of the step and each runs as late as what stands after it in
/// `order` on its stream, and what depends on it, allow.
fn late_begins(units: &Units, order: &[u32]) -> Vec<u64> {
    let mut state = State::new(units);
    let mut ends = vec![0u64; units.len()];
    for &unit in order {
        state.tick(units, unit);
        ends[unit as usize] = match units.kind[unit as usize] {
            UnitKind::Start | UnitKind::StreamBlocking => state.available_ns[unit as usize],
            _ => state.compute_ns,
        };
    }
    let step = state.step_ns();
    let mut begins = vec![0u64; units.len()];
    let mut compute = step;
    let mut links = vec![step; units.link_count];
    for unit in by_keys_backwards(units, &ends) {
        let index = unit as usize;
        let after = units.after.of(unit).iter();
        let needed = after.map(|user| begins[*user as usize]).min().unwrap_or(step);
        begins[index] = match units.kind[index] {
            UnitKind::Compute => {
                let occupied = units.occupied.of(unit).iter();
                let end = occupied
                    .clone()
                    .fold(needed.min(compute), |end, link| end.min(links[*link as usize]));
                compute = end.saturating_sub(units.ns[index]);
                for link in occupied {
                    links[*link as usize] = compute;
                }
                compute
            }
            UnitKind::Start | UnitKind::StreamBlocking => {
                let link = &mut links[units.link[index] as usize];
                *link = needed.min(*link).saturating_sub(units.ns[index]);
                *link
            }
            UnitKind::Blocking => {
                let link = &mut links[units.link[index] as usize];
                *link = needed.min(*link).min(compute).saturating_sub(units.ns[index]);
                compute = *link;
                compute
            }
            UnitKind::Wait | UnitKind::StreamWait | UnitKind::View => needed,
        };
    }
    begins
}
