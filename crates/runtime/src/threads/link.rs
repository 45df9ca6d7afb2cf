// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The emulated interconnect: one incoming link for each rank, on which transfers take turns.
//!
//! A transfer of `b` bytes begins when it is issued or when the link is free, occupies the link for `b / bandwidth`,
//! and arrives one latency later. The sending side is not modelled, so a rank may serve several others at once: that
//! makes the time of each collective latency + wire bytes / bandwidth, as in the timing model of `comm_schedule`,
//! whatever the order in which threads get here. Pairs of ranks as links were rejected: an all-gather would not get
//! slower with the size of its group.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::options::Link;

/// When the links are free.
#[derive(Debug)]
pub(super) struct Links {
    link: Link,
    free: Vec<Mutex<Instant>>,
}

impl Links {
    pub(super) fn new(link: Link, ranks: usize, now: Instant) -> Self {
        Self {
            link,
            free: (0..ranks).map(|_| Mutex::new(now)).collect(),
        }
    }

    /// Takes the link into `rank` for a transfer that is ready at `ready`; when it arrives.
    pub(super) fn reserve(&self, rank: usize, bytes: usize, ready: Instant) -> Instant {
        let seconds = bytes as f64 / self.link.bandwidth;
        let time = if self.link.bandwidth > 0.0 {
            // A time too long to be represented counts as a year.
            Duration::try_from_secs_f64(seconds).unwrap_or(YEAR).min(YEAR)
        } else {
            Duration::ZERO
        };
        let mut free = self.free[rank].lock().unwrap_or_else(PoisonError::into_inner);
        *free = ready.max(*free) + time;
        *free + self.link.latency.min(YEAR)
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
