// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comm dialect: declarations of dialect, attributes, types and ops.

#ifndef COMM_H
#define COMM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "CommDialect.h.inc"
#include "CommEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "CommAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "CommTypes.h.inc"

namespace comm {
/// Dimensions of a tensor that a collective changes; -1 for none.
struct Scaling {
  /// Multiplied by the group size.
  int64_t gathered = -1;
  /// Divided by the group size.
  int64_t split = -1;
};
} // namespace comm

#include "CommInterfaces.h.inc"

namespace comm {
/// Devices that a program may have. Tables over all ranks are made from it, so it is bounded.
inline constexpr int64_t kMaxDevices = int64_t(1) << 20;

/// What a mergeable collective reads, so that it is neither sunk nor hoisted.
struct NetworkResource : mlir::SideEffects::Resource::Base<NetworkResource> {
  llvm::StringRef getName() override { return "Network"; }
};
} // namespace comm

#define GET_OP_CLASSES
#include "CommOps.h.inc"

#endif // COMM_H
