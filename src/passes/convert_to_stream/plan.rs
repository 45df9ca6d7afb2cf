// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which collective runs on which stream, and who waits for whom: as few events as keep every conflict in order.
//!
//! A block is read once, in order. A collective in flight is *pending* until `current` knows its end. An op that touches
//! a result of a pending collective, or writes what one reads, waits for it first; the end of a block waits for all. An
//! event that the clocks show to be known is not waited for again. A collective always waits for `current`, which
//! allocated its results just before. Ops with regions count as touching all that is touched in them.
//!
//! O(ops + collectives x (pending + streams)), times the depth of regions.

use rustc_hash::FxHashMap;

use super::{
    aliases::{Aliases, Buffer},
    clocks::{CURRENT, Clocks, Event},
    options::Waits,
};
use crate::{
    collective::{Collective, Kind, is_wait},
    control::Control,
    diagnostics,
    ffi::effect,
    groups::Groups,
    mlir::{Block, Op, PassResult, Value},
};

/// What is written, in order of the text.
pub(super) struct Plan {
    /// Names of the streams beside `current`, which is number 0.
    pub(super) streams: Vec<String>,
    pub(super) starts: Vec<Start>,
    pub(super) steps: Vec<Step>,
}

/// A collective.
pub(super) struct Start {
    pub(super) collective: Collective,
    pub(super) stream: usize,
    /// Collectives for which its stream waits directly.
    pub(super) after: Vec<usize>,
    number: u64,
    event: Event,
    reads: Vec<Buffer>,
    makes: Vec<Buffer>,
}

pub(super) enum Step {
    /// Starts a collective, at its op.
    Start(usize),
    /// A collective in groups of one device: copies, at its op.
    Copy(Collective),
    /// Lets `current` wait before `anchor`.
    Wait {
        anchor: Op,
        /// Collectives whose events are waited for.
        events: Vec<usize>,
        /// All that are known to have ended by it.
        ended: Vec<usize>,
    },
}

/// What an op does to a buffer.
struct Access {
    buffer: Buffer,
    writes: bool,
    /// On which stream.
    stream: usize,
}

struct Planner {
    aliases: Aliases,
    /// By collective; nothing where a copy on `current` will do.
    streams_of: FxHashMap<Op, Option<usize>>,
    waits: Waits,
    clocks: Clocks,
    plan: Plan,
}

/// Plans a function whose collectives have been checked.
pub(super) fn plan(function: Op, waits: Waits) -> PassResult<Plan> {
    let mut streams: Vec<String> = Vec::new();
    let mut streams_of = FxHashMap::default();
    for collective in function.walk().into_iter().filter_map(Collective::new) {
        let groups = Groups::of(collective.op)?;
        // A device that is alone in its group copies, on `current`.
        let is_alone = collective.kind != Kind::Permute && groups.largest() == 1;
        let stream = (!is_alone).then(|| {
            let name = groups.stream_name();
            let known = streams.iter().position(|other| *other == name);
            known.unwrap_or_else(|| {
                streams.push(name);
                streams.len() - 1
            }) + 1
        });
        streams_of.insert(collective.op, stream);
    }
    let mut planner = Planner {
        aliases: Aliases::of(function),
        streams_of,
        waits,
        clocks: Clocks::new(streams.len() + 1),
        plan: Plan {
            streams,
            starts: Vec::new(),
            steps: Vec::new(),
        },
    };
    for block in function.blocks() {
        planner.block(block)?;
    }
    Ok(planner.plan)
}

impl Planner {
    fn block(&mut self, block: Block) -> PassResult {
        let mut pending: Vec<usize> = Vec::new();
        for op in block.ops() {
            if let Some(collective) = Collective::new(op) {
                self.collective(collective, &mut pending)?;
                continue;
            }
            if is_wait(op) {
                if self.waits == Waits::Placed && !feeds_collectives_alone(op) {
                    let awaited = op.operand(0).defining_op();
                    let is_awaited = |index: &usize| Some(self.plan.starts[*index].collective.op) == awaited;
                    let needed = pending.iter().copied().filter(is_awaited).collect();
                    self.wait(op, needed, &mut pending);
                }
                continue;
            }
            let needed: Vec<usize> = if block.terminator() == Some(op) {
                pending.clone()
            } else {
                self.in_conflict(&pending, &self.accesses(op))
            };
            self.wait(op, needed, &mut pending);
            self.nested(op)?;
        }
        Ok(())
    }

    /// Plans the regions of an op. What is known before it is known inside; what is learnt inside is forgotten, unless it is
    /// a loop that runs at least once: an arm or another loop may not run.
    fn nested(&mut self, op: Op) -> PassResult {
        for block in op.blocks() {
            let before = self.clocks.clone();
            self.block(block)?;
            if runs_at_least_once(op) {
                continue;
            }
            let inside = std::mem::replace(&mut self.clocks, before);
            for stream in 0..=self.plan.streams.len() {
                self.clocks.skip_to(stream, inside.last(stream));
            }
        }
        Ok(())
    }

    fn collective(&mut self, collective: Collective, pending: &mut Vec<usize>) -> PassResult {
        let op = collective.op;
        let results: Vec<Value> = collective.wait().unwrap_or(op).results().collect();
        let reads = self.buffers(op.operands());
        let makes = self.buffers(results.into_iter());
        let Some(stream) = self.stream_of(op) else {
            let accesses: Vec<Access> = reads
                .iter()
                .map(|&buffer| Access::read(buffer, CURRENT))
                .collect();
            self.wait(op, self.in_conflict(pending, &accesses), pending);
            self.plan.steps.push(Step::Copy(collective));
            return Ok(());
        };
        let ready = self.clocks.record(CURRENT);
        self.clocks.wait(stream, &ready);
        // The latest first: it may imply earlier ones, and none of them implies it.
        let mut after = Vec::new();
        for &index in pending.iter().rev() {
            let other = &self.plan.starts[index];
            let feeds = reads.iter().any(|&read| other.makes(read));
            if feeds && !self.clocks.knows(stream, other.stream, other.number) {
                self.clocks.wait(stream, &other.event);
                after.push(index);
            }
        }
        let number = self.clocks.issue(stream);
        let index = self.plan.starts.len();
        self.plan.starts.push(Start {
            collective,
            stream,
            after,
            number,
            event: self.clocks.record(stream),
            reads,
            makes,
        });
        self.plan.steps.push(Step::Start(index));
        pending.push(index);
        if self.waits == Waits::Placed && !collective.is_async() && !feeds_collectives_alone(op) {
            let anchor = op.next().ok_or_else(|| {
                diagnostics::op_error(op, "ends its block; a block with a terminator is expected")
            })?;
            self.wait(anchor, vec![index], pending);
        }
        Ok(())
    }

    /// The stream of a collective; nothing where a copy on `current` will do.
    fn stream_of(&self, collective: Op) -> Option<usize> {
        self.streams_of.get(&collective).copied().flatten()
    }

    /// Those of the pending collectives that accesses conflict with.
    fn in_conflict(&self, pending: &[usize], accesses: &[Access]) -> Vec<usize> {
        let starts = &self.plan.starts;
        let conflicts = |index: &usize| starts[*index].conflicts_with(accesses);
        pending.iter().copied().filter(conflicts).collect()
    }

    /// Lets `current` wait for collectives before an op, as far as it does not know them.
    fn wait(&mut self, anchor: Op, mut needed: Vec<usize>, pending: &mut Vec<usize>) {
        needed.sort_unstable();
        let mut events = Vec::new();
        for index in needed.into_iter().rev() {
            let start = &self.plan.starts[index];
            if !self.clocks.knows(CURRENT, start.stream, start.number) {
                self.clocks.wait(CURRENT, &start.event);
                events.push(index);
            }
        }
        let (ended, left) = std::mem::take(pending).into_iter().partition(|&index| {
            let start: &Start = &self.plan.starts[index];
            self.clocks.knows(CURRENT, start.stream, start.number)
        });
        *pending = left;
        if !events.is_empty() {
            events.reverse();
            self.plan.steps.push(Step::Wait {
                anchor,
                events,
                ended,
            });
        }
    }

    fn buffers(&self, values: impl Iterator<Item = Value>) -> Vec<Buffer> {
        values.filter_map(|value| self.aliases.buffer(value)).collect()
    }

    /// What an op does to buffers, with all that is nested in it.
    fn accesses(&self, op: Op) -> Vec<Access> {
        let mut accesses = Vec::new();
        for op in op.walk() {
            if Collective::new(op).is_some() {
                let stream = self.stream_of(op).unwrap_or(CURRENT);
                let operands = self.buffers(op.operands()).into_iter();
                accesses.extend(operands.map(|buffer| Access::read(buffer, stream)));
                continue;
            }
            // What it keeps the collective reads.
            if is_wait(op) {
                continue;
            }
            for (bit, value) in op.value_effects() {
                if bit == effect::ALLOCATE {
                    continue;
                }
                let writes = bit & (effect::WRITE | effect::FREE | effect::UNKNOWN) != 0;
                // An effect on nothing in particular may be one on any operand.
                let touched = match value {
                    Some(value) => self.buffers(std::iter::once(value)),
                    None => self.buffers(op.operands()),
                };
                accesses.extend(touched.into_iter().map(|buffer| Access {
                    buffer,
                    writes,
                    stream: CURRENT,
                }));
            }
        }
        accesses
    }
}

impl Access {
    fn read(buffer: Buffer, stream: usize) -> Self {
        Self {
            buffer,
            writes: false,
            stream,
        }
    }
}

/// Whether an op is a loop that runs at least once, by bounds that are constant.
fn runs_at_least_once(op: Op) -> bool {
    let Control::For { lower, upper, .. } = Control::of(op) else {
        return false;
    };
    let constant = |value: Value| {
        let op = value.defining_op().filter(|op| op.name() == "arith.constant")?;
        op.attr("value")?.as_i64()
    };
    matches!((constant(lower), constant(upper)), (Some(lower), Some(upper)) if lower < upper)
}

impl Start {
    /// Whether a buffer may be one that the collective writes.
    fn makes(&self, buffer: Buffer) -> bool {
        self.makes.iter().any(|&made| buffer.may_overlap(made))
    }

    /// Whether accesses may touch what the collective writes, or write what it reads. Those on its own stream come after it
    /// in any case.
    fn conflicts_with(&self, accesses: &[Access]) -> bool {
        accesses
            .iter()
            .filter(|access| access.stream != self.stream)
            .any(|access| {
                let is_read = || self.reads.iter().any(|&read| access.buffer.may_overlap(read));
                self.makes(access.buffer) || (access.writes && is_read())
            })
    }
}

/// Whether results of a wait or of a collective are read by other collectives only, through views at most. Then
/// `current` does not wait for them.
fn feeds_collectives_alone(op: Op) -> bool {
    let mut values: Vec<Value> = op.results().filter(|result| result.ty().is_buffer()).collect();
    let mut feeds = false;
    while let Some(value) = values.pop() {
        for user in value.uses().map(|r#use| r#use.op()) {
            if Collective::new(user).is_some() || is_wait(user) {
                feeds = true;
            } else if user.effects() == 0 && user.num_regions() == 0 && user.num_results() > 0 {
                values.extend(user.results());
            } else {
                return false;
            }
        }
    }
    feeds
}
