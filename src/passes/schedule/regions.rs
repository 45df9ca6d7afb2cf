// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What an op with regions costs the block around it, from what its blocks cost.
//!
//! A loop takes its body times its trip count, a branch its longest arm, any other op with regions the sum of its blocks.
//! Ops whose regions only say what is computed for one element are leaves, with a cost of their own
//! (see [`cost::is_leaf`]).
//!
//! Sums and products saturate, and an op takes at most [`MOST_NANOSECONDS`], as in the problem of the block around it; what is
//! exposed inside of it is part of that. O(blocks) an op.

use rustc_hash::{FxHashMap, FxHashSet};

use super::trip_count;
use crate::{collective::Collective, control::Control, cost, mlir::Op, problem::MOST_NANOSECONDS};

/// What a block or an op with regions takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Cost {
    /// How long it runs.
    pub(super) ns: u64,
    /// How much of that nothing is computed.
    pub(super) exposed_ns: u64,
    /// Most bytes that are live inside of it at once.
    pub(super) peak_bytes: u64,
    /// Streams that are used inside of it, by name, in order of first use.
    pub(super) streams: Vec<String>,
}

/// Ops that hold a collective in a region.
pub(super) fn communicating(ops: &[Op]) -> FxHashSet<Op> {
    let mut found = FxHashSet::default();
    for &op in ops {
        if Collective::new(op).is_some() {
            let mut holder = op.parent_op();
            while let Some(op) = holder.filter(|op| found.insert(*op)) {
                holder = op.parent_op();
            }
        }
    }
    found
}

/// Costs of ops with regions, filled from the inside out.
#[derive(Default)]
pub(super) struct Regions {
    of_op: FxHashMap<Op, Cost>,
    /// Loops whose trip count is taken as 1 since it is not known.
    unknown: Vec<Op>,
}

impl Regions {
    /// The cost of an op, where its regions make it up.
    pub(super) fn of(&self, op: Op) -> Option<&Cost> {
        self.of_op.get(&op)
    }

    /// Loops whose trip count is not known, inner ones first.
    pub(super) fn unknown_trip_counts(&self) -> &[Op] {
        &self.unknown
    }

    /// Notes an op with regions, given the cost of each of its blocks in their order. `measured` is how long it takes, where
    /// somebody has measured it.
    pub(super) fn note(&mut self, op: Op, blocks: &[Cost], measured: Option<u64>) {
        let mut cost = Cost::default();
        for block in blocks {
            cost.peak_bytes = cost.peak_bytes.max(block.peak_bytes);
            for stream in &block.streams {
                if !cost.streams.contains(stream) {
                    cost.streams.push(stream.clone());
                }
            }
        }
        match measured {
            Some(ns) => cost.ns = ns,
            None => (cost.ns, cost.exposed_ns) = self.time(op, blocks),
        }
        cost.ns = cost.ns.min(MOST_NANOSECONDS);
        cost.exposed_ns = cost.exposed_ns.min(cost.ns);
        self.of_op.insert(op, cost);
    }

    /// How long the regions of an op take together, and how much of that nothing is computed.
    fn time(&mut self, op: Op, blocks: &[Cost]) -> (u64, u64) {
        if is_loop(op) {
            let trips = trip_count::of(op).unwrap_or_else(|| {
                self.unknown.push(op);
                1
            });
            let (ns, exposed_ns) = sum(blocks);
            return (ns.saturating_mul(trips), exposed_ns.saturating_mul(trips));
        }
        if !matches!(Control::of(op), Control::Branch(_) | Control::Affine) {
            return sum(blocks);
        }
        let mut rest = blocks;
        let mut longest = (0, 0);
        for region in 0..op.num_regions() {
            let (arm, tail) = rest.split_at(op.region(region).count().min(rest.len()));
            longest = longest.max(sum(arm));
            rest = tail;
        }
        longest
    }
}

/// Whether an op runs its regions again and again.
pub(super) fn is_loop(op: Op) -> bool {
    match Control::of(op) {
        Control::For { .. } | Control::While(_) | Control::Unordered => true,
        Control::Affine => op.name() == "affine.for",
        Control::Branch(_) | Control::Once | Control::Unknown => false,
    }
}

/// Of blocks that run one after the other, as [`Regions::time`].
fn sum(blocks: &[Cost]) -> (u64, u64) {
    blocks.iter().fold((0, 0), |(ns, exposed_ns), block| {
        (
            block.ns.saturating_add(ns),
            block.exposed_ns.saturating_add(exposed_ns),
        )
    })
}

/// Whether the blocks of an op make up what it costs.
pub(super) fn count(op: Op, communicating: &FxHashSet<Op>) -> bool {
    !cost::is_leaf(op) || communicating.contains(&op)
}
