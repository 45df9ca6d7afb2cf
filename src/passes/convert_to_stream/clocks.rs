// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What each stream knows to have ended: vector clocks over the streams of one device.
//!
//! Ops are numbered in the order of the text, for each stream from 1. A stream knows all ops of another one up to some
//! number to have ended before its own next op begins. What holds before a loop holds in each of its iterations, since
//! streams only learn. A record, a wait or a question costs time in the number of streams.
//!
//! Source: C. Fidge, "Timestamps in message-passing systems that preserve the partial ordering", 1988.

/// The stream `current`.
pub(super) const CURRENT: usize = 0;

/// What was known on a stream when an event was recorded: the number of the last known op of every stream.
#[derive(Clone, Debug)]
pub(super) struct Event(Vec<u64>);

/// Clocks of all streams.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    /// `known[s][t]`: number of the last op of `t` that `s` knows to have ended.
    known: Vec<Vec<u64>>,
}

impl Clocks {
    pub(super) fn new(streams: usize) -> Self {
        Self {
            known: vec![vec![0; streams]; streams],
        }
    }

    /// Issues the next op on a stream; returns its number.
    pub(super) fn issue(&mut self, stream: usize) -> u64 {
        self.known[stream][stream] += 1;
        self.known[stream][stream]
    }

    /// Counts ops of a stream that were issued where these clocks did not see it.
    pub(super) fn skip_to(&mut self, stream: usize, number: u64) {
        let own = &mut self.known[stream][stream];
        *own = number.max(*own);
    }

    /// Number of the last op that was issued on a stream.
    pub(super) fn last(&self, stream: usize) -> u64 {
        self.known[stream][stream]
    }

    pub(super) fn record(&self, stream: usize) -> Event {
        Event(self.known[stream].clone())
    }

    /// Lets a stream wait for an event.
    pub(super) fn wait(&mut self, stream: usize, event: &Event) {
        for (known, &there) in self.known[stream].iter_mut().zip(&event.0) {
            *known = there.max(*known);
        }
    }

    /// Whether a stream knows op `number` of another one to have ended.
    pub(super) fn knows(&self, stream: usize, other: usize, number: u64) -> bool {
        self.known[stream][other] >= number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_goes_along_a_chain_of_events() {
        let mut clocks = Clocks::new(3);
        let number = clocks.issue(1);
        let first = clocks.record(1);
        clocks.wait(2, &first);
        clocks.issue(2);
        assert!(!clocks.knows(CURRENT, 1, number));
        let second = clocks.record(2);
        clocks.wait(CURRENT, &second);
        assert!(clocks.knows(CURRENT, 1, number));
    }

    #[test]
    fn an_event_says_nothing_of_what_is_issued_later() {
        let mut clocks = Clocks::new(2);
        clocks.issue(1);
        let event = clocks.record(1);
        let later = clocks.issue(1);
        clocks.wait(CURRENT, &event);
        assert!(!clocks.knows(CURRENT, 1, later));
        assert!(clocks.knows(CURRENT, 1, later - 1));
    }
}
