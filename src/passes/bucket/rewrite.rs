// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Puts the buckets of a plan into the IR.
//!
//! In two steps, so that a failure changes nothing: [`Rewrite::new`] makes the merged ops, beside their members and without
//! users; [`Rewrite::finish`] replaces and erases the members and puts the block into the plan's order.

use comm_schedule::{
    NodeId,
    bucket::{MergedNode, Plan, PlannedBucket},
};

use crate::{
    collective::Collective,
    mlir::{Attr, Op, OpBuilder, PassResult, Ty, Value, fused_location},
    problem::{BlockProblem, arrange},
};

/// The merged ops of a block.
pub(super) struct Rewrite(Vec<MergedOps>);

struct MergedOps {
    members: Vec<Collective>,
    /// Starts the bucket, or is the blocking collective.
    start: Op,
    wait: Option<Op>,
}

impl Rewrite {
    /// Fails after an error, with nothing left behind.
    pub(super) fn new(
        block: &BlockProblem,
        plan: &Plan,
        is_measured: &impl Fn(NodeId) -> bool,
    ) -> PassResult<Self> {
        let mut made = Rewrite(Vec::with_capacity(plan.buckets.len()));
        for planned in &plan.buckets {
            match made_ops(block, planned, is_measured) {
                Ok(ops) => made.0.push(ops),
                Err(failed) => {
                    made.discard();
                    return Err(failed);
                }
            }
        }
        Ok(made)
    }

    /// Erases what was made.
    pub(super) fn discard(&self) {
        for ops in &self.0 {
            ops.wait.into_iter().for_each(Op::erase);
            ops.start.erase();
        }
    }

    pub(super) fn finish(self, block: &BlockProblem, plan: &Plan) {
        if self.0.is_empty() {
            return;
        }
        for ops in &self.0 {
            let results = ops.wait.unwrap_or(ops.start);
            let mut results = results.results();
            for member in &ops.members {
                let old = member.wait().unwrap_or(member.op);
                old.results()
                    .zip(&mut results)
                    .for_each(|(old, new)| old.replace_uses_with(new));
            }
        }
        // Only now is no member read by another bucket's member any more.
        for member in self.0.iter().flat_map(|ops| &ops.members) {
            member.wait().into_iter().for_each(Op::erase);
            member.op.erase();
        }
        let order = plan.merged.nodes.iter().filter_map(|node| match *node {
            MergedNode::Kept(id) => block.op(id),
            MergedNode::Start(bucket) => Some(self.0[bucket].start),
            MergedNode::Wait(bucket) => self.0[bucket].wait,
        });
        arrange(block.block, order);
    }
}

/// The merged ops of one bucket, directly before its first member.
fn made_ops(
    block: &BlockProblem,
    planned: &PlannedBucket,
    is_measured: &impl Fn(NodeId) -> bool,
) -> PassResult<MergedOps> {
    let members: Vec<Collective> = planned
        .bucket
        .members
        .iter()
        .filter_map(|id| Collective::new(block.op(*id)?))
        .collect();
    let first = members[0].op;
    let context = first.context();
    let ops: Vec<Op> = members.iter().map(|member| member.op).collect();
    let operands: Vec<Value> = ops.iter().flat_map(|op| op.operands()).collect();
    let yielded: Vec<Ty> = members.iter().flat_map(|member| member.yielded()).collect();
    let mut attributes = first.attrs_except(&["comm.duration_ns", "comm.bucket", "dims"]);
    let mut start = OpBuilder::new(first.name(), fused_location(&ops)).operands(operands.iter().copied());
    if let Some(dims) = dims(&ops) {
        start = start.attr("dims", Attr::i64_array(context, &dims));
    }
    if planned.bucket.members.iter().any(|id| is_measured(*id)) {
        let ns = i64::try_from(planned.bucket.ns).unwrap_or(i64::MAX);
        start = start.attr("comm.duration_ns", Attr::i64(context, ns));
    }
    let bucket = first.discardable_attr("comm.bucket");
    if let Some(bucket) = bucket.filter(|_| ops.iter().all(|op| op.discardable_attr("comm.bucket") == bucket))
    {
        start = start.attr("comm.bucket", bucket);
    }
    start = start.named_attrs(attributes.drain(..));
    if !members[0].is_async() {
        return Ok(MergedOps {
            start: start.results(yielded).insert_before(first)?,
            members,
            wait: None,
        });
    }
    let start = start
        .results([Ty::future(context, &yielded)])
        .insert_before(first)?;
    let waits: Vec<Op> = members.iter().filter_map(|member| member.wait()).collect();
    let wait = OpBuilder::new("comm.wait", fused_location(&waits))
        .operands([start.result(0)])
        .operands(operands)
        .results(yielded)
        .insert_before(first);
    match wait {
        Ok(wait) => Ok(MergedOps {
            members,
            start,
            wait: Some(wait),
        }),
        Err(failed) => {
            start.erase();
            Err(failed)
        }
    }
}

/// One dimension for all tensors where they have the same, else one for each; nothing where the op has none.
fn dims(ops: &[Op]) -> Option<Vec<i64>> {
    let mut all = Vec::new();
    for op in ops {
        let dims = op.attr("dims").and_then(Attr::as_i64_array)?;
        let count = if dims.len() == 1 { op.num_operands() } else { 1 };
        all.extend(dims.iter().flat_map(|dim| std::iter::repeat_n(*dim, count)));
    }
    if all.iter().all(|dim| *dim == all[0]) {
        all.truncate(1);
    }
    Some(all)
}
