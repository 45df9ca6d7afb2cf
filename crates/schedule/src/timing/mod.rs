// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The timing model: when each node of an order runs, and how long the step takes.
//!
//! There is one compute stream, with clock C, and one clock for each link; the order of the nodes is the order of issue.
//! - A compute node runs from C for its duration. If it occupies streams (an op with regions that communicates), it
//!   begins when their links are free too, and they are busy until it ends.
//! - A start begins at the latest of the clock of its link, C, and the ends of the collectives whose results it reads
//!   through waits that do not move C. The clock of the link becomes its end.
//! - A wait moves C to the end of its collective, if C is not past it: the difference is *exposed*. A wait whose results
//!   are only read, through views, by starts and blocking collectives does not move C; it is a wait of one stream for
//!   another.
//! - A blocking collective is a start and a wait. Views and arguments take no time.
//!
//! The step ends with the last clock. This is how asynchronous collectives of PyTorch and XLA behave on GPUs: an event is
//! recorded on the compute stream where the collective is issued. Nothing here decides an order.
//!
//! The definition behind it is one of [tasks] on streams and resources, which the [engine] simulates and programs of
//! streams use directly. [`Clocks`] is its closed form for [blocks](block), and what schedulers search with;
//! [`timeline_with`] adds [contention], which only the engine knows.

pub mod block;
mod clocks;
pub mod contention;
pub mod engine;
pub mod tasks;

pub use block::timeline_with;
pub use clocks::{Clocks, stream_waits};
pub use contention::{Contention, ContentionError};

use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// When each node of an order runs. All times are nanoseconds from the begin of the step; arrays have one element a node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Timeline {
    /// When the node begins on its stream. For a wait, a view or an argument: the clock of computation where it is issued.
    pub begin_ns: Vec<u64>,
    /// When the node ends on its stream. For a wait that moves the clock of computation: the clock after it.
    pub end_ns: Vec<u64>,
    /// For how long the node, a wait or a blocking collective, holds computation up.
    pub exposed_ns: Vec<u64>,
    /// When the step ends.
    pub step_ns: u64,
    /// Sum of the durations of computation.
    pub compute_ns: u64,
}

impl Timeline {
    /// The part of the step in which nothing is computed.
    pub fn total_exposed_ns(&self) -> u64 {
        self.step_ns - self.compute_ns
    }
}

/// Times an order that [`verify`](crate::verify()) accepts. O(n + e).
pub fn timeline(problem: &Problem, order: &[NodeId]) -> Timeline {
    let mut clocks = Clocks::new(problem);
    let mut timeline = Timeline {
        begin_ns: vec![0; problem.len()],
        end_ns: vec![0; problem.len()],
        exposed_ns: vec![0; problem.len()],
        ..Timeline::default()
    };
    for &id in order {
        let before = clocks.compute_ns();
        let (begin, end) = clocks.issue(id);
        timeline.begin_ns[id.index()] = begin;
        timeline.end_ns[id.index()] = end;
        if problem.kind(id) == Kind::Compute {
            timeline.compute_ns += end - begin;
        } else {
            timeline.exposed_ns[id.index()] = clocks.compute_ns() - before;
        }
    }
    timeline.step_ns = clocks.step_ns();
    timeline
}
