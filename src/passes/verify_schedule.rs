// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-schedule`: a reordering kept the ops of every block, and every dependence among them.
//!
//! `record` numbers all ops of a function, block by block, with a gap between blocks, in the attribute `comm.recorded`;
//! the function carries the first number that was not given. `check` verifies that every op is there once, in its block,
//! that no op was added, and that each block is a linear extension of the recorded order; then it removes the numbers.
//! Where the check fails they stay, so that the IR that MLIR prints shows what moved.
//!
//! What `linalg` ops hold is left out: it computes single elements, no pass moves it, and the short forms of these ops
//! print none of it, so that numbers would be lost in text.
//!
//! Dependences are computed here anew, sharing nothing with the builder of the scheduler's problem but the tables of
//! what effects ops have:
//! - a value that was defined before its uses, those in nested regions included, still is. It need not have been where
//!   the language lets uses come first: in graph regions and in blocks that nothing reaches;
//! - *fences* (unknown effects; regions that communicate; control flow that may differ between devices) keep their place
//!   among each other, among communication, and among ops that read or write;
//! - ops that write or free keep their place among all that read, write or communicate;
//! - all-to-all, permute and broadcast keep their order.
//!
//! A pair of such classes holds iff, in the new order, no op stands behind one of the other class with a larger number:
//! one scan with the largest number so far of each class. So a check costs O(n) and a sort of the numbers, times the
//! nesting of regions for the uses.

use std::collections::HashMap;

use super::VerifyMode;
use crate::{
    collective::{Collective, Kind, is_wait},
    diagnostics,
    ffi::effect,
    mlir::{Attr, Block, Failed, Op, PassResult},
    op_facts,
    uniform::Uniformity,
};

const NUMBER: &str = "comm.recorded";

/// Runs the pass on a function.
pub(super) fn run(function: Op, mode: VerifyMode) -> PassResult {
    if function.blocks().next().is_none() {
        return Ok(());
    }
    match mode {
        VerifyMode::Record => record(function),
        VerifyMode::Check => check(function)?,
    }
    Ok(())
}

/// All blocks in a function whose order is recorded, outer ones first.
fn blocks(function: Op) -> impl Iterator<Item = Block> {
    function
        .walk()
        .into_iter()
        .filter(|op| !op.name().starts_with("linalg."))
        .flat_map(Op::blocks)
}

fn record(function: Op) {
    let mut next = 0;
    for block in blocks(function) {
        let first = next;
        for op in block.ops() {
            op.set_discardable_attr(NUMBER, Attr::i64(op.context(), next));
            next += 1;
        }
        next += i64::from(next > first);
    }
    function.set_discardable_attr(NUMBER, Attr::i64(function.context(), next));
}

fn number(op: Op) -> Option<i64> {
    op.discardable_attr(NUMBER).and_then(Attr::as_i64)
}

fn check(function: Op) -> PassResult {
    let end = number(function).ok_or_else(|| {
        diagnostics::op_error(
            function,
            "has no recorded order; comm-verify-schedule{mode=record} is expected before",
        )
    })?;
    let mut numbers: HashMap<Op, i64> = HashMap::new();
    let mut listed: Vec<(i64, Op, Block)> = Vec::new();
    for block in blocks(function) {
        for op in block.ops() {
            let number = number(op).ok_or_else(|| {
                diagnostics::op_error(op, "was added since the order of its function was recorded")
            })?;
            numbers.insert(op, number);
            listed.push((number, op, block));
        }
    }
    check_complete(function, listed, end)?;
    let uniformity = Uniformity::of(function);
    for block in blocks(function) {
        check_uses(block, &numbers)?;
        check_classes(block, &numbers, &uniformity)?;
    }
    for op in function.walk() {
        op.remove_discardable_attr(NUMBER);
    }
    Ok(())
}

/// Every number was given to one op, and ops of one block have numbers of one block.
fn check_complete(function: Op, mut listed: Vec<(i64, Op, Block)>, end: i64) -> PassResult {
    // Stable, so that of two ops with one number the first in the text is named first.
    listed.sort_by_key(|&(number, ..)| number);
    let gone = |at: Op, number: i64| {
        Err(diagnostics::op_error(
            at,
            &format!("is the next to op #{number} of the recorded order, which is gone"),
        ))
    };
    for pair in listed.windows(2) {
        let ((number, op, block), (next, follower, other)) = (pair[0], pair[1]);
        if number == next {
            let note = [(op, "the first of them")];
            return Err(diagnostics::op_error_with_notes(
                follower,
                &format!("is the second op with number {number} of the recorded order"),
                &note,
            ));
        }
        match next - number {
            1 if block == other => {}
            2 if block != other => {}
            1 => {
                return Err(diagnostics::op_error_with_notes(
                    follower,
                    "stands in another block than it was recorded in",
                    &[(op, "recorded in one block with this")],
                ));
            }
            _ => return gone(follower, number + 1),
        }
    }
    match (listed.first(), listed.last()) {
        (Some(&(0, ..)), Some(&(last, ..))) if last + 2 == end => Ok(()),
        (Some(&(first, op, _)), _) if first != 0 => gone(op, 0),
        (_, Some(&(last, op, _))) if last + 2 < end => gone(op, last + 1),
        _ => Err(diagnostics::op_error(
            function,
            "has numbers of ops that were not recorded with it",
        )),
    }
}

/// A value that was defined before its uses still is.
fn check_uses(block: Block, numbers: &HashMap<Op, i64>) -> PassResult {
    let positions: HashMap<Op, usize> = block
        .ops()
        .enumerate()
        .map(|(position, op)| (op, position))
        .collect();
    for (position, op) in block.ops().enumerate() {
        let nested = if op.num_regions() > 0 { op.walk() } else { vec![op] };
        for user in nested {
            for definition in user.operands().filter_map(|operand| operand.defining_op()) {
                // An op that holds the use defines nothing for it.
                if definition != op
                    && positions
                        .get(&definition)
                        .is_some_and(|&defined| defined > position)
                    && numbers.get(&definition) < numbers.get(&op)
                {
                    return Err(diagnostics::op_error_with_notes(
                        user,
                        "was moved above the definition of its operand",
                        &[(definition, "defined here")],
                    ));
                }
            }
        }
    }
    Ok(())
}

/// What keeps an op in its place. The bits of a set.
mod class {
    pub(super) const FENCE: usize = 0;
    pub(super) const WRITE: usize = 1;
    pub(super) const READ: usize = 2;
    pub(super) const COMMUNICATE: usize = 3;
    pub(super) const IN_ORDER: usize = 4;
    pub(super) const COUNT: usize = 5;
}

/// Pairs of classes whose members keep their order.
const CONFLICTS: &[(usize, usize, &str)] = &[
    (
        class::FENCE,
        class::FENCE,
        "both may have any effect, or differ between devices",
    ),
    (
        class::FENCE,
        class::WRITE,
        "one may have any effect, and the other writes",
    ),
    (
        class::FENCE,
        class::READ,
        "one may have any effect, and the other reads",
    ),
    (
        class::FENCE,
        class::COMMUNICATE,
        "one communicates, and the other may have any effect, or differ between devices",
    ),
    (class::WRITE, class::WRITE, "both write"),
    (class::WRITE, class::READ, "one reads and the other writes"),
    (
        class::WRITE,
        class::COMMUNICATE,
        "one communicates and the other writes",
    ),
    (
        class::IN_ORDER,
        class::IN_ORDER,
        "all-to-all, permute and broadcast keep their order",
    ),
];

/// The classes that an op is in.
fn classes(op: Op, uniformity: &Uniformity) -> Vec<usize> {
    if let Some(collective) = Collective::new(op) {
        return match collective.kind {
            Kind::AllToAll | Kind::Permute | Kind::Broadcast => vec![class::COMMUNICATE, class::IN_ORDER],
            Kind::AllGather | Kind::ReduceScatter | Kind::AllReduce => vec![class::COMMUNICATE],
        };
    }
    if is_wait(op) {
        return vec![class::COMMUNICATE];
    }
    let communicates = |op: Op| {
        op.walk()
            .into_iter()
            .any(|op| Collective::new(op).is_some() || is_wait(op))
    };
    if uniformity.is_divergent_control_flow(op) || (op.num_regions() > 0 && communicates(op)) {
        return vec![class::FENCE];
    }
    if op_facts::is_pure(op) {
        return Vec::new();
    }
    let effects = op_facts::effects(op);
    if effects & effect::UNKNOWN != 0 {
        return vec![class::FENCE];
    }
    let mut classes = Vec::new();
    if effects & (effect::WRITE | effect::FREE) != 0 {
        classes.push(class::WRITE);
    }
    if effects & effect::READ != 0 {
        classes.push(class::READ);
    }
    classes
}

/// Members of conflicting classes stand as they were recorded.
fn check_classes(block: Block, numbers: &HashMap<Op, i64>, uniformity: &Uniformity) -> PassResult {
    let mut largest: [Option<(i64, Op)>; class::COUNT] = [None; class::COUNT];
    for op in block.ops() {
        let number = numbers.get(&op).copied().ok_or(Failed)?;
        let own = classes(op, uniformity);
        for &(one, other, reason) in CONFLICTS {
            for (mine, theirs) in [(one, other), (other, one)] {
                if own.contains(&mine)
                    && let Some((before, earlier)) = largest[theirs]
                    && before > number
                {
                    return Err(diagnostics::op_error_with_notes(
                        op,
                        &format!(
                            "was moved below '{}', which it was recorded above; {reason}",
                            earlier.name()
                        ),
                        &[(earlier, "this one")],
                    ));
                }
            }
        }
        for class in own {
            if largest[class].is_none_or(|(before, _)| before < number) {
                largest[class] = Some((number, op));
            }
        }
    }
    Ok(())
}
