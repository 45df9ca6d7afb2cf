// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on the way from tensors to calls of the run-time; part of
// CommPasses.td.

#ifndef COMM_LOWERING_PASSES_TD
#define COMM_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertCommToStream : Pass<"convert-comm-to-stream", "::mlir::ModuleOp"> {
  let summary = "Put collectives on streams, ordered by events";
  let description = [{
    Works on buffers: run upstream's `one-shot-bufferize` before it, which turns
    each collective into the same op on buffers. Every group of devices has a
    stream. A collective runs on the stream of its group once an event says that
    its buffers are ready; one that reads what another one makes waits for it
    from stream to stream. The stream `current`, which runs the function's
    ordinary ops, waits where a result is first touched or an operand written,
    at the latest at the end of the block. No event is waited for that
    another one implies, so removing any of them leaves a race, which
    `comm-verify-stream` finds. A collective in groups of one device is a copy.

    `comm.all_gather_matmul` and `comm.matmul_reduce_scatter` become launches,
    one a chunk, on `current` and a second stream, and copies from peers; all ops
    of a group in a function have the same schedule and share one workspace.
    `two-stream` and `two-stream-eager` order devices by barriers; `signal`, by a
    signal for each peer and use, and one barrier at each end of the function.
    Ops in branches or in loops of unknown length cannot have `signal` and
    get `two-stream`.

    Buffers are allocated and not freed here; upstream's
    `buffer-deallocation-pipeline` does that.
  }];
  let options = [
    Option<"waits", "waits", "::comm::Waits", /*default=*/"::comm::Waits::Needed",
           "Where the stream 'current' waits for a collective",
           [{::llvm::cl::values(
               clEnumValN(::comm::Waits::Needed, "needed", "where a buffer is next touched"),
               clEnumValN(::comm::Waits::Placed, "placed",
                          "where comm.wait stands, and after a blocking collective, as the timing model assumes")
           )}]>,
    Option<"timeoutMs", "timeout-ms", "uint32_t", /*default=*/"0",
           "How long an op waits for other devices, in milliseconds; 0 for what the run-time is told">,
    Option<"streamSchedule", "schedule", "::comm::StreamSchedule", /*default=*/"::comm::StreamSchedule::Auto",
           "How fused ops are put on streams",
           [{::llvm::cl::values(
               clEnumValN(::comm::StreamSchedule::Auto, "auto", "with the least modelled time"),
               clEnumValN(::comm::StreamSchedule::TwoStream, "two-stream",
                          "two streams and barriers; the own shard is offered before computation begins"),
               clEnumValN(::comm::StreamSchedule::TwoStreamEager, "two-stream-eager",
                          "two streams and barriers; the own shard is offered while computation begins"),
               clEnumValN(::comm::StreamSchedule::Signal, "signal",
                          "copies on their own stream, and signals between two devices at a time")
           )}]>,
    Option<"depth", "depth", "uint32_t", /*default=*/"0",
           "Landing chunks and slots of a fused op by signals; 0 for 2">,
    Option<"subChunks", "sub-chunks", "uint32_t", /*default=*/"0",
           "Into how many parts a peer's chunk is cut at most; 0 for the best of 1, 2 and 4 as modelled">,
    Option<"order", "order", "::comm::PeerOrder", /*default=*/"::comm::PeerOrder::Ascending",
           "In which order a gather takes the chunks of peers, where they are not added",
           [{::llvm::cl::values(
               clEnumValN(::comm::PeerOrder::Ascending, "ascending", "from the position behind its own on"),
               clEnumValN(::comm::PeerOrder::Descending, "descending", "from the position before its own down")
           )}]>,
    Option<"machine", "machine", "std::string", /*default=*/"\"h100-8\"",
           "Machine model by which schedules are compared: a preset or a file">,
  ];
  let dependentDialects = ["::comm::CommDialect", "::comm::stream::CommStreamDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CommLegalizeStablehlo : Pass<"comm-legalize-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Lower StableHLO computation to linalg, arith, math, tensor and scf";
  let description = [{
    Reads StableHLO in generic form (an unregistered dialect) on ranked tensors
    of static shape whose elements are i1, 8 to 64 bit integers, f16, bf16, f32
    or f64. Run `comm-import-stablehlo` first: a StableHLO collective that is
    left is an error. `comm` ops stay. What is not covered (complex numbers,
    quantization, convolutions, FFT, linear algebra solvers, random numbers,
    tokens, tuples, dynamic shapes, custom calls but `Sharding`) is an error at
    the op; the functions before it are then lowered, but no output is written.

    *Types.* `ui32` and the like become signless, in signatures too; each op
    keeps its unsigned meaning.
    *Floats.* `f16` and `bf16` are computed in f32 and rounded once an op;
    products of matrices accumulate in f32. maximum and minimum pass NaN on.
    *Where StableHLO leaves a choice*, it is made as XLA does: a conversion of a
    float to an integer saturates, NaN becomes 0; x / 0 is -1 and x % 0 is x in
    integers; a shift beyond the width gives 0 or copies of the sign;
    reduce_precision to fewer exponent bits flushes subnormal numbers to zero. A
    scatter drops each single element that is out of bounds, as the
    specification says. Conversions of 32 and 64 bit integers to 16 bit floats
    round to f32 on the way.
    *Loops.* A `while` that counts up by a constant between constants becomes
    `scf.for`. Scalars are carried as scalars, tensors are copied into the
    buffer of the loop's argument, so that `one-shot-bufferize` needs no
    allocation a trip.

    What must follow: `linalg-fuse-elementwise-ops` to taste,
    `one-shot-bufferize`, `convert-linalg-to-loops`, `convert-scf-to-cf`,
    `arith-expand{include-bf16=true}` where there are conversions of bf16 (it
    takes 0 and -0 for equal in maximum and minimum), `convert-math-to-llvm` and
    after it `convert-math-to-libm` for what is left (tanh, cbrt, tan, atan2),
    then the conversions to LLVM.
  }];
  let dependentDialects = ["::comm::CommDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertCommStreamToRuntime : Pass<"convert-comm-stream-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turn stream programs into calls of the run-time";
  let description = [{
    Every op of `comm_stream`, `comm.rank` and `comm.mesh` becomes calls of
    `comm_rt_*` (`crates/runtime/include/comm_rt.h`), which upstream passes then
    take to LLVM. Streams, events and symmetric buffers become numbers. The
    region of a launch becomes a function of its own. Products of matrices of
    floats, whatever structured op spells them, become calls of
    `comm_rt_matmul`; other ops stay.

    A device's own thread is its stream `current`: what is issued there has
    ended when the next op runs.

    After a failure every call of the run-time fails, and a run reports the first
    failure. The program itself goes on, on whatever is in its buffers, until
    it ends; conditions of `scf.while` are false from then on.
  }];
  let options = [
    Option<"trace", "trace", "bool", /*default=*/"false",
           "mark the computation of a device's own thread for the run-time's trace (default: false)">
  ];
  let dependentDialects = ["::comm::CommDialect", "::comm::stream::CommStreamDialect",
                           "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // COMM_LOWERING_PASSES_TD
