// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-order`: all ranks issue collectives in one order, without deadlock.
//!
//! Every device runs the program, as a rank of its own. Three things are checked:
//! - Control flow whose condition may differ between devices, and cannot be computed from `comm.rank` and constants, has
//!   arms that issue equal sequences of collectives; a loop that such a value ends issues none.
//! - The members of a group issue the same collectives on it, in the same order. The n-th collective of a group is one
//!   *instance*, in which all members take part.
//! - The union of all ranks' issue orders, on instances, has no cycle. Two groups that overlap pairwise in the same order
//!   may still deadlock through a third, so pairs decide nothing.
//!
//! Where all control flow that issues collectives is uniform ([`crate::uniform`]), all ranks issue the same sequence
//! and all three hold: nothing is built, and the cost is that of the analysis, O(ops). Otherwise each rank is followed
//! ([`walk`]), O(ranks x ops issued) up to a fixed number of steps and a fixed depth of nesting, beyond which the pass
//! fails with "cannot be proved".
//!
//! The issue order is what counts, not the waits: an order that only works because starts do not block deadlocks on
//! networks whose streams share resources. An op that may communicate unseen (an external call, a collective of another
//! dialect, an op of an unregistered dialect that is not known to be pure, with or without regions) is taken to issue the
//! same on all ranks, so it must not stand under control flow that differs between them.
//!
//! An unused collective is dead to MLIR. Where one meets a counterpart on another path whose result is used, erasing dead
//! code would break the order that is proved here, so the pass warns. What it deliberately does not do: compare values,
//! look into memory, or foresee what else later passes do.

mod cfg;
pub(super) mod evaluate;
mod instances;
mod program;
mod walk;

use crate::mlir::{Op, PassResult};

/// Runs the pass on a module.
pub(super) fn run(module: Op) -> PassResult {
    let program = program::Program::of(module)?;
    for function in program.entries() {
        if program.is_irregular(function) {
            walk::Walk::new(&program).run(function)?;
        }
    }
    Ok(())
}
