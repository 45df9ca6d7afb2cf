// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What collectives do to shapes, for tensors and buffers alike.

#ifndef COMM_SHAPES_H
#define COMM_SHAPES_H

#include "Comm.h"

namespace comm {

/// The sizes that tensor `index` of `op` has afterwards in groups of
/// `groupSize`. Emits an error at the op and fails where the operand lacks a
/// dimension or cannot be divided.
mlir::FailureOr<llvm::SmallVector<int64_t>> scaleShape(mlir::Operation *op, unsigned index, Scaling scaling,
                                                       int64_t groupSize);

/// Dimension that applies to tensor `index`: one entry serves all tensors.
int64_t dimOf(llvm::ArrayRef<int64_t> dims, unsigned index);

/// One dimension for all tensors, or one for each.
mlir::LogicalResult verifyDims(mlir::Operation *op, llvm::ArrayRef<int64_t> dims, size_t tensors);

/// Reductions that the element types of `inputs` have.
mlir::LogicalResult verifyReduction(mlir::Operation *op, Reduction kind, mlir::ValueRange inputs);

/// No rank is negative, twice a source or twice a target.
mlir::LogicalResult verifyPairs(mlir::Operation *op, llvm::ArrayRef<int64_t> pairs);

/// The root is a position in every group.
mlir::LogicalResult verifyRoot(mlir::Operation *op, int64_t root, int64_t groupSize);

} // namespace comm

#endif // COMM_SHAPES_H
