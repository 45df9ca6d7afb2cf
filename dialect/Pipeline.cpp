// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// comm-bufferize-pipeline: tensors become buffers, the same way for everybody.
// comm-overlap-pipeline: from StableHLO or comm on tensors to streams, in one
// name. Steps are found in the registry when a pipeline is parsed, so upstream's
// passes have to be registered by then (the drivers do so).

#include "Passes.h"
#include "Registration.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {
struct OverlapOptions : PassPipelineOptions<OverlapOptions> {
  Option<std::string> machine{*this, "machine", llvm::cl::desc("the machine model: a preset or a TOML file"),
                              llvm::cl::init("h100-8")};
  Option<std::string> schedule{*this, "schedule",
                               llvm::cl::desc("how fused ops are put on streams, as for convert-comm-to-stream"),
                               llvm::cl::init("auto")};
};
} // namespace

/// Tensors become buffers; what was equal or unused goes first, so that it gets none. Results of loops may be buffers of
/// their own, as of a `while` that swaps two.
constexpr const char *bufferizationSteps =
    "convert-elementwise-to-linalg,canonicalize,cse,empty-tensor-to-alloc-tensor,"
    "one-shot-bufferize{bufferize-function-boundaries=1 allow-return-allocs-from-loops=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "canonicalize,cse";

/// Adds steps until one is not known, which is said where it is parsed.
static void add(OpPassManager &manager, ArrayRef<std::string> steps) {
  for (const std::string &step : steps)
    if (failed(parsePassPipeline(step, manager)))
      return;
}

static void buildOverlapPipeline(OpPassManager &manager, const OverlapOptions &options) {
  std::string machine = "{machine=" + options.machine + "}";
  const std::string steps[] = {
      // Collectives of StableHLO become comm ops; nothing to do for programs of comm.
      "comm-import-stablehlo",
      // Products beside collectives become fused ops, where that pays.
      "func.func(comm-fuse-matmul" + machine + ")",
      // The other collectives are started and awaited, and computation is moved between the two.
      "func.func(comm-asyncify,comm-schedule" + machine + ")",
      // Computation of StableHLO becomes upstream dialects; what is left of it would not bufferize.
      "comm-legalize-stablehlo",
      bufferizationSteps,
      // Collectives and fused ops are put on streams.
      "convert-comm-to-stream{machine=" + options.machine + " schedule=" + options.schedule + "}",
      "canonicalize,cse",
      // Every conflict is ordered, all devices issue collectives in one order, and nothing waits for ever. What depends on
      // data cannot be followed and may be right.
      "comm-verify-stream{warn-unproved=true}",
  };
  add(manager, steps);
}

void comm::registerPipelines() {
  PassPipelineRegistration<>("comm-bufferize-pipeline",
                             "Tensors become buffers, at the boundaries of functions too: what convert-comm-to-stream "
                             "expects",
                             [](OpPassManager &manager) { add(manager, {std::string(bufferizationSteps)}); });
  PassPipelineRegistration<OverlapOptions>(
      "comm-overlap-pipeline",
      "From StableHLO or comm on tensors to overlapped streams: import, fuse, schedule, bufferize, lower, verify",
      buildOverlapPipeline);
}
