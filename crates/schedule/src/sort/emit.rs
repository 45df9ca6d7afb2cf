// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Emission: the order is written from the first node to the last, driven by the anchors.
//!
//! Before each anchor stands what it needs and what has not been emitted, by a depth-first walk in consumer order. In
//! between stand
//! - *early starts* (reductions and other collectives): as soon as all they depend on is available, at once, with
//!   their private chain; what becomes ready at the same moment is a tie;
//! - *gathers*: when they are due (see [`windows`](super::windows)) and available;
//! - *forced waits*: before a reduction starts that would exceed the limit on its stream, the oldest reduction in
//!   flight there whose wait can stand now is awaited.
//!
//! A value is *available* when it can be had without waiting for anything: an anchor, a wait or a start when it has
//! been emitted; views, nodes of private chains and free waits when all they depend on is available.
//!
//! Invariants: a node is emitted after all it depends on; nodes emitted ahead of demand need only what is available,
//! so a wait of a gather is emitted by demand alone, and therefore in consumer order. The walk keeps its own stack
//! and nests to a fixed depth (demand, a start issued at an event in it, a wait forced by that start). O(n + e),
//! besides ties and logarithmic factors for queues.

use super::Prepared;
use super::classes::Role;
use super::holds::Holds;
use super::options::{ReduceScatter, SortError, SortOptions, Ties};
use super::tie_units;
use super::windows::Windows;
use crate::node::{Class, Kind, NodeId};
use std::collections::BTreeSet;

/// An order, and how ties in it were resolved.
pub struct Placement {
    /// All nodes.
    pub order: Vec<NodeId>,
    /// Groups of several early starts that were ready at the same moment.
    pub ties_resolved: u32,
    /// Of these, how many were too large to search.
    pub ties_over_budget: u32,
}

/// Places all communication under the limits of `options`.
pub(super) fn place(prepared: &Prepared<'_>, options: &SortOptions) -> Result<Placement, SortError> {
    let mut emitter = Emitter::new(prepared, options);
    emitter.run()?;
    let Emitter {
        order,
        ties_resolved,
        ties_over_budget,
        ..
    } = emitter;
    Ok(Placement {
        order,
        ties_resolved,
        ties_over_budget,
    })
}

/// Reductions in flight on one stream.
#[derive(Clone, Default)]
struct Reductions {
    in_flight: u32,
    /// Waits that could stand now, by the position of their start.
    awaitable: BTreeSet<(u32, NodeId)>,
}

pub(super) struct Emitter<'a> {
    prepared: &'a Prepared<'a>,
    options: &'a SortOptions,
    order: Vec<NodeId>,
    emitted: Vec<bool>,
    /// How many dependences of each node are not available yet.
    missing: Vec<u32>,
    became_available: Vec<NodeId>,
    /// The walk: nodes with the number of needs visited so far.
    stack: Vec<(NodeId, u32)>,
    /// Early starts that can be emitted, in no order.
    ready: Vec<NodeId>,
    windows: Windows,
    reductions: Vec<Reductions>,
    start_positions: Vec<u32>,
    holds: Option<Holds>,
    ties_resolved: u32,
    ties_over_budget: u32,
}

impl<'a> Emitter<'a> {
    fn new(prepared: &'a Prepared<'a>, options: &'a SortOptions) -> Self {
        let problem = prepared.problem;
        Emitter {
            prepared,
            options,
            order: Vec::with_capacity(problem.len()),
            emitted: vec![false; problem.len()],
            missing: problem
                .ids()
                .map(|id| (problem.deps(id).len() + problem.after(id).len()) as u32)
                .collect(),
            became_available: Vec::new(),
            stack: Vec::new(),
            ready: Vec::new(),
            windows: Windows::new(prepared, options),
            reductions: vec![Reductions::default(); problem.stream_count()],
            start_positions: vec![0; problem.len()],
            holds: (options.ties == Ties::Egraph).then(|| Holds::new(problem)),
            ties_resolved: 0,
            ties_over_budget: 0,
        }
    }

    fn run(&mut self) -> Result<(), SortError> {
        let Prepared {
            problem,
            classes,
            numbers,
            ..
        } = self.prepared;
        for id in problem.ids().filter(|id| classes.role(*id) == Role::Arg) {
            self.emit(id);
        }
        for &id in &numbers.sequence {
            if problem.deps(id).is_empty() && problem.after(id).is_empty() {
                self.nothing_missing(id);
            }
        }
        self.propagate();
        self.flush()?;
        for &anchor in &classes.anchors {
            for &need in numbers.needs(anchor) {
                self.demand(need)?;
            }
            if classes.terminator == Some(anchor) {
                self.emit_rest()?;
            }
            self.emit(anchor);
            self.flush()?;
        }
        self.emit_rest()
    }

    /// Emits what only the world after the block needs, then what nobody needs.
    fn emit_rest(&mut self) -> Result<(), SortError> {
        let Prepared {
            problem,
            classes,
            numbers,
            ..
        } = self.prepared;
        for &id in problem.live_out() {
            if !matches!(classes.role(id), Role::Anchor | Role::Arg) {
                self.demand(id)?;
            }
        }
        for &id in &numbers.sequence[numbers.needed..] {
            self.demand(id)?;
        }
        Ok(())
    }

    /// Emits `id` and what it needs, with all that this makes possible.
    fn demand(&mut self, id: NodeId) -> Result<(), SortError> {
        let base = self.stack.len();
        self.enter(id);
        while self.stack.len() > base {
            if let Some(done) = self.step() {
                self.complete(done);
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Emits `id`, all of whose needs are available, ahead of demand.
    pub(super) fn advance(&mut self, id: NodeId) {
        let base = self.stack.len();
        self.enter(id);
        while self.stack.len() > base {
            if let Some(done) = self.step() {
                self.complete(done);
            }
        }
    }

    /// One step of the walk; a node when all it needs has been emitted, and it has not.
    fn step(&mut self) -> Option<NodeId> {
        let (id, cursor) = self.stack.last_mut()?;
        let id = *id;
        if self.emitted[id.index()] {
            self.stack.pop();
            return None;
        }
        match self.prepared.numbers.needs(id).get(*cursor as usize) {
            Some(&need) => {
                *cursor += 1;
                self.enter(need);
                None
            }
            None => {
                self.stack.pop();
                Some(id)
            }
        }
    }

    fn enter(&mut self, id: NodeId) {
        if !self.emitted[id.index()] {
            // Before the chain: what the chain allocates should not meet what the wait frees. The room lasts until
            // the start stands: whatever it lacked, it is issued anew, through here, when the last of that arrives.
            self.make_room(id);
            self.stack.push((id, 0));
        }
    }

    /// Emits `id`, all of whose needs have been emitted, with what has to stand directly before it.
    fn complete(&mut self, id: NodeId) {
        if self.prepared.classes.role(id) == Role::GatherWait {
            self.windows.wait_begins(self.prepared, id);
            self.issue_gathers();
        }
        if !self.emitted[id.index()] {
            self.emit(id);
        }
    }

    fn issue_gathers(&mut self) {
        while let Some(start) = self.windows.next(self.prepared) {
            if !self.emitted[start.index()] {
                self.advance(start);
            }
        }
    }

    /// Emits all early starts that are ready and all gathers that are due and available.
    fn flush(&mut self) -> Result<(), SortError> {
        loop {
            if self.ready.is_empty() {
                self.issue_gathers();
            }
            let mut group = std::mem::take(&mut self.ready);
            group.retain(|id| !self.emitted[id.index()]);
            if group.is_empty() {
                if self.ready.is_empty() {
                    return Ok(());
                }
                continue;
            }
            self.sort_group(&mut group)?;
            for start in group {
                self.advance(start);
            }
        }
    }

    fn sort_group(&mut self, group: &mut Vec<NodeId>) -> Result<(), SortError> {
        let numbers = &self.prepared.numbers.numbers;
        match self.options.ties {
            Ties::Source => group.sort_unstable(),
            Ties::Egraph => group.sort_unstable_by_key(|id| numbers[id.index()]),
        }
        if group.len() < 2 {
            return Ok(());
        }
        self.ties_resolved += 1;
        if self.options.ties == Ties::Egraph {
            match tie_units::resolve(self, group)? {
                Some(order) => *group = order.into_iter().map(|unit| group[unit]).collect(),
                None => self.ties_over_budget += 1,
            }
        }
        Ok(())
    }

    /// Awaits the oldest reductions until one more may be in flight on the stream of `start`, if it is a reduction.
    fn make_room(&mut self, start: NodeId) {
        let limit = self.options.max_in_flight_reductions;
        let Some(stream) = self.limited_stream(start).filter(|_| limit > 0) else {
            return;
        };
        while self.reductions[stream].in_flight >= limit {
            match self.reductions[stream].awaitable.first() {
                Some(&(_, wait)) => self.advance(wait),
                None => return,
            }
        }
    }

    /// The stream on which an awaited reduction counts.
    fn limited_stream(&self, start: NodeId) -> Option<usize> {
        let Prepared { problem, classes, .. } = self.prepared;
        let is_reduction = self.options.reduce_scatter == ReduceScatter::Early
            && problem.kind(start) == Kind::Start
            && problem.class(start) == Some(Class::Reduction)
            && classes.waits[start.index()].is_some();
        problem
            .stream_of(start)
            .filter(|_| is_reduction)
            .map(|stream| stream.index())
    }

    fn emit(&mut self, id: NodeId) {
        let Prepared { problem, classes, .. } = self.prepared;
        self.start_positions[id.index()] = self.order.len() as u32;
        self.order.push(id);
        self.emitted[id.index()] = true;
        match classes.role(id) {
            Role::GatherStart => self.windows.started(self.prepared, id),
            Role::GatherWait => self.windows.wait_ended(self.prepared, id),
            Role::EarlyStart => {
                if let Some(stream) = self.limited_stream(id) {
                    self.reductions[stream].in_flight += 1;
                }
            }
            Role::LazyWait | Role::FreeWait => {
                if let Some((start, stream)) = self.awaited_reduction(id) {
                    let key = (self.start_positions[start.index()], id);
                    self.reductions[stream].awaitable.remove(&key);
                    self.reductions[stream].in_flight -= 1;
                }
            }
            _ => {}
        }
        if let Some(holds) = &mut self.holds {
            holds.emitted(problem, &classes.waits, id);
        }
        if !matches!(classes.role(id), Role::Pure | Role::FreeWait) {
            self.became_available.push(id);
            self.propagate();
        }
    }

    fn awaited_reduction(&self, wait: NodeId) -> Option<(NodeId, usize)> {
        let start = self.prepared.problem.of(wait)?;
        Some((start, self.limited_stream(start)?))
    }

    fn propagate(&mut self) {
        while let Some(id) = self.became_available.pop() {
            let graph = &self.prepared.graph;
            for (user, _) in graph.users(id) {
                self.missing[user.index()] -= 1;
                if self.missing[user.index()] == 0 {
                    self.nothing_missing(user);
                }
            }
        }
    }

    /// Acts on all dependences of a node being available.
    fn nothing_missing(&mut self, id: NodeId) {
        let role = self.prepared.classes.role(id);
        if matches!(role, Role::LazyWait | Role::FreeWait)
            && let Some((start, stream)) = self.awaited_reduction(id)
        {
            self.reductions[stream]
                .awaitable
                .insert((self.start_positions[start.index()], id));
        }
        match role {
            Role::Pure | Role::FreeWait => self.became_available.push(id),
            Role::GatherStart => self.windows.available(self.prepared, id),
            Role::EarlyStart | Role::EarlyBlocking if self.prepared.numbers.is_needed(id) => {
                self.ready.push(id)
            }
            _ => {}
        }
    }

    pub(super) fn prepared(&self) -> &'a Prepared<'a> {
        self.prepared
    }

    pub(super) fn is_emitted(&self, id: NodeId) -> bool {
        self.emitted[id.index()]
    }

    pub(super) fn holds(&self) -> Option<&Holds> {
        self.holds.as_ref()
    }

    pub(super) fn tie_budget(&self) -> u32 {
        self.options.tie_budget
    }
}
