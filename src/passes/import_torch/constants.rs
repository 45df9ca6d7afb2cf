// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Operands that are constants or lists made in place.

use std::collections::HashMap;

use crate::mlir::{Attr, Op, Value};

/// Name of a torch op: that of a `torch.operator` is an attribute.
pub(super) fn operator_name<'a>(op: Op) -> &'a str {
    match op.name() {
        "torch.operator" => op.attr("name").and_then(Attr::as_str).unwrap_or("torch.operator"),
        name => name,
    }
}

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
            .or_insert_with(|| !value.uses().any(|r#use| changes_list(operator_name(r#use.op()))));
        constant.then(|| op.operands().collect())
    }
}

/// Whether an op of this name may change a list that it reads.
fn changes_list(name: &str) -> bool {
    const READERS: &[&str] = &["torch.aten.", "torch.prim.ListUnpack", "torch._c10d_functional."];
    const WRITERS: &[&str] = &[
        "torch.aten.append",
        "torch.aten._set_item",
        "torch.aten.insert",
        "torch.aten.extend",
        "torch.aten.pop",
        "torch.aten.remove",
        "torch.aten.clear",
        "torch.aten.sort.",
        "torch.aten.reverse",
        "torch.aten.Delete",
    ];
    WRITERS.iter().any(|writer| name.starts_with(writer))
        || !READERS.iter().any(|reader| name.starts_with(reader))
}
