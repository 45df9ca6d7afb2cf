// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The verdict on random small traces against a machine that runs them in every possible order.
//!
//! The machine knows no clocks and no matching beforehand: counters have values, barriers compare positions. A pair of steps
//! races if some run has done the one and not the other and some run the other way round.

use std::collections::HashSet;

use comm_happens::{Access, AccessKind, Action, Fault, Region, StepId, Stream, Trace, check};

/// Counter of a signal: sender, receiver. There is one pad and one channel.
type Counter = (u32, u32);

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    done: Vec<u8>,
    counters: Vec<i64>,
}

struct Machine<'a> {
    trace: &'a Trace,
    queues: Vec<Vec<StepId>>,
    streams: Vec<Stream>,
    /// Whether collectives wait for their members and steps that block hold back what is issued after them.
    strict: bool,
}

/// All that may happen.
struct Outcome {
    reachable: HashSet<State>,
    gets_stuck: bool,
    /// Some run puts an epoch that is not greater than the counter.
    falls: bool,
}

impl<'a> Machine<'a> {
    fn new(trace: &'a Trace, streams: &[Stream], strict: bool) -> Self {
        let mut queues = vec![Vec::new(); streams.len()];
        for rank in 0..trace.ranks() as u32 {
            for (position, step) in (0..).zip(trace.steps(rank)) {
                let stream = streams.iter().position(|&stream| stream == step.stream).unwrap();
                queues[stream].push(StepId { rank, position });
            }
        }
        Self {
            trace,
            queues,
            streams: streams.to_vec(),
            strict,
        }
    }

    fn counter(&self, (from, to): Counter) -> usize {
        (from as usize) * self.trace.ranks() + to as usize
    }

    /// Stream of a step and its place there.
    fn place(&self, id: StepId) -> (usize, usize) {
        let stream = self.trace.step(id).stream;
        let stream = self.streams.iter().position(|&other| other == stream).unwrap();
        (
            stream,
            self.queues[stream].iter().position(|&other| other == id).unwrap(),
        )
    }

    fn is_done(&self, state: &State, id: StepId) -> bool {
        let (stream, place) = self.place(id);
        usize::from(state.done[stream]) > place
    }

    fn is_issued(&self, state: &State, id: StepId) -> bool {
        !self.strict
            || (0..id.position).all(|position| {
                let earlier = StepId { position, ..id };
                !self.trace.step(earlier).blocks_issue || self.is_done(state, earlier)
            })
    }

    fn has_arrived(&self, state: &State, id: StepId) -> bool {
        let (stream, place) = self.place(id);
        usize::from(state.done[stream]) >= place && self.is_issued(state, id)
    }

    /// Number of a barrier or collective among those of the rank that meet the same ones.
    fn meets(&self, id: StepId, other: u32) -> Option<StepId> {
        let same = |action: &Action| match (action, &self.trace.step(id).action) {
            (Action::Barrier { group, channel }, Action::Barrier { group: g, channel: c }) => {
                (group, channel) == (g, c)
            }
            (Action::Collective { group, .. }, Action::Collective { group: g, .. }) => group == g,
            _ => false,
        };
        let of = |rank: u32| {
            (0..)
                .zip(self.trace.steps(rank))
                .filter(|(_, step)| same(&step.action))
                .map(move |(position, _)| StepId { rank, position })
                .collect::<Vec<_>>()
        };
        let number = of(id.rank).iter().position(|&step| step == id)?;
        of(other).get(number).copied()
    }

    fn can_run(&self, state: &State, id: StepId) -> bool {
        if !self.is_issued(state, id) {
            return false;
        }
        match &self.trace.step(id).action {
            Action::WaitEvent(event) => (0..).zip(self.trace.steps(id.rank)).any(|(position, step)| {
                step.action == Action::Record(*event) && self.is_done(state, StepId { position, ..id })
            }),
            Action::WaitSignal { from, epoch, .. } => {
                state.counters[self.counter((*from, id.rank))] >= *epoch
            }
            Action::Collective { .. } | Action::Drain if !self.strict => true,
            Action::Drain => (0..id.position).all(|position| self.is_done(state, StepId { position, ..id })),
            Action::Barrier { group, .. } | Action::Collective { group, .. } => {
                self.trace.members(*group).iter().all(|&member| {
                    self.meets(id, member)
                        .is_some_and(|partner| self.has_arrived(state, partner))
                })
            }
            _ => true,
        }
    }

    fn explore(&self) -> Outcome {
        let ranks = self.trace.ranks();
        let first = State {
            done: vec![0; self.queues.len()],
            counters: vec![0; ranks * ranks],
        };
        let mut outcome = Outcome {
            reachable: HashSet::from([first.clone()]),
            gets_stuck: false,
            falls: false,
        };
        let mut stack = vec![first];
        while let Some(state) = stack.pop() {
            let mut runs = false;
            for (stream, queue) in self.queues.iter().enumerate() {
                let Some(&id) = queue.get(usize::from(state.done[stream])) else {
                    continue;
                };
                if !self.can_run(&state, id) {
                    continue;
                }
                runs = true;
                let mut next = state.clone();
                next.done[stream] += 1;
                if let Action::Put { to, epoch, .. } = self.trace.step(id).action {
                    let counter = &mut next.counters[self.counter((id.rank, to))];
                    outcome.falls |= epoch <= *counter;
                    *counter = epoch;
                }
                if outcome.reachable.insert(next.clone()) {
                    stack.push(next);
                }
            }
            let ended = (0..self.queues.len()).all(|s| usize::from(state.done[s]) == self.queues[s].len());
            outcome.gets_stuck |= !runs && !ended;
        }
        outcome
    }

    /// Whether some run has done `one` and not `other`.
    fn comes_first(&self, outcome: &Outcome, one: StepId, other: StepId) -> bool {
        outcome
            .reachable
            .iter()
            .any(|state| self.is_done(state, one) && !self.is_done(state, other))
    }
}

fn random_trace(random: &mut fastrand::Rng) -> (Trace, Vec<Stream>) {
    let ranks = random.u32(1..4);
    let mut trace = Trace::new(ranks as usize);
    let streams: Vec<Stream> = (0..ranks)
        .flat_map(|rank| ["current", "other"].map(|name| (rank, name)))
        .map(|(rank, name)| trace.stream(rank, name))
        .collect();
    let buffers = [trace.buffer("a"), trace.buffer("b")];
    let pad = trace.pad();
    let steps = random.usize(2..if ranks == 3 { 11 } else { 14 });
    let mut epochs = vec![0; (ranks * ranks) as usize];
    let mut unordered: Vec<(Stream, Action, Vec<Access>)> = Vec::new();
    // Partners are made together, each on a stream of its own choice; then some are left out or swapped.
    while unordered.len() < steps {
        let rank = random.u32(0..ranks);
        let on = |random: &mut fastrand::Rng, rank: u32| streams[(rank * 2 + random.u32(0..2)) as usize];
        match random.u32(0..11) {
            10 => unordered.push((on(random, rank), Action::Drain, vec![])),
            0..4 => {
                let region = Region::contiguous(random.i64(0..3), random.i64(1..3));
                let kind = match random.u32(0..12) {
                    0 => AccessKind::Free,
                    1 => AccessKind::Use,
                    2 => AccessKind::Foreign,
                    3..7 => AccessKind::Read,
                    _ => AccessKind::Write,
                };
                let access = Access {
                    buffer: buffers[random.usize(0..2)],
                    region,
                    kind,
                };
                unordered.push((on(random, rank), Action::Work, vec![access]));
            }
            4 | 5 => {
                let event = trace.event();
                unordered.push((on(random, rank), Action::Record(event), vec![]));
                for _ in 0..random.u32(1..3) {
                    unordered.push((on(random, rank), Action::WaitEvent(event), vec![]));
                }
            }
            6 | 7 => {
                let to = random.u32(0..ranks);
                let epoch = &mut epochs[(rank * ranks + to) as usize];
                *epoch += 1;
                let (channel, epoch) = (0, *epoch);
                let put = Action::Put {
                    pad,
                    channel,
                    to,
                    epoch,
                };
                unordered.push((on(random, rank), put, vec![]));
                let from = rank;
                let wait = Action::WaitSignal {
                    pad,
                    channel,
                    from,
                    epoch,
                };
                unordered.push((on(random, to), wait, vec![]));
            }
            kind => {
                let other = random.u32(0..ranks);
                let mut members = vec![rank, other];
                members.sort_unstable();
                members.dedup();
                let group = trace.group(&members);
                let action = if kind == 8 {
                    let channel = random.i64(0..2);
                    Action::Barrier { group, channel }
                } else {
                    Action::Collective { group, form: 0 }
                };
                for member in members {
                    unordered.push((on(random, member), action.clone(), vec![]));
                }
            }
        }
    }
    for _ in 0..random.usize(0..4) {
        let at = random.usize(0..unordered.len() - 1);
        unordered.swap(at, at + 1);
    }
    if random.u32(0..4) == 0 {
        unordered.remove(random.usize(0..unordered.len()));
    }
    for (stream, action, accesses) in unordered {
        let blocks = trace.stream_name(stream) == "current" && random.u32(0..2) == 0;
        trace.push(stream, action, accesses).blocks_issue = blocks;
    }
    (trace, streams)
}

/// How often each verdict came, so that none is tested in vain.
#[derive(Debug, Default)]
struct Counts {
    proved: u32,
    raced: u32,
    freed: u32,
    deadlocked: u32,
    incomplete: u32,
    fell: u32,
}

#[test]
fn the_verdict_is_that_of_all_interleavings() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut counts = Counts::default();
    for number in 0..12_000 {
        let (trace, streams) = random_trace(&mut random);
        let faults = check(&trace).err().unwrap_or_default();
        let text = || format!("trace {number}: {faults:#?}\n{trace:#?}");
        let strict = Machine::new(&trace, &streams, true).explore();
        let never_ends = |fault: &Fault| match fault {
            Fault::MissingMember { .. } | Fault::EventNotRecorded { .. } => true,
            Fault::SignalNotPut { outcome, .. } => outcome.contains("for ever"),
            _ => false,
        };
        let lacks_partner = |fault: &Fault| {
            never_ends(fault) || matches!(fault, Fault::SignalNotPut { .. } | Fault::UnawaitedSignal { .. })
        };
        if faults.iter().any(lacks_partner) {
            assert!(faults.iter().all(lacks_partner), "{}", text());
            assert!(!faults.iter().any(never_ends) || strict.gets_stuck, "{}", text());
            counts.incomplete += 1;
            continue;
        }
        let deadlocks = faults.iter().any(|fault| matches!(fault, Fault::Deadlock { .. }));
        let falls = faults
            .iter()
            .any(|fault| matches!(fault, Fault::PutsDoNotRise { .. }));
        let weak_falls = || Machine::new(&trace, &streams, false).explore().falls;
        if falls || strict.falls || (!deadlocks && weak_falls()) {
            // What else happens depends on which value the counter keeps.
            assert!(!faults.is_empty(), "{}", text());
            assert!(!falls || weak_falls(), "{}", text());
            assert!(deadlocks || falls, "{}", text());
            counts.fell += 1;
            continue;
        }
        assert_eq!(deadlocks, strict.gets_stuck, "{}", text());
        if deadlocks {
            counts.deadlocked += 1;
            continue;
        }
        let machine = Machine::new(&trace, &streams, false);
        let outcome = machine.explore();
        assert!(!outcome.gets_stuck, "{}", text());
        assert!(!outcome.falls, "{}", text());
        let ids: Vec<StepId> = (0..trace.ranks() as u32)
            .flat_map(|rank| {
                (0..trace.steps(rank).len() as u32).map(move |position| StepId { rank, position })
            })
            .collect();
        let conflict = |one: StepId, other: StepId| {
            let accesses = trace.step(one).accesses.iter();
            accesses
                .flat_map(|a| trace.step(other).accesses.iter().map(move |b| (a, b)))
                .any(|(a, b)| {
                    a.buffer == b.buffer && a.kind.conflicts_with(b.kind) && a.region.overlaps(&b.region)
                })
        };
        let is_free = |id: StepId| {
            trace
                .step(id)
                .accesses
                .iter()
                .any(|access| access.kind == AccessKind::Free)
        };
        let mut expected: HashSet<(StepId, StepId)> = HashSet::new();
        for &one in &ids {
            for &other in ids.iter().filter(|&&other| other != one && conflict(one, other)) {
                let before = machine.comes_first(&outcome, one, other);
                let after = machine.comes_first(&outcome, other, one);
                if before && (after || is_free(one)) {
                    expected.insert((one, other));
                }
            }
        }
        assert_eq!(faults.is_empty(), expected.is_empty(), "{expected:?} {}", text());
        for fault in &faults {
            let steps = fault.steps();
            assert!(
                expected.contains(&(steps[1], steps[0])),
                "{fault} is no race: {}",
                text()
            );
        }
        counts.proved += u32::from(faults.is_empty());
        counts.raced += u32::from(faults.iter().any(|fault| matches!(fault, Fault::Race { .. })));
        counts.freed += u32::from(
            faults
                .iter()
                .any(|fault| matches!(fault, Fault::UseAfterFree { .. })),
        );
    }
    println!("{counts:?}");
    let Counts {
        proved,
        raced,
        freed,
        deadlocked,
        incomplete,
        fell,
    } = counts;
    for count in [proved, raced, freed, deadlocked, incomplete, fell] {
        assert!(count >= 100, "{counts:?}");
    }
}
