// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the type of a memref says of its memory.

use comm_happens::Buffer;
use mlir_sys::*;

use super::view::View;
use crate::mlir::Ty;

/// Bytes of an element in memory; nothing for types whose size is not known here.
pub(super) fn element_bytes(ty: Ty) -> Option<i64> {
    i64::try_from(ty.element().element_bits()?.div_ceil(8)).ok()
}

/// A memref of a type, in a buffer of its own.
pub(super) fn view_of(ty: Ty, buffer: Buffer) -> View {
    let element = element_bytes(ty);
    let sizes = ty.dims().unwrap_or_default();
    let mut strides = vec![0_i64; sizes.len()];
    let mut offset = 0_i64;
    // SAFETY: the type is live; the cast follows the check of the kind; there are as many strides as dimensions.
    let is_strided = unsafe {
        mlirTypeIsAMemRef(ty.raw()) && {
            let result = mlirMemRefTypeGetStridesAndOffset(ty.raw(), strides.as_mut_ptr(), &mut offset);
            result.value != 0
        }
    };
    // SAFETY: asks for a constant.
    let dynamic = unsafe { mlirShapedTypeGetDynamicStrideOrOffset() };
    let known = |number: i64| (is_strided && number != dynamic).then_some(number);
    let strides: Vec<Option<i64>> = strides.into_iter().map(known).collect();
    View::new(buffer, element, known(offset), &sizes, &strides)
}
