// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Bucketing: which collectives of one form to send as one.
//!
//! A collective costs a latency whatever it carries, so one that carries several tensors is cheaper than several that
//! carry one each; but each tensor then waits for all of them. The trade-off is decided on a [`Chain`]: collectives that
//! take turns on one link, in the order in which their results are needed, beside computation of fixed order.
//! [`fastest`] finds the best partition of a chain into buckets; [`by_bytes`] and [`by_name`] are the partitions that
//! frameworks make, for comparison and for those who want them.
//!
//! For a whole block, [`plan`] takes chains out of a [`Problem`](crate::Problem), asks for their partitions, and lets
//! [`schedule()`](crate::schedule()) say whether the step gets faster: no bucket is kept that the timing model of the
//! whole block does not pay for. [`merge`] makes the problem with the buckets in it.
//!
//! Invariants: members of a bucket do not depend on each other, directly or through other nodes; their order is that in
//! which they are needed, then ready, then that of the source; no result depends on names but those given to [`by_name`].

mod chain;
mod fixed;
mod group;
mod merge;
mod optimum;
mod plan;
mod positions;

pub use chain::{Chain, Item, Limits};
pub use fixed::{by_bytes, by_name};
pub use group::{Group, Member};
pub use merge::{Bucket, Merged, MergedNode, merge};
pub use optimum::{MOST_STATES, Optimum, fastest};
pub use plan::{Apart, GroupPlan, MOST_TRIED, Mode, Plan, PlannedBucket, THRESHOLDS, plan};
