// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Remarks: what each bucket holds and saves, what the step takes, and why the rest stays apart.

use comm_schedule::bucket::{Apart, Plan};

use super::{
    super::{BucketMode, schedule::time},
    forms::Forms,
};
use crate::{
    diagnostics::{self, Remark},
    mlir::Op,
    problem::BlockProblem,
};

const PASS: &str = "comm-bucket";

/// Says all there is to say of a plan, before it is applied. Costs nothing where nobody asks for remarks.
pub(super) fn report(block: &BlockProblem, plan: &Plan, forms: &Forms<'_>, mode: BucketMode) {
    let Some(&first) = block.ops.first() else { return };
    if !diagnostics::remarks_enabled(first, PASS) {
        return;
    }
    if !plan.buckets.is_empty() {
        report_block(first, plan);
    }
    for planned in &plan.buckets {
        let members = &planned.bucket.members;
        let Some(op) = block.op(members[0]) else { continue };
        diagnostics::remark(op, Remark::Passed, PASS, "bucket", || {
            let saved = time(planned.saved_ns.unsigned_abs());
            let effect = if planned.saved_ns < 0 {
                format!("lengthens the chain of its form by {saved}")
            } else {
                format!("saves {saved} on the chain of its form")
            };
            format!(
                "merged {} of '{}' into one of {} bytes, which takes {} and {effect}",
                members.len(),
                op.name(),
                planned.bytes,
                time(planned.bucket.ns),
            )
        });
    }
    let mut alone = 0;
    for group in &plan.groups {
        let Some(reason) = group.apart else { continue };
        let Some(op) = group.members.first().and_then(|id| block.op(*id)) else {
            continue;
        };
        let reason = match reason {
            Apart::Alone => {
                alone += 1;
                continue;
            }
            Apart::Dependent => "each depends on the one before, or is ready only when that is needed",
            Apart::Limited => "the limits leave no bucket of two",
            Apart::NotAsked => match mode {
                BucketMode::Cost => "no bucket saves time on their chain",
                BucketMode::Bytes => "no two neighbours fit the bytes",
                BucketMode::Name => "no two neighbours have one name",
            },
            Apart::NotFaster => {
                "a bucket would save time on their chain, but not in the step as a whole, or not within the memory limit"
            }
        };
        diagnostics::remark(op, Remark::Missed, PASS, "apart", || {
            format!(
                "{} of '{}' of one form stay apart: {reason}",
                group.members.len(),
                op.name()
            )
        });
    }
    if alone > 0 {
        diagnostics::remark(first, Remark::Analysis, PASS, "alone", || {
            format!("{alone} collective(s) have a form of their own")
        });
    }
    if plan.without_order > 0 {
        diagnostics::remark(first, Remark::Missed, PASS, "no-order", || {
            format!(
                "{} bucket(s) were given up, since together with others they would wait for each other",
                plan.without_order
            )
        });
    }
    for (op, reason) in &forms.left_out {
        diagnostics::remark(*op, Remark::Missed, PASS, "apart", || (*reason).to_owned());
    }
}

fn report_block(first: Op, plan: &Plan) {
    diagnostics::remark(first, Remark::Passed, PASS, "buckets", || {
        let all: usize = plan.groups.iter().map(|group| group.members.len()).sum();
        let merged = plan.buckets.iter().map(|planned| planned.bucket.members.len());
        let left = all + plan.buckets.len() - merged.sum::<usize>();
        format!(
            "{all} collective(s) -> {left}; scheduled fast, step time {} -> {}, peak memory {} -> {} bytes",
            time(plan.before.time_ns),
            time(plan.after.time_ns),
            plan.before.peak_bytes,
            plan.after.peak_bytes,
        )
    });
}
