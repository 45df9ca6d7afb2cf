// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What all ranks issue: streams, steps in order of issue, and the memory and synchronisation that steps name.
//!
//! Streams, buffers, events, groups and pads are numbers that the trace hands out. The trace holds no semantics and checks
//! nothing; [`check`](crate::check) does.

use rustc_hash::FxHashMap;

use crate::Region;

/// Number of a process or device, from 0.
pub type Rank = u32;

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// How many of its kind the trace handed out before.
            pub fn number(self) -> u32 {
                self.0
            }
        })*
    };
}

numbers! {
    /// A stream of one rank: runs its steps first in, first out.
    Stream;
    /// Memory of one rank, that others may reach too. Two buffers never overlap.
    Buffer;
    /// One recording of a position on a stream.
    Event;
    /// A set of ranks.
    Group;
    /// The signal counters of a symmetric buffer: one for each channel, sender and receiver. All begin at 0.
    Pad;
}

/// How memory is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// Needs the memory to exist, without reading or writing it; conflicts with a free only.
    Use,
    /// Reads.
    Read,
    /// Stands for whatever others did to the memory, before the trace or outside it: conflicts with reads, writes and frees,
    /// and not with its own kind, since what they did is ordered among them.
    Foreign,
    /// Writes, or reads and writes.
    Write,
    /// Gives the memory back: conflicts with everything, and nothing may follow.
    Free,
}

impl AccessKind {
    /// Whether two accesses of common memory must be ordered.
    pub fn conflicts_with(self, other: Self) -> bool {
        let (least, most) = if self < other {
            (self, other)
        } else {
            (other, self)
        };
        match most {
            Self::Free => true,
            Self::Write => least != Self::Use,
            Self::Foreign => least == Self::Read,
            Self::Read | Self::Use => false,
        }
    }

    /// Whether whatever conflicts with this kind conflicts with the other one too.
    pub(crate) fn is_covered_by(self, other: Self) -> bool {
        self == other
            || self == Self::Use
            || other == Self::Free
            || other == Self::Write && self != Self::Free
    }

    /// As a verb: what the step does to the memory.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Use => "uses",
            Self::Read => "reads",
            Self::Foreign => "has used",
            Self::Write => "writes",
            Self::Free => "frees",
        }
    }
}

/// One access of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The memory.
    pub buffer: Buffer,
    /// The part of it.
    pub region: Region,
    /// What is done to it.
    pub kind: AccessKind,
}

impl Access {
    /// A read of a region.
    pub fn read(buffer: Buffer, region: Region) -> Self {
        Self {
            buffer,
            region,
            kind: AccessKind::Read,
        }
    }

    /// A write of a region.
    pub fn write(buffer: Buffer, region: Region) -> Self {
        Self {
            buffer,
            region,
            kind: AccessKind::Write,
        }
    }

    /// Whatever others did to a buffer.
    pub fn foreign(buffer: Buffer) -> Self {
        Self {
            buffer,
            region: Region::everything(),
            kind: AccessKind::Foreign,
        }
    }

    /// The end of a buffer.
    pub fn free(buffer: Buffer) -> Self {
        Self {
            buffer,
            region: Region::everything(),
            kind: AccessKind::Free,
        }
    }
}

/// What a step does beside its accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Work,
    /// Records an event: all that is before on the stream has happened when the event has.
    Record(Event),
    /// Waits for an event, recorded on any stream of this rank.
    WaitEvent(Event),
    /// Waits until all members of a group have come to their barrier. The n-th barrier that a member issues for a group and a
    /// channel, on whatever stream, meets the n-th of the others.
    Barrier {
        /// Who meets.
        group: Group,
        /// Barriers of different channels do not meet.
        channel: i64,
    },
    /// Raises the counter of (pad, channel, this rank, `to`) to `epoch`.
    Put {
        /// Where the counter is.
        pad: Pad,
        /// Counters of different channels are different counters.
        channel: i64,
        /// The receiver.
        to: Rank,
        /// The counter's new value, at least 1 and greater than the last.
        epoch: i64,
    },
    /// Waits until the counter of (pad, channel, `from`, this rank) is at least `epoch`.
    WaitSignal {
        /// Where the counter is.
        pad: Pad,
        /// Counters of different channels are different counters.
        channel: i64,
        /// The sender.
        from: Rank,
        /// The value that is awaited.
        epoch: i64,
    },
    /// Waits until all that its rank has issued before is done, on all its streams, but orders no memory.
    Drain,
    /// Waits for all members of a group, as a barrier does, but orders no memory. The n-th collective that a member issues for
    /// a group, on whatever stream, meets the n-th of the others, which must have the same form.
    Collective {
        /// Who takes part.
        group: Group,
        /// Kind, shapes and attributes: equal numbers for collectives that go together.
        form: u32,
    },
}

/// One step of one rank.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it runs.
    pub stream: Stream,
    /// What it does.
    pub action: Action,
    /// The memory it touches.
    pub accesses: Vec<Access>,
    /// Whether the rank issues nothing more before the step is done. It adds no order (a program that is right on a machine
    /// whose host runs ahead must not need it), but another way to wait for ever.
    pub blocks_issue: bool,
    /// The caller's own number, handed back with faults: an index into a table of ops, say.
    pub tag: u32,
}

/// Names a step: the rank, and its position in what the rank issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId {
    /// Who issues it.
    pub rank: Rank,
    /// After how many others.
    pub position: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct StreamData {
    pub(crate) rank: Rank,
    pub(crate) name: String,
}

/// How many of a kind a trace has handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Events.
    pub events: u32,
    /// Buffers.
    pub buffers: u32,
}

/// What all ranks issue. See the [crate](crate) for an example.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub(crate) steps: Vec<Vec<Step>>,
    pub(crate) streams: Vec<StreamData>,
    stream_numbers: FxHashMap<(Rank, String), Stream>,
    pub(crate) buffers: Vec<String>,
    pub(crate) groups: Vec<Vec<Rank>>,
    group_numbers: FxHashMap<Vec<Rank>, Group>,
    events: u32,
    pads: u32,
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a trace has fewer than 2^32 of everything")
}

impl Trace {
    /// A trace of `ranks` ranks that issue nothing yet.
    pub fn new(ranks: usize) -> Self {
        Self {
            steps: vec![Vec::new(); ranks],
            ..Self::default()
        }
    }

    /// The stream of a name on a rank, made at its first mention.
    pub fn stream(&mut self, rank: Rank, name: &str) -> Stream {
        let next = Stream(number(self.streams.len()));
        let stream = *self.stream_numbers.entry((rank, name.to_owned())).or_insert(next);
        if stream == next {
            let name = name.to_owned();
            self.streams.push(StreamData { rank, name });
        }
        stream
    }

    /// New memory. The name is for faults and should say whose it is.
    pub fn buffer(&mut self, name: impl Into<String>) -> Buffer {
        self.buffers.push(name.into());
        Buffer(number(self.buffers.len() - 1))
    }

    /// A new event, which is to be recorded once.
    pub fn event(&mut self) -> Event {
        self.events += 1;
        Event(self.events - 1)
    }

    /// New signal counters.
    pub fn pad(&mut self) -> Pad {
        self.pads += 1;
        Pad(self.pads - 1)
    }

    /// The group of a set of ranks: the same for the same set, in whatever order.
    pub fn group(&mut self, members: &[Rank]) -> Group {
        let mut members = members.to_vec();
        members.sort_unstable();
        members.dedup();
        let next = Group(number(self.groups.len()));
        let group = *self.group_numbers.entry(members.clone()).or_insert(next);
        if group == next {
            self.groups.push(members);
        }
        group
    }

    /// Appends a step to what a stream's rank issues. It does not block the rank and has tag 0; the step that is returned may
    /// be changed.
    pub fn push(&mut self, stream: Stream, action: Action, accesses: Vec<Access>) -> &mut Step {
        let rank = self.streams[stream.0 as usize].rank;
        let steps = &mut self.steps[rank as usize];
        steps.push(Step {
            stream,
            action,
            accesses,
            blocks_issue: false,
            tag: 0,
        });
        steps.last_mut().expect("it has just been pushed")
    }

    /// The same trace without some steps.
    #[must_use]
    pub fn without(&self, mut dropped: impl FnMut(&Step) -> bool) -> Self {
        let mut copy = self.clone();
        for steps in &mut copy.steps {
            steps.retain(|step| !dropped(step));
        }
        copy
    }

    /// How many events and buffers have been handed out.
    pub fn made(&self) -> Made {
        Made {
            events: self.events,
            buffers: number(self.buffers.len()),
        }
    }

    /// Number of ranks.
    pub fn ranks(&self) -> usize {
        self.steps.len()
    }

    /// Number of steps of all ranks.
    pub fn len(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// Whether no rank issues anything.
    pub fn is_empty(&self) -> bool {
        self.steps.iter().all(Vec::is_empty)
    }

    /// A step.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.rank as usize][id.position as usize]
    }

    /// What a rank issues, in order.
    pub fn steps(&self, rank: Rank) -> &[Step] {
        &self.steps[rank as usize]
    }

    /// Name of a stream.
    pub fn stream_name(&self, stream: Stream) -> &str {
        &self.streams[stream.0 as usize].name
    }

    /// Name of a buffer.
    pub fn buffer_name(&self, buffer: Buffer) -> &str {
        &self.buffers[buffer.0 as usize]
    }

    /// Members of a group, ascending.
    pub fn members(&self, group: Group) -> &[Rank] {
        &self.groups[group.0 as usize]
    }
}
