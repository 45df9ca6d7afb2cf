// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which values are kept gathered and which are gathered again, decided by [`comm_schedule::regather`].
//!
//! A *set* are the all-gathers of a block of one value: of one operand, in one form, each of one tensor. That they have equal
//! values is plain here, since an operand is a value of the program; a front end that hides it behind a barrier has to take
//! the barrier apart first (`comm-import-stablehlo{split-barriers}`).
//!
//! Before: what the block computes. After: the same, by fewer gathers or more. A gather that is issued again is marked
//! `regather`, so that nobody merges it with the first.

use comm_schedule::{
    Effort, Kind as NodeKind, NodeId,
    regather::{Choice, Decision, Origin, RegatherOptions, Regathered, choose},
};
use rustc_hash::FxHashMap;

use crate::{
    collective::{Collective, Kind},
    diagnostics::{self, Remark},
    mlir::{Attr, Op, OpBuilder, PassResult, Value},
    passes::schedule::time,
    problem::{BlockProblem, arrange},
};

const PASS: &str = "comm-simplify";

/// Decides for a block and changes it. Fails, after an error, where the limit is met by none of the ways that were tried.
pub(super) fn run(block: &BlockProblem, memory_limit: Option<u64>) -> PassResult {
    let sets = sets(block);
    if sets.is_empty() {
        return Ok(());
    }
    let order: Vec<NodeId> = block.problem.ids().collect();
    let options = RegatherOptions {
        // Without a limit: no more than the block needs as it stands.
        memory_limit: Some(
            memory_limit.unwrap_or_else(|| comm_schedule::memory::peak(&block.problem, &order)),
        ),
        // As `comm-schedule` does by default.
        effort: Effort::Default,
        ..RegatherOptions::default()
    };
    let choice = choose(&block.problem, &sets, &options)
        .map_err(|error| diagnostics::error(block.ops[0].location(), &format!("comm-simplify: {error}")))?;
    report(block, &sets, &choice);
    if choice.decisions.iter().any(|decision| decision.changes() > 0) {
        Rewrite::new(block).apply(&choice)?;
    }
    Ok(())
}

/// Gathers of equal values, those of one value in program order, values in the order of their first gathers.
fn sets(block: &BlockProblem) -> Vec<Regathered> {
    /// The operand, and names and identities of the attributes.
    type Form = (Value, Vec<(String, usize)>);
    let waits = block.problem.waits();
    let mut known: FxHashMap<Form, usize> = FxHashMap::default();
    let mut sets: Vec<Regathered> = Vec::new();
    for (position, &op) in block.ops.iter().enumerate() {
        let Some(collective) = Collective::new(op).filter(|collective| collective.kind == Kind::AllGather)
        else {
            continue;
        };
        let node = block.node_at(position);
        let is_whole = match block.problem.kind(node) {
            NodeKind::Start => waits[node.index()].is_some(),
            NodeKind::Blocking => true,
            _ => false,
        };
        if !is_whole || op.num_operands() != 1 {
            continue;
        }
        let mut attributes = op.attribute_ids(&["regather", "mergeable", "comm.duration_ns", "comm.bucket"]);
        attributes.push(("async".to_owned(), usize::from(collective.is_async())));
        let next = sets.len();
        let set = *known.entry((op.operand(0), attributes)).or_insert(next);
        if set == next {
            sets.push(Regathered { gathers: Vec::new() });
        }
        sets[set].gathers.push(node);
    }
    sets
}

fn report(block: &BlockProblem, sets: &[Regathered], choice: &Choice) {
    let first = block.ops[0];
    let gathers: usize = sets.iter().map(|set| set.gathers.len()).sum();
    let changed = |part: fn(&Decision) -> usize| choice.decisions.iter().map(part).sum::<usize>();
    let (shared, split) = (
        changed(|decision| decision.shared.len()),
        changed(|decision| decision.split.len()),
    );
    let kind = if shared + split > 0 {
        Remark::Passed
    } else {
        Remark::Analysis
    };
    diagnostics::remark(first, kind, PASS, "gathers", || {
        let limit = if choice.after.meets_limit {
            ""
        } else {
            ", above the limit"
        };
        format!(
            "{} value(s) gathered {gathers} time(s): {shared} gather(s) dropped for an earlier one, {split} issued again; \
             scheduled, step time {} -> {}, peak memory {} -> {} bytes{limit}",
            sets.len(),
            time(choice.before.point.time_ns),
            time(choice.after.point.time_ns),
            choice.before.point.peak_bytes,
            choice.after.point.peak_bytes,
        )
    });
}

/// Puts a choice into the IR.
struct Rewrite<'a> {
    block: &'a BlockProblem,
    waits: Vec<Option<NodeId>>,
    /// Copies of each node, in the order of the splits.
    copies: FxHashMap<NodeId, Vec<Op>>,
}

impl<'a> Rewrite<'a> {
    fn new(block: &'a BlockProblem) -> Self {
        Self {
            block,
            waits: block.problem.waits(),
            copies: FxHashMap::default(),
        }
    }

    /// Fails after an error, with nothing changed.
    fn apply(mut self, choice: &Choice) -> PassResult {
        for split in choice.decisions.iter().flat_map(|decision| &decision.split) {
            if let Err(failed) = self.copy(split.gather) {
                let made = self.copies.values().flatten();
                let (waits, starts): (Vec<Op>, Vec<Op>) =
                    made.partition(|op| crate::collective::is_wait(**op));
                waits.into_iter().chain(starts).for_each(Op::erase);
                return Err(failed);
            }
        }
        let mut used: FxHashMap<NodeId, usize> = FxHashMap::default();
        for split in choice.decisions.iter().flat_map(|decision| &decision.split) {
            let result = self.result(split.gather);
            let next = used.entry(result).or_default();
            let copy = self.copies[&result][*next].result(0);
            *next += 1;
            if let Some(original) = self.block.op(result) {
                for user in split.users.iter().filter_map(|user| self.block.op(*user)) {
                    replace_in(user, original.result(0), copy);
                }
            }
        }
        for shared in choice.decisions.iter().flat_map(|decision| &decision.shared) {
            let (from, to) = (self.result(shared.dropped), self.result(shared.kept));
            if let (Some(from), Some(to)) = (self.block.op(from), self.block.op(to)) {
                from.result(0).replace_uses_with(to.result(0));
                from.erase();
            }
            if self.waits[shared.dropped.index()].is_some() {
                self.block.op(shared.dropped).into_iter().for_each(Op::erase);
            }
        }
        let mut placed: FxHashMap<NodeId, usize> = FxHashMap::default();
        let order = choice.rewritten.nodes.iter().filter_map(|origin| match *origin {
            Origin::Kept(id) => self.block.op(id),
            Origin::Copy(id) => {
                let next = placed.entry(id).or_default();
                *next += 1;
                Some(self.copies[&id][*next - 1])
            }
        });
        arrange(self.block.block, order);
        Ok(())
    }

    /// The node whose result is read of a gather.
    fn result(&self, gather: NodeId) -> NodeId {
        self.waits[gather.index()].unwrap_or(gather)
    }

    /// Issues a gather once more, directly behind itself until it is put where it belongs.
    fn copy(&mut self, gather: NodeId) -> PassResult {
        let Some(op) = self.block.op(gather) else {
            return Ok(());
        };
        let start = OpBuilder::new(op.name(), op.location())
            .operands(op.operands())
            .results(op.results().map(Value::ty))
            .named_attrs(op.attrs_except(&["regather"]))
            .attr("regather", Attr::unit(op.context()))
            .insert_after(op)?;
        self.copies.entry(gather).or_default().push(start);
        let Some(wait) = self.waits[gather.index()].and_then(|wait| Some((wait, self.block.op(wait)?)))
        else {
            return Ok(());
        };
        let (node, wait) = wait;
        let copy = OpBuilder::new(wait.name(), wait.location())
            .operands([start.result(0)])
            .operands(op.operands())
            .results(wait.results().map(Value::ty))
            .named_attrs(wait.attrs_except(&[]))
            .insert_after(wait)?;
        self.copies.entry(node).or_default().push(copy);
        Ok(())
    }
}

/// Lets an op and all ops in it read another value.
fn replace_in(user: Op, old: Value, new: Value) {
    for op in user.walk() {
        for index in 0..op.num_operands() {
            if op.operand(index) == old {
                op.set_operand(index, new);
            }
        }
    }
}
