// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The loops of linalg's structured ops, above all of matrix products and convolutions.

use mlir_sys::*;

use super::{Attr, Op};

/// Trip counts of the loops of a linalg contraction or convolution, named or generic, in no particular order; nothing for
/// another op, or where a loop's count is dynamic. Each turn of the innermost loop is one multiplication and one addition.
pub(crate) fn product_loops(op: Op) -> Option<Vec<i64>> {
    if !op.name().starts_with("linalg.") {
        return None;
    }
    // SAFETY: the op is alive. Its maps are null unless it is a structured op, which the other two questions are about.
    let maps = unsafe {
        let maps = Attr::from_nullable(mlirLinalgGetIndexingMapsAttribute(op.raw()))?;
        if !mlirLinalgIsAContractionOp(op.raw()) && !mlirLinalgIsAConvolutionOp(op.raw()) {
            return None;
        }
        maps.as_array()?
    };
    let mut counts: Vec<Option<i64>> = Vec::new();
    for (operand, map) in op.operands().zip(maps) {
        let Some(dims) = operand.ty().dims() else { continue };
        // SAFETY: the verifier has found maps of as many results as the operand has dimensions; all live in the context.
        unsafe {
            if !mlirAttributeIsAAffineMap(map.raw()) {
                return None;
            }
            let map = mlirAffineMapAttrGetValue(map.raw());
            counts.resize(mlirAffineMapGetNumDims(map) as usize, None);
            for (index, size) in (0..mlirAffineMapGetNumResults(map)).zip(dims) {
                let result = mlirAffineMapGetResult(map, index);
                if mlirAffineExprIsADim(result) {
                    let count = &mut counts[mlirAffineDimExprGetPosition(result) as usize];
                    *count = count.or(size);
                }
            }
        }
    }
    counts.into_iter().collect()
}

/// Dimensions of the loops over which each operand of a linalg op is read or written, as the number of loops and one list
/// an operand; nothing for an op that is not structured, or whose operands are indexed by anything but loops.
pub(crate) fn indexing_maps(op: Op) -> Option<Vec<(usize, Vec<usize>)>> {
    if !op.name().starts_with("linalg.") {
        return None;
    }
    // SAFETY: the op is alive; the attribute is null unless it is a structured op.
    let maps = Attr::from_nullable(unsafe { mlirLinalgGetIndexingMapsAttribute(op.raw()) })?;
    maps.as_array()?.into_iter().map(Attr::as_projection).collect()
}

/// Whether an op is a linalg op whose body adds products of its two operands to its result.
pub(crate) fn is_contraction(op: Op) -> bool {
    // SAFETY: the op is alive; the second question is about structured ops, which are those with maps.
    op.name().starts_with("linalg.")
        && unsafe {
            Attr::from_nullable(mlirLinalgGetIndexingMapsAttribute(op.raw())).is_some()
                && mlirLinalgIsAContractionOp(op.raw())
        }
}
