// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Ties: the order of units, none of which needs another, with the least peak of live bytes.
//!
//! All orders of a group are held in one e-graph (`prefixes`), whose classes are the sets of units (down-sets, where the
//! guard orders some), so all k! orders of k units take at most 2^k classes. The set is the e-class analysis: merging two
//! different sets would be an unsound rewrite, and is reported as an error.
//!
//! Live bytes after a prefix depend on the set of its units alone, so the peak of a prefix is the larger one of its
//! own prefix's peak and of what the last unit adds: a cost that egg's extractor minimises exactly. The order of least
//! peak is not unique; a second extraction, restricted to steps that stay within the least peak, takes the
//! lexicographically first one. Minimal peak over sets of executed nodes is also what Ahn et al., "Ordering Chaos:
//! Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge Devices" (MLSys 2020), computes by dynamic
//! programming; the e-graph has the same states.
//!
//! Units whose memory cannot be told apart are interchangeable; the guard keeps them in their order, which makes m
//! such units cost m + 1 classes rather than 2^m. A group whose first order already meets a lower bound is not
//! searched at all, which is the usual case: starts that only allocate all have the same peak.
//!
//! A group of more classes than the budget is left to the caller.

use crate::prefixes::{Prefix, saturate};
use egg::{Analysis, CostFunction, DidMerge, EGraph, Extractor, Id};
use thiserror::Error;

/// A start with what is emitted for it: the bytes that each of its steps allocates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Bytes by step; 0 where a step allocates nothing.
    pub allocations: Vec<i64>,
}

/// A result that dies in the group: with the last of some units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Release {
    /// Its bytes.
    pub bytes: i64,
    /// The units that use it, ascending, each with its last step that does.
    pub last: Vec<(usize, usize)>,
}

/// A group of units, and the results that die in it. Memory counts from what is alive before the group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TieGroup {
    /// The units, in the order that is taken when nothing else decides.
    pub units: Vec<Unit>,
    /// What dies in the group.
    pub releases: Vec<Release>,
}

/// Why the search broke off. Neither happens unless the encoding is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TieError {
    /// Two different sets of units were found equal.
    #[error("resolving a tie of {units} collectives equated two prefixes that hold different collectives")]
    Unsound {
        /// The number of units in the group.
        units: usize,
    },
    /// The e-graph did not come to rest.
    #[error("resolving a tie of {units} collectives stopped before all orders were considered: {reason}")]
    NotSaturated {
        /// The number of units in the group.
        units: usize,
        /// What egg says.
        reason: String,
    },
}

impl TieGroup {
    /// The order with the least peak, lexicographically the first of them; nothing when the search would take more
    /// than `budget` classes.
    pub fn solve(&self, budget: u32) -> Result<Option<Vec<usize>>, TieError> {
        let first: Vec<usize> = (0..self.units.len()).collect();
        let memory = Memory::new(self);
        if memory.peak(&first) <= memory.lower_bound() {
            return Ok(Some(first));
        }
        let alike = self.alike();
        if self.units.len() > 64 || classes(&alike) > u64::from(budget) {
            return Ok(None);
        }
        search(&memory, &alike).map(Some)
    }

    /// The largest number of live bytes while the units are emitted in `order`, which must be a permutation.
    pub fn peak(&self, order: &[usize]) -> i64 {
        Memory::new(self).peak(order)
    }

    /// For each unit, the first unit that it cannot be told apart from.
    fn alike(&self) -> Vec<usize> {
        // What a unit does: its allocations, and each release it takes part in. One that it shares with others is
        // described by who it is: units are alike if both or neither are among the users, at the same step.
        let mut actions: Vec<Vec<(usize, i64, Option<usize>)>> = vec![Vec::new(); self.units.len()];
        for (index, release) in self.releases.iter().enumerate() {
            let shared = (release.last.len() > 1).then_some(index);
            for &(unit, step) in &release.last {
                actions[unit].push((step, release.bytes, shared));
            }
        }
        actions.iter_mut().for_each(|actions| actions.sort_unstable());
        let is_like = |a: usize, b: usize| self.units[a] == self.units[b] && actions[a] == actions[b];
        (0..self.units.len())
            .map(|unit| (0..unit).find(|&other| is_like(other, unit)).unwrap_or(unit))
            .collect()
    }
}

/// The number of sets that hold of alike units only the first ones.
fn classes(alike: &[usize]) -> u64 {
    let mut sizes = vec![0u64; alike.len()];
    for &first in alike {
        sizes[first] += 1;
    }
    sizes
        .iter()
        .fold(1u64, |product, size| product.saturating_mul(size + 1))
}

/// A group with its releases by unit.
struct Memory<'a> {
    group: &'a TieGroup,
    /// For each unit, the releases it takes part in, with its step.
    of_unit: Vec<Vec<(usize, usize)>>,
}

impl<'a> Memory<'a> {
    fn new(group: &'a TieGroup) -> Self {
        let mut of_unit = vec![Vec::new(); group.units.len()];
        for (index, release) in group.releases.iter().enumerate() {
            for &(unit, step) in &release.last {
                of_unit[unit].push((index, step));
            }
        }
        Memory { group, of_unit }
    }

    /// Live bytes at most while `unit` is emitted, and after it, from `live` before it. `dies` says of a release in
    /// which the unit takes part whether all other users have been emitted.
    fn emit(&self, unit: usize, live: i64, dies: impl Fn(usize) -> bool) -> (i64, i64) {
        let allocations = &self.group.units[unit].allocations;
        let mut freed = vec![0; allocations.len()];
        for &(release, step) in &self.of_unit[unit] {
            if dies(release) {
                freed[step] += self.group.releases[release].bytes;
            }
        }
        let mut live = live;
        let mut peak = live;
        for (allocated, freed) in allocations.iter().zip(freed) {
            live += allocated;
            peak = peak.max(live);
            live -= freed;
        }
        (peak, live)
    }

    fn peak(&self, order: &[usize]) -> i64 {
        let mut left: Vec<usize> = self
            .group
            .releases
            .iter()
            .map(|release| release.last.len())
            .collect();
        let (mut live, mut peak) = (0, 0);
        for &unit in order {
            let (within, after) = self.emit(unit, live, |release| left[release] == 1);
            for &(release, _) in &self.of_unit[unit] {
                left[release] -= 1;
            }
            live = after;
            peak = peak.max(within);
        }
        peak
    }

    /// No order has a lower peak: every order starts with some unit, and ends with all of them emitted.
    fn lower_bound(&self) -> i64 {
        let units = self.group.units.iter();
        let allocated: i64 = units.flat_map(|unit| &unit.allocations).sum();
        let freed: i64 = self.group.releases.iter().map(|release| release.bytes).sum();
        let alone = |unit: usize| {
            self.emit(unit, 0, |release| self.group.releases[release].last.len() == 1)
                .0
        };
        let first = (0..self.group.units.len()).map(alone).min().unwrap_or(0);
        first.max(allocated - freed).max(0)
    }

    /// Live bytes after a set of units.
    fn live(&self, set: u64) -> i64 {
        let members = (0..self.group.units.len()).filter(|unit| set >> unit & 1 == 1);
        let allocated: i64 = members.flat_map(|unit| &self.group.units[unit].allocations).sum();
        let is_dead = |release: &&Release| release.last.iter().all(|(unit, _)| set >> unit & 1 == 1);
        allocated
            - self
                .group
                .releases
                .iter()
                .filter(is_dead)
                .map(|release| release.bytes)
                .sum::<i64>()
    }

    /// Live bytes at most while `unit` is emitted after the units of `set`.
    fn peak_after(&self, set: u64, unit: usize) -> i64 {
        let others_are_in = |release: usize| {
            self.group.releases[release]
                .last
                .iter()
                .all(|&(user, _)| user == unit || set >> user & 1 == 1)
        };
        self.emit(unit, self.live(set), others_are_in).0
    }
}

/// The set of units in a prefix, as bits. The analysis itself remembers whether two different ones were merged.
#[derive(Default)]
struct Units {
    conflict: bool,
}

impl Analysis<Prefix> for Units {
    type Data = u64;

    fn make(egraph: &mut EGraph<Prefix, Self>, node: &Prefix, _: Id) -> u64 {
        match node {
            Prefix::Nil => 0,
            Prefix::Snoc([prefix, unit]) => egraph[*prefix].data | egraph[*unit].data,
            Prefix::Unit(unit) => 1 << unit,
        }
    }

    fn merge(&mut self, a: &mut u64, b: u64) -> DidMerge {
        self.conflict |= *a != b;
        DidMerge(false, false)
    }
}

fn search(memory: &Memory<'_>, alike: &[usize]) -> Result<Vec<usize>, TieError> {
    let units = alike.len();
    let unit = |set: &u64| set.trailing_zeros() as usize;
    let kinds = alike.to_vec();
    let saturated = saturate(Units::default(), units, move |a, b| {
        kinds[unit(a)] != kinds[unit(b)]
    });
    let (egraph, root) = saturated.map_err(|reason| TieError::NotSaturated { units, reason })?;
    if egraph.analysis.conflict {
        return Err(TieError::Unsound { units });
    }
    let egraph = &egraph;
    let least = Extractor::new(egraph, Peak { egraph, memory }).find_best_cost(root);
    match Extractor::new(
        egraph,
        First {
            egraph,
            memory,
            least,
        },
    )
    .find_best_cost(root)
    {
        Sequence::Allowed(order) => Ok(order.into_iter().map(usize::from).collect()),
        Sequence::Excluded => Err(TieError::NotSaturated {
            units,
            reason: "no order has the least peak".into(),
        }),
    }
}

/// The peak of a prefix.
struct Peak<'a> {
    egraph: &'a EGraph<Prefix, Units>,
    memory: &'a Memory<'a>,
}

impl CostFunction<Prefix> for Peak<'_> {
    type Cost = i64;

    fn cost<C: FnMut(Id) -> i64>(&mut self, node: &Prefix, mut costs: C) -> i64 {
        match node {
            Prefix::Nil | Prefix::Unit(_) => 0,
            Prefix::Snoc([prefix, unit]) => {
                let last = self.egraph[*unit].data.trailing_zeros() as usize;
                costs(*prefix).max(self.memory.peak_after(self.egraph[*prefix].data, last))
            }
        }
    }
}

/// A prefix whose peak is at most the least, or none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sequence {
    Allowed(Vec<u8>),
    Excluded,
}

/// The first prefix, in lexicographic order, of those whose peak is at most `least`.
struct First<'a> {
    egraph: &'a EGraph<Prefix, Units>,
    memory: &'a Memory<'a>,
    least: i64,
}

impl CostFunction<Prefix> for First<'_> {
    type Cost = Sequence;

    fn cost<C: FnMut(Id) -> Sequence>(&mut self, node: &Prefix, mut costs: C) -> Sequence {
        match node {
            Prefix::Nil => Sequence::Allowed(Vec::new()),
            // Units are at most 64, so a byte holds one.
            Prefix::Unit(unit) => Sequence::Allowed(vec![*unit as u8]),
            Prefix::Snoc([prefix, unit]) => {
                let last = self.egraph[*unit].data.trailing_zeros() as usize;
                if self.memory.peak_after(self.egraph[*prefix].data, last) > self.least {
                    return Sequence::Excluded;
                }
                match costs(*prefix) {
                    Sequence::Allowed(mut order) => {
                        order.push(last as u8);
                        Sequence::Allowed(order)
                    }
                    Sequence::Excluded => Sequence::Excluded,
                }
            }
        }
    }
}
