// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Memory traffic of an op: the bytes it reads and writes.
//!
//! Operands are read and results written once each, but for what follows. Ops that pick a part of their operand read no
//! more than they write; ops that update a part of it write that part in place. What was not computed yet is not read:
//! empty tensors, fills that a product begins from, and constants of one value. Constants, views, waits and values that
//! stay on the host cost nothing at all.

use super::{names::NameFacts, tensor::Tensors};
use crate::{
    mlir::{Attr, Op, Value},
    op_facts::{self, is_constant},
};

/// Ops that cost nothing beside views, constants and what only handles scalars of the host. Sorted.
const FREE: &[&str] = &[
    "bufferization.to_buffer",
    "bufferization.to_tensor",
    "comm.rank",
    "memref.alloc",
    "memref.alloca",
    "memref.cast",
    "memref.collapse_shape",
    "memref.dealloc",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.view",
    "sdy.sharding_constraint",
    "stablehlo.optimization_barrier",
    "tensor.empty",
];

/// Ops that read of their first operand as much as they write. Sorted.
const PICKS: &[&str] = &[
    "stablehlo.dynamic_gather",
    "stablehlo.dynamic_slice",
    "stablehlo.gather",
    "stablehlo.real_dynamic_slice",
    "stablehlo.slice",
    "stablehlo.torch_index_select",
    "torch.aten.embedding",
    "torch.aten.gather",
    "torch.aten.index.Tensor",
    "torch.aten.index_select",
    "torch.aten.select.int",
    "tosa.gather",
    "tosa.slice",
];

/// How much of its tensors an op reads and writes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// All of its operands and results.
    Whole,
    /// Of its first operand as much as its results, and the other operands.
    Pick,
    /// Twice the operand of this number, which it writes into another.
    Update(usize),
}

impl Access {
    pub(super) fn of_name(name: &str) -> Self {
        match name {
            "stablehlo.dynamic_update_slice" => Access::Update(1),
            "tensor.insert_slice" => Access::Update(0),
            name if PICKS.binary_search(&name).is_ok() => Access::Pick,
            _ => Access::Whole,
        }
    }
}

/// Whether all ops of a name take no time, views and terminators apart.
pub(super) fn is_free_name(name: &str) -> bool {
    FREE.binary_search(&name).is_ok()
}

/// Whether an op takes no time on the device.
pub(super) fn is_free(op: Op, name: NameFacts, tensors: &Tensors) -> bool {
    let is_on_device = |value: Value| tensors.is_on_device(value);
    let touches_buffer = || op.operands().any(|value| value.ty().is_buffer());
    name.is_free
        || (name.is_view && op_facts::is_view(op))
        || (op.num_results() > 0 && op.results().all(|value| !is_on_device(value)) && !touches_buffer())
        || (op.num_results() == 0 && !op.operands().any(is_on_device))
        || (op.num_results() == 1 && is_constant(op.result(0)))
        || (name.is_allocation && !op.operands().any(is_on_device))
        || (name.is_fill && is_first_value(op))
}

/// Whether an op only fills what products add to, which begin from the value instead of reading it.
fn is_first_value(op: Op) -> bool {
    op.name() == "linalg.fill"
        && op.num_results() > 0
        && !op.is_unused()
        && op.uses().all(|r#use| r#use.op().name().starts_with("linalg."))
}

/// Bytes read and written.
pub(super) fn bytes(op: Op, name: NameFacts, tensors: &Tensors) -> u64 {
    let sum = |values: &mut dyn Iterator<Item = Value>| {
        values
            .map(|value| tensors.bytes(value))
            .fold(0, u64::saturating_add)
    };
    match name.access {
        Access::Update(update) if op.num_operands() > update => {
            tensors.bytes(op.operand(update)).saturating_mul(2)
        }
        Access::Pick => {
            let indices = sum(&mut op.operands().skip(1));
            sum(&mut op.results()).saturating_mul(2).saturating_add(indices)
        }
        Access::Whole | Access::Update(_) => {
            let read = sum(&mut op.operands().filter(|value| !is_unread(*value)));
            sum(&mut op.results()).saturating_add(read)
        }
    }
}

/// Whether an operand is not read from memory.
fn is_unread(value: Value) -> bool {
    let Some(op) = value.defining_op() else {
        return false;
    };
    match op.name() {
        "tensor.empty" => true,
        "linalg.fill" => is_first_value(op),
        _ => is_constant(value) && op.attr("value").is_none_or(Attr::is_splat),
    }
}

#[cfg(test)]
mod tests {
    use super::{FREE, PICKS};

    #[test]
    fn tables_are_sorted_for_binary_search() {
        assert!(FREE.is_sorted());
        assert!(PICKS.is_sorted());
    }
}
