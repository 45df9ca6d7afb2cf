// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a context needs to know of this project.

#ifndef COMM_REGISTRATION_H
#define COMM_REGISTRATION_H

#include "CommStream.h"

namespace comm {

/// How one-shot-bufferize treats the ops of comm.
void registerBufferization(mlir::DialectRegistry &registry);

/// The dialects comm and comm_stream, and their interfaces.
inline void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<CommDialect, stream::CommStreamDialect>();
  registerBufferization(registry);
}

/// comm-bufferize-pipeline and comm-overlap-pipeline, for textual pipelines. May be called any number of times.
void registerPipelines();

} // namespace comm

#endif // COMM_REGISTRATION_H
