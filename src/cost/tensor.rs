// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Sizes of tensors, also of those whose types belong to a dialect that is not loaded.

use std::cell::RefCell;

use crate::{
    mlir::{Ty, Value},
    passes::import_torch::types::TypeReader,
};

/// Reads types, and remembers those that take parsing.
#[derive(Default)]
pub(super) struct Tensors {
    torch: RefCell<TypeReader>,
}

impl Tensors {
    /// The type of a value as a builtin one, where it is a value tensor of torch; else as it is.
    pub(super) fn builtin(&self, value: Value) -> Ty {
        let ty = value.ty();
        if ty.opaque_text().is_none() {
            return ty;
        }
        self.torch
            .borrow_mut()
            .read(ty, ty.context())
            .map_or(ty, |read| read.tensor)
    }

    /// Dimensions; an unknown one, or an unknown shape, is nothing.
    pub(super) fn dims(&self, value: Value) -> Option<Vec<Option<i64>>> {
        self.builtin(value).dims()
    }

    /// Number of elements; nothing where it is unknown.
    pub(super) fn elements(&self, value: Value) -> Option<u64> {
        self.dims(value)?.into_iter().try_fold(1u64, |product, size| {
            Some(product.saturating_mul(u64::try_from(size?).ok()?))
        })
    }

    /// Bytes in memory, 0 where they are unknown. Elements narrower than a byte take a byte.
    pub(super) fn bytes(&self, value: Value) -> u64 {
        let bits = self.builtin(value).element().element_bits();
        match (self.elements(value), bits) {
            (Some(elements), Some(bits)) => elements.saturating_mul(bits.div_ceil(8)),
            _ => 0,
        }
    }
}

/// Whether a value is on the device: a tensor or a buffer, but no integer of rank 0, which is an index or a counter.
pub(super) fn is_on_device(value: Value) -> bool {
    let ty = value.ty();
    match ty.opaque_text() {
        Some(text) => text.contains("tensor"),
        None => match ty.dims() {
            Some(dims) => !(dims.is_empty() && ty.element().is_integer()),
            // An unranked tensor or buffer.
            None => ty.element() != ty,
        },
    }
}
