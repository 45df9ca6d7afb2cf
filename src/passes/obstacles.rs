// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Remarks on what keeps collectives of a block from overlapping, as far as the user can change it.

use crate::{
    collective::Collective,
    diagnostics::{self, Remark},
    mlir::Op,
    op_facts,
    problem::BlockProblem,
};

/// Says so at each such op, in the name of a pass. Costs nothing where nobody asks for remarks.
pub(super) fn report(pass: &str, block: &BlockProblem) {
    let ops = &block.ops;
    if !ops
        .first()
        .is_some_and(|op| diagnostics::remarks_enabled(*op, pass))
    {
        return;
    }
    for (position, &op) in ops.iter().enumerate() {
        // Asking an op is slow, and few are fences.
        let is_fence = || block.problem.node(block.node_at(position)).fence;
        if Collective::new(op).is_some_and(|collective| !collective.is_async()) {
            diagnostics::remark(op, Remark::Missed, pass, "blocking", || {
                "blocks, so nothing can overlap it; comm-asyncify splits it into a start and a wait"
                    .to_owned()
            });
        } else if is_fence() && is_unknown(op) {
            diagnostics::remark(op, Remark::Missed, pass, "fence", || {
                format!(
                    "no collective moves across '{}', which is not known to be free of side effects; comm.pure on it says \
                     that it is",
                    op.name()
                )
            });
        }
    }
}

/// Whether an op is a fence for no reason but that nobody knows it. What ends a block has no other side to move to.
fn is_unknown(op: Op) -> bool {
    let communicates = || op.walk().into_iter().any(|op| Collective::new(op).is_some());
    !op.is_registered() && op.next().is_some() && op_facts::is_fence(op) && !communicates()
}

/// Says at the first op of a block that it was left alone.
pub(super) fn report_unordered(pass: &str, first: Option<Op>) {
    if let Some(first) = first {
        diagnostics::remark(first, Remark::Missed, pass, "unordered", || {
            "this block uses values before it defines them and is left as it is".to_owned()
        });
    }
}
