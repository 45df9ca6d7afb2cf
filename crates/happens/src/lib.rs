// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Happens-before of programs that run on several ranks, each with several streams.
//!
//! A [`Trace`] holds what every rank issues, in the order in which it issues it: steps on streams, with the memory that each
//! step touches, and the synchronisation between them (events, barriers, signals, collectives). [`check`] decides whether
//!
//! - every two conflicting accesses (of overlapping memory, one of them a write) are ordered, on whatever ranks they are;
//! - nothing touches memory after it is freed;
//! - every signal that is put is awaited exactly once;
//! - nothing waits for ever: no cycle of waits, no barrier or collective that a member never issues or issues in another
//!   order, no wait for an event or a signal that never comes.
//!
//! The verdict holds for every interleaving of the ranks and streams, not only for one: what matches what (barriers by group,
//! channel and order of issue; signals by epoch; collectives by group and order of issue) is fixed by the trace, so that the
//! order that synchronisation makes is one partial order, and two accesses race if and only if it does not hold between them.
//! The same fact makes one simulation enough to find out whether any run gets stuck.
//!
//! Method: the steps are executed once, in any order that the waits allow, with vector clocks over streams (Mattern, "Virtual
//! Time and Global States of Distributed Systems", 1989) and, for each buffer, the last accesses as (stream, clock) pairs in
//! the manner of FastTrack (Flanagan and Freund, PLDI 2009), here in an index over regions of memory.
//!
//! Cost: O(S + Y x T + A x (log A + C)) for S steps, of which Y synchronise, T streams of all ranks together, A accesses, and
//! C earlier accesses a buffer keeps that are near enough to an access to be compared with it. Programs that sweep over a
//! buffer piece by piece have a small C; a buffer of many interleaved strided pieces has as many as pieces.
//!
//! What it deliberately does not do: look for synchronisation that is not needed, and assume that order of issue on a rank
//! orders two of its streams.
//!
//! ```
//! use comm_happens::{Access, Action, Fault, Region, Trace, check};
//!
//! // Rank 0 writes its buffer, which rank 1 reads.
//! let mut trace = Trace::new(2);
//! let streams = [trace.stream(0, "current"), trace.stream(1, "current")];
//! let buffer = trace.buffer("%w of rank 0");
//! let group = trace.group(&[0, 1]);
//! let written = Access::write(buffer, Region::contiguous(0, 64));
//! let read = Access::read(buffer, Region::contiguous(32, 8));
//!
//! trace.push(streams[0], Action::Work, vec![written]);
//! trace.push(streams[1], Action::Work, vec![read.clone()]);
//! assert!(matches!(check(&trace).unwrap_err()[..], [Fault::Race { .. }]));
//!
//! // With a barrier between them they are ordered.
//! let mut trace = trace.without(|step| step.stream == streams[1]);
//! trace.push(streams[0], Action::Barrier { group, channel: 0 }, vec![]);
//! trace.push(streams[1], Action::Barrier { group, channel: 0 }, vec![]);
//! trace.push(streams[1], Action::Work, vec![read]);
//! check(&trace).unwrap();
//! ```

mod accesses;
mod clock;
mod fault;
mod matching;
mod region;
mod simulate;
mod stuck;
mod trace;

pub use fault::{Bytes, Fault, Place, Waiting};
pub use region::Region;
pub use trace::{
    Access, AccessKind, Action, Buffer, Event, Group, Made, Pad, Rank, Step, StepId, Stream, Trace,
};

/// What was proved of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Steps of all ranks.
    pub steps: usize,
    /// Accesses of all steps.
    pub accesses: usize,
    /// Pairs of accesses that were compared; the rest is ordered because these are.
    pub comparisons: u64,
}

/// Faults that one call reports at most. Each is reported once for each pair of steps.
pub const MOST_FAULTS: usize = 20;

/// Decides whether a trace is free of races and waits that never end.
///
/// # Errors
///
/// The faults, at most [`MOST_FAULTS`], in an order that depends on the trace alone. Where partners are missing (a barrier
/// that a member does not issue, a signal without its wait) only that is reported, since order means nothing then.
pub fn check(trace: &Trace) -> Result<Proof, Vec<Fault>> {
    let matching = matching::Matching::of(trace)?;
    simulate::run(trace, &matching)
}
