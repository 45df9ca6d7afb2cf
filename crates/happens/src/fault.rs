// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What may be wrong with a trace, in words that name both steps, their ranks and streams, the memory, and the remedy.

use std::fmt;

use thiserror::Error;

use crate::{AccessKind, Buffer, Rank, StepId, Trace};

/// A step, and where it runs. Prints as rank and stream; the step itself is for look-ups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The step.
    pub step: StepId,
    /// Name of its stream.
    pub stream: String,
}

impl Place {
    pub(crate) fn of(trace: &Trace, step: StepId) -> Self {
        let stream = trace.stream_name(trace.step(step).stream).to_owned();
        Self { step, stream }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rank {} on stream '{}'", self.step.rank, self.stream)
    }
}

/// Bytes of a buffer that two accesses may have in common: from the first to one beyond the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// First byte.
    pub first: i64,
    /// One beyond the last; nothing where it is not known.
    pub end: Option<i64>,
}

impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) => write!(formatter, "bytes {} to {}", self.first, end - 1),
            None if self.first == 0 => write!(formatter, "any byte"),
            None => write!(formatter, "bytes from {} on", self.first),
        }
    }
}

/// A stream that waits in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The step that waits.
    pub at: Place,
    /// For which step it waits, which stands behind the next one of the cycle, or is it.
    pub for_step: Place,
    /// What it waits for, in words.
    pub reason: String,
}

/// See the [crate](crate) for the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// Two conflicting accesses of which either may come first.
    #[error(
        "race on {bytes} of {buffer}: {first} {} and {second} {} with no order between them; {}",
        .kinds.0.verb(), .kinds.1.verb(), remedy(first, second)
    )]
    Race {
        /// One of the steps.
        first: Place,
        /// The other.
        second: Place,
        /// What they do.
        kinds: (AccessKind, AccessKind),
        /// The buffer.
        memory: Buffer,
        /// Its name.
        buffer: String,
        /// Where they may meet.
        bytes: Bytes,
    },
    /// An access that is ordered after the memory was given back.
    #[error("{user} {} {buffer}, which {freed_by} has freed before", .kind.verb())]
    UseAfterFree {
        /// The access.
        user: Place,
        /// What it does.
        kind: AccessKind,
        /// The step that gave the memory back.
        freed_by: Place,
        /// The buffer.
        memory: Buffer,
        /// Its name.
        buffer: String,
    },
    /// Streams that wait for each other.
    #[error("deadlock: {}", describe_cycle(.cycle))]
    Deadlock {
        /// Who waits for the next; the last waits for the first.
        cycle: Vec<Waiting>,
    },
    /// A barrier or collective that a member never issues.
    #[error(
        "{at} waits for ever: this is {what} number {} that rank {} issues, and rank {absent} issues {issued}",
        .number + 1, .at.step.rank
    )]
    MissingMember {
        /// The step that waits.
        at: Place,
        /// The barrier or collective, with its group and channel.
        what: String,
        /// How many the waiting rank has issued before.
        number: usize,
        /// The member that does not come.
        absent: Rank,
        /// How many that one issues in all.
        issued: usize,
    },
    /// Members of a group whose collectives of one number differ.
    #[error("collective number {} of {group} differs between its members: {first} issues one, {second} another", .number + 1)]
    DifferentCollectives {
        /// A member.
        first: Place,
        /// Another.
        second: Place,
        /// The group.
        group: String,
        /// How many collectives came before.
        number: usize,
    },
    /// A rank that issues a barrier or collective of others.
    #[error("{at} issues {what}, of which it is no member")]
    NotAMember {
        /// The step.
        at: Place,
        /// The barrier or collective, with its group.
        what: String,
    },
    /// An event that is awaited but not recorded, on this rank.
    #[error("{at} waits for an event that its rank never records")]
    EventNotRecorded {
        /// The step that waits.
        at: Place,
    },
    /// An event that is recorded twice.
    #[error("{second} records an event that {first} has recorded")]
    EventRecordedTwice {
        /// One recording.
        first: Place,
        /// The other.
        second: Place,
    },
    /// A put that nobody awaits.
    #[error("{at} puts {signal}, which rank {receiver} never awaits: expected a wait for this epoch")]
    UnawaitedSignal {
        /// The put.
        at: Place,
        /// Channel and epoch.
        signal: String,
        /// Who should await it.
        receiver: Rank,
    },
    /// A wait for a signal that is not put.
    #[error("{at} awaits {signal}, which rank {sender} never puts: {outcome}")]
    SignalNotPut {
        /// The wait.
        at: Place,
        /// Channel and epoch.
        signal: String,
        /// Who should put it.
        sender: Rank,
        /// What happens instead.
        outcome: String,
    },
    /// Two puts of one epoch.
    #[error("{second} puts {signal}, which {first} has put: the epochs of a counter must rise")]
    SignalPutTwice {
        /// One put.
        first: Place,
        /// The other.
        second: Place,
        /// Channel and epoch.
        signal: String,
    },
    /// Two waits for one epoch.
    #[error("{second} awaits {signal}, which {first} awaits: each epoch is awaited once")]
    SignalAwaitedTwice {
        /// One wait.
        first: Place,
        /// The other.
        second: Place,
        /// Channel and epoch.
        signal: String,
    },
    /// An epoch below 1.
    #[error("{at} has {signal}: counters begin at 0, so an epoch is at least 1")]
    EpochTooSmall {
        /// The put or wait.
        at: Place,
        /// Channel and epoch.
        signal: String,
    },
    /// Puts of one counter that may come in an order in which it falls.
    #[error(
        "{later} puts {signal}, and {earlier} another of the same counter that {}: puts must be ordered and their epochs rise",
        if *ordered { "is ordered before and is not smaller" } else { "is not ordered with it" }
    )]
    PutsDoNotRise {
        /// One put.
        earlier: Place,
        /// The other.
        later: Place,
        /// Channel and epoch of the other.
        signal: String,
        /// Whether the first is ordered before the other.
        ordered: bool,
    },
}

impl Fault {
    /// The steps that the fault is about: first the one to complain of, then the others.
    pub fn steps(&self) -> Vec<StepId> {
        let places: Vec<&Place> = match self {
            Self::Race { first, second, .. }
            | Self::EventRecordedTwice { first, second }
            | Self::SignalPutTwice { first, second, .. }
            | Self::SignalAwaitedTwice { first, second, .. }
            | Self::DifferentCollectives { first, second, .. } => vec![second, first],
            Self::UseAfterFree { user, freed_by, .. } => vec![user, freed_by],
            Self::Deadlock { cycle } => cycle.iter().map(|waiting| &waiting.at).collect(),
            Self::PutsDoNotRise { earlier, later, .. } => vec![later, earlier],
            Self::MissingMember { at, .. }
            | Self::NotAMember { at, .. }
            | Self::EventNotRecorded { at }
            | Self::UnawaitedSignal { at, .. }
            | Self::SignalNotPut { at, .. }
            | Self::EpochTooSmall { at, .. } => vec![at],
        };
        places.into_iter().map(|place| place.step).collect()
    }
}

/// What would order two steps.
fn remedy(first: &Place, second: &Place) -> String {
    if first.step.rank == second.step.rank {
        format!(
            "an event that one of the streams '{}' and '{}' records and the other waits for would",
            first.stream, second.stream
        )
    } else {
        format!(
            "a barrier of ranks {} and {}, or a signal between them that is put after the one and awaited before the other, would",
            first.step.rank, second.step.rank
        )
    }
}

fn describe_cycle(cycle: &[Waiting]) -> String {
    let parts: Vec<String> = cycle
        .iter()
        .map(|waiting| format!("{} waits {}", waiting.at, waiting.reason))
        .collect();
    parts.join("; ")
}
