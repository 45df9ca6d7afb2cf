// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Sizes of tensors, also of those whose types belong to a dialect that is not loaded.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;

use super::listed;
use crate::{
    mlir::{Attr, Ty, Value},
    passes::import_torch::types::TypeReader,
};

/// Reads types and dimension numbers, and remembers what it read: programs have few of them and many values.
#[derive(Default)]
pub(super) struct Tensors {
    torch: RefCell<TypeReader>,
    /// By identity of the type.
    sizes: RefCell<FxHashMap<usize, Size>>,
    /// By identity of the attribute.
    contracting: RefCell<FxHashMap<usize, Rc<[usize]>>>,
}

/// What costs most often depend on of a type.
#[derive(Clone, Copy)]
struct Size {
    /// Number of elements; nothing where it is unknown.
    elements: Option<u64>,
    /// Bytes in memory, 0 where they are unknown.
    bytes: u64,
    is_on_device: bool,
}

impl Tensors {
    /// The type of a value as a builtin one, where it is a value tensor of torch; else as it is.
    pub(super) fn builtin(&self, value: Value) -> Ty {
        self.builtin_type(value.ty())
    }

    fn builtin_type(&self, ty: Ty) -> Ty {
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
        self.size(value).elements
    }

    /// Bytes in memory, 0 where they are unknown. Elements narrower than a byte take a byte.
    pub(super) fn bytes(&self, value: Value) -> u64 {
        self.size(value).bytes
    }

    /// Whether a value is on the device: a tensor or a buffer, but no integer of rank 0, which is an index or a counter.
    pub(super) fn is_on_device(&self, value: Value) -> bool {
        self.size(value).is_on_device
    }

    /// Dimensions of the left factor that a product's `dot_dimension_numbers` sum over.
    pub(super) fn contracting_dimensions(&self, numbers: Attr) -> Rc<[usize]> {
        self.contracting
            .borrow_mut()
            .entry(numbers.id())
            .or_insert_with(|| listed(numbers, "lhs_contracting_dimensions").into())
            .clone()
    }

    fn size(&self, value: Value) -> Size {
        let ty = value.ty();
        *self
            .sizes
            .borrow_mut()
            .entry(ty.id())
            .or_insert_with(|| self.read(ty))
    }

    fn read(&self, ty: Ty) -> Size {
        let builtin = self.builtin_type(ty);
        let elements = builtin.dims().and_then(|dims| {
            dims.into_iter().try_fold(1u64, |product, size| {
                Some(product.saturating_mul(u64::try_from(size?).ok()?))
            })
        });
        let bytes = match (elements, builtin.element().element_bits()) {
            (Some(elements), Some(bits)) => elements.saturating_mul(bits.div_ceil(8)),
            _ => 0,
        };
        Size {
            elements,
            bytes,
            is_on_device: is_on_device(ty),
        }
    }
}

fn is_on_device(ty: Ty) -> bool {
    match ty.opaque_text() {
        Some(text) => text.contains("tensor"),
        None => match ty.dims() {
            Some(dims) => !(dims.is_empty() && ty.element().is_integer()),
            // An unranked tensor or buffer.
            None => ty.element() != ty,
        },
    }
}
