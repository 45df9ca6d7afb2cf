// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The exact front of time and peak of all orders of a small problem.
//!
//! Dynamic programming over [down-sets](down_sets). What matters of an order up to some point is the set of units issued,
//! the clocks, the ends of collectives that something still waits for, and the peak so far: a *label*. A label is
//! dropped if another one of the same set is nowhere greater, or if a complete order is known that takes no longer than
//! the label must and has no greater peak. To make more labels comparable, values that cannot matter are raised to
//! where they begin to: an end to the clock of computation, a clock of a link where nothing remains to the time that
//! the step takes anyhow, a peak to the least that remains. A wait of a collective that has ended is issued at
//! once, since that moves no clock and only frees.
//!
//! The same works on a window of an order: what stands before gives the first label, and what stands behind
//! is issued after the last.
//!
//! The first complete orders come from a beam search: the same labels, but only so many of each size of set are kept.
//!
//! The number of labels is exponential in the worst case; labels and comparisons are counted against a budget. Nothing depends on hash order;
//! of equal labels the first one found is kept, with units tried in canonical order. The recursion
//! over sets is that of Held and Karp 1962.

mod down_sets;
mod flow;
mod table;
#[cfg(test)]
mod tests;
mod twins;

use super::options::Point;
use crate::memory;
use crate::node::NodeId;
use crate::problem::Problem;
use crate::timing::{Clocks, timeline};
use down_sets::{DownSet, DownSets, NO_COMPLETION};
use std::ops::Range;
use table::{Action, Place, Table, members};

pub(crate) use flow::Flow;

/// How many labels of one size the beam search keeps by time, and how many by peak.
const BEAM_WIDTH: usize = 64;

/// No label.
const ROOT: u32 = u32::MAX;

/// Limits on collectives in flight, from the start's position up to the wait's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct InFlightLimits {
    /// How many may be in flight on one stream.
    pub max_in_flight: Option<u32>,
    /// How many bytes the results of those in flight on all streams may have.
    pub max_in_flight_bytes: Option<u64>,
}

/// The points that no order within the limits dominates, by time, each with an order; empty if no order keeps the limits.
/// `None` when the problem has more than 63 units or the search takes more than `budget` steps: one for
/// each label made and each two compared, and for each down-set as many as there are units.
pub(crate) fn exact_front(
    problem: &Problem,
    limits: InFlightLimits,
    budget: u64,
) -> Option<Vec<(Point, Vec<NodeId>)>> {
    let source: Vec<NodeId> = problem.ids().collect();
    front(
        &Flow::new(problem),
        &source,
        0..source.len(),
        Vec::new(),
        limits,
        budget,
    )
}

/// As [`exact_front`], among the orders that differ from `order` in the positions of `window` alone. `order` itself must
/// keep the limits; where it is as good as the best, it is what is given back.
pub(crate) fn exact_window(
    flow: &Flow<'_>,
    order: &[NodeId],
    window: Range<usize>,
    limits: InFlightLimits,
    budget: u64,
) -> Option<Vec<(Point, Vec<NodeId>)>> {
    let point = Point {
        time_ns: timeline(flow.problem, order).step_ns,
        peak_bytes: memory::peak(flow.problem, order),
    };
    front(flow, order, window, vec![(point, order.to_vec())], limits, budget)
}

fn front(
    flow: &Flow<'_>,
    order: &[NodeId],
    window: Range<usize>,
    known: Vec<(Point, Vec<NodeId>)>,
    limits: InFlightLimits,
    budget: u64,
) -> Option<Vec<(Point, Vec<NodeId>)>> {
    let problem = flow.problem;
    let mut places = vec![Place::Inside; problem.len()];
    order[..window.start]
        .iter()
        .for_each(|id| places[id.index()] = Place::Before);
    order[window.end..]
        .iter()
        .for_each(|id| places[id.index()] = Place::Behind);
    let table = Table::new(flow, &places)?;
    let mut budget = budget;
    let down_sets = DownSets::new(&table, limits, &mut budget)?;
    let mut search = Search {
        problem,
        order,
        window: window.clone(),
        table: &table,
        down_sets: &down_sets,
        known,
        parents: Vec::new(),
        budget,
    };
    let mut label = search.label();
    let mut clocks = Clocks::new(problem);
    for &id in &order[..window.start] {
        let (_, end) = clocks.issue(id);
        let streams = problem.occupied(id).chain(problem.stream_of(id));
        streams.for_each(|stream| label.links[problem.link_of(stream).index()] = end);
        if let Some(unit) = members(table.first).find(|unit| table.units[*unit].node == id) {
            label.ends[unit] = end;
        }
    }
    label.compute = clocks.compute_ns();
    let profile = memory::profile(problem, order);
    let outside = profile[..window.start].iter().chain(&profile[window.end..]);
    label.peak = outside.copied().max().unwrap_or(0);
    search.pass(&label, Some(BEAM_WIDTH))?;
    search.pass(&label, None)?;
    Some(search.known)
}

/// A label, unpacked.
#[derive(Clone)]
struct Label {
    compute: u64,
    links: Vec<u64>,
    /// By unit; only those of collectives whose ends are needed count.
    ends: Vec<u64>,
    peak: u64,
}

/// The labels of one set, packed: clocks, needed ends by unit, peak.
#[derive(Clone, Default)]
struct Labels {
    values: Vec<u64>,
    ids: Vec<u32>,
}

struct Search<'a> {
    problem: &'a Problem,
    order: &'a [NodeId],
    window: Range<usize>,
    table: &'a Table,
    down_sets: &'a DownSets,
    /// The front of complete orders, by time.
    known: Vec<(Point, Vec<NodeId>)>,
    /// For each label the one before it, and the unit issued.
    parents: Vec<(u32, u8)>,
    budget: u64,
}

impl Search<'_> {
    /// Extends all labels, or of each size of set those of the beam, from none to all units.
    fn pass(&mut self, first: &Label, beam: Option<usize>) -> Option<()> {
        let down_sets = self.down_sets;
        self.parents.clear();
        let mut labels: Vec<Labels> = vec![Labels::default(); down_sets.sets.len()];
        let mut label = first.clone();
        self.keep(&mut label, 0, &mut labels[0], (ROOT, 0))?;
        for level in &down_sets.levels {
            if let Some(width) = beam {
                self.narrow(&mut labels, level.clone(), width);
            }
            for number in level.clone() {
                let from = &down_sets.sets[number];
                let Labels { values, ids } = std::mem::take(&mut labels[number]);
                for (values, &id) in values.chunks_exact(self.width(from)).zip(&ids) {
                    if from.set == self.table.all() {
                        self.unpack(values, from, &mut label);
                        self.complete(&label, id);
                        continue;
                    }
                    self.unpack(values, from, &mut label);
                    let is_past = |unit: u8| match self.table.units[unit as usize].action {
                        Action::Wait(start) => label.ends[start as usize] <= label.compute,
                        _ => false,
                    };
                    let free = from.next.iter().find(|(unit, _)| is_past(*unit));
                    for &(unit, to) in free.map_or(from.next.as_slice(), std::slice::from_ref) {
                        self.unpack(values, from, &mut label);
                        self.issue(&mut label, from, unit as usize);
                        self.keep(&mut label, to as usize, &mut labels[to as usize], (id, unit))?;
                    }
                }
            }
        }
        Some(())
    }

    /// A label to work with: all clocks at zero.
    fn label(&self) -> Label {
        Label {
            compute: 0,
            links: vec![0; self.table.links],
            ends: vec![0; self.table.units.len()],
            peak: 0,
        }
    }

    /// The number of values of a label of the set.
    fn width(&self, set: &DownSet) -> usize {
        2 + self.table.links + set.ends.count_ones() as usize
    }

    fn unpack(&self, values: &[u64], set: &DownSet, label: &mut Label) {
        let links = self.table.links;
        label.compute = values[0];
        label.links.copy_from_slice(&values[1..1 + links]);
        for (unit, &end) in members(set.ends).zip(&values[1 + links..]) {
            label.ends[unit] = end;
        }
        label.peak = values[values.len() - 1];
    }

    /// Issues a unit by the timing model.
    fn issue(&self, label: &mut Label, from: &DownSet, unit: usize) {
        let Label {
            compute, links, ends, ..
        } = label;
        let item = &self.table.units[unit];
        if let Action::Wait(start) = item.action {
            *compute = (*compute).max(ends[start as usize]);
        } else {
            let busy = item.links.iter().map(|&link| links[link]).max().unwrap_or(0);
            let read = members(item.reads).map(|unit| ends[unit]).max().unwrap_or(0);
            let end = (*compute).max(busy).max(read) + item.ns;
            item.links.iter().for_each(|&link| links[link] = end);
            match item.action {
                Action::Start => ends[unit] = end,
                _ => *compute = end,
            }
        }
        label.peak = label.peak.max(from.peak_with(item.bytes));
    }

    /// Normalises a label and keeps it unless something is as good in every way.
    fn keep(
        &mut self,
        label: &mut Label,
        number: usize,
        labels: &mut Labels,
        parent: (u32, u8),
    ) -> Option<()> {
        let set = &self.down_sets.sets[number];
        if set.least_peak == NO_COMPLETION {
            return Some(());
        }
        self.budget = self.budget.checked_sub(1)?;
        let least_time = self.normalise(label, set);
        let is_known =
            |(point, _): &(Point, _)| point.time_ns <= least_time && point.peak_bytes <= label.peak;
        if self.known.iter().any(is_known) {
            return Some(());
        }
        let width = self.width(set);
        let values = |at: usize| match at {
            0 => label.compute,
            at if at <= label.links.len() => label.links[at - 1],
            _ => label.peak,
        };
        let mut packed = Vec::with_capacity(width);
        packed.extend((0..=label.links.len()).map(values));
        packed.extend(members(set.ends).map(|unit| label.ends[unit]));
        packed.push(label.peak);
        self.budget = self.budget.checked_sub(labels.ids.len() as u64)?;
        let is_covered = |by: &[u64]| by.iter().zip(&packed).all(|(by, value)| by <= value);
        if labels.values.chunks_exact(width).any(is_covered) {
            return Some(());
        }
        for index in (0..labels.ids.len()).rev() {
            let old = &labels.values[index * width..(index + 1) * width];
            if packed.iter().zip(old).all(|(new, old)| new <= old) {
                labels.remove(index, width);
            }
        }
        labels.values.append(&mut packed);
        labels.ids.push(self.parents.len() as u32);
        self.parents.push(parent);
        Some(())
    }

    /// Raises values to where they begin to matter; the least time that the step takes.
    fn normalise(&self, label: &mut Label, set: &DownSet) -> u64 {
        let compute = label.compute;
        let mut least_time = compute + set.compute_tail;
        for (unit, tail) in members(set.ends).zip(&set.end_tails) {
            label.ends[unit] = label.ends[unit].max(compute);
            least_time = least_time.max(label.ends[unit] + tail);
        }
        for (clock, tail) in label.links.iter_mut().zip(&set.link_tails) {
            *clock = (*clock).max(compute);
            least_time = least_time.max(*clock + tail.unwrap_or(0));
        }
        for (clock, tail) in label.links.iter_mut().zip(&set.link_tails) {
            if tail.is_none() {
                *clock = least_time;
            }
        }
        label.peak = label.peak.max(set.least_peak);
        least_time
    }

    /// Keeps, of the labels of a level, some by least time and some by least peak.
    fn narrow(&self, labels: &mut [Labels], level: Range<usize>, width: usize) {
        let mut label = self.label();
        let mut found: Vec<(Point, u32)> = Vec::new();
        for number in level.clone() {
            let set = &self.down_sets.sets[number];
            let Labels { values, ids } = &labels[number];
            for (values, &id) in values.chunks_exact(self.width(set)).zip(ids) {
                self.unpack(values, set, &mut label);
                let time_ns = self.normalise(&mut label, set);
                found.push((
                    Point {
                        time_ns,
                        peak_bytes: label.peak,
                    },
                    id,
                ));
            }
        }
        if found.len() <= 2 * width {
            return;
        }
        let mut kept = Vec::with_capacity(2 * width);
        found.sort_unstable_by_key(|&(point, id)| (point.time_ns, point.peak_bytes, id));
        kept.extend(found[..width].iter().map(|&(_, id)| id));
        found.sort_unstable_by_key(|&(point, id)| (point.peak_bytes, point.time_ns, id));
        kept.extend(found[..width].iter().map(|&(_, id)| id));
        kept.sort_unstable();
        for number in level {
            let width = self.width(&self.down_sets.sets[number]);
            for index in (0..labels[number].ids.len()).rev() {
                if kept.binary_search(&labels[number].ids[index]).is_err() {
                    labels[number].remove(index, width);
                }
            }
        }
    }

    /// Takes a complete order into the front.
    fn complete(&mut self, label: &Label, id: u32) {
        let mut units = Vec::new();
        let mut at = id;
        while at != ROOT {
            let (parent, unit) = self.parents[at as usize];
            units.push(unit);
            at = parent;
        }
        // The first label stands for no unit.
        units.pop();
        units.reverse();
        let mut order = self.order.to_vec();
        order[self.window.clone()].copy_from_slice(&self.table.order(&units));
        let point = Point {
            time_ns: timeline(self.problem, &order).step_ns,
            peak_bytes: label.peak,
        };
        let covers =
            |one: Point, other: Point| one.time_ns <= other.time_ns && one.peak_bytes <= other.peak_bytes;
        if self.known.iter().any(|(known, _)| covers(*known, point)) {
            return;
        }
        self.known.retain(|(known, _)| !covers(point, *known));
        let position = self
            .known
            .partition_point(|(known, _)| known.time_ns < point.time_ns);
        self.known.insert(position, (point, order));
    }
}

impl Labels {
    /// Removes a label; the last one takes its place.
    fn remove(&mut self, index: usize, width: usize) {
        self.ids.swap_remove(index);
        let last = self.values.len() - width;
        self.values.copy_within(last.., index * width);
        self.values.truncate(last);
    }
}
