// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How many collectives an order has in flight at once.
//!
//! A collective is in flight from its start to its wait. A start without a wait is dead and counts nowhere, a blocking
//! collective is never in flight. Gathers count in two groups: those of *shards*, whose operand derives from arguments
//! and constants alone, can be issued at any time, which is why a limit has to hold them back; those of *activations*
//! wait for computation anyhow.

use crate::node::{Class, Kind, NodeId, StreamId};
use crate::problem::Problem;

/// The most collectives in flight at once on one stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamInFlight {
    /// Gathers of shards.
    pub gathers: u32,
    /// Gathers of activations.
    pub activation_gathers: u32,
    /// Reduce-scatters and all-reduces.
    pub reductions: u32,
    /// All other collectives, and those that are not known.
    pub others: u32,
}

impl StreamInFlight {
    fn counter(&mut self, class: Class, slot: bool) -> &mut u32 {
        match class {
            Class::Gather if slot => &mut self.gathers,
            Class::Gather => &mut self.activation_gathers,
            Class::Reduction => &mut self.reductions,
            Class::Other => &mut self.others,
        }
    }
}

/// The most collectives in flight at once, by stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InFlight {
    /// One element a stream, in the order of their ids.
    pub streams: Vec<StreamInFlight>,
}

impl InFlight {
    /// Most gathers of shards on any one stream.
    pub fn gathers(&self) -> u32 {
        self.streams
            .iter()
            .map(|stream| stream.gathers)
            .max()
            .unwrap_or(0)
    }

    /// Most gathers of activations on any one stream.
    pub fn activation_gathers(&self) -> u32 {
        self.streams
            .iter()
            .map(|stream| stream.activation_gathers)
            .max()
            .unwrap_or(0)
    }

    /// Most reductions on any one stream.
    pub fn reductions(&self) -> u32 {
        self.streams
            .iter()
            .map(|stream| stream.reductions)
            .max()
            .unwrap_or(0)
    }

    /// Most other collectives on any one stream.
    pub fn others(&self) -> u32 {
        self.streams.iter().map(|stream| stream.others).max().unwrap_or(0)
    }

    /// The first stream with the most collectives of a limited class, and their number. `Class::Gather` means
    /// gathers of shards.
    pub fn worst(&self, class: Class) -> Option<(StreamId, u32)> {
        let count = |stream: &StreamInFlight| match class {
            Class::Gather => stream.gathers,
            Class::Reduction => stream.reductions,
            Class::Other => stream.others,
        };
        let most = self.streams.iter().map(count).max()?;
        let index = self.streams.iter().position(|stream| count(stream) == most)?;
        Some((StreamId(index as u32), most))
    }
}

/// For each node, whether its value derives from arguments and constants through views and cheap nodes alone.
pub fn shard_values(problem: &Problem) -> Vec<bool> {
    let mut shard = vec![false; problem.len()];
    for id in problem.ids() {
        let deps = problem.deps(id);
        shard[id.index()] = match problem.kind(id) {
            Kind::Arg => true,
            Kind::View => deps.iter().all(|dep| shard[dep.index()]),
            Kind::Compute if problem.node(id).fence => false,
            Kind::Compute => {
                deps.is_empty() || (problem.is_cheap(id) && deps.iter().all(|dep| shard[dep.index()]))
            }
            Kind::Start | Kind::Wait | Kind::Blocking => false,
        };
    }
    shard
}

/// For each node, whether it is the start of a gather of shards, which takes a slot of the in-flight limit.
pub fn slot_gathers(problem: &Problem) -> Vec<bool> {
    let shard = shard_values(problem);
    let is_slot = |id: NodeId| {
        problem.kind(id) == Kind::Start
            && problem.class(id) == Some(Class::Gather)
            && problem.deps(id).iter().all(|dep| shard[dep.index()])
    };
    problem.ids().map(is_slot).collect()
}

/// Measures `order`, which must be an order that [`verify`](crate::verify()) accepts.
pub fn in_flight(problem: &Problem, order: &[NodeId]) -> InFlight {
    let slots = slot_gathers(problem);
    let waits = problem.waits();
    let mut now = vec![StreamInFlight::default(); problem.stream_count()];
    let mut most = now.clone();
    for &id in order {
        let start = match problem.kind(id) {
            Kind::Start if waits[id.index()].is_some() => id,
            Kind::Wait => problem.of(id).unwrap_or(id),
            _ => continue,
        };
        let Some(stream) = problem.stream_of(start) else {
            continue;
        };
        let class = problem.class(start).unwrap_or(Class::Other);
        let slot = slots[start.index()];
        let count = now[stream.index()].counter(class, slot);
        if start == id {
            *count += 1;
            let record = most[stream.index()].counter(class, slot);
            *record = (*record).max(*count);
        } else {
            *count -= 1;
        }
    }
    InFlight { streams: most }
}
