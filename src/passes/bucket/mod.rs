// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-bucket`: collectives of one form in one block become one op of several tensors.
//!
//! Before it, futures are awaited exactly once on every path (checked first). After it they still are; each block holds
//! its other ops as before, in an order that keeps every dependence; each tensor is communicated once, by an op of the
//! same kind, groups and reduction. On failure the function is as it was.
//!
//! The pass decides nothing itself: it finds collectives of one form ([`forms`]), asks `comm_schedule::bucket` for buckets,
//! and applies the answer ([`rewrite`]). All blocks are decided on before any is changed: what an inner block costs an
//! outer one is what it takes without buckets.
//!
//! All-to-alls, permutes and broadcasts keep their order in every pass, so there is nothing to merge among them.

mod forms;
mod names;
mod report;
mod rewrite;

use comm_schedule::bucket::{Limits, Mode, plan};

use super::{BucketMode, BucketOptions, not_imported, obstacles, schedule, verify_futures};
use crate::{
    collective::Collective,
    diagnostics,
    mlir::{Failed, Op, PassResult},
};
use forms::Forms;
use names::Names;

/// Runs the pass on a function.
pub(super) fn run(function: Op, options: &BucketOptions) -> PassResult {
    verify_futures::check(function)?;
    not_imported::report(function, "comm-bucket");
    let collectives = function.walk().into_iter().filter_map(Collective::new);
    if collectives.take(2).count() < 2 {
        return Ok(());
    }
    let failed = |error: &dyn std::fmt::Display| -> Failed {
        diagnostics::error(function.location(), &format!("comm-bucket: {error}"))
    };
    let costs =
        schedule::load(&options.machine, options.profile.as_deref()).map_err(|error| failed(&error))?;
    let (blocks, costs) = schedule::problems_with_collectives(function, costs, 2)?;
    let names = (options.mode == BucketMode::Name).then(|| Names::new(function, options.level));
    let mode = match options.mode {
        BucketMode::Cost => Mode::Cost,
        BucketMode::Bytes => Mode::Bytes(options.bytes),
        BucketMode::Name => Mode::Name,
    };
    let limit = |bytes: u64| (bytes > 0).then_some(bytes);
    let limits = Limits {
        bucket_bytes: limit(options.max_bytes),
        live_bytes: limit(options.max_live_bytes),
        peak_bytes: options.memory_limit,
    };
    let mut plans = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let forms = Forms::of(block, &costs, names.as_ref())?;
        let plan = plan(&block.problem, &forms.groups, mode, limits).map_err(|error| failed(&error))?;
        plans.push((plan, forms));
    }
    let mut rewritten = Vec::with_capacity(blocks.len());
    for (block, (plan, forms)) in blocks.iter().zip(&plans) {
        let is_measured = |node| forms.is_measured(node);
        match rewrite::Rewrite::new(block, plan, &is_measured) {
            Ok(rewrite) => rewritten.push(rewrite),
            Err(failed) => {
                rewritten.iter().for_each(rewrite::Rewrite::discard);
                return Err(failed);
            }
        }
    }
    for ((block, (plan, forms)), rewrite) in blocks.iter().zip(&plans).zip(rewritten).rev() {
        report::report(block, plan, forms, options.mode);
        obstacles::report("comm-bucket", block);
        rewrite.finish(block, plan);
    }
    Ok(())
}
