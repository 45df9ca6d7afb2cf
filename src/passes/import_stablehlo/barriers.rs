// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Option `split-barriers`: arguments do not wait in optimization barriers.
//!
//! `jax.checkpoint` puts one `stablehlo.optimization_barrier` around everything that a recomputation reads: saved
//! activations, the incoming gradient, and the shards of the weights. The barrier keeps the recomputation from being
//! merged with the first computation, but it also keeps the weights, gathered again from barrier results, from being
//! gathered before that gradient is there.
//!
//! An argument is there from the start, so its way through a barrier is undone: uses of the barrier's result become
//! uses of the operand, and the barrier is made anew without it, or erased when nothing is left in it. The same goes
//! for views of arguments: reshapes and transposes, which cost no time worth recomputing. Conversions are no views
//! here: they make a tensor of their own, whose place the barrier decides.
//!
//! What the barrier said about gathers stays as `regather` on every all_gather of such a result: this value was
//! gathered before and let go on purpose, so the two are not to be merged. The mark looks through the ops that stand
//! between a shard and its gather: views, unit dimensions added by broadcast_in_dim, convert and reduce_precision.
//!
//! Arguments are those of functions and, where programs come with it, of `sdy.manual_computation`: of the first block, since
//! those of other blocks change from one round of a loop to the next. Run after the conversion of collectives. Linear in the
//! ops.

use std::collections::HashMap;

use super::PASS;
use crate::{
    diagnostics::{self, Remark},
    mlir::{Attr, Block, Op, OpBuilder, PassResult, Value},
};

/// Splits all barriers of a module.
pub(super) fn run(module: Op) -> PassResult {
    let mut views = Views::default();
    for barrier in module.walk().into_iter().filter(|op| is_barrier(*op)) {
        split(barrier, &mut views)?;
    }
    Ok(())
}

/// Whether an op is a barrier that may be replaced: one that ends its block stands in the place of a terminator.
fn is_barrier(op: Op) -> bool {
    op.name() == "stablehlo.optimization_barrier" && op.num_regions() == 0 && op.next().is_some()
}

fn split(barrier: Op, views: &mut Views) -> PassResult {
    if barrier
        .operands()
        .map(Value::ty)
        .ne(barrier.results().map(Value::ty))
    {
        return Err(diagnostics::op_error(
            barrier,
            "expects results of the types of its operands",
        ));
    }
    let (bypassing, kept): (Vec<usize>, Vec<usize>) =
        (0..barrier.num_operands()).partition(|&index| views.of_argument(barrier.operand(index)));
    if bypassing.is_empty() {
        return Ok(());
    }
    let mut regathers = 0;
    for &index in &bypassing {
        regathers += mark_gathers(barrier.result(index));
        barrier.result(index).replace_uses_with(barrier.operand(index));
    }
    diagnostics::remark(barrier, Remark::Passed, PASS, "barrier-split", || {
        format!(
            "{} of {} value(s) bypass the barrier, {regathers} gather(s) of them are marked regather",
            bypassing.len(),
            barrier.num_operands()
        )
    });
    if !kept.is_empty() {
        let new = OpBuilder::new(barrier.name(), barrier.location())
            .operands(kept.iter().map(|&index| barrier.operand(index)))
            .results(kept.iter().map(|&index| barrier.result(index).ty()))
            .named_attrs(barrier.discardable_attrs())
            .insert_before(barrier)?;
        for (&index, result) in kept.iter().zip(new.results()) {
            barrier.result(index).replace_uses_with(result);
        }
    }
    barrier.erase();
    Ok(())
}

/// Marks the all_gathers of a value, read directly or through cheap ops; how many they are.
fn mark_gathers(value: Value) -> usize {
    let mut gathers = 0;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        for user in value.uses().map(|r#use| r#use.op()) {
            if user.name() == "comm.all_gather" {
                // A gather of several such values is met several times.
                gathers += usize::from(user.attr("regather").is_none());
                user.set_attr("regather", Attr::unit(user.context()));
            } else if is_view(user) || is_conversion(user) || adds_unit_dimensions(user) {
                stack.extend(user.results());
            }
        }
    }
    gathers
}

fn is_view(op: Op) -> bool {
    matches!(op.name(), "stablehlo.reshape" | "stablehlo.transpose") && op.num_operands() == 1
}

fn is_conversion(op: Op) -> bool {
    matches!(op.name(), "stablehlo.convert" | "stablehlo.reduce_precision") && op.num_operands() == 1
}

/// A broadcast_in_dim that makes as many elements as it reads, as JAX adds dimensions.
fn adds_unit_dimensions(op: Op) -> bool {
    let elements = |value: Value| {
        value
            .ty()
            .shape()?
            .into_iter()
            .try_fold(1_i64, |product, size| product.checked_mul(size?))
    };
    op.name() == "stablehlo.broadcast_in_dim"
        && op.num_operands() == 1
        && op.num_results() == 1
        && elements(op.operand(0)).is_some_and(|count| elements(op.result(0)) == Some(count))
}

/// Which values are views of arguments.
#[derive(Default)]
struct Views {
    /// Answers for results of views. Only those are kept: barriers are erased on the way, and a new op may take the
    /// place in memory of an old one.
    known: HashMap<Value, bool>,
}

impl Views {
    fn of_argument(&mut self, value: Value) -> bool {
        let mut chain = Vec::new();
        let mut next = value;
        let answer = loop {
            if let Some(&known) = self.known.get(&next) {
                break known;
            }
            match next.defining_op() {
                Some(view) if is_view(view) => {
                    // The answer for now: views that go round in a circle, as unordered regions allow, end there.
                    self.known.insert(next, false);
                    chain.push(next);
                    next = view.operand(0);
                }
                Some(_) => break false,
                None => break next.argument_of().is_some_and(is_entry),
            }
        };
        self.known.extend(chain.into_iter().map(|view| (view, answer)));
        answer
    }
}

/// Whether a block's arguments are those of a function or manual computation. Arguments of its other blocks are given by
/// branches, anew in each round of a loop.
fn is_entry(block: Block) -> bool {
    block
        .parent_op()
        .filter(|op| matches!(op.name(), "func.func" | "sdy.manual_computation"))
        .and_then(|op| op.blocks().next())
        == Some(block)
}
