// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! One attempt to schedule all blocks of a function, inner ones first.
//!
//! Each block that communicates, itself or in the regions of its ops, becomes a problem of the scheduler and is put into
//! the order that the scheduler answers. What a limit leaves for a block is less by what the blocks in it and around it
//! need: memory inside of the ops of the block is taken off its limit, unless the order keeps the limit with that memory at
//! its place; memory that other blocks of the region own, and collectives in flight around the block, which no order changes,
//! are taken off the limits.
//!
//! A *frugal* attempt schedules the blocks inside of others for the least memory instead of the limit. So it finds a
//! schedule under every limit from some least one on, which it names, because what the inner blocks need does not depend
//! on the limit.
//!
//! A limit that cannot be kept is noted, and the block is scheduled under the least that can, so that the attempt sees the
//! needs of all blocks. After an attempt that failed or noted a limit, [`Attempt::restore`] puts all ops back.

use comm_schedule::{Limited, NodeId, ScheduleError, ScheduleOutcome, StreamId, memory, timeline};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ScheduleOptions,
    across::Across,
    around::Around,
    regions::{self, Cost, Regions},
};
use crate::{
    collective::Collective,
    cost::Costs,
    diagnostics,
    groups::Streams,
    mlir::{Block, Op, PassResult},
    passes::Effort,
    problem::{BlockProblem, Movable},
};

/// What all attempts on a function share.
pub(super) struct Subject<'a, D> {
    pub(super) function: Op,
    /// The function and all ops in it, outer ones first.
    pub(super) ops: Vec<Op>,
    /// Ops that communicate in their regions.
    pub(super) communicating: FxHashSet<Op>,
    pub(super) around: Around,
    pub(super) across: Across,
    pub(super) is_divergent: D,
    pub(super) costs: Costs,
    pub(super) options: &'a ScheduleOptions,
}

/// A block in its new order.
pub(super) struct Scheduled {
    pub(super) block: BlockProblem,
    pub(super) outcome: ScheduleOutcome,
    /// The limits that were left for it.
    pub(super) limits: comm_schedule::ScheduleOptions,
    /// Most bytes live at once, those inside of its ops and those of other blocks included.
    pub(super) peak_bytes: u64,
    /// The same of the source order.
    pub(super) source_peak_bytes: u64,
    /// Whether the problem says all of the block that there is to say, so that what is proved of the one holds for the other.
    pub(super) is_exact: bool,
    /// How long nothing is computed inside of its ops, in any order.
    pub(super) exposed_inside_ns: u64,
}

/// A limit that cannot be kept.
pub(super) struct Refused {
    pub(super) at: Op,
    pub(super) limited: Limited,
    pub(super) least: u64,
    pub(super) proved: bool,
}

/// An attempt and what it made.
pub(super) struct Attempt<'a, D> {
    subject: &'a Subject<'a, D>,
    is_frugal: bool,
    streams: Streams,
    /// The machine's link of each stream that shares one.
    links: FxHashMap<String, String>,
    pub(super) regions: Regions,
    /// Inner blocks first.
    pub(super) scheduled: Vec<Scheduled>,
    /// Blocks that use values before they define them.
    pub(super) unordered: Vec<Block>,
    pub(super) refused: Vec<Refused>,
}

impl<'a, D: Fn(Op) -> bool> Attempt<'a, D> {
    pub(super) fn new(subject: &'a Subject<'a, D>, is_frugal: bool) -> Self {
        Self {
            subject,
            is_frugal,
            streams: Streams::default(),
            links: FxHashMap::default(),
            regions: Regions::default(),
            scheduled: Vec::new(),
            unordered: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Schedules all blocks. Fails after an error.
    pub(super) fn run(&mut self) -> PassResult {
        let subject = self.subject;
        for &op in subject.ops.iter().rev() {
            if regions::count(op, &subject.communicating) {
                let costs: Vec<Cost> = op
                    .blocks()
                    .map(|block| self.block(block))
                    .collect::<PassResult<_>>()?;
                if op != subject.function {
                    self.regions.note(op, &costs, subject.costs.given_ns(op));
                }
            }
        }
        Ok(())
    }

    /// Puts all ops back where they were.
    pub(super) fn restore(&self) {
        self.scheduled
            .iter()
            .for_each(|scheduled| scheduled.block.restore());
    }

    /// Schedules a block, or leaves it as it is where it does not communicate, and says what it costs.
    fn block(&mut self, block: Block) -> PassResult<Cost> {
        let Some(first) = self.first_communicating(block) else {
            return self.one_by_one(block);
        };
        let Some(problem) = self.problem(block)? else {
            self.unordered.push(block);
            return self.one_by_one(block);
        };
        let scheduled = self.schedule(block, first, problem)?;
        let streams = &scheduled.block.problem;
        let cost = Cost {
            ns: scheduled.outcome.point.time_ns,
            exposed_ns: scheduled
                .outcome
                .exposed_ns
                .saturating_add(scheduled.exposed_inside_ns),
            peak_bytes: scheduled.peak_bytes,
            streams: (0..streams.stream_count())
                .map(|stream| streams.stream_name(StreamId(stream as u32)).to_owned())
                .collect(),
        };
        scheduled.block.apply(&scheduled.outcome.order);
        self.scheduled.push(scheduled);
        Ok(cost)
    }

    /// The first op of a block that communicates, itself or in its regions.
    pub(super) fn first_communicating(&self, block: Block) -> Option<Op> {
        let communicating = &self.subject.communicating;
        block
            .ops()
            .find(|op| Collective::new(*op).is_some() || communicating.contains(op))
    }

    /// The problem of a block, with durations, streams and links; nothing where it uses values before it defines them.
    pub(super) fn problem(&mut self, block: Block) -> PassResult<Option<BlockProblem>> {
        let (regions, costs) = (&self.regions, &self.subject.costs);
        let mut duration = |op: Op| match regions.of(op) {
            Some(cost) => Ok(cost.ns),
            None => costs.leaf_ns(op),
        };
        let problem = BlockProblem::new(
            block,
            &mut self.streams,
            &self.subject.is_divergent,
            Movable::All(&mut duration),
        )?;
        let Some(mut problem) = problem else {
            return Ok(None);
        };
        self.add_streams(&mut problem)?;
        Ok(Some(problem))
    }

    /// The cost of a block whose ops run one after the other.
    pub(super) fn one_by_one(&mut self, block: Block) -> PassResult<Cost> {
        let terminator = block.terminator();
        let mut cost = Cost::default();
        for op in block.ops().filter(|op| Some(*op) != terminator) {
            let ns = match self.regions.of(op) {
                Some(inner) => {
                    cost.exposed_ns = cost.exposed_ns.saturating_add(inner.exposed_ns);
                    cost.peak_bytes = cost.peak_bytes.max(inner.peak_bytes);
                    cost.streams.extend(inner.streams.iter().cloned());
                    inner.ns
                }
                None => self.subject.costs.leaf_ns(op)?,
            };
            cost.ns = cost.ns.saturating_add(ns);
            if let Some(collective) = Collective::new(op) {
                cost.exposed_ns = cost.exposed_ns.saturating_add(ns);
                cost.streams.push(self.streams.name(collective)?.to_owned());
            }
        }
        Ok(cost)
    }

    /// Tells a problem which streams share a link, and which are used by ops that are computation to it.
    fn add_streams(&mut self, block: &mut BlockProblem) -> PassResult {
        for (position, &op) in block.ops.iter().enumerate() {
            let id = block.node_at(position);
            if let Some(collective) = Collective::new(op) {
                let name = self.streams.name(collective)?;
                if !self.links.contains_key(name)
                    && let Some(link) = self.subject.costs.link_of(collective)?
                {
                    self.links.insert(name.to_owned(), link.to_owned());
                }
                // One that is awaited in another block.
                if block.problem.stream_of(id).is_none() {
                    let stream = block.problem.stream(name);
                    block.problem.occupy(id, stream);
                }
            }
            for name in self.regions.of(op).iter().flat_map(|cost| &cost.streams) {
                let stream = block.problem.stream(name);
                block.problem.occupy(id, stream);
            }
        }
        for index in 0..block.problem.stream_count() {
            let stream = StreamId(index as u32);
            if let Some(link) = self.links.get(block.problem.stream_name(stream)) {
                block.problem.set_link(stream, link);
            }
        }
        Ok(())
    }

    /// Finds an order under what the limits leave for the block.
    fn schedule(&mut self, block: Block, first: Op, problem: BlockProblem) -> PassResult<Scheduled> {
        let options = self.subject.options;
        let beside = self.beside(block, &problem);
        let most_inside = beside.inside.values().copied().max().unwrap_or(0);
        let around = self.subject.around.of(block);
        let is_nested = block.parent_op() != Some(self.subject.function);
        let limit_of = |limit: u64, reserve: u64| (limit > 0).then(|| limit.saturating_sub(reserve));
        let mut limits = comm_schedule::ScheduleOptions {
            effort: match options.effort {
                Effort::Fast => comm_schedule::Effort::Fast,
                Effort::Default => comm_schedule::Effort::Default,
                Effort::Exact => comm_schedule::Effort::Exact,
            },
            memory_limit: options
                .memory_limit
                .map(|limit| limit.saturating_sub(beside.across)),
            max_in_flight: limit_of(u64::from(options.max_in_flight), u64::from(around.collectives))
                .map(|limit| limit as u32),
            max_in_flight_bytes: limit_of(options.max_in_flight_bytes, around.bytes),
        };
        let is_frugal = self.is_frugal && is_nested && options.memory_limit.is_some();
        // The limit on the memory of the block with what it does not own.
        let whole_limit = options
            .memory_limit
            .filter(|_| !is_frugal && (most_inside > 0 || beside.across > 0));
        if is_frugal {
            limits.memory_limit = Some(0);
        } else if let Some(limit) = whole_limit {
            // Most orders keep the limit with the memory inside at its place; the rest is for those that do not.
            if let Ok(outcome) = comm_schedule::schedule(&problem.problem, &limits)
                && beside.peak(&problem, &outcome.order) <= limit
            {
                return self.verified(first, problem, outcome, limits, &beside);
            }
            let reserve = most_inside.saturating_add(beside.across);
            limits.memory_limit = Some(limit.saturating_sub(reserve));
        }
        let outcome = loop {
            let error = match comm_schedule::schedule(&problem.problem, &limits) {
                Ok(outcome) => break outcome,
                Err(error) => error,
            };
            let ScheduleError::LimitNotMet {
                limited,
                limit,
                least,
                proved,
            } = error
            else {
                return Err(diagnostics::error(
                    first.location(),
                    &format!("comm-schedule: {error}"),
                ));
            };
            if least <= limit {
                return Err(diagnostics::error(
                    first.location(),
                    &format!("comm-schedule: internal error: refused a limit of {limit} and named {least}"),
                ));
            }
            let (reserve, is_reserve_exact) = match limited {
                Limited::Memory => {
                    limits.memory_limit = Some(least);
                    // What the block needs with what it does not own is looked at below.
                    if is_frugal || whole_limit.is_some() {
                        continue;
                    }
                    (0, true)
                }
                Limited::InFlight => {
                    limits.max_in_flight = Some(u32::try_from(least).unwrap_or(u32::MAX));
                    (
                        u64::from(around.collectives),
                        around.collectives == around.fewest_collectives,
                    )
                }
                Limited::InFlightBytes => {
                    limits.max_in_flight_bytes = Some(least);
                    (around.bytes, true)
                }
            };
            self.refused.push(Refused {
                at: first,
                limited,
                least: least.saturating_add(reserve),
                proved: proved && is_reserve_exact,
            });
        };
        let Some(limit) = whole_limit else {
            return self.verified(first, problem, outcome, limits, &beside);
        };
        if beside.peak(&problem, &outcome.order) <= limit {
            return self.verified(first, problem, outcome, limits, &beside);
        }
        let outcome = beside.leaner(&problem, outcome, &limits);
        let least = beside.peak(&problem, &outcome.order);
        if least > limit {
            self.refused.push(Refused {
                at: first,
                limited: Limited::Memory,
                least,
                proved: false,
            });
        }
        self.verified(first, problem, outcome, limits, &beside)
    }

    fn verified(
        &self,
        at: Op,
        block: BlockProblem,
        outcome: ScheduleOutcome,
        limits: comm_schedule::ScheduleOptions,
        beside: &Beside,
    ) -> PassResult<Scheduled> {
        if self.subject.options.verify || cfg!(debug_assertions) {
            comm_schedule::verify(&block.problem, &outcome.order).map_err(|error| {
                diagnostics::error(
                    at.location(),
                    &format!("comm-schedule made an order that breaks a dependence: {error}"),
                )
            })?;
        }
        let of_ops = block.ops.iter().filter_map(|op| self.regions.of(*op));
        let exposed_inside_ns = of_ops.map(|cost| cost.exposed_ns).fold(0, u64::saturating_add);
        let source: Vec<NodeId> = block.problem.ids().collect();
        let peak_bytes = beside.peak(&block, &outcome.order);
        let source_peak_bytes = beside.peak(&block, &source);
        Ok(Scheduled {
            exposed_inside_ns,
            peak_bytes,
            source_peak_bytes,
            is_exact: beside.is_exact,
            block,
            outcome,
            limits,
        })
    }

    /// Memory that a block needs beside what its own values take.
    pub(super) fn beside(&self, block: Block, problem: &BlockProblem) -> Beside {
        Beside {
            inside: self.inside(problem),
            across: self.subject.across.bytes(block),
            is_exact: self.subject.across.is_exact(block),
        }
    }

    /// Ops of a block that have memory of their own inside, and how much.
    fn inside(&self, block: &BlockProblem) -> FxHashMap<NodeId, u64> {
        let nodes = block.ops.iter().enumerate();
        nodes
            .filter_map(|(position, op)| {
                let peak = self.regions.of(*op)?.peak_bytes;
                (peak > 0).then(|| (block.node_at(position), peak))
            })
            .collect()
    }
}

/// Memory that a block needs beside what its own values take.
pub(super) struct Beside {
    /// What ops have inside.
    inside: FxHashMap<NodeId, u64>,
    /// What other blocks of the region own.
    across: u64,
    /// See [`Across::is_exact`].
    is_exact: bool,
}

impl Beside {
    /// Most bytes live at once along an order, with those beside.
    pub(super) fn peak(&self, block: &BlockProblem, order: &[NodeId]) -> u64 {
        let own = if self.inside.is_empty() {
            memory::peak(&block.problem, order)
        } else {
            let live = order.iter().zip(memory::profile(&block.problem, order));
            live.map(|(id, bytes)| bytes.saturating_add(self.inside.get(id).copied().unwrap_or(0)))
                .max()
                .unwrap_or(0)
        };
        own.saturating_add(self.across)
    }

    /// The outcome, or the source order where that needs less memory with what is beside and no limit in flight is at stake.
    fn leaner(
        &self,
        block: &BlockProblem,
        outcome: ScheduleOutcome,
        limits: &comm_schedule::ScheduleOptions,
    ) -> ScheduleOutcome {
        let source: Vec<NodeId> = block.problem.ids().collect();
        let is_limited = limits.max_in_flight.is_some() || limits.max_in_flight_bytes.is_some();
        if is_limited || self.peak(block, &source) >= self.peak(block, &outcome.order) {
            return outcome;
        }
        ScheduleOutcome {
            exposed_ns: timeline(&block.problem, &source).total_exposed_ns(),
            order: source,
            point: outcome.source,
            is_exact: false,
            kept_source: true,
            ..outcome
        }
    }
}
