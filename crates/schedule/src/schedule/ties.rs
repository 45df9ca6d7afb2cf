// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Ties: all orders of a few units in one e-graph, and the best of them by time and memory.
//!
//! Neighbours in an order between which little decides, such as a run of gathers that are all ready, are a *tie*. As in
//! [`sort::ties`](crate::sort::ties) all its orders lie in one e-graph (`prefixes`), whose classes are the down-sets of their
//! dependences. Here the analysis of a class
//! holds, besides the set, a Pareto set: for each way to come to that set, what later units can see of it (clocks, ends,
//! the peak so far), without those that are no better than another in anything. What is live and what is in flight depend
//! on the set alone. So the class of all units holds every trade-off that its orders allow.
//!
//! Twins, units that nothing tells apart, are kept in their order: m of them cost m + 1 classes, not 2^m. The number of
//! classes is counted before and bounded by a budget, and so is the number of ways, which starts with consumers of their own
//! have many of; over either the tie stays as it is.

use super::measure::State;
use super::units::{NONE, UnitKind, Units};
use crate::prefixes::{Prefix, saturate};
use egg::{Analysis, DidMerge, EGraph, Id};
use std::sync::Arc;

/// Ways that are made at most.
const MOST_LABELS: usize = 200_000;

/// The most units in a tie: a set of them is a word.
const MOST_UNITS: usize = 64;

/// The orders of `group`, consecutive units that can be issued after `state`, that no other of its orders is better than
/// in all that later units see. The first is the lexicographically least of the fastest. Nothing when the tie has more
/// than `budget` classes.
pub(crate) fn fronts(units: &Units, state: &State, group: &[u32], budget: usize) -> Option<Vec<Vec<u32>>> {
    let tie = Tie::new(units, state, group)?;
    if tie.classes(budget) > budget {
        return None;
    }
    let tie = Arc::new(tie);
    let analysis = Pareto {
        tie: tie.clone(),
        is_sound: true,
        labels_left: MOST_LABELS,
    };
    let may_swap = move |a: &Ways, b: &Ways| {
        let (a, b) = (a.set.trailing_zeros() as usize, b.set.trailing_zeros() as usize);
        tie.units[b].before >> a & 1 == 0 && tie.units[a].twin != tie.units[b].twin
    };
    let (egraph, root) = saturate(analysis, group.len(), may_swap).ok()?;
    if !egraph.analysis.is_sound || egraph.analysis.labels_left == 0 {
        return None;
    }
    let mut labels = egraph[root].data.labels.clone();
    labels.sort_by(|one, other| {
        (one.step(), one.peak, &one.order).cmp(&(other.step(), other.peak, &other.order))
    });
    let order_of = |label: &Label| label.order.iter().map(|unit| group[*unit as usize]).collect();
    Some(labels.iter().map(order_of).collect())
}

/// What a tie is made of, with its units numbered from 0.
struct Tie {
    units: Vec<TieUnit>,
    /// Buffers that die in the tie: with the last of these units.
    deaths: Vec<(u64, u64)>,
    live: u64,
    start: Label,
}

struct TieUnit {
    kind: UnitKind,
    ns: u64,
    bytes: u64,
    link: usize,
    occupied: Vec<u32>,
    /// Units of the tie that must stand before it.
    before: u64,
    /// When what it reads from outside of the tie is available, and the units of the tie that it reads it from.
    reads_ns: u64,
    reads: Vec<usize>,
    /// The first unit that it cannot be told apart from.
    twin: usize,
}

/// One way to come to a set: what later units can see of it, and its order.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Label {
    compute: u64,
    links: Vec<u64>,
    /// Ends of the tie's collectives; zero for what has not run.
    ends: Vec<u64>,
    peak: u64,
    order: Vec<u8>,
}

impl Label {
    fn step(&self) -> u64 {
        self.links.iter().copied().fold(self.compute, u64::max)
    }

    /// Whether it is no worse than another in anything.
    fn covers(&self, other: &Label) -> bool {
        let none_later = |one: &[u64], other: &[u64]| one.iter().zip(other).all(|(one, other)| one <= other);
        self.compute <= other.compute
            && self.peak <= other.peak
            && none_later(&self.links, &other.links)
            && none_later(&self.ends, &other.ends)
    }
}

impl Tie {
    /// Nothing for what the sets cannot hold: too many units, or views that keep other buffers alive.
    fn new(units: &Units, state: &State, group: &[u32]) -> Option<Tie> {
        let is_view = |unit: &u32| units.kind[*unit as usize] == UnitKind::View;
        if group.len() > MOST_UNITS || group.iter().any(is_view) {
            return None;
        }
        let place = |unit: u32| group.iter().position(|other| *other == unit);
        let mask = |list: &[u32]| {
            let places = list.iter().filter_map(|unit| place(*unit));
            places.fold(0u64, |mask, place| mask | 1 << place)
        };
        let tie_unit = |index: usize| {
            let unit = group[index];
            let kind = units.kind[unit as usize];
            // A wait reads its start.
            let sources = match kind {
                UnitKind::Wait | UnitKind::StreamWait => &[units.partner[unit as usize]][..],
                _ => units.stream_reads.of(unit),
            };
            let outside = sources.iter().filter(|source| place(**source).is_none());
            let reads_ns = outside
                .map(|source| state.available_ns[*source as usize])
                .max()
                .unwrap_or(0);
            TieUnit {
                kind,
                ns: units.ns[unit as usize],
                bytes: units.bytes[unit as usize],
                link: units.link[unit as usize] as usize,
                occupied: units.occupied.of(unit).to_vec(),
                before: mask(units.before.of(unit)),
                reads_ns,
                reads: sources.iter().filter_map(|source| place(*source)).collect(),
                twin: (0..index)
                    .find(|other| are_twins(units, group[*other], unit))
                    .unwrap_or(index),
            }
        };
        let mut buffers: Vec<u32> = group
            .iter()
            .flat_map(|unit| units.reads.of(*unit))
            .chain(group)
            .copied()
            .collect();
        buffers.sort_unstable();
        buffers.dedup();
        let mut deaths = Vec::new();
        for buffer in buffers {
            let readers: Vec<usize> = (0..group.len())
                .filter(|index| units.reads.of(group[*index]).contains(&buffer))
                .collect();
            if state.references(buffer) == readers.len() as u32 {
                let last = readers.iter().copied().chain(place(buffer));
                deaths.push((
                    last.fold(0, |mask, index| mask | 1 << index),
                    units.bytes[buffer as usize],
                ));
            }
            if !units.holds.of(buffer).is_empty() {
                return None;
            }
        }
        Some(Tie {
            units: (0..group.len()).map(tie_unit).collect(),
            deaths,
            live: state.live_bytes,
            start: Label {
                compute: state.compute_ns,
                links: state.links_ns.clone(),
                ends: vec![0; group.len()],
                peak: 0,
                order: Vec::new(),
            },
        })
    }

    /// The number of down-sets that hold of twins only the first ones; more than `most` count as `most + 1`.
    fn classes(&self, most: usize) -> usize {
        let mut sets = std::collections::BTreeSet::from([0u64]);
        let mut level = vec![0u64];
        while !level.is_empty() && sets.len() <= most {
            let mut next = Vec::new();
            for set in level {
                for unit in 0..self.units.len() {
                    let wider = set | 1 << unit;
                    if wider != set && self.may_follow(set, unit) && sets.len() <= most && sets.insert(wider)
                    {
                        next.push(wider);
                    }
                }
            }
            level = next;
        }
        sets.len()
    }

    /// Whether a unit may be added to a set.
    fn may_follow(&self, set: u64, unit: usize) -> bool {
        let earlier_twins = (0..unit).filter(|other| self.units[*other].twin == self.units[unit].twin);
        let needs = earlier_twins.fold(self.units[unit].before, |needs, twin| needs | 1 << twin);
        needs & !set == 0
    }

    /// Live bytes after a set.
    fn live(&self, set: u64) -> u64 {
        let members = (0..self.units.len()).filter(|unit| set >> unit & 1 == 1);
        let made: u64 = members.map(|unit| self.units[unit].bytes).sum();
        let dead = self.deaths.iter().filter(|(last, _)| last & !set == 0);
        self.live + made - dead.map(|(_, bytes)| bytes).sum::<u64>()
    }

    /// A label with one unit more. The clocks are those of [`State::tick`].
    fn extend(&self, label: &Label, set: u64, index: usize) -> Label {
        let unit = &self.units[index];
        let mut label = label.clone();
        let read = unit
            .reads
            .iter()
            .map(|source| label.ends[*source])
            .fold(unit.reads_ns, u64::max);
        match unit.kind {
            UnitKind::Compute => {
                let occupied = unit.occupied.iter();
                let begin = occupied.fold(label.compute, |begin, link| {
                    begin.max(label.links[*link as usize])
                });
                label.compute = begin + unit.ns;
                for link in &unit.occupied {
                    label.links[*link as usize] = label.compute;
                }
            }
            UnitKind::Wait => label.compute = label.compute.max(read),
            UnitKind::StreamWait | UnitKind::View => label.ends[index] = read,
            UnitKind::Start | UnitKind::Blocking | UnitKind::StreamBlocking => {
                let end = label.compute.max(label.links[unit.link]).max(read) + unit.ns;
                label.links[unit.link] = end;
                match unit.kind {
                    UnitKind::Blocking => label.compute = end,
                    _ => label.ends[index] = end,
                }
            }
        }
        label.peak = label.peak.max(self.live(set) + unit.bytes);
        label.order.push(index as u8);
        label
    }
}

/// Whether nothing tells two units apart: they are the same but for their partners, and those are the same.
fn are_twins(units: &Units, one: u32, other: u32) -> bool {
    let same = |one: u32, other: u32| {
        let (a, b) = (one as usize, other as usize);
        units.kind[a] == units.kind[b]
            && units.ns[a] == units.ns[b]
            && units.bytes[a] == units.bytes[b]
            && units.stream[a] == units.stream[b]
            && units.link[a] == units.link[b]
            && units.occupied.of(one) == units.occupied.of(other)
            && units.stream_reads.of(one) == units.stream_reads.of(other)
            && units.references[a] == units.references[b]
    };
    let without = |list: &[u32], unit: u32| {
        list.iter()
            .copied()
            .filter(|item| *item != unit)
            .collect::<Vec<_>>()
    };
    let (wait, other_wait) = (units.partner[one as usize], units.partner[other as usize]);
    if !same(one, other)
        || units.before.of(one) != units.before.of(other)
        || units.reads.of(one) != units.reads.of(other)
    {
        return false;
    }
    if without(units.after.of(one), wait) != without(units.after.of(other), other_wait) {
        return false;
    }
    if wait == NONE || other_wait == NONE {
        return wait == other_wait;
    }
    // Waits come with their starts; only starts are told apart here.
    units.kind[one as usize] == UnitKind::Start
        && same(wait, other_wait)
        && without(units.before.of(wait), one) == without(units.before.of(other_wait), other)
        && without(units.reads.of(wait), one) == without(units.reads.of(other_wait), other)
        && units.after.of(wait) == units.after.of(other_wait)
}

/// The class analysis: which units a prefix holds, and the ways to come there.
struct Pareto {
    tie: Arc<Tie>,
    /// Whether only prefixes of equal sets were merged.
    is_sound: bool,
    /// Ways that may still be made. At zero no more are, and the result is given up.
    labels_left: usize,
}

#[derive(Clone, Debug)]
struct Ways {
    set: u64,
    labels: Vec<Label>,
}

impl Ways {
    /// Adds a label unless another covers it, and drops those that it covers; of equal ones the lexicographically first
    /// order stays. Says whether anything changed.
    fn add(&mut self, label: Label) -> bool {
        let is_beaten =
            |other: &Label| other.covers(&label) && (!label.covers(other) || other.order <= label.order);
        if self.labels.iter().any(is_beaten) {
            return false;
        }
        self.labels.retain(|other| !label.covers(other));
        self.labels.push(label);
        true
    }
}

impl Analysis<Prefix> for Pareto {
    type Data = Ways;

    fn make(egraph: &mut EGraph<Prefix, Self>, node: &Prefix, _: Id) -> Ways {
        let tie = egraph.analysis.tie.clone();
        match node {
            Prefix::Nil => Ways {
                set: 0,
                labels: vec![tie.start.clone()],
            },
            Prefix::Unit(unit) => Ways {
                set: 1 << unit,
                labels: Vec::new(),
            },
            Prefix::Snoc([prefix, unit]) => {
                let unit = egraph[*unit].data.set.trailing_zeros() as usize;
                let prefix = &egraph[*prefix].data;
                let mut ways = Ways {
                    set: prefix.set | 1 << unit,
                    labels: Vec::new(),
                };
                let count = prefix.labels.len().min(egraph.analysis.labels_left);
                for label in &prefix.labels[..count] {
                    ways.add(tie.extend(label, prefix.set, unit));
                }
                egraph.analysis.labels_left -= count;
                ways
            }
        }
    }

    fn merge(&mut self, a: &mut Ways, b: Ways) -> DidMerge {
        self.is_sound &= a.set == b.set;
        let before = a.labels.clone();
        let mut changed = false;
        for label in b.labels.iter().cloned() {
            changed |= a.add(label);
        }
        // Whether the union differs from either side; their order does not matter.
        let differs =
            |labels: &[Label]| labels.len() != a.labels.len() || !labels.iter().all(|l| a.labels.contains(l));
        DidMerge(changed && differs(&before), differs(&b.labels))
    }
}
