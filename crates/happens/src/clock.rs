// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Vector clocks over the streams of all ranks.

use crate::Stream;

/// For each stream how far it is known to have come. Invariant: as many entries as there are streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clock(Vec<u32>);

/// A moment on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) stream: Stream,
    time: u32,
}

impl Clock {
    /// The clock of a stream that knows of nothing but itself.
    pub(crate) fn of_stream(stream: Stream, streams: usize) -> Self {
        let mut times = vec![0; streams];
        times[stream.0 as usize] = 1;
        Self(times)
    }

    /// The clock that knows of nothing.
    pub(crate) fn nothing(streams: usize) -> Self {
        Self(vec![0; streams])
    }

    /// The present moment of the clock's own stream.
    pub(crate) fn now(&self, stream: Stream) -> Moment {
        Moment {
            stream,
            time: self.0[stream.0 as usize],
        }
    }

    /// Whether a moment lies before what the clock knows, or is its own present.
    pub(crate) fn knows(&self, moment: Moment) -> bool {
        moment.time <= self.0[moment.stream.0 as usize]
    }

    /// Learns all that another clock knows. O(streams).
    pub(crate) fn join(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(*other);
        }
    }

    /// Begins a new moment of the clock's own stream, of which those who have learnt from it know nothing.
    pub(crate) fn tick(&mut self, stream: Stream) {
        self.0[stream.0 as usize] += 1;
    }
}
