// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Executes the steps of all ranks once, in an order that the waits allow, and keeps clocks and accesses.
//!
//! Waits depend on steps that are fixed beforehand, and nothing that has happened is undone: what can run now can run later
//! too. So it does not matter in which order streams are served, and the run gets stuck if and only if every run does.
//!
//! Before: partners are matched. Invariant: a stream is in the list of those to serve, or asleep in exactly one list of those
//! who wait, or at its end. A clock is kept for a wait to come only as long as one is to come.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Action, Event, Fault, MOST_FAULTS, Proof, StepId, Stream, Trace,
    accesses::{Accesses, Conflict},
    clock::{Clock, Moment},
    fault::{Bytes, Place},
    matching::{Counter, Matching, Partner, describe},
    stuck,
};

/// Number of the steps of a rank that block its issue, before each of its steps.
pub(crate) struct Gates {
    /// By rank and position.
    pub(crate) before: Vec<Vec<u32>>,
    /// By rank: the steps that block, in order.
    pub(crate) blocking: Vec<Vec<StepId>>,
}

impl Gates {
    fn of(trace: &Trace) -> Self {
        let mut gates = Self {
            before: Vec::new(),
            blocking: Vec::new(),
        };
        for (rank, steps) in (0..).zip(&trace.steps) {
            let mut blocking = Vec::new();
            let mut before = Vec::with_capacity(steps.len());
            for (position, step) in (0..).zip(steps) {
                before.push(blocking.len() as u32);
                if step.blocks_issue {
                    blocking.push(StepId { rank, position });
                }
            }
            gates.before.push(before);
            gates.blocking.push(blocking);
        }
        gates
    }
}

/// How far everybody has come.
pub(crate) struct Progress {
    /// Steps of each stream, in order.
    pub(crate) queues: Vec<Vec<StepId>>,
    /// How many of them are done.
    pub(crate) done: Vec<usize>,
    pub(crate) gates: Gates,
    /// By rank: how many of the steps that block its issue are done.
    pub(crate) passed: Vec<u32>,
}

impl Progress {
    /// A stream of the rank that has not done all that was issued before a step.
    pub(crate) fn behind(&self, trace: &Trace, id: StepId) -> Option<StepId> {
        let streams = (0..self.queues.len()).filter(|&stream| trace.streams[stream].rank == id.rank);
        streams
            .filter_map(|stream| self.next(stream))
            .find(|next| next.position < id.position)
    }

    pub(crate) fn next(&self, stream: usize) -> Option<StepId> {
        self.queues[stream].get(self.done[stream]).copied()
    }
}

struct Run<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    progress: Progress,
    clocks: Vec<Clock>,
    to_serve: VecDeque<usize>,
    waiting_for_gate: Vec<Vec<usize>>,
    /// By rank: streams that wait until the others have come to where they are.
    waiting_for_drain: Vec<Vec<usize>>,
    waiting_for_event: FxHashMap<Event, Vec<usize>>,
    waiting_for_signal: FxHashMap<u32, usize>,
    /// What is known at events that somebody still waits for, and how many do.
    events: FxHashMap<Event, (Clock, u32)>,
    /// What is known at signals that are still to be awaited.
    signals: FxHashMap<u32, Clock>,
    /// Members that have arrived, and what they know together.
    arrived: FxHashMap<u32, (usize, Clock)>,
    last_puts: FxHashMap<Counter, (Moment, i64, StepId)>,
    accesses: Vec<Accesses>,
    proof: Proof,
    faults: Vec<Fault>,
    reported: FxHashSet<(u64, u64)>,
}

/// Executes a trace whose partners are matched.
pub(crate) fn run(trace: &Trace, matching: &Matching) -> Result<Proof, Vec<Fault>> {
    let streams = trace.streams.len();
    let mut queues = vec![Vec::new(); streams];
    for (rank, steps) in (0..).zip(&trace.steps) {
        for (position, step) in (0..).zip(steps) {
            queues[step.stream.0 as usize].push(StepId { rank, position });
        }
    }
    let mut run = Run {
        trace,
        matching,
        progress: Progress {
            queues,
            done: vec![0; streams],
            gates: Gates::of(trace),
            passed: vec![0; trace.ranks()],
        },
        clocks: (0..streams as u32)
            .map(|stream| Clock::of_stream(Stream(stream), streams))
            .collect(),
        to_serve: (0..streams).collect(),
        waiting_for_gate: vec![Vec::new(); trace.ranks()],
        waiting_for_drain: vec![Vec::new(); trace.ranks()],
        waiting_for_event: FxHashMap::default(),
        waiting_for_signal: FxHashMap::default(),
        events: FxHashMap::default(),
        signals: FxHashMap::default(),
        arrived: FxHashMap::default(),
        last_puts: FxHashMap::default(),
        accesses: (0..trace.buffers.len()).map(|_| Accesses::default()).collect(),
        proof: Proof {
            steps: trace.len(),
            ..Proof::default()
        },
        faults: Vec::new(),
        reported: FxHashSet::default(),
    };
    while let Some(stream) = run.to_serve.pop_front() {
        while let Some(step) = run.progress.next(stream) {
            if run.faults.len() >= MOST_FAULTS {
                return Err(run.faults);
            }
            if !run.execute(stream, step) {
                break;
            }
        }
    }
    if let Some(deadlock) = stuck::find(trace, matching, &run.progress) {
        run.faults.push(deadlock);
    }
    if run.faults.is_empty() {
        Ok(run.proof)
    } else {
        Err(run.faults)
    }
}

impl Run<'_> {
    /// Executes the next step of a stream. Returns whether the stream may go on at once; else it sleeps or will be served.
    fn execute(&mut self, stream: usize, id: StepId) -> bool {
        let rank = id.rank as usize;
        if self.progress.gates.before[rank][id.position as usize] > self.progress.passed[rank] {
            self.waiting_for_gate[rank].push(stream);
            return false;
        }
        let trace = self.trace;
        let step = trace.step(id);
        match (&step.action, self.matching.partner(id)) {
            (Action::WaitEvent(event), _) => {
                let Some((clock, waits)) = self.events.get_mut(event) else {
                    self.waiting_for_event.entry(*event).or_default().push(stream);
                    return false;
                };
                self.clocks[stream].join(clock);
                *waits -= 1;
                if *waits == 0 {
                    self.events.remove(event);
                }
            }
            (Action::WaitSignal { .. }, Partner::Signal(signal)) => {
                let Some(clock) = self.signals.remove(&signal) else {
                    self.waiting_for_signal.insert(signal, stream);
                    return false;
                };
                self.clocks[stream].join(&clock);
            }
            (Action::Barrier { .. } | Action::Collective { .. }, Partner::Meeting(meeting)) => {
                self.arrive(stream, meeting);
                return false;
            }
            (Action::Drain, _) if self.progress.behind(trace, id).is_some() => {
                self.waiting_for_drain[rank].push(stream);
                return false;
            }
            (
                Action::Put {
                    pad,
                    channel,
                    to,
                    epoch,
                },
                Partner::Signal(signal),
            ) => {
                self.touch(stream, id);
                let counter = (*pad, *channel, id.rank, *to);
                self.check_rise(stream, id, counter, *epoch);
                self.signals.insert(signal, self.clocks[stream].clone());
                self.clocks[stream].tick(step.stream);
                self.to_serve.extend(self.waiting_for_signal.remove(&signal));
                self.finish(stream, id);
                return true;
            }
            (Action::Record(event), _) => {
                self.touch(stream, id);
                let waits = self.matching.events[event].waits;
                if waits > 0 {
                    self.events.insert(*event, (self.clocks[stream].clone(), waits));
                    self.clocks[stream].tick(step.stream);
                }
                self.to_serve
                    .extend(self.waiting_for_event.remove(event).into_iter().flatten());
                self.finish(stream, id);
                return true;
            }
            _ => {}
        }
        self.touch(stream, id);
        self.finish(stream, id);
        true
    }

    fn finish(&mut self, stream: usize, id: StepId) {
        let rank = id.rank as usize;
        self.progress.done[stream] += 1;
        if self.trace.step(id).blocks_issue {
            self.progress.passed[rank] += 1;
            self.to_serve.extend(self.waiting_for_gate[rank].drain(..));
        }
        self.to_serve.extend(self.waiting_for_drain[rank].drain(..));
    }

    /// A member comes to a barrier or collective; the last one lets all go on.
    fn arrive(&mut self, stream: usize, meeting: u32) {
        let members = &self.matching.meetings[meeting as usize];
        let streams = self.clocks.len();
        let (count, known) = self
            .arrived
            .entry(meeting)
            .or_insert_with(|| (0, Clock::nothing(streams)));
        *count += 1;
        known.join(&self.clocks[stream]);
        if *count < members.len() {
            return;
        }
        let Some((_, known)) = self.arrived.remove(&meeting) else {
            return;
        };
        for &id in members {
            let step = self.trace.step(id);
            let member = step.stream.0 as usize;
            self.touch(member, id);
            if matches!(step.action, Action::Barrier { .. }) {
                self.clocks[member].join(&known);
                self.clocks[member].tick(step.stream);
            }
            self.finish(member, id);
            self.to_serve.push_back(member);
        }
    }

    /// Checks the accesses of a step at the present moment of its stream.
    fn touch(&mut self, stream: usize, id: StepId) {
        let trace = self.trace;
        let step = trace.step(id);
        self.proof.accesses += step.accesses.len();
        for access in &step.accesses {
            let mut conflicts: Vec<Conflict> = Vec::new();
            let compared = self.accesses[access.buffer.0 as usize].add(
                access,
                id,
                step.stream,
                &self.clocks[stream],
                |conflict| conflicts.push(conflict),
            );
            self.proof.comparisons += compared;
            for conflict in conflicts {
                if !self.is_new(conflict.earlier, id) {
                    continue;
                }
                let buffer = trace.buffer_name(access.buffer).to_owned();
                let (first, second) = (Place::of(trace, conflict.earlier), Place::of(trace, id));
                self.faults.push(if conflict.ordered {
                    Fault::UseAfterFree {
                        user: second,
                        kind: access.kind,
                        freed_by: first,
                        memory: access.buffer,
                        buffer,
                    }
                } else {
                    let end = access.region.end().min(conflict.earlier_region.end());
                    let everything = crate::Region::everything().end();
                    Fault::Race {
                        first,
                        second,
                        kinds: (conflict.earlier_kind, access.kind),
                        memory: access.buffer,
                        buffer,
                        bytes: Bytes {
                            first: access.region.first().max(conflict.earlier_region.first()),
                            end: (end < everything).then_some(end),
                        },
                    }
                });
            }
        }
    }

    /// Whether a conflict of these steps has not been reported. Steps of one tag, other than 0, are one op to the caller.
    fn is_new(&mut self, first: StepId, second: StepId) -> bool {
        let name = |id: StepId| match self.trace.step(id).tag {
            0 => u64::from(id.rank) << 32 | u64::from(id.position) | 1 << 63,
            tag => u64::from(tag),
        };
        let (first, second) = (name(first), name(second));
        self.reported.insert((first.min(second), first.max(second)))
    }

    fn check_rise(&mut self, stream: usize, id: StepId, counter: Counter, epoch: i64) {
        let now = self.clocks[stream].now(self.trace.step(id).stream);
        let Some((moment, last, earlier)) = self.last_puts.insert(counter, (now, epoch, id)) else {
            return;
        };
        let ordered = self.clocks[stream].knows(moment);
        if !ordered || last >= epoch {
            self.faults.push(Fault::PutsDoNotRise {
                earlier: Place::of(self.trace, earlier),
                later: Place::of(self.trace, id),
                signal: describe(counter.1, epoch),
                ordered,
            });
        }
    }
}
