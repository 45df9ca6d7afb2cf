// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-fuse-matmul`: gathers and reduce-scatters are fused with the matrix products around them, where that pays.
//!
//! Before it, futures are awaited exactly once on every path (checked first). After it they still are; every value that is
//! left is what it was, up to the order in which products of chunks and contributions are added, which the fused ops
//! define. A candidate is decided on and rewritten as a whole, or left exactly as it was, with a remark that says why.
//!
//! Gathers come first, in order of the program, then reductions; a product belongs to one fused op. Products are looked for
//! in the block of their collective. A fused op carries its modelled time as `comm.duration_ns`, since other passes see
//! neither its products nor its collective.
//! Permutes are never looked at, so rings written by hand stay.

mod contraction;
mod elementwise;
mod epilogue;
mod factor;
mod gather;
mod model;
mod options;
mod padded;
mod placement;
mod scatter;
mod spelled;
mod sum;
mod unpadded;

use comm_schedule::machine::MAX_NS;
use rustc_hash::FxHashSet;

pub use options::FuseMatmulOptions;
pub(crate) use options::RawFuseMatmulOptions;

use super::{
    not_imported,
    schedule::{self, time},
    verify_futures,
};
use crate::{
    collective::{Collective, Kind},
    cost::{Costs, is_leaf},
    diagnostics::{self, Remark},
    groups::Groups,
    mlir::{Attr, Op, PassResult, Value},
    op_facts::is_pure,
};
use model::Times;

const PASS: &str = "comm-fuse-matmul";

/// What became of a candidate.
enum Outcome {
    /// It is this op now.
    Fused(Op, String, Option<Times>),
    /// It is what it was, for this reason.
    Refused(String),
}

/// Runs the pass on a function.
pub(super) fn run(function: Op, options: &FuseMatmulOptions) -> PassResult {
    verify_futures::check(function)?;
    not_imported::report(function, PASS);
    let candidates: Vec<Collective> = function.walk().into_iter().filter_map(Collective::new).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    let costs = schedule::load(&options.machine, None)
        .map_err(|error| diagnostics::error(function.location(), &format!("{PASS}: {error}")))?;
    let mut fusion = Fusion {
        costs,
        options,
        erased: FxHashSet::default(),
    };
    let is_gather = |collective: &&Collective| collective.kind == Kind::AllGather;
    for collective in candidates.iter().filter(is_gather) {
        fusion.attempt(*collective, gather::fuse)?;
    }
    let is_reduction = |kind: Kind| matches!(kind, Kind::ReduceScatter | Kind::AllReduce);
    for collective in candidates
        .iter()
        .filter(|collective| is_reduction(collective.kind))
    {
        fusion.attempt(*collective, scatter::fuse)?;
    }
    Ok(())
}

/// A run of the pass.
struct Fusion<'a> {
    costs: Costs,
    options: &'a FuseMatmulOptions,
    /// Ops that are gone, whose handles are not to be used.
    erased: FxHashSet<Op>,
}

impl Fusion<'_> {
    /// Tries one candidate and tells what became of it.
    fn attempt(
        &mut self,
        collective: Collective,
        fuse: impl FnOnce(&mut Self, Collective) -> PassResult<Outcome>,
    ) -> PassResult {
        if self.erased.contains(&collective.op) {
            return Ok(());
        }
        match fuse(self, collective)? {
            Outcome::Fused(op, what, times) => {
                if let Some(ns) = times.and_then(|times| i64::try_from(times.fused_ns.min(MAX_NS)).ok()) {
                    op.set_discardable_attr("comm.duration_ns", Attr::i64(op.context(), ns));
                }
                diagnostics::remark(op, Remark::Passed, PASS, "fused", || match times {
                    Some(times) => format!("{what}: {} -> {}", time(times.plain_ns), time(times.fused_ns)),
                    None => format!("{what}, of sizes that are not known"),
                });
            }
            Outcome::Refused(reason) => {
                diagnostics::remark(collective.op, Remark::Missed, PASS, "refused", || reason);
            }
        }
        Ok(())
    }

    /// Whether the modelled times let a candidate be fused; why not, else.
    fn decide(&self, times: Option<Times>) -> Result<(), String> {
        if self.options.force {
            return Ok(());
        }
        let Some(times) = times else {
            return Err("a size of a product is not known, so nobody can tell whether it pays".to_owned());
        };
        if times.gains(self.options.min_gain) {
            return Ok(());
        }
        Err(format!(
            "does not pay: the fused op would take {}, the ops as they stand {}, and {} % less is expected",
            time(times.fused_ns),
            time(times.plain_ns),
            self.options.min_gain,
        ))
    }

    /// Time of the computation between the start of a collective and its wait, which hides it already.
    fn hidden_ns(&self, collective: Collective, wait: Option<Op>) -> PassResult<u64> {
        let mut sum = 0u64;
        let between = std::iter::successors(collective.op.next(), |op| op.next());
        for op in between.take_while(|op| wait.is_some_and(|wait| wait != *op)) {
            if is_leaf(op) && Collective::new(op).is_none() {
                sum = sum.saturating_add(self.costs.leaf_ns(op)?);
            }
        }
        Ok(if wait.is_some() { sum } else { 0 })
    }

    /// Erases those of `ops` that nothing uses, in this order, and what only they used, as far as that is pure.
    fn erase_unused(&mut self, ops: Vec<Op>) {
        for named in ops {
            let mut stack = vec![named];
            while let Some(op) = stack.pop() {
                if self.erased.contains(&op) || !op.is_unused() || !(op == named || is_pure(op)) {
                    continue;
                }
                stack.extend(op.operands().filter_map(Value::defining_op));
                op.erase();
                self.erased.insert(op);
            }
        }
    }
}

/// Members of a group of a collective.
fn group_size(collective: Collective) -> PassResult<u64> {
    Ok(Groups::of(collective.op)?.largest() as u64)
}

/// The tensor of a collective that carries one, and the wait of a started one; why not, else.
fn single_tensor(collective: Collective) -> Result<(Value, Option<Op>), String> {
    if collective.op.num_operands() != 1 {
        return Err(format!(
            "carries {} tensors as one op; comm-bucket is to run later",
            collective.op.num_operands()
        ));
    }
    if !collective.is_async() {
        return Ok((collective.op.result(0), None));
    }
    let wait = collective.wait().ok_or("is never awaited")?;
    if wait.parent_block() != collective.op.parent_block() {
        return Err("is awaited in another block".to_owned());
    }
    Ok((wait.result(0), Some(wait)))
}
