// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Affine maps of which each result is a dimension, a dimension divided by a constant, or a constant: how fused ops say
//! which element of a tensor belongs to an element of another one.

use mlir_sys::*;

use super::{Attr, Ty};

// SAFETY of all calls below: attributes and expressions live as long as their context; casts follow the check of the kind.
impl Attr {
    /// For each result of an affine map the dimension that it reads and what that is divided by (1 for the dimension
    /// itself); nothing for a constant. Nothing at all for another attribute or for other results.
    pub(crate) fn as_divided_dims(self) -> Option<Vec<Option<(usize, i64)>>> {
        unsafe {
            if !mlirAttributeIsAAffineMap(self.raw()) {
                return None;
            }
            let map = mlirAffineMapAttrGetValue(self.raw());
            (0..mlirAffineMapGetNumResults(map))
                .map(|index| divided_dim(mlirAffineMapGetResult(map, index)))
                .collect()
        }
    }
}

/// # Safety
///
/// The expression is of a live context.
unsafe fn divided_dim(expression: MlirAffineExpr) -> Option<Option<(usize, i64)>> {
    // SAFETY: by the caller's promise.
    unsafe {
        if mlirAffineExprIsAConstant(expression) {
            return Some(None);
        }
        if mlirAffineExprIsADim(expression) {
            return Some(Some((mlirAffineDimExprGetPosition(expression) as usize, 1)));
        }
        if !mlirAffineExprIsAFloorDiv(expression) {
            return None;
        }
        let dim = mlirAffineBinaryOpExprGetLHS(expression);
        let by = mlirAffineBinaryOpExprGetRHS(expression);
        (mlirAffineExprIsADim(dim) && mlirAffineExprIsAConstant(by)).then(|| {
            let position = mlirAffineDimExprGetPosition(dim) as usize;
            Some((position, mlirAffineConstantExprGetValue(by)))
        })
    }
}

impl Ty {
    /// The memref of a shape and an element type, without strides; nothing where there is none.
    pub(crate) fn buffer(shape: &[i64], element: Ty) -> Option<Ty> {
        let raw = unsafe {
            mlirMemRefTypeContiguousGetChecked(
                mlirLocationUnknownGet(element.context()),
                element.raw(),
                shape.len() as isize,
                shape.as_ptr(),
                mlirAttributeGetNull(),
            )
        };
        (!raw.ptr.is_null()).then(|| Ty::new(raw))
    }

    /// The memref with strides and an offset, each nothing where it is known only at run time.
    pub(crate) fn strided_buffer(
        shape: &[i64],
        element: Ty,
        strides: &[Option<i64>],
        offset: Option<i64>,
    ) -> Option<Ty> {
        unsafe {
            let dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
            let strides: Vec<i64> = strides.iter().map(|stride| stride.unwrap_or(dynamic)).collect();
            let layout = mlirStridedLayoutAttrGet(
                element.context(),
                offset.unwrap_or(dynamic),
                strides.len() as isize,
                strides.as_ptr(),
            );
            let raw = mlirMemRefTypeGetChecked(
                mlirLocationUnknownGet(element.context()),
                element.raw(),
                shape.len() as isize,
                shape.as_ptr(),
                layout,
                mlirAttributeGetNull(),
            );
            (!raw.ptr.is_null()).then(|| Ty::new(raw))
        }
    }
}
