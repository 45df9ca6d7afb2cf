// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The fastest partition of a chain into buckets, by dynamic programming.
//!
//! Let a partition of the first `i` items end at time `link` on the link, and let computation have waited for `delay` in
//! all before the rest of the chain is needed. A bucket of the items `i..j` then gives
//!
//! ```text
//! link'  = max(link, ready(i..j) + delay at that point) + cost(i, j)
//! delay' = max(delay, link' - need(i))
//! ```
//!
//! Both grow with both, so of all partitions of the first `i` items only those count that no other beats in both (Bellman's
//! principle with a Pareto front for a value). With gathers that are ready at 0 and a cost of `alpha + beta * bytes`, the
//! `k`-th bucket ends at `k * alpha + beta * S(j)` wherever the cuts are; the front then holds at most one state for each
//! `k`, and the recurrence is `E(j, k) = min over i of max(E(i, k-1), k*alpha + beta*S(j)) + C(j) - C(i)`, in O(n² K) for at
//! most `K` buckets. With reductions that are needed at the end, `delay` stays 0 and the front has one state: O(n²), for
//! any cost. Read backwards in time the one case is the other, so O(n²) would do for gathers too; the front is kept
//! because it also answers chains with both.
//!
//! O(n² F) where `F` is the largest front, at most [`MOST_STATES`]. The result is exact unless a front was cut there, or an
//! item gets ready between the first item's need and that of the item before its bucket: the delay at that point then
//! differs between partitions that are compared without it. Even then the time that comes with the result is that of the
//! partition.
//!
//! Of partitions of equal time, one is taken of which no bucket can be cut in two without loss: what merging does not pay
//! for stays apart.

use super::chain::Chain;

/// The most states that are kept for one position.
pub const MOST_STATES: usize = 512;

/// A partition and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Optimum {
    /// Where each bucket ends, exclusively.
    pub ends: Vec<usize>,
    /// How long computation and the chain take together.
    pub time_ns: u64,
    /// Whether no allowed partition is faster.
    pub is_exact: bool,
}

/// A partition of the first items.
#[derive(Clone, Copy)]
struct State {
    link: u64,
    delay: u64,
    /// Bytes of the last bucket, and whether it has more than one item; 0 and false unless there is a limit on pairs.
    last_bytes: u64,
    last_is_merged: bool,
    /// Where the last bucket begins, and the state there.
    begin: usize,
    parent: usize,
}

impl State {
    /// Whether no continuation is better from `other`.
    fn beats(&self, other: &State) -> bool {
        self.link <= other.link
            && self.delay <= other.delay
            && self.last_bytes <= other.last_bytes
            && self.last_is_merged <= other.last_is_merged
    }
}

/// Finds the fastest partition that keeps dependences and limits.
pub fn fastest(chain: &Chain<'_>) -> Optimum {
    let count = chain.items().len();
    // What is slower than that is of no use, and is not kept.
    let bound = chain.time_ns(&chain.apart());
    let mut search = Search {
        chain,
        bound,
        fronts: vec![vec![State {
            link: 0,
            delay: 0,
            last_bytes: 0,
            last_is_merged: false,
            begin: 0,
            parent: 0,
        }]],
        is_exact: true,
    };
    for end in 1..=count {
        let front = search.front(end);
        search.fronts.push(front);
    }
    let time = |state: &State| search.time(state.link, state.delay);
    let (mut best, mut least) = (None, u64::MAX);
    for (index, state) in search.fronts[count].iter().enumerate() {
        if time(state) < least {
            (best, least) = (Some(index), time(state));
        }
    }
    let mut ends = match best {
        Some(index) => search.ends(index),
        None => chain.apart(),
    };
    cut_what_does_not_pay(chain, &mut ends);
    Optimum {
        time_ns: chain.time_ns(&ends),
        ends,
        is_exact: search.is_exact,
    }
}

struct Search<'a, 'c> {
    chain: &'a Chain<'c>,
    bound: u64,
    /// By the number of items.
    fronts: Vec<Vec<State>>,
    is_exact: bool,
}

impl Search<'_, '_> {
    fn time(&self, link: u64, delay: u64) -> u64 {
        link.max(self.chain.compute_ns().saturating_add(delay))
    }

    /// The states after the first `end` items.
    fn front(&mut self, end: usize) -> Vec<State> {
        let chain = self.chain;
        let limits_pairs = chain.limits().live_bytes.is_some();
        let mut front: Vec<State> = Vec::new();
        for (begin, ready, bytes) in chain.buckets_before(end) {
            let cost = chain.cost(begin, end);
            let need = chain.items()[begin].need_ns;
            let is_merged = end - begin > 1;
            let is_between =
                begin > 0 && ready > chain.items()[0].need_ns && ready <= chain.items()[begin - 1].need_ns;
            self.is_exact &= !is_between;
            for (parent, state) in self.fronts[begin].iter().enumerate() {
                if (is_merged || state.last_is_merged)
                    && begin > 0
                    && chain.exceeds_live(state.last_bytes, bytes)
                {
                    continue;
                }
                let delay_when_ready = self.delay_at(begin, parent, ready);
                let link = state
                    .link
                    .max(ready.saturating_add(delay_when_ready))
                    .saturating_add(cost);
                let delay = state.delay.max(link.saturating_sub(need));
                if self.time(link, delay) > self.bound {
                    continue;
                }
                let new = State {
                    link,
                    delay,
                    last_bytes: if limits_pairs { bytes } else { 0 },
                    last_is_merged: limits_pairs && is_merged,
                    begin,
                    parent,
                };
                if front.iter().any(|state| state.beats(&new)) {
                    continue;
                }
                front.retain(|state| !new.beats(state));
                front.push(new);
            }
        }
        if front.len() > MOST_STATES {
            self.is_exact = false;
            front.sort_by_key(|state| (self.time(state.link, state.delay), state.link));
            front.truncate(MOST_STATES);
        }
        front
    }

    /// For how long computation has waited when `ready` of its work is done, in a partition of the first `items` items.
    fn delay_at(&self, mut items: usize, mut index: usize, ready: u64) -> u64 {
        while items > 0 {
            let state = &self.fronts[items][index];
            if self.chain.items()[state.begin].need_ns < ready {
                return state.delay;
            }
            (items, index) = (state.begin, state.parent);
        }
        0
    }

    /// Where the buckets of a partition of all items end.
    fn ends(&self, mut index: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut end = self.fronts.len() - 1;
        while end > 0 {
            ends.push(end);
            let state = &self.fronts[end][index];
            (end, index) = (state.begin, state.parent);
        }
        ends.reverse();
        ends
    }
}

/// Cuts buckets in two wherever that loses no time, from the first position to the last, until no cut is left: one cut
/// may make room for another before it. O(n) evaluations of the chain for each round, and every round but the last cuts.
fn cut_what_does_not_pay(chain: &Chain<'_>, ends: &mut Vec<usize>) {
    let time = chain.time_ns(ends);
    loop {
        let before = ends.len();
        for at in 1..chain.items().len() {
            if let Err(index) = ends.binary_search(&at) {
                ends.insert(index, at);
                if !chain.is_allowed(ends) || chain.time_ns(ends) > time {
                    ends.remove(index);
                }
            }
        }
        if ends.len() == before {
            return;
        }
    }
}
