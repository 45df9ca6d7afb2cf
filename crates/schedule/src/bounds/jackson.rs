// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What one machine alone says: bounds on the time that jobs with heads and tails need, and orders that are forced.
//!
//! The bound is that of Jackson's preemptive schedule: of the jobs released, always run the one with the longest tail.
//! It equals the largest of "least head + sum of durations + least tail" over all subsets of the jobs (Carlier 1982),
//! and no schedule of one machine, preemptive or not, is shorter. Edge finding (Carlier and Pinson 1989, in the
//! quadratic form of Baptiste, Le Pape and Nuijten 2001) raises the head of a job that must come after a whole set.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A job of one machine: it cannot begin before its head, and at least its tail passes after its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Task {
    /// The earliest begin.
    pub head: u64,
    /// The duration.
    pub ns: u64,
    /// The least time after the end.
    pub tail: u64,
}

/// The length of Jackson's preemptive schedule. Sorts the tasks. O(n log n).
pub(super) fn jackson(tasks: &mut [Task]) -> u64 {
    tasks.sort_unstable_by_key(|task| task.head);
    let mut released: BinaryHeap<(u64, u64)> = BinaryHeap::new();
    let (mut next, mut clock, mut length) = (0, 0u64, 0u64);
    loop {
        if released.is_empty() {
            let Some(task) = tasks.get(next) else {
                return length;
            };
            clock = clock.max(task.head);
        }
        while let Some(task) = tasks.get(next).filter(|task| task.head <= clock) {
            released.push((task.tail, task.ns));
            next += 1;
        }
        let (tail, left) = released.pop().expect("a task was released");
        let until = tasks.get(next).map_or(u64::MAX, |task| task.head);
        let run = left.min(until - clock);
        clock += run;
        if run < left {
            released.push((tail, left - run));
        } else {
            length = length.max(clock + tail);
        }
    }
}

/// Raises heads as far as edge finding allows when all must be over `limit` after the begin of the step; `None` if that
/// is impossible. The result has the heads in the order of `tasks`. O(n^2).
pub(super) fn raised_heads(tasks: &[Task], limit: u64) -> Option<Vec<u64>> {
    let mut by_head: Vec<usize> = (0..tasks.len()).collect();
    by_head.sort_unstable_by_key(|&task| tasks[task]);
    let mut tails: Vec<u64> = tasks.iter().map(|task| task.tail).collect();
    tails.sort_unstable_by_key(|&tail| Reverse(tail));
    tails.dedup();
    let mut heads: Vec<u64> = tasks.iter().map(|task| task.head).collect();
    // By task, the earliest end of those with a late enough tail that come from it on in the order of heads.
    let mut ends = vec![0u64; tasks.len()];
    for least_tail in tails {
        let deadline = limit.checked_sub(least_tail)?;
        let is_in = |task: usize| tasks[task].tail >= least_tail;
        let (mut work, mut end) = (0u64, 0u64);
        for &task in by_head.iter().rev() {
            if is_in(task) {
                work += tasks[task].ns;
                end = end.max(tasks[task].head + work);
            }
            ends[task] = end;
        }
        if end > deadline {
            return None;
        }
        // The latest "head + work from there on" of the tasks passed.
        let mut passed = 0u64;
        for &task in &by_head {
            let Task { head, ns, .. } = tasks[task];
            if is_in(task) {
                passed = passed.max(head + work);
                work -= ns;
                continue;
            }
            if work > 0 && head + work + ns > deadline {
                heads[task] = heads[task].max(ends[task]);
            }
            if passed > 0 && passed + ns > deadline {
                heads[task] = heads[task].max(end);
            }
        }
    }
    Some(heads)
}

#[cfg(test)]
mod tests {
    use super::{Task, jackson, raised_heads};

    fn task((head, ns, tail): (u64, u64, u64)) -> Task {
        Task { head, ns, tail }
    }

    #[test]
    fn jackson_is_the_best_subset() {
        let mut state = 7u64;
        let mut below = |bound: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        for _ in 0..2000 {
            let mut tasks: Vec<_> = (0..1 + below(7))
                .map(|_| task((below(20), below(8), below(20))))
                .collect();
            let subset = |set: u32| {
                let members = || {
                    (0..tasks.len())
                        .filter(move |bit| set >> bit & 1 == 1)
                        .map(|bit| tasks[bit])
                };
                let work: u64 = members().map(|task| task.ns).sum();
                members().map(|task| task.head).min().unwrap()
                    + work
                    + members().map(|task| task.tail).min().unwrap()
            };
            let best = (1..1 << tasks.len()).map(subset).max().unwrap();
            assert_eq!(jackson(&mut tasks), best, "{tasks:?}");
        }
    }

    #[test]
    fn edge_finding_puts_the_long_job_last() {
        let tasks: Vec<_> = [(0, 10, 0), (1, 4, 10), (2, 4, 9)].map(task).to_vec();
        // Both short jobs must be over by 10 and 11: the long one comes after them.
        assert_eq!(raised_heads(&tasks, 20), Some(vec![9, 1, 2]));
        assert_eq!(raised_heads(&tasks, 17), None);
        assert_eq!(raised_heads(&tasks, 60), Some(vec![0, 1, 2]));
    }
}
