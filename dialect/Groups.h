// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an attribute to ranks: the one place where a mesh is laid out.

#ifndef COMM_GROUPS_H
#define COMM_GROUPS_H

#include "Comm.h"

namespace comm {

/// Groups as lists of ranks, all of one size, one after the other.
struct RankGroups {
  int64_t groupSize = 0;
  llvm::SmallVector<int64_t> ranks;
};

/// The mesh that `axes` names, seen from `op`; emits an error at `op` where
/// there is none or where it lacks an axis. `symbols` may be null.
mlir::FailureOr<MeshOp> lookupMesh(mlir::Operation *op, AxesAttr axes,
                                   mlir::SymbolTableCollection *symbols);

/// Size of each group of `groups`. Emits an error at `op` and fails where a
/// mesh is missing.
mlir::FailureOr<int64_t> getGroupSize(mlir::Operation *op, mlir::Attribute groups,
                                      mlir::SymbolTableCollection *symbols = nullptr);

/// As getGroupSize, but silent.
std::optional<int64_t> findGroupSize(mlir::Operation *op, mlir::Attribute groups);

/// All groups of `groups` as ranks, in O(ranks).
mlir::FailureOr<RankGroups> resolveGroups(mlir::Operation *op, mlir::Attribute groups);

} // namespace comm

#endif // COMM_GROUPS_H
