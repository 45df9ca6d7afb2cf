// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How often fused ops run, and which of all uses of a workspace one of them is.
//!
//! Uses of a group in one call of a function are numbered in the order in which they run: epochs of signals and the part of a
//! double-buffered workspace follow from the number. In loops of constant length it is affine in the counters. Elsewhere
//! (branches, loops of unknown length) uses cannot be numbered.

use std::collections::HashMap;

use super::emit::{Emit, Number};
use crate::mlir::{Attr, Block, Op, PassResult, Value};

/// A loop of constant length.
#[derive(Clone, Copy)]
struct Loop {
    counter: Value,
    lower: i64,
    step: i64,
    trips: i64,
}

impl Loop {
    fn of(op: Op) -> Option<Self> {
        if op.name() != "scf.for" {
            return None;
        }
        let [lower, upper, step] = [0, 1, 2].map(|index| constant(op.operand(index)));
        let (lower, upper, step) = (lower?, upper?, step?);
        let counter = op.region(0).next()?.arguments().next()?;
        // Others counters than indices count by the same rule, but would have to be cast.
        (step > 0 && counter.ty().is_index()).then(|| Self {
            counter,
            lower,
            step,
            trips: (upper - lower + step - 1).div_euclid(step).max(0),
        })
    }
}

fn constant(value: Value) -> Option<i64> {
    let op = value.defining_op()?;
    (op.name() == "arith.constant")
        .then(|| op.attr("value").and_then(Attr::as_i64))
        .flatten()
}

/// Number of a use: what is constant, and for each loop around it, outermost first, how many uses a round has.
#[derive(Clone, Default)]
pub(super) struct Numbering {
    first: i64,
    rounds: Vec<(Loop, i64)>,
}

impl Numbering {
    /// The number, at the anchor.
    pub(super) fn number(&self, emit: &Emit) -> PassResult<Number> {
        let mut number = Number::Known(self.first);
        for &(turn, each) in &self.rounds {
            let passed = emit.subtract(Number::Value(turn.counter), turn.lower)?;
            let round = emit.divide(passed, turn.step)?;
            number = emit.add(number, emit.multiply(round, each)?)?;
        }
        Ok(number)
    }
}

/// Numbers the uses by `ops`, all in `function`; gives how many there are as well. Nothing where they cannot be numbered.
/// O(ops of the function).
pub(super) fn number(function: Op, ops: &[Op]) -> Option<(HashMap<Op, Numbering>, i64)> {
    let mut numbers = HashMap::new();
    let body = function.region(0).next()?;
    let count = assign(body, ops, &Numbering::default(), &mut numbers)?;
    Some((numbers, count))
}

/// Numbers the uses in a block from `begin` on. Gives how many there are.
fn assign(block: Block, ops: &[Op], begin: &Numbering, numbers: &mut HashMap<Op, Numbering>) -> Option<i64> {
    let mut count = 0;
    for op in block.ops() {
        let mut here = begin.clone();
        here.first += count;
        if ops.contains(&op) {
            numbers.insert(op, here);
            count += 1;
        } else if op.blocks().next().is_some() && op.walk().iter().any(|inner| ops.contains(inner)) {
            let turn = Loop::of(op)?;
            let body = op.region(0).next()?;
            let each = assign(body, ops, &begin.clone(), &mut HashMap::new())?;
            here.rounds.push((turn, each));
            assign(body, ops, &here, numbers)?;
            count += turn.trips * each;
        }
    }
    Some(count)
}

/// Whether an op runs at least once in each call of the function: all around it are loops of constant length above 0.
pub(super) fn runs_surely(op: Op) -> bool {
    std::iter::successors(op.parent_op(), |op| op.parent_op())
        .take_while(|op| op.name() != "func.func")
        .all(|around| Loop::of(around).is_some_and(|turn| turn.trips > 0))
}

/// The op of the function's own block that holds an op, or is it.
pub(super) fn outermost(op: Op) -> Op {
    let around = std::iter::successors(Some(op), |op| op.parent_op());
    around
        .take_while(|op| op.name() != "func.func")
        .last()
        .unwrap_or(op)
}
