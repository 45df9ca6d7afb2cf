// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verifiers and the shape inference of fused ops share.

#ifndef COMM_FUSED_OPS_H
#define COMM_FUSED_OPS_H

#include "Comm.h"

namespace comm {

/// The dimension of `map`'s results that is iteration dimension `dim`, or -1.
int64_t findResult(mlir::AffineMap map, unsigned dim);

/// Extents of a tensor or buffer, of which dimension `scaled` (or none, -1) is multiplied by `factor`. Sizes that are
/// not known stay so, as does one that is out of range.
llvm::SmallVector<int64_t> scaledExtents(mlir::Type type, int64_t scaled, int64_t factor);

/// The type with the layout of what an op allocates that `like`, a tensor or a buffer, is an operand of.
mlir::ShapedType allocatedLike(mlir::Type like, llvm::ArrayRef<int64_t> shape, mlir::Type element);

} // namespace comm

#endif // COMM_FUSED_OPS_H
