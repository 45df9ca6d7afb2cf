// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a user can choose about the sorts, and what the sorts give back.

use crate::check::ProblemError;
use crate::in_flight::InFlight;
use crate::node::{Class, NodeId};
use thiserror::Error;

/// Where all-gathers are issued.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AllGather {
    /// As late as leaves `max_in_flight` gathers in flight.
    #[default]
    Late,
    /// As early as `max_in_flight` allows: at the head of the block, then after each wait.
    First,
    /// Where the source has them.
    Keep,
}

/// Where reductions are issued.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReduceScatter {
    /// Right after what produces their operand.
    #[default]
    Early,
    /// Where the source has them.
    Keep,
}

/// How collectives that nothing else orders are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// By least peak bytes, found in an e-graph of all orders; then by consumer order.
    #[default]
    Egraph,
    /// By source order.
    Source,
}

/// Options of [`sort`](crate::sort()).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortOptions {
    /// Where all-gathers are issued.
    pub all_gather: AllGather,
    /// Where reductions are issued.
    pub reduce_scatter: ReduceScatter,
    /// How many gathers of shards may be in flight on one stream; 0: any number.
    pub max_in_flight: u32,
    /// How many reductions may be in flight on one stream; 0: any number.
    pub max_in_flight_reductions: u32,
    /// How ties are resolved.
    pub ties: Ties,
    /// The largest number of e-classes that one tie may take; a larger tie keeps consumer order and is reported.
    pub tie_budget: u32,
}

impl Default for SortOptions {
    fn default() -> Self {
        SortOptions {
            all_gather: AllGather::Late,
            reduce_scatter: ReduceScatter::Early,
            max_in_flight: 3,
            max_in_flight_reductions: 3,
            ties: Ties::Egraph,
            tie_budget: 4096,
        }
    }
}

/// What a sort gives back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortOutcome {
    /// All nodes in their new order.
    pub order: Vec<NodeId>,
    /// What was done.
    pub report: SortReport,
}

/// What a sort did, for remarks and tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortReport {
    /// All-gathers that were placed.
    pub gathers: u32,
    /// Of these, how many take a slot of the in-flight limit.
    pub slot_gathers: u32,
    /// Reductions that were placed.
    pub reductions: u32,
    /// Other collectives that were placed.
    pub others: u32,
    /// Nodes whose relative order was kept.
    pub anchors: u32,
    /// The fewest nodes that must move to turn the source order into the new one.
    pub moved: u32,
    /// Groups of two or more collectives that only the tie rule ordered.
    pub ties_resolved: u32,
    /// Of these, how many were over the budget and took consumer order.
    pub ties_over_budget: u32,
    /// Largest number of live bytes, arguments apart, in source order.
    pub peak_before: u64,
    /// The same in the new order.
    pub peak_after: u64,
    /// Collectives in flight in source order.
    pub in_flight_before: InFlight,
    /// Collectives in flight in the new order.
    pub in_flight_after: InFlight,
}

/// Why a problem could not be sorted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SortError {
    /// The problem is not well formed.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The placement cannot keep a limit, because dependences force more collectives to be in flight at once.
    #[error(
        "at most {limit} {class}s in flight on stream '{stream}' cannot be kept; {least} is {}",
        if *.proved { "the least that the order of the computation allows" } else { "the best found" }
    )]
    LimitNotMet {
        /// The class whose limit it is.
        class: Class,
        /// The limit asked for.
        limit: u32,
        /// A limit that can be kept, while the next smaller one cannot.
        least: u32,
        /// The stream on which the limit was exceeded.
        stream: String,
        /// Whether no order that keeps the anchors could do with less than `least`.
        proved: bool,
    },
    /// Resolving a tie broke an invariant of its e-graph.
    #[error(transparent)]
    Tie(#[from] super::ties::TieError),
}
