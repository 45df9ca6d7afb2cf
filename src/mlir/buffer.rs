// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the type of a memref says of its memory.

use mlir_sys::*;

use super::Ty;

/// Sizes, strides and offset of a ranked memref, in elements; nothing where they are known only at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BufferShape {
    pub(crate) sizes: Vec<Option<i64>>,
    pub(crate) strides: Vec<Option<i64>>,
    pub(crate) offset: Option<i64>,
}

impl BufferShape {
    /// Of a type; nothing for anything but a ranked memref with strides.
    pub(crate) fn of(ty: Ty) -> Option<Self> {
        // SAFETY: the type is of a live context, casts follow the check of the kind, and the array has a place for each
        // dimension.
        unsafe {
            if !mlirTypeIsAMemRef(ty.raw()) {
                return None;
            }
            let sizes = ty.dims()?;
            let mut strides = vec![0i64; sizes.len()];
            let mut offset = 0i64;
            let found = mlirMemRefTypeGetStridesAndOffset(ty.raw(), strides.as_mut_ptr(), &mut offset);
            if found.value == 0 {
                return None;
            }
            let dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
            let known = |number: i64| (number != dynamic).then_some(number);
            Some(Self {
                sizes,
                strides: strides.into_iter().map(known).collect(),
                offset: known(offset),
            })
        }
    }

    /// Whether all is known and elements follow each other row by row from the beginning.
    pub(crate) fn is_row_major(&self) -> bool {
        let mut expected = Some(1);
        let strides = self.sizes.iter().zip(&self.strides).rev().all(|(size, stride)| {
            let fits = stride.is_some() && *stride == expected;
            expected = expected
                .zip(*size)
                .and_then(|(product, size)| product.checked_mul(size));
            fits
        });
        strides && expected.is_some() && self.offset == Some(0)
    }
}

/// Number of an element type in the run-time's interface (`comm_rt_element`), and bytes of an element; nothing for types that
/// it does not have. Integers that say nothing of a sign are those of two's complement, and `index` is one of 64 bits. An
/// eight-bit float is its code, an integer without sign: the run-time moves it, and does not compute with it.
pub(crate) fn runtime_element(ty: Ty) -> Option<(i32, i64)> {
    if ty.is_bf16() {
        return Some((3, 2));
    }
    if ty.eight_bit_format().is_some() {
        return Some((11, 1));
    }
    let context = ty.context();
    for (float, number, bytes) in [
        (Ty::f64(context), 0, 8),
        (Ty::f32(context), 1, 4),
        (Ty::f16(context), 2, 2),
    ] {
        if ty == float {
            return Some((number, bytes));
        }
    }
    let unsigned = if ty.is_unsigned_integer() { 4 } else { 0 };
    match ty.integer_width()? {
        64 => Some((4 + unsigned, 8)),
        32 => Some((5 + unsigned, 4)),
        16 => Some((6 + unsigned, 2)),
        8 => Some((7 + unsigned, 1)),
        1 => Some((12, 1)),
        _ => None,
    }
}
