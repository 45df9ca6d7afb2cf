// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Values of affine maps of numbers.

use mlir_sys::*;

use crate::mlir::Attr;

/// Results of a map for its dimensions and then its symbols; each is nothing where an operand that it needs is not known, or
/// where it divides by what is not positive. Nothing at all where the attribute is no map. O(size of the map).
pub(super) fn apply(map: Attr, operands: &[Option<i64>]) -> Option<Vec<Option<i64>>> {
    // SAFETY: attributes live as long as their context; the cast follows the check of the kind.
    unsafe {
        if !mlirAttributeIsAAffineMap(map.raw()) {
            return None;
        }
        let map = mlirAffineMapAttrGetValue(map.raw());
        let dims = usize::try_from(mlirAffineMapGetNumDims(map)).ok()?;
        let results = (0..mlirAffineMapGetNumResults(map)).map(|index| mlirAffineMapGetResult(map, index));
        Some(results.map(|result| evaluate(result, operands, dims)).collect())
    }
}

/// # Safety
///
/// The expression is of a live context.
unsafe fn evaluate(expression: MlirAffineExpr, operands: &[Option<i64>], dims: usize) -> Option<i64> {
    // SAFETY: by the caller's promise; casts follow the check of the kind, and parts live as long as the whole.
    unsafe {
        if mlirAffineExprIsAConstant(expression) {
            return Some(mlirAffineConstantExprGetValue(expression));
        }
        if mlirAffineExprIsADim(expression) {
            return *operands.get(mlirAffineDimExprGetPosition(expression) as usize)?;
        }
        if mlirAffineExprIsASymbol(expression) {
            return *operands.get(dims + mlirAffineSymbolExprGetPosition(expression) as usize)?;
        }
        if !mlirAffineExprIsABinary(expression) {
            return None;
        }
        let left = evaluate(mlirAffineBinaryOpExprGetLHS(expression), operands, dims)?;
        let right = evaluate(mlirAffineBinaryOpExprGetRHS(expression), operands, dims)?;
        if mlirAffineExprIsAAdd(expression) {
            return left.checked_add(right);
        }
        if mlirAffineExprIsAMul(expression) {
            return left.checked_mul(right);
        }
        if right <= 0 {
            return None;
        }
        if mlirAffineExprIsAMod(expression) {
            Some(left.rem_euclid(right))
        } else if mlirAffineExprIsAFloorDiv(expression) {
            Some(left.div_euclid(right))
        } else if mlirAffineExprIsACeilDiv(expression) {
            // Upwards, which is downwards of the negative number.
            Some(-(left.checked_neg()?.div_euclid(right)))
        } else {
            None
        }
    }
}
