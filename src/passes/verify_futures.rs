// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-futures`: every future is awaited exactly once on every path.
//!
//! The dialect's verifier already ensures that a future's only user is one wait in the same region. What is left are
//! regions of several blocks: the wait must stand on every path from the start to the region's end, and no path may
//! come to the wait, or to the start, a second time without passing the other in between. A future without any user is
//! legal and dead. Block arguments and function signatures must not carry futures.
//!
//! Each start whose wait is in another block costs one walk over the region's blocks: O(starts x blocks) at worst, O(ops)
//! where start and wait share a block.

use std::collections::HashSet;

use crate::{
    collective::Collective,
    diagnostics,
    mlir::{Attr, Block, Op, PassResult, Ty},
};

/// Runs the pass on a function.
pub(super) fn run(function: Op) -> PassResult {
    check(function)
}

/// Checks all futures in an op; errors are emitted for each that is wrong.
pub(crate) fn check(root: Op) -> PassResult {
    let mut result = Ok(());
    for op in root.walk() {
        for block in op.blocks() {
            if block.arguments().any(|argument| argument.ty().is_future()) {
                result = Err(diagnostics::op_error(
                    op,
                    "has a block argument of a future type; a future is awaited in the region that starts it and passed on nowhere",
                ));
            }
        }
        let checked = match Collective::new(op) {
            Some(collective) => check_future(collective),
            None if op.results().any(|value| value.ty().is_future()) || signature_has_future(op) => {
                Err(diagnostics::op_error(
                    op,
                    "has a future among its results or in its signature; only a collective yields a future",
                ))
            }
            None => Ok(()),
        };
        result = result.and(checked);
    }
    result
}

/// Whether an op is a function that takes or returns a future; a declaration has no block arguments that would show it.
fn signature_has_future(op: Op) -> bool {
    let signature = op
        .attr("function_type")
        .and_then(Attr::as_type)
        .and_then(Ty::function_types);
    signature.is_some_and(|types| types.into_iter().any(Ty::is_future))
}

fn check_future(start: Collective) -> PassResult {
    let Some(wait) = start.wait() else { return Ok(()) };
    let (Some(from), Some(to)) = (start.op.parent_block(), wait.parent_block()) else {
        return Ok(());
    };
    if from == to {
        return Ok(());
    }
    let complain = |message: &str| {
        Err(diagnostics::op_error_with_notes(
            start.op,
            message,
            &[(wait, "awaited here")],
        ))
    };
    let avoiding_wait = explore(from, to);
    if avoiding_wait.end {
        return complain("yields a future that is not awaited on every path to the end of its region");
    }
    if avoiding_wait.again {
        return complain("may start again before its future is awaited");
    }
    if explore(to, from).again {
        return complain("yields a future that may be awaited twice");
    }
    Ok(())
}

/// What paths that avoid a block come to.
struct Reached {
    /// The end of the region.
    end: bool,
    /// The block where they began.
    again: bool,
}

/// Follows all paths from the end of `from` that do not pass `through`. A block that ends in `llvm.unreachable` or
/// `ub.unreachable` is no end.
fn explore(from: Block, through: Block) -> Reached {
    let mut seen = HashSet::new();
    let mut stack = vec![from];
    let mut reached = Reached {
        end: false,
        again: false,
    };
    while let Some(block) = stack.pop() {
        let Some(terminator) = block.terminator() else {
            continue;
        };
        let mut leaves = true;
        for next in terminator.successors() {
            leaves = false;
            reached.again |= next == from;
            if next != through && seen.insert(next) {
                stack.push(next);
            }
        }
        reached.end |= leaves && !terminator.name().ends_with(".unreachable");
    }
    reached
}
