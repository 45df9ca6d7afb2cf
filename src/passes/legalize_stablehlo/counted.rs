// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Loops that count: an integer that starts at a constant, grows by a constant above zero, and is less than a constant.
//!
//! It is what JAX makes of `scan` and `fori_loop`. The limit may be among what the loop carries, as JAX lists constants, if
//! the body hands it on as it is.

use super::types::{self, Number};
use crate::{
    control::{Control, While},
    mlir::{Attr, Op, Value},
    op_facts,
};

/// How a loop counts.
pub(super) struct Counter {
    /// Which of the carried values counts.
    pub(super) argument: usize,
    pub(super) start: i64,
    pub(super) limit: i64,
    pub(super) step: i64,
    /// The counter's value after the loop.
    pub(super) end: i64,
}

/// How a `stablehlo.while` counts, if it does.
pub(super) fn counter(op: Op) -> Option<Counter> {
    let Control::While(head) = Control::of(op) else {
        return None;
    };
    // The condition is evaluated no more, so it must do nothing else.
    let end = head.before.terminator()?;
    if head
        .before
        .ops()
        .any(|op| op != end && (op.num_regions() > 0 || !op_facts::is_pure(op)))
    {
        return None;
    }
    let test = head.condition.defining_op()?;
    if test.name() != "stablehlo.compare"
        || test.num_operands() != 2
        || super::attributes::word(test.attr("comparison_direction")?) != "LT"
    {
        return None;
    }
    let position = |value: Value| (value.argument_of() == Some(head.before)).then(|| value.index());
    let argument = position(test.operand(0))?;
    let limit = match position(test.operand(1)) {
        Some(index) if is_invariant(&head, index) => op.operand(index),
        Some(_) => return None,
        None => test.operand(1),
    };
    let (start, limit) = (constant(op.operand(argument))?, constant(limit)?);
    let next = head.next.get(argument)?.defining_op()?;
    if next.name() != "stablehlo.add" || next.num_operands() != 2 {
        return None;
    }
    let is_counter = |value: Value| value.argument_of() == Some(head.body) && value.index() == argument;
    let step = match (is_counter(next.operand(0)), is_counter(next.operand(1))) {
        (true, false) => next.operand(1),
        (false, true) => next.operand(0),
        _ => return None,
    };
    let step = constant(step).filter(|step| *step > 0)?;
    let trips = match limit > start {
        true => limit.checked_sub(start)?.checked_add(step - 1)? / step,
        false => 0,
    };
    let end = trips.checked_mul(step)?.checked_add(start)?;
    // A counter that runs over, or that a negative number stands for a large one in, is left to the general loop.
    let width = match types::number(op.operand(argument)) {
        Number::Signed(width) => width,
        Number::Unsigned(width) if start >= 0 && limit >= 0 => width,
        _ => return None,
    };
    let largest = i64::MAX >> (64 - width);
    (end <= largest).then_some(Counter {
        argument,
        start,
        limit,
        step,
        end,
    })
}

/// Whether the body hands on what it carries at a position as it is.
fn is_invariant(head: &While, index: usize) -> bool {
    head.next
        .get(index)
        .is_some_and(|value| value.argument_of() == Some(head.body) && value.index() == index)
}

/// The integer that a constant of rank 0 is.
fn constant(value: Value) -> Option<i64> {
    let op = value.defining_op()?;
    if op.name() != "stablehlo.constant" || value.ty().rank() != Some(0) {
        return None;
    }
    op.attr("value")?.splat_element().and_then(Attr::as_integer_bits)
}
