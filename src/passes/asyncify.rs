// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-asyncify`: a blocking collective becomes a start and a wait, one directly after the other.
//!
//! After it no blocking collective is left in the function, nested regions included. The order of ops stays as it was;
//! `comm-sort` moves start and wait apart. `mergeable` is dropped, since a future has one wait.

use crate::{
    collective::Collective,
    diagnostics::{self, Remark},
    mlir::{Op, OpBuilder, PassResult, Ty, Value},
};

/// Runs the pass on a function.
pub(super) fn run(function: Op) -> PassResult {
    let blocking: Vec<Collective> = function
        .walk()
        .into_iter()
        .filter_map(Collective::new)
        .filter(|op| !op.is_async())
        .collect();
    for &collective in &blocking {
        split(collective)?;
    }
    diagnostics::remark(function, Remark::Passed, "comm-asyncify", "split", || {
        format!(
            "split {} blocking collective(s) into a start and a wait",
            blocking.len()
        )
    });
    Ok(())
}

/// Replaces one blocking collective.
fn split(collective: Collective) -> PassResult {
    let op = collective.op;
    let operands: Vec<Value> = op.operands().collect();
    let future = Ty::future(op.context(), &collective.yielded());
    let start = OpBuilder::new(op.name(), op.location())
        .operands(operands.iter().copied())
        .results([future])
        .named_attrs(op.attrs_except(&["mergeable"]))
        .insert_before(op)?;
    let wait = OpBuilder::new("comm.wait", op.location())
        .operands([start.result(0)])
        .operands(operands)
        .results(collective.yielded())
        .insert_before(op)?;
    for (old, new) in op.results().zip(wait.results()) {
        old.replace_uses_with(new);
    }
    op.erase();
    Ok(())
}
