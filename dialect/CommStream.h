// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comm_stream dialect: declarations of dialect, types and ops.

#ifndef COMM_STREAM_H
#define COMM_STREAM_H

#include "Comm.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "CommStreamDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "CommStreamTypes.h.inc"

namespace comm::stream {
/// What issuing on a stream reads and writes.
struct QueueResource : mlir::SideEffects::Resource::Base<QueueResource> {
  llvm::StringRef getName() override { return "Queue"; }
};
/// Whether an op of this project may stand in a region: in a launch nothing is issued.
bool mayStandIn(mlir::Operation *op, mlir::Region *region);
} // namespace comm::stream

#define GET_OP_CLASSES
#include "CommStreamOps.h.inc"

#endif // COMM_STREAM_H
