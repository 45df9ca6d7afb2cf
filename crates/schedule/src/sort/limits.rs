// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Limits that were not met: which is the least that can be kept, and is that a matter of the problem or of the sort.
//!
//! The least limit is found by placing again: limits are doubled until one is kept, then halved towards the last one
//! that was not. So the limit named is kept, and the next smaller one is not. O((n + e) log n).
//!
//! A lower bound proves it where it can. An anchor that must follow a start, and an anchor that must precede its wait,
//! hold the collective in flight across all anchors from the first to the second; the largest number of collectives
//! held across one anchor cannot be beaten by any order that keeps the anchors. O(n + e).

use super::Prepared;
use super::classes::Role;
use super::emit::place;
use super::options::{AllGather, ReduceScatter, SortError, SortOptions};
use crate::in_flight::{InFlight, in_flight};
use crate::node::{Class, NodeId, StreamId};

/// The stream on which the limit of `class` was exceeded, and by how many in flight, if it was.
pub fn exceeded(achieved: &InFlight, class: Class, options: &SortOptions) -> Option<(StreamId, u32)> {
    let limit = limit_of(class, options);
    achieved
        .worst(class)
        .filter(|&(_, most)| limit > 0 && most > limit)
}

/// The limit that applies to a class; 0: none.
fn limit_of(class: Class, options: &SortOptions) -> u32 {
    match class {
        Class::Gather if options.all_gather != AllGather::Keep => options.max_in_flight,
        Class::Reduction if options.reduce_scatter != ReduceScatter::Keep => options.max_in_flight_reductions,
        _ => 0,
    }
}

/// The error for the limit of `class`, which was exceeded on `stream`.
pub(super) fn explain(
    prepared: &Prepared<'_>,
    options: &SortOptions,
    class: Class,
    stream: StreamId,
) -> Result<SortError, SortError> {
    let limit = limit_of(class, options);
    let with_limit = |limit: u32| match class {
        Class::Gather => SortOptions {
            max_in_flight: limit,
            ..*options
        },
        _ => SortOptions {
            max_in_flight_reductions: limit,
            ..*options
        },
    };
    let is_kept = |limit: u32| -> Result<bool, SortError> {
        let options = with_limit(limit);
        let order = place(prepared, &options)?.order;
        Ok(exceeded(&in_flight(prepared.problem, &order), class, &options).is_none())
    };
    let mut missed = limit;
    let mut step = 1;
    let mut kept = loop {
        let candidate = missed.saturating_add(step);
        if candidate == u32::MAX || is_kept(candidate)? {
            break candidate;
        }
        missed = candidate;
        step = step.saturating_mul(2);
    };
    while kept - missed > 1 {
        let middle = missed + (kept - missed) / 2;
        if is_kept(middle)? {
            kept = middle;
        } else {
            missed = middle;
        }
    }
    let stream_name = prepared.problem.stream_name(stream).to_owned();
    let proved = lower_bound(prepared, class) >= kept;
    Ok(SortError::LimitNotMet {
        class,
        limit,
        least: kept,
        stream: stream_name,
        proved,
    })
}

/// How many collectives of `class` every order that keeps the anchors has in flight on one stream at some moment.
fn lower_bound(prepared: &Prepared<'_>, class: Class) -> u32 {
    let Prepared {
        problem,
        graph,
        classes,
        ..
    } = prepared;
    let anchors = classes.anchors.len();
    let mut position: Vec<Option<usize>> = vec![None; problem.len()];
    for (index, anchor) in classes.anchors.iter().enumerate() {
        position[anchor.index()] = Some(index);
    }
    // The first anchor that must follow a node, and one past the last anchor that must precede it.
    let mut first_after: Vec<usize> = vec![anchors; problem.len()];
    for id in problem.ids().rev() {
        let of_users = graph
            .users(id)
            .map(|(user, _)| first_after[user.index()])
            .min()
            .unwrap_or(anchors);
        first_after[id.index()] = position[id.index()].unwrap_or(of_users);
    }
    let mut last_before: Vec<usize> = vec![0; problem.len()];
    for id in problem.ids() {
        let deps = problem.deps(id).iter().chain(problem.after(id));
        let of_deps = deps.map(|dep| last_before[dep.index()]).max().unwrap_or(0);
        last_before[id.index()] = position[id.index()].map_or(of_deps, |index| index + 1);
    }

    let counts = |start: NodeId| match class {
        Class::Gather => classes.role(start) == Role::GatherStart && classes.slots[start.index()],
        _ => classes.role(start) == Role::EarlyStart && problem.class(start) == Some(class),
    };
    let mut change = vec![vec![0i64; anchors + 1]; problem.stream_count()];
    for start in problem.ids().filter(|&start| counts(start)) {
        let (Some(wait), Some(stream)) = (classes.waits[start.index()], problem.stream_of(start)) else {
            continue;
        };
        let (from, to) = (first_after[start.index()], last_before[wait.index()]);
        if from < to {
            change[stream.index()][from] += 1;
            change[stream.index()][to] -= 1;
        }
    }
    let most = |change: &Vec<i64>| {
        let sums = change.iter().scan(0i64, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        sums.max().unwrap_or(0)
    };
    change
        .iter()
        .map(most)
        .max()
        .map_or(0, |most| u32::try_from(most).unwrap_or(u32::MAX))
}
