// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which combinations are worth a look: the order in which sets are shared, and what is close to a combination.
//!
//! Sets of one *class* are equal in bytes, time and stream, as the same weight of every layer is; what tells them apart is
//! for how long they are kept. Within a class those kept for the least work are shared first: for the same time on the link
//! and the same bytes, the value with the shorter life is at no position alive where the longer one is not, if lives are
//! nested as the forward and the backward pass nest them. That makes a class one number instead of one bit for each set.

use super::alternatives::Alternatives;
use super::evaluate::Levels;
use crate::node::StreamId;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most sets of one class that are exchanged for one of another: several small values for a large one.
const MOST_EXCHANGED: usize = 3;

/// The sets that can be shared or gathered again, in some order in which to share them.
pub(super) struct Neighbours<'a> {
    alternatives: &'a [Alternatives],
    /// By bytes, time, stream and alternatives; in each the set to share first stands first.
    classes: Vec<Vec<usize>>,
}

impl<'a> Neighbours<'a> {
    /// `streams` are those of the sets. O(m log m) for m sets.
    pub(super) fn new(alternatives: &'a [Alternatives], streams: &[Option<StreamId>]) -> Self {
        let mut classes: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (set, of) in alternatives.iter().enumerate() {
            if of.decisions.len() > 1 {
                let key = (of.bytes, of.saved_ns, streams[set], of.decisions.len(), of.again);
                classes.entry(key).or_default().push(set);
            }
        }
        for class in classes.values_mut() {
            class.sort_by_key(|set| (alternatives[*set].kept_ns, *set));
        }
        Neighbours {
            alternatives,
            classes: classes.into_values().collect(),
        }
    }

    /// Orders in which sets that can be shared instead of gathered again are shared: by time saved for each byte kept for a
    /// nanosecond, by time saved for each byte, and by when their values are needed again.
    pub(super) fn orders(&self) -> Vec<Vec<usize>> {
        let sets = self.classes.iter().flatten().copied();
        let sets: Vec<usize> = sets.filter(|set| self.alternatives[*set].again > 0).collect();
        let kept = |set: &usize| self.alternatives[*set].kept_ns;
        let saved = |set: &usize| u128::from(self.alternatives[*set].saved_ns);
        let bytes = |set: &usize| u128::from(self.alternatives[*set].bytes.max(1));
        let cost = |set: &usize| bytes(set).saturating_mul(u128::from(kept(set).max(1)));
        // A larger scale than any ratio needs to be told apart, and small enough for 128 bits.
        const SCALE: u128 = 1 << 60;
        let mut by_life = sets.clone();
        by_life.sort_by_key(|set| (Reverse(saved(set) * SCALE / cost(set)), kept(set), *set));
        let mut by_bytes = sets.clone();
        by_bytes.sort_by_key(|set| (Reverse(saved(set) * SCALE / bytes(set)), kept(set), *set));
        let mut by_gap = sets;
        by_gap.sort_by_key(|set| (kept(set), *set));
        let mut orders = vec![by_life, by_bytes, by_gap];
        orders.dedup();
        orders
    }

    /// The combination in which the first sets of an order are shared as far as they can be and all others are gathered again.
    pub(super) fn prefix(&self, order: &[usize], shared: usize) -> Levels {
        let mut levels: Levels = self.alternatives.iter().map(|of| of.again).collect();
        order[..shared].iter().for_each(|set| levels[*set] = 0);
        levels
    }

    /// Combinations next to one, small changes first. By class: the next sets of a class are shared more, the last ones less, or
    /// both in two classes, a few of one for one of the other. Otherwise the one is any set.
    pub(super) fn around(&self, levels: &Levels, by_class: bool) -> impl Iterator<Item = Levels> {
        let can_more = |set: &usize| levels[*set] > 0;
        let can_less = |set: &usize| levels[*set] + 1 < self.alternatives[*set].decisions.len();
        let more_in = |class: &Vec<usize>| -> Vec<usize> { class.iter().copied().filter(can_more).collect() };
        let less_in =
            |class: &Vec<usize>| -> Vec<usize> { class.iter().rev().copied().filter(can_less).collect() };
        let more_by_class: Vec<Vec<usize>> = self.classes.iter().map(more_in).collect();
        let less_by_class: Vec<Vec<usize>> = self.classes.iter().map(less_in).collect();
        let few = |sets: &[Vec<usize>]| -> Vec<Vec<usize>> {
            let prefixes = sets.iter().flat_map(|sets| {
                let most = sets.len().min(MOST_EXCHANGED);
                (1..=most).map(|count| sets[..count].to_vec())
            });
            prefixes.collect()
        };
        let one = |sets: &[Vec<usize>]| -> Vec<Vec<usize>> {
            if by_class {
                sets.iter()
                    .filter_map(|sets| sets.first().map(|set| vec![*set]))
                    .collect()
            } else {
                sets.iter().flatten().map(|set| vec![*set]).collect()
            }
        };
        let (more, less) = (one(&more_by_class), one(&less_by_class));
        let (few_more, few_less) = (few(&more_by_class), few(&less_by_class));
        let alone = product(more.clone(), vec![Vec::new()]).chain(product(vec![Vec::new()], less.clone()));
        let exchanges = product(more.clone(), few_less).chain(product(few_more, less.clone()));
        let levels = levels.clone();
        alone
            .chain(exchanges)
            .chain(product(more, less))
            .map(move |(more, less)| {
                let mut next = levels.clone();
                more.into_iter().for_each(|set| next[set] -= 1);
                less.into_iter().for_each(|set| next[set] += 1);
                next
            })
    }
}

/// All pairs.
fn product<T: Clone>(ones: Vec<T>, others: Vec<T>) -> impl Iterator<Item = (T, T)> {
    ones.into_iter().flat_map(move |one| {
        let others = others.clone();
        others.into_iter().map(move |other| (one.clone(), other))
    })
}
