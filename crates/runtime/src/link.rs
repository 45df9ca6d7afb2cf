// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The emulated interconnect: one incoming link for each rank, on which transfers take turns.
//!
//! A transfer of `b` bytes begins when it is issued or when the link is free, occupies the link for `b / bandwidth`,
//! and arrives one latency later. The sending side is not modelled, so a rank may serve several others at once: that
//! makes the time of each collective latency + wire bytes / bandwidth, as in the timing model of `comm_schedule`,
//! whatever the order in which threads get here. Pairs of ranks as links were rejected: an all-gather would not get
//! slower with the size of its group.
//!
//! What carries no bytes (a signal, a rank's arrival at a barrier) only takes the latency: a real interconnect sends large
//! transfers as packets, between which a flag slips through. Behind whole transfers, one signal would wait for chunks that
//! have nothing to do with it.

use std::{
    ops::Deref,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crate::options::Link;

/// When the link into each rank is free, in nanoseconds since a time that all who share the cells agree on; all zero at
/// first. The cells may be memory that processes share.
#[derive(Debug)]
pub(crate) struct Links<C = Vec<AtomicU64>> {
    link: Link,
    epoch: Instant,
    free: C,
}

impl Links {
    pub(crate) fn new(link: Link, ranks: usize, now: Instant) -> Self {
        Self::over(link, now, (0..ranks).map(|_| AtomicU64::new(0)).collect())
    }
}

impl<C: Deref<Target = [AtomicU64]>> Links<C> {
    /// Over these cells, one for each rank.
    pub(crate) fn over(link: Link, epoch: Instant, free: C) -> Self {
        Self { link, epoch, free }
    }

    /// Takes the link into `rank` for a transfer that is ready at `ready`; when it arrives.
    pub(crate) fn reserve(&self, rank: usize, bytes: usize, ready: Instant) -> Instant {
        let latency = self.link.latency.min(YEAR);
        if bytes == 0 {
            return ready + latency;
        }
        let seconds = bytes as f64 / self.link.bandwidth;
        let time = if self.link.bandwidth > 0.0 {
            // A time too long to be represented counts as a year.
            Duration::try_from_secs_f64(seconds).unwrap_or(YEAR).min(YEAR)
        } else {
            Duration::ZERO
        };
        let ready = ready.saturating_duration_since(self.epoch).as_nanos() as u64;
        let end = |free: u64| ready.max(free).saturating_add(time.as_nanos() as u64);
        let (free, order) = (&self.free[rank], Ordering::Relaxed);
        // It never refuses.
        let before = free
            .fetch_update(order, order, |free| Some(end(free)))
            .unwrap_or_default();
        self.epoch + Duration::from_nanos(end(before)) + latency
    }
}

const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_take_turns_on_a_link() {
        let start = Instant::now();
        let link = Link {
            latency: Duration::from_millis(3),
            bandwidth: 1e6,
        };
        let links = Links::new(link, 2, start);
        let at = |ms| start + Duration::from_millis(ms);
        assert_eq!(links.reserve(0, 10_000, start), at(13));
        // Ready while the first is under way: begins behind it, and the latencies overlap.
        assert_eq!(links.reserve(0, 5_000, at(4)), at(18));
        // Another link.
        assert_eq!(links.reserve(1, 5_000, at(4)), at(12));
        // What carries nothing waits for nothing.
        assert_eq!(links.reserve(0, 0, at(5)), at(8));
        // After a pause.
        assert_eq!(links.reserve(0, 1_000, at(100)), at(104));
    }

    #[test]
    fn size_may_cost_nothing() {
        let start = Instant::now();
        for bandwidth in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let link = Link {
                latency: Duration::from_millis(1),
                bandwidth,
            };
            let arrival = Links::new(link, 1, start).reserve(0, usize::MAX, start);
            assert_eq!(arrival, start + Duration::from_millis(1));
        }
    }
}
