// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Heads and tails of nodes: how early something can happen at best, and how long the step lasts after it at least.
//!
//! They are longest paths in the graph of [events](super::events), true of every order, and serve list scheduling as
//! priorities. Nothing here knows how many jobs a machine can run at once. O(n + e).

use super::events::Events;
use crate::problem::Problem;

/// The earliest times at which things can happen. Arrays have one element a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Heads {
    /// When the node can be issued.
    pub issue: Vec<u64>,
    /// When its result can be there: for a start the end of its collective; likewise for a wait, or a view of one, that
    /// does not move the clock of computation. Else the clock of computation after the node.
    pub data: Vec<u64>,
}

/// The least times from things to the end of the step. Arrays have one element a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tails {
    /// From the issue of the node, its own duration included.
    pub issue: Vec<u64>,
    /// From when its result is there, see [`Heads::data`].
    pub data: Vec<u64>,
}

/// Heads and tails of a checked problem.
pub(crate) fn heads_and_tails(problem: &Problem) -> (Heads, Tails) {
    let events = Events::new(problem);
    let (heads, tails) = (events.heads(), events.tails());
    let issue = |of: &[u64]| problem.ids().map(|id| of[events.issue(id)]).collect();
    let data = |of: &[u64]| problem.ids().map(|id| of[events.data(id)]).collect();
    (
        Heads {
            issue: issue(&heads),
            data: data(&heads),
        },
        Tails {
            issue: issue(&tails),
            data: data(&tails),
        },
    )
}
