// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which `wait_tensor` waits for which collective.
//!
//! PyTorch lets a result be viewed, passed on and awaited any number of times. A future of `comm` is awaited once, so:
//! the first wait becomes the wait, and later ones in its block are answered with what it yields. A use that is not
//! awaited is refused, since it would see a tensor that is still being written.

use std::collections::{HashMap, HashSet};

use super::{
    schema::{Role, role},
    start::Start,
};
use crate::{
    mlir::{Op, Value},
    torch_purity::operator_name,
};

/// The waits of one collective.
pub(super) struct Waits {
    /// Where the future is awaited; nothing where nobody waits.
    pub(super) first: Option<Op>,
    /// All of them, each with the number of the output that it names.
    pub(super) all: Vec<(Op, usize)>,
}

/// A refusal: the op to blame, what is wrong, and an op to point at.
pub(super) struct Refusal {
    pub(super) op: Op,
    pub(super) message: String,
    pub(super) note: Option<(Op, &'static str)>,
}

/// Matches waits with a start. `position` numbers the ops of the module in order of the text.
pub(super) fn of_start(start: &Start, position: &HashMap<Op, usize>) -> Result<Waits, Refusal> {
    let blame = |message: &str, note: Option<(Op, &'static str)>| Refusal {
        op: start.op,
        message: message.to_owned(),
        note,
    };
    let mut all = Vec::new();
    for (index, output) in start.outputs.iter().enumerate() {
        for r#use in output.uses() {
            let user = r#use.op();
            if !matches!(role(operator_name(user)), Role::Wait) {
                return Err(blame(
                    "yields a tensor that is used before it is awaited; a torch._c10d_functional.wait_tensor is expected \
                     between",
                    Some((user, "used here")),
                ));
            }
            if user.num_results() != 1 {
                return Err(blame(
                    "is awaited by an op without a result",
                    Some((user, "awaited here")),
                ));
            }
            if user.result(0).ty() != output.ty() {
                return Err(Refusal {
                    op: user,
                    message: format!(
                        "yields {} but waits for {}; one type is expected",
                        user.result(0).ty().to_text(),
                        output.ty().to_text()
                    ),
                    note: None,
                });
            }
            all.push((user, index));
        }
    }
    all.sort_unstable_by_key(|(wait, index)| (position.get(wait).copied(), *index));
    let first = all.first().map(|(wait, _)| *wait);
    if let Some(first) = first {
        let region = |op: Op| op.parent_block().map(|block| block.region_id());
        if region(first) != region(start.op) {
            return Err(blame(
                "is awaited in another region than it is started in",
                Some((first, "awaited here")),
            ));
        }
        if let Some((other, _)) = all
            .iter()
            .find(|(wait, _)| wait.parent_block() != first.parent_block())
        {
            return Err(blame(
                "is awaited in several blocks; one wait is expected, or several in one block",
                Some((*other, "awaited here too")),
            ));
        }
    }
    Ok(Waits { first, all })
}

/// Waits for what one of `waits` yields, directly or through other waits. Linear in their uses.
pub(super) fn reached_from(waits: impl Iterator<Item = Op>) -> HashSet<Op> {
    let mut reached = HashSet::new();
    let mut stack: Vec<Op> = waits.collect();
    while let Some(wait) = stack.pop() {
        let users = wait.uses().map(|r#use| r#use.op());
        stack.extend(
            users.filter(|user| matches!(role(operator_name(*user)), Role::Wait) && reached.insert(*user)),
        );
    }
    reached
}

/// Checks a wait that no start has claimed: it repeats another, or waits for what was started out of sight. `repeated` are
/// the waits that lead back to a collective.
pub(super) fn check_repeated(wait: Op, repeated: &HashSet<Op>) -> Result<(), Refusal> {
    let refuse = |message: &str| {
        Err(Refusal {
            op: wait,
            message: message.to_owned(),
            note: None,
        })
    };
    if !repeated.contains(&wait) {
        return refuse(
            "waits for a tensor that no collective of this function has started; views between a collective and its \
             wait cannot be represented",
        );
    }
    if wait.operand(0).ty() != wait.result(0).ty() {
        return refuse("yields another type than the tensor that it waits for");
    }
    Ok(())
}

/// The tensor that a wait names.
pub(super) fn awaited(wait: Op) -> Value {
    wait.operand(0)
}
