// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A small problem as bit sets: what the exact method decides on, and what each decision needs and frees.
//!
//! The nodes are divided into three parts: those that stand already, those that are ordered here, and those that stand
//! behind in an order that stays. For a whole problem all are in the middle part. Of the first part, units whose buffers
//! or collectives the others need are members of every set; the third part is one member that no set ever has.
//!
//! Nodes that are no units stand best as soon as what they need is there, since all they can do is free something or let
//! something else go on. They are put back by [`Table::order`]. All sets are 64-bit masks; a buffer is named by its owner.

use super::flow::Flow;
use super::twins;
use crate::node::{Kind, NodeId};

/// A set of units.
pub(super) type Set = u64;

/// Stands for all that stands behind.
pub(super) const BEHIND: Set = 1 << 63;

/// Which part of the order a node belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// It stands already.
    Before,
    /// It is ordered here.
    Inside,
    /// It stands behind all that is ordered here.
    Behind,
}

/// What a unit does to the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Computes.
    Compute,
    /// Starts a collective, or is a blocking one that holds up no computation.
    Start,
    /// Awaits the collective of the unit.
    Wait(u8),
    /// Starts and awaits.
    Blocking,
}

/// A unit. See the [module](self) documentation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    /// Its node.
    pub node: NodeId,
    /// What it does to the clocks.
    pub action: Action,
    /// Its duration.
    pub ns: u64,
    /// The bytes of its buffer.
    pub bytes: u64,
    /// The links that it is busy on.
    pub links: Vec<usize>,
    /// What must stand before it.
    pub needs: Set,
    /// The collectives whose ends it waits for on its link.
    pub reads: Set,
    /// For a collective, the units that need to know its end.
    pub end_needed: Set,
    /// The units after which its buffer is free, once all have stood.
    pub uses: Set,
    /// Whether its buffer is never free.
    pub is_live_out: bool,
    /// For a collective in flight from here on: its stream, and the units after which it is awaited.
    pub flight: Option<(usize, Set)>,
    /// The least time from its issue to the end of the step.
    pub tail_of_issue: u64,
    /// The least time from the end of what it does to the end of the step.
    pub tail: u64,
}

/// See the [module](self) documentation.
pub(super) struct Table {
    /// The units.
    pub units: Vec<Unit>,
    /// The number of links.
    pub links: usize,
    /// The units that stand already.
    pub first: Set,
    /// Bytes of buffers that live throughout.
    pub live_throughout: u64,
    /// What stands behind.
    pub rest: Rest,
    /// What is no unit and ordered here, in canonical order, with the units after which it can stand.
    followers: Vec<(NodeId, Set)>,
}

/// Work that remains: what it says of the time from a clock to the end of the step.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    path: u64,
    compute: Option<Work>,
    links: Vec<Option<Work>>,
}

/// The work on one machine, and the least time after any of it.
#[derive(Clone, Copy, Debug)]
struct Work {
    ns: u64,
    tail: u64,
}

impl Work {
    fn add(to: &mut Option<Work>, unit: &Unit) {
        let (ns, tail) = to.map_or((0, u64::MAX), |work| (work.ns, work.tail));
        *to = Some(Work {
            ns: ns + unit.ns,
            tail: tail.min(unit.tail),
        });
    }
}

impl Rest {
    /// Adds a unit.
    pub fn add(&mut self, unit: &Unit) {
        self.path = self.path.max(unit.tail_of_issue);
        if matches!(unit.action, Action::Compute | Action::Blocking) {
            Work::add(&mut self.compute, unit);
        }
        for &link in &unit.links {
            Work::add(&mut self.links[link], unit);
        }
    }

    /// The least time from the clock of computation to the end of the step.
    pub fn compute_tail(&self) -> u64 {
        self.path.max(self.compute.map_or(0, |work| work.ns + work.tail))
    }

    /// The least times from the clocks of the links to the end of the step; none where no work remains.
    pub fn link_tails(&self) -> Vec<Option<u64>> {
        self.links
            .iter()
            .map(|work| work.map(|work| work.ns + work.tail))
            .collect()
    }
}

impl Table {
    /// The table of the nodes that are inside; `None` if it has more units than a set can hold.
    pub fn new(flow: &Flow<'_>, places: &[Place]) -> Option<Table> {
        let problem = flow.problem;
        let is_at = |id: NodeId, place| places[id.index()] == place;
        let numbered = || flow.canonical.iter().copied();
        let inside: Vec<NodeId> = numbered()
            .filter(|&id| flow.is_unit[id.index()] && is_at(id, Place::Inside))
            .collect();
        if inside.len() >= Set::BITS as usize {
            return None;
        }
        let mut bits: Vec<Option<u8>> = vec![None; problem.len()];
        for (bit, id) in inside.iter().enumerate() {
            bits[id.index()] = Some(bit as u8);
        }
        // By node, the units after which it stands.
        let mut done: Vec<Set> = Vec::with_capacity(problem.len());
        let mut needs: Vec<Set> = Vec::with_capacity(problem.len());
        for id in problem.ids() {
            let before = problem.deps(id).iter().chain(problem.after(id));
            needs.push(before.fold(0, |set, dep| set | done[dep.index()]));
            done.push(match (places[id.index()], bits[id.index()]) {
                (Place::Before, _) => 0,
                (Place::Inside, Some(bit)) => 1 << bit,
                (Place::Inside, None) => needs[id.index()],
                (Place::Behind, _) => BEHIND,
            });
        }
        let mut uses: Vec<Set> = vec![0; problem.len()];
        let mut end_needed: Vec<Set> = vec![0; problem.len()];
        for id in problem.ids() {
            flow.uses[id.index()]
                .iter()
                .for_each(|owner| uses[owner.index()] |= done[id.index()]);
            flow.awaits[id.index()]
                .iter()
                .for_each(|end| end_needed[end.index()] |= done[id.index()]);
        }
        let awaited = |id: NodeId| flow.waits[id.index()].map_or(0, |wait| done[wait.index()]);
        let mut table = Table {
            units: Vec::new(),
            links: problem.link_count(),
            first: 0,
            live_throughout: 0,
            rest: Rest {
                path: 0,
                compute: None,
                links: vec![None; problem.link_count()],
            },
            followers: Vec::new(),
        };
        let mut members = inside;
        for id in numbered().filter(|&id| flow.is_unit[id.index()] && is_at(id, Place::Before)) {
            let index = id.index();
            let (is_live_out, uses) = (flow.is_live_out[index], uses[index]);
            if uses & !BEHIND | end_needed[index] | awaited(id) != 0 {
                bits[index] = Some(u8::try_from(members.len()).ok()?);
                table.first |= Set::checked_shl(1, members.len() as u32).filter(|bit| *bit != BEHIND)?;
                members.push(id);
            } else if is_live_out || uses != 0 {
                table.live_throughout += owned_bytes(flow, id);
            }
        }
        let unit = |id: NodeId| {
            let index = id.index();
            let stream = problem.stream_of(id).into_iter();
            let mut links: Vec<usize> = problem
                .occupied(id)
                .chain(stream)
                .map(|stream| problem.link_of(stream).index())
                .collect();
            links.sort_unstable();
            links.dedup();
            let bit = |of: &NodeId| bits[of.index()];
            let awaits = flow.awaits[index].iter().filter_map(bit);
            Unit {
                node: id,
                action: match (problem.kind(id), problem.of(id).as_ref().and_then(bit)) {
                    (Kind::Wait, start) => Action::Wait(start.unwrap_or(0)),
                    (Kind::Compute, _) => Action::Compute,
                    _ if flow.is_start[index] => Action::Start,
                    _ => Action::Blocking,
                },
                ns: if problem.kind(id) == Kind::Wait {
                    0
                } else {
                    problem.ns(id)
                },
                bytes: owned_bytes(flow, id),
                links,
                needs: needs[index],
                reads: awaits.fold(0, |set, bit| set | 1 << bit),
                end_needed: end_needed[index],
                uses: uses[index],
                is_live_out: flow.is_live_out[index],
                flight: flow.waits[index]
                    .and(problem.stream_of(id))
                    .map(|stream| (stream.index(), awaited(id))),
                tail_of_issue: flow.tail_of_issue[index],
                tail: flow.tail[index],
            }
        };
        table.units.extend(members.iter().map(|&id| unit(id)));
        for id in problem
            .ids()
            .filter(|&id| is_at(id, Place::Behind) && flow.is_unit[id.index()])
        {
            table.rest.add(&unit(id));
        }
        let followers = numbered().filter(|&id| is_at(id, Place::Inside) && !flow.is_unit[id.index()]);
        table
            .followers
            .extend(followers.map(|id| (id, needs[id.index()])));
        twins::order(&mut table);
        Some(table)
    }

    /// Bytes that are live after `done` has stood and before anything else stands.
    pub fn live(&self, done: Set) -> u64 {
        let is_live = |unit: &&Unit| unit.is_live_out || unit.uses & !done != 0;
        let bytes = members(done)
            .map(|unit| &self.units[unit])
            .filter(is_live)
            .map(|unit| unit.bytes);
        self.live_throughout + bytes.sum::<u64>()
    }

    /// The collectives of `done` whose ends are still needed.
    pub fn needed_ends(&self, done: Set) -> Set {
        let is_needed = |unit: &usize| self.units[*unit].end_needed & !done != 0;
        members(done)
            .filter(is_needed)
            .fold(0, |set, unit| set | 1 << unit)
    }

    /// What may stand next after `done`.
    pub fn ready(&self, done: Set) -> impl Iterator<Item = usize> + '_ {
        (0..self.units.len())
            .filter(move |unit| done >> unit & 1 == 0 && self.units[*unit].needs & !done == 0)
    }

    /// All units.
    pub fn all(&self) -> Set {
        (1 << self.units.len()) - 1
    }

    /// An order of all nodes that are ordered here in which the units stand in the order given.
    pub fn order(&self, units: &[u8]) -> Vec<NodeId> {
        let mut done = self.first;
        let mut order = Vec::with_capacity(self.units.len() + self.followers.len());
        let mut left: Vec<(NodeId, Set)> = self.followers.clone();
        let mut follow = |done: Set, order: &mut Vec<NodeId>| {
            left.retain(|&(node, needs)| {
                let waits = needs & !done != 0;
                if !waits {
                    order.push(node);
                }
                waits
            });
        };
        follow(done, &mut order);
        for &unit in units {
            order.push(self.units[unit as usize].node);
            done |= 1 << unit;
            follow(done, &mut order);
        }
        order
    }
}

fn owned_bytes(flow: &Flow<'_>, id: NodeId) -> u64 {
    if flow.problem.kind(id) == Kind::Wait {
        0
    } else {
        flow.problem.bytes(id)
    }
}

/// The members of a set, ascending.
pub(super) fn members(set: Set) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let member = (left != 0).then_some(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(member)
    })
}
