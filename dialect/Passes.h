// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes as MLIR sees them: options and registration. Each runs a function
// of the Rust crate (declared at the end), which makes all decisions.

#ifndef COMM_PASSES_H
#define COMM_PASSES_H

#include "CommStream.h"

#include "mlir-c/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace comm {

enum class GatherPlacement : uint32_t { Late, First, Keep };
enum class ReductionPlacement : uint32_t { Early, Keep };
enum class TieBreak : uint32_t { EGraph, Source };
enum class BucketMode : uint32_t { Cost, Bytes, Name };
enum class BucketLevel : uint32_t { Block, Layer };
enum class Gathers : uint32_t { Keep, Choose };
enum class FloatingPoint : uint32_t { Exact, Reassociate, Precision };
enum class Effort : uint32_t { Fast, Default, Exact };
enum class VerifyMode : uint32_t { Record, Check };
enum class Waits : uint32_t { Needed, Placed };
enum class StreamSchedule : uint32_t { Auto, TwoStream, TwoStreamEager, Signal };
enum class PeerOrder : uint32_t { Ascending, Descending };

#define GEN_PASS_DECL
#include "CommPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "CommPasses.h.inc"

} // namespace comm

extern "C" {

/// Options as the Rust side declares them (src/passes/options.rs).
struct CommRsImportStablehloOptions {
  bool splitBarriers;
  bool inlinePrivate;
};
struct CommRsImportTorchOptions {
  const MlirStringRef *groups;
  size_t numGroups;
};
struct CommRsSortOptions {
  uint32_t allGather;
  uint32_t reduceScatter;
  uint32_t maxInFlight;
  uint32_t maxInFlightReductions;
  uint32_t ties;
  bool verify;
};
struct CommRsBucketOptions {
  MlirStringRef machine;
  MlirStringRef profile;
  uint64_t bytes;
  uint64_t maxBytes;
  uint64_t maxLiveBytes;
  int64_t memoryLimit;
  uint32_t mode;
  uint32_t level;
};
struct CommRsSimplifyOptions {
  MlirStringRef machine;
  MlirStringRef profile;
  MlirStringRef egraphs;
  int64_t memoryLimit;
  uint32_t fp;
  uint32_t gathers;
  uint32_t nodes;
  uint32_t alternatives;
};
struct CommRsFuseMatmulOptions {
  MlirStringRef machine;
  uint32_t minGain;
  bool force;
  bool ordered;
};
struct CommRsScheduleOptions {
  MlirStringRef machine;
  MlirStringRef profile;
  int64_t memoryLimit;
  uint64_t maxInFlightBytes;
  uint32_t maxInFlight;
  uint32_t effort;
  bool verify;
};
struct CommRsConvertToStreamOptions {
  MlirStringRef machine;
  uint32_t waits;
  uint32_t timeoutMs;
  uint32_t schedule;
  uint32_t depth;
  uint32_t subChunks;
  uint32_t order;
};
struct CommRsStreamToRuntimeOptions {
  bool trace;
};
struct CommRsVerifyScheduleOptions {
  uint32_t mode;
};
struct CommRsVerifyStreamOptions {
  uint64_t maxEvents;
  bool warnUnproved;
};

/// Each returns whether the pass succeeded; where it did not, an error has been emitted. None unwinds.
bool comm_rs_import_stablehlo(MlirOperation module, const CommRsImportStablehloOptions *options);
bool comm_rs_import_torch(MlirOperation module, const CommRsImportTorchOptions *options);
bool comm_rs_import_shard(MlirOperation module);
bool comm_rs_convert_to_stream(MlirOperation module, const CommRsConvertToStreamOptions *options);
bool comm_rs_legalize_stablehlo(MlirOperation module);
bool comm_rs_asyncify(MlirOperation function);
bool comm_rs_sort(MlirOperation function, const CommRsSortOptions *options);
bool comm_rs_bucket(MlirOperation function, const CommRsBucketOptions *options);
bool comm_rs_simplify(MlirOperation function, const CommRsSimplifyOptions *options);
bool comm_rs_fuse_matmul(MlirOperation function, const CommRsFuseMatmulOptions *options);
bool comm_rs_schedule(MlirOperation function, const CommRsScheduleOptions *options);
bool comm_rs_stream_to_runtime(MlirOperation module, const CommRsStreamToRuntimeOptions *options);
bool comm_rs_verify_futures(MlirOperation function);
bool comm_rs_verify_order(MlirOperation module);
bool comm_rs_verify_schedule(MlirOperation function, const CommRsVerifyScheduleOptions *options);
bool comm_rs_verify_stream(MlirOperation module, const CommRsVerifyStreamOptions *options);
}

#endif // COMM_PASSES_H
