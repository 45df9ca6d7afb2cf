// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Limits across regions: what is in flight around an op with regions counts together with what its regions have in flight.
//!
//! The scheduler keeps the limits of one block. Nothing moves across an op that communicates in its regions, so what is in
//! flight there can only be counted; where it is too much, the pass fails and names the limit that would do. One pass over
//! the order of each block that holds such an op. Futures that cross from block to block of a region are not counted.

use std::collections::HashMap;

use comm_schedule::{Class, Kind, NodeId, in_flight::slot_gathers};

use super::SortOptions;
use crate::{
    diagnostics,
    mlir::{Op, PassResult},
    passes::{GatherPlacement, ReductionPlacement},
    problem::BlockProblem,
};

/// Most collectives in flight, by stream and class.
pub(super) type Counts = HashMap<(String, Class), u32>;

/// What the regions of ops have in flight, by op.
#[derive(Default)]
pub(super) struct Nested {
    of_op: HashMap<Op, Counts>,
}

impl Nested {
    /// Notes a block that has been put into `order`, whose inner blocks have been noted before. Fails, after an error, where
    /// a limit is exceeded across the regions of one of its ops.
    pub(super) fn note(
        &mut self,
        block: &BlockProblem,
        order: &[NodeId],
        options: &SortOptions,
    ) -> PassResult {
        let most = self.most(block, order, options)?;
        let mut holder = block.ops.first().and_then(|op| op.parent_op());
        // Blocks that do not communicate themselves are not sorted; what they hold counts for the next one that is.
        while let Some(op) = holder.filter(|op| op.name() != "func.func") {
            let counts = self.of_op.entry(op).or_default();
            for (key, count) in &most {
                let entry = counts.entry(key.clone()).or_default();
                *entry = (*entry).max(*count);
            }
            holder = op.parent_op();
        }
        Ok(())
    }

    /// Most in flight in a block, with what its ops have in flight in their regions.
    fn most(&self, block: &BlockProblem, order: &[NodeId], options: &SortOptions) -> PassResult<Counts> {
        let problem = &block.problem;
        let slots = slot_gathers(problem);
        let mut now = Counts::new();
        let mut most = Counts::new();
        for &id in order {
            let start = problem.of(id).unwrap_or(id);
            let class = problem.collective(start).map(|collective| collective.class());
            let counted = class.filter(|class| match class {
                Class::Gather => slots[start.index()],
                Class::Reduction => true,
                Class::Other => false,
            });
            if let (Some(class), Some(stream)) = (counted, problem.stream_of(start)) {
                let key = (problem.stream_name(stream).to_owned(), class);
                let count = now.entry(key.clone()).or_default();
                match problem.kind(id) {
                    Kind::Start => *count += 1,
                    Kind::Wait => *count = count.saturating_sub(1),
                    _ => {}
                }
                let count = *count;
                let entry = most.entry(key).or_default();
                *entry = (*entry).max(count);
            }
            let Some(op) = block.op(id) else { continue };
            for (key, inside) in self.of_op.get(&op).into_iter().flatten() {
                let around = now.get(key).copied().unwrap_or(0);
                check(op, key, around, *inside, options)?;
                let entry = most.entry(key.clone()).or_default();
                *entry = (*entry).max(around + inside);
            }
        }
        Ok(most)
    }
}

/// Fails where `around` and `inside` together exceed the limit of their class.
fn check(
    op: Op,
    (stream, class): &(String, Class),
    around: u32,
    inside: u32,
    options: &SortOptions,
) -> PassResult {
    let (limit, what) = match class {
        Class::Gather if options.all_gather != GatherPlacement::Keep => (options.max_in_flight, "gathers"),
        Class::Reduction if options.reduce_scatter != ReductionPlacement::Keep => {
            (options.max_in_flight_reductions, "reductions")
        }
        _ => return Ok(()),
    };
    if limit == 0 || around == 0 || around + inside <= limit {
        return Ok(());
    }
    Err(diagnostics::error(
        op.location(),
        &format!(
            "comm-sort: at most {limit} {what} in flight on stream '{stream}' cannot be kept; {} is the best found: {around} \
             pass '{}', whose regions have {inside} in flight",
            around + inside,
            op.name()
        ),
    ))
}
