// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Operands that are constants or lists made in place.

use std::collections::HashMap;

use crate::{
    mlir::{Op, Value},
    torch_purity::reads_list,
};

/// The integer that a value is known to be.
pub(super) fn integer(value: Value) -> Option<i64> {
    value
        .defining_op()
        .filter(|op| op.name() == "torch.constant.int")?
        .attr("value")?
        .as_i64()
}

/// The string that a value is known to be.
pub(super) fn string<'a>(value: Value) -> Option<&'a str> {
    value
        .defining_op()
        .filter(|op| op.name() == "torch.constant.str")?
        .attr("value")?
        .as_str()
}

/// Remembers which lists do not change, since one list may have as many users as there are collectives.
#[derive(Default)]
pub(super) struct Lists {
    constant: HashMap<Op, bool>,
}

impl Lists {
    /// Elements of a list that is made in place and not changed after.
    pub(super) fn elements(&mut self, value: Value) -> Option<Vec<Value>> {
        let op = value
            .defining_op()
            .filter(|op| op.name() == "torch.prim.ListConstruct")?;
        let constant = *self
            .constant
            .entry(op)
            .or_insert_with(|| value.uses().all(|r#use| reads_list(r#use.op())));
        constant.then(|| op.operands().collect())
    }
}
