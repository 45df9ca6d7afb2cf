// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Memory traffic of an op: the bytes it reads and writes.
//!
//! Operands are read and results written once each, but for what follows. Ops that pick a part of their operand read no
//! more than they write; ops that update a part of it write that part in place. What was not computed yet is not read:
//! empty tensors, fills that a product begins from, and constants of one value. Constants, views, waits and values that
//! stay on the host cost nothing at all.

use super::tensor::Tensors;
use crate::{
    mlir::{Attr, Op, Value},
    op_facts::{self, is_constant, is_terminator},
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

/// Whether an op takes no time on the device.
pub(super) fn is_free(op: Op, tensors: &Tensors) -> bool {
    let name = op.name();
    let is_on_device = |value: Value| tensors.is_on_device(value);
    let touches_buffer = || op.operands().any(|value| value.ty().is_buffer());
    is_terminator(name)
        || FREE.binary_search(&name).is_ok()
        || op_facts::is_view(op)
        || (op.num_results() > 0 && op.results().all(|value| !is_on_device(value)) && !touches_buffer())
        || (op.num_results() == 0 && !op.operands().any(is_on_device))
        || (op.num_results() == 1 && is_constant(op.result(0)))
        || (name == "bufferization.alloc_tensor" && !op.operands().any(is_on_device))
        || is_first_value(op)
}

/// Whether an op only fills what products add to, which begin from the value instead of reading it.
fn is_first_value(op: Op) -> bool {
    op.name() == "linalg.fill"
        && op.num_results() > 0
        && !op.is_unused()
        && op.uses().all(|r#use| r#use.op().name().starts_with("linalg."))
}

/// Bytes read and written.
pub(super) fn bytes(op: Op, tensors: &Tensors) -> u64 {
    let sum = |values: &mut dyn Iterator<Item = Value>| {
        values
            .map(|value| tensors.bytes(value))
            .fold(0, u64::saturating_add)
    };
    let written = sum(&mut op.results());
    let read = sum(&mut op.operands().filter(|value| !is_unread(*value)));
    let updated = match op.name() {
        "stablehlo.dynamic_update_slice" if op.num_operands() > 1 => Some(op.operand(1)),
        "tensor.insert_slice" if op.num_operands() > 0 => Some(op.operand(0)),
        _ => None,
    };
    if let Some(update) = updated {
        return tensors.bytes(update).saturating_mul(2);
    }
    if PICKS.binary_search(&op.name()).is_ok() {
        let indices = sum(&mut op.operands().skip(1));
        return written.saturating_mul(2).saturating_add(indices);
    }
    written.saturating_add(read)
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
