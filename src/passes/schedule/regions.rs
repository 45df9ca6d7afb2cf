// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What an op with regions costs the block around it, from what its blocks cost.
//!
//! A loop takes its body times its trip count, a branch its longest arm, any other op with regions the sum of its blocks.
//! Ops whose regions only say what is computed for one element are leaves, with a cost of their own
//! (see [`cost::is_leaf`]).
//!
//! Memory inside of an op counts at its place in the block around it, where its results are alive. What the last block yields
//! becomes those results, and what a loop carries from trip to trip takes the place of its initial values, so neither counts
//! twice.
//!
//! Sums and products saturate, and an op takes at most [`MOST_NANOSECONDS`], as in the problem of the block around it; what is
//! exposed inside of it is part of that. O(blocks) an op.

use rustc_hash::{FxHashMap, FxHashSet};

use super::trip_count;
use crate::{
    collective::{Collective, is_wait},
    control::Control,
    cost,
    mlir::{Op, Value},
    op_facts::{self, Work},
    problem::{MOST_BYTES, MOST_NANOSECONDS},
};

/// What a block or an op with regions takes.
#[derive(Clone, Debug, Default)]
pub(super) struct Cost {
    /// How long it runs.
    pub(super) ns: u64,
    /// How much of that nothing is computed.
    pub(super) exposed_ns: u64,
    /// Most bytes that are live inside of it at once; of an op, as far as the values around it do not stand for them.
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
        cost.peak_bytes = beside_values_around(op, cost.peak_bytes);
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

/// What of the memory inside of an op comes on top of what the block around counts at the place of the op: its results, and
/// the initial values of a loop.
///
/// In a branch, what is live inside becomes the results in the end, so the two never add up. In a loop, what one trip yields
/// is alive in the next beside all that the next one makes. Initial values make up for it where they die there and the block
/// around owns them; elsewhere they are alive as well.
fn beside_values_around(op: Op, inside: u64) -> u64 {
    if inside == 0 {
        return 0;
    }
    let results = sum_of_bytes(op.results());
    let (carried, dying) = match Control::of(op) {
        Control::Branch(_) | Control::Once => (0, 0),
        Control::For { .. } => loop_values(op, op.operands().skip(3)),
        Control::While(_) => loop_values(op, op.operands()),
        Control::Affine if op.name() == "affine.if" => (0, 0),
        // What the results have to do with values inside is not known here.
        Control::Affine | Control::Unordered | Control::Unknown => return inside,
    };
    inside
        .saturating_add(carried)
        .saturating_sub(dying)
        .saturating_sub(results)
}

/// Bytes that a loop carries from trip to trip, and those of its initial values that the block around frees at the loop. The
/// test of a loop may hand the body other values than the ones it got, as large as the results.
fn loop_values(op: Op, initial: impl Iterator<Item = Value>) -> (u64, u64) {
    let initial: Vec<Value> = initial.collect();
    let carried = sum_of_bytes(initial.iter().copied()).max(sum_of_bytes(op.results()));
    let dying = sum_of_bytes(initial.into_iter().filter(|value| dies_at(*value, op)));
    (carried, dying)
}

/// Whether a value is made in the block of an op, in memory of its own, and used by nothing but the op, once.
fn dies_at(value: Value, op: Op) -> bool {
    let owns_memory = |definition: Op| {
        definition.parent_block() == op.parent_block()
            && (is_wait(definition)
                || Collective::new(definition).is_some()
                || op_facts::work(definition) != Work::View)
    };
    value.defining_op().is_some_and(owns_memory)
        && value.uses().nth(1).is_none()
        && value.uses().all(|user| user.op() == op)
}

fn sum_of_bytes(values: impl Iterator<Item = Value>) -> u64 {
    values
        .map(|value| value.ty().bytes())
        .fold(0, u64::saturating_add)
        .min(MOST_BYTES)
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
