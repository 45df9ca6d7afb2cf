// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shells between MLIR's pass infrastructure and the passes in Rust.

#include "Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

namespace comm {
#define GEN_PASS_DEF_COMMIMPORTSTABLEHLO
#define GEN_PASS_DEF_COMMIMPORTTORCH
#define GEN_PASS_DEF_COMMIMPORTSHARD
#define GEN_PASS_DEF_CONVERTCOMMTOSTREAM
#define GEN_PASS_DEF_COMMLEGALIZESTABLEHLO
#define GEN_PASS_DEF_COMMASYNCIFY
#define GEN_PASS_DEF_COMMSORT
#define GEN_PASS_DEF_COMMSIMPLIFY
#define GEN_PASS_DEF_COMMBUCKET
#define GEN_PASS_DEF_COMMFUSEMATMUL
#define GEN_PASS_DEF_COMMSCHEDULE
#define GEN_PASS_DEF_CONVERTCOMMSTREAMTORUNTIME
#define GEN_PASS_DEF_COMMVERIFYFUTURES
#define GEN_PASS_DEF_COMMVERIFYORDER
#define GEN_PASS_DEF_COMMVERIFYSCHEDULE
#define GEN_PASS_DEF_COMMVERIFYSTREAM
#include "CommPasses.h.inc"

namespace {

struct CommImportStablehlo : impl::CommImportStablehloBase<CommImportStablehlo> {
  using CommImportStablehloBase::CommImportStablehloBase;
  void runOnOperation() override {
    CommRsImportStablehloOptions options{splitBarriers, inlinePrivate};
    if (!comm_rs_import_stablehlo(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommImportTorch : impl::CommImportTorchBase<CommImportTorch> {
  using CommImportTorchBase::CommImportTorchBase;
  void runOnOperation() override {
    SmallVector<MlirStringRef> list;
    for (const std::string &entry : groups)
      list.push_back(wrap(StringRef(entry)));
    CommRsImportTorchOptions options{list.data(), list.size()};
    if (!comm_rs_import_torch(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommImportShard : impl::CommImportShardBase<CommImportShard> {
  void runOnOperation() override {
    if (!comm_rs_import_shard(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ConvertCommToStream : impl::ConvertCommToStreamBase<ConvertCommToStream> {
  using ConvertCommToStreamBase::ConvertCommToStreamBase;
  void runOnOperation() override {
    CommRsConvertToStreamOptions options{wrap(StringRef(machine)),
                                         static_cast<uint32_t>(waits.getValue()),
                                         timeoutMs,
                                         static_cast<uint32_t>(streamSchedule.getValue()),
                                         depth,
                                         subChunks,
                                         static_cast<uint32_t>(order.getValue())};
    if (!comm_rs_convert_to_stream(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommLegalizeStablehlo : impl::CommLegalizeStablehloBase<CommLegalizeStablehlo> {
  void runOnOperation() override {
    if (!comm_rs_legalize_stablehlo(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CommAsyncify : impl::CommAsyncifyBase<CommAsyncify> {
  void runOnOperation() override {
    if (!comm_rs_asyncify(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CommSort : impl::CommSortBase<CommSort> {
  using CommSortBase::CommSortBase;
  void runOnOperation() override {
    CommRsSortOptions options{static_cast<uint32_t>(allGather.getValue()),
                              static_cast<uint32_t>(reduceScatter.getValue()),
                              maxInFlight,
                              maxInFlightReductions,
                              static_cast<uint32_t>(ties.getValue()),
                              verify};
    if (!comm_rs_sort(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommSimplify : impl::CommSimplifyBase<CommSimplify> {
  using CommSimplifyBase::CommSimplifyBase;
  void runOnOperation() override {
    CommRsSimplifyOptions options{wrap(StringRef(machine)),
                                  wrap(StringRef(profile)),
                                  wrap(StringRef(egraphs)),
                                  memoryLimit,
                                  static_cast<uint32_t>(fp.getValue()),
                                  static_cast<uint32_t>(gathers.getValue()),
                                  nodes,
                                  alternatives};
    if (!comm_rs_simplify(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommBucket : impl::CommBucketBase<CommBucket> {
  using CommBucketBase::CommBucketBase;
  void runOnOperation() override {
    CommRsBucketOptions options{wrap(StringRef(machine)),
                                wrap(StringRef(profile)),
                                bytes,
                                maxBytes,
                                maxLiveBytes,
                                memoryLimit,
                                static_cast<uint32_t>(mode.getValue()),
                                static_cast<uint32_t>(level.getValue())};
    if (!comm_rs_bucket(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommFuseMatmul : impl::CommFuseMatmulBase<CommFuseMatmul> {
  using CommFuseMatmulBase::CommFuseMatmulBase;
  void runOnOperation() override {
    CommRsFuseMatmulOptions options{wrap(StringRef(machine)), minGain, force, ordered};
    if (!comm_rs_fuse_matmul(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommSchedule : impl::CommScheduleBase<CommSchedule> {
  using CommScheduleBase::CommScheduleBase;
  void runOnOperation() override {
    CommRsScheduleOptions options{wrap(StringRef(machine)),
                                  wrap(StringRef(profile)),
                                  memoryLimit,
                                  maxInFlightBytes,
                                  maxInFlight,
                                  static_cast<uint32_t>(effort.getValue()),
                                  verify};
    if (!comm_rs_schedule(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct ConvertCommStreamToRuntime : impl::ConvertCommStreamToRuntimeBase<ConvertCommStreamToRuntime> {
  using ConvertCommStreamToRuntimeBase::ConvertCommStreamToRuntimeBase;
  void runOnOperation() override {
    CommRsStreamToRuntimeOptions options{trace};
    if (!comm_rs_stream_to_runtime(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommVerifyFutures : impl::CommVerifyFuturesBase<CommVerifyFutures> {
  void runOnOperation() override {
    if (!comm_rs_verify_futures(wrap(getOperation().getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct CommVerifyOrder : impl::CommVerifyOrderBase<CommVerifyOrder> {
  void runOnOperation() override {
    if (!comm_rs_verify_order(wrap(getOperation().getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct CommVerifySchedule : impl::CommVerifyScheduleBase<CommVerifySchedule> {
  using CommVerifyScheduleBase::CommVerifyScheduleBase;
  void runOnOperation() override {
    CommRsVerifyScheduleOptions options{static_cast<uint32_t>(mode.getValue())};
    if (!comm_rs_verify_schedule(wrap(getOperation().getOperation()), &options))
      signalPassFailure();
  }
};

struct CommVerifyStream : impl::CommVerifyStreamBase<CommVerifyStream> {
  using CommVerifyStreamBase::CommVerifyStreamBase;
  void runOnOperation() override {
    CommRsVerifyStreamOptions options{maxEvents, warnUnproved};
    if (!comm_rs_verify_stream(wrap(getOperation().getOperation()), &options))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace comm
