// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes. Decisions are made in Rust (src/passes); these declarations give
// the registry, the command line and the documentation.

#ifndef COMM_PASSES_TD
#define COMM_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

def CommImportStablehlo : Pass<"comm-import-stablehlo", "::mlir::ModuleOp"> {
  let summary = "Turn StableHLO collectives into comm ops";
  let description = [{
    Reads StableHLO in generic form (an unregistered dialect), as JAX prints it
    with `print_generic_op_form`. Every collective becomes a blocking `comm` op;
    everything else stays as it is. What cannot be represented (ragged groups, a
    reducer that is none of the known ones, mixed replicas and partitions) is an
    error that says why; nothing is dropped silently. Private functions that
    JAX outlines are inlined, and bodies of `sdy.manual_computation` are read
    where they parse.
  }];
  let options = [
    Option<"splitBarriers", "split-barriers", "bool", /*default=*/"false",
           "take views of arguments out of optimization barriers and mark gathers of them regather (default: false)">,
    Option<"inlinePrivate", "inline", "bool", /*default=*/"true",
           "inline private functions that are called directly (default: true)">
  ];
  let dependentDialects = ["::comm::CommDialect"];
}

def CommImportTorch : Pass<"comm-import-torch", "::mlir::ModuleOp"> {
  let summary = "Turn torch-mlir's functional collectives into comm ops";
  let description = [{
    Reads `torch.operator "torch._c10d_functional.*"` in generic form. Start and
    `wait_tensor` are already apart there and become a start and a `comm.wait`.
    A process group is only a name in such a graph; `groups` says who is in it,
    and without an entry a `group_size` that the graph mentions.
  }];
  let options = [
    ListOption<"groups", "groups", "std::string",
               "ranks of a process group: NAME=0.1.2.3/4.5.6.7 (groups separated by slashes)">
  ];
  let dependentDialects = ["::comm::CommDialect"];
}

def CommImportShard : Pass<"comm-import-shard", "::mlir::ModuleOp"> {
  let summary = "Turn collectives of the upstream shard dialect into comm ops";
  let description = [{
    Every `shard.grid` that a collective uses becomes a `comm.mesh` whose axes
    are named `axis0`, `axis1`, and so on; collectives become blocking `comm`
    ops over those axes, a slice of a replicated tensor an extract_slice at this
    device's position, and process indices `comm.rank`. What `comm` does not
    have (gather, scatter and reduce to one root, send, recv, halo updates,
    grids of unknown size) is an error that says why.
  }];
  let dependentDialects = ["::comm::CommDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

def CommAsyncify : Pass<"comm-asyncify", "::mlir::func::FuncOp"> {
  let summary = "Split blocking collectives into a start and a wait";
  let description = [{
    The wait directly follows the start; `comm-sort` then moves them apart.
    `mergeable` is dropped, since a future has one wait.
  }];
  let dependentDialects = ["::comm::CommDialect"];
}

def CommSort : Pass<"comm-sort", "::mlir::func::FuncOp"> {
  let summary = "All-gathers late, by consumer order; reductions early, by producer order";
  let description = [{
    Places communication around the computation of each block, whose order is
    kept; needs no cost model.

    *All-gathers*: waits stand directly before their first real consumer, in
    consumer order (bottom-up). `late` issues a gather at the latest position
    that leaves `max-in-flight` gathers in flight before each wait, never above
    its operand; `first` at the earliest such position; `keep` does not touch
    them. So `late` issues the first `max-in-flight` gathers of a block together,
    directly before the first wait: the very first one overlaps nothing, and
    with a limit of 1 none does. Where a block has one or two gathers, or
    computation before the first of them, `first` overlaps more, at the price of
    memory.
    *Reductions* (reduce-scatter, all-reduce): issued right after their
    producer, with the cheap ops in between, in producer order (top-down);
    their waits stand as late as their first consumer and the limit allow.
    *Others* keep their order: start after the producer, wait before the
    consumer.

    *Anchors* are all other ops. They keep their order; views and cheap ops
    (converts, transposes, broadcasts, scalings) that only dress a collective
    move with it. Nothing moves across a *fence*: an op that writes memory, is
    not known to be free of side effects, communicates in a region, or branches
    on what may differ between devices. Nothing moves from block to block.

    The result does not depend on the order of parameters, on names, or on
    where the moved ops stood before. A limit that cannot be met is an error
    that names the least one that can. Source of the two sorts: Lightning
    Thunder pull request 592; see docs/design/sort.md.
  }];
  let options = [
    Option<"allGather", "all-gather", "::comm::GatherPlacement",
           /*default=*/"::comm::GatherPlacement::Late", "where gathers start: late (default), first or keep",
           [{::llvm::cl::values(
             clEnumValN(::comm::GatherPlacement::Late, "late", "as late as the limit allows"),
             clEnumValN(::comm::GatherPlacement::First, "first", "as early as the limit allows"),
             clEnumValN(::comm::GatherPlacement::Keep, "keep", "untouched"))}]>,
    Option<"reduceScatter", "reduce-scatter", "::comm::ReductionPlacement",
           /*default=*/"::comm::ReductionPlacement::Early", "where reductions start: early (default) or keep",
           [{::llvm::cl::values(
             clEnumValN(::comm::ReductionPlacement::Early, "early", "right after their producer"),
             clEnumValN(::comm::ReductionPlacement::Keep, "keep", "untouched"))}]>,
    Option<"maxInFlight", "max-in-flight", "uint32_t", /*default=*/"3",
           "most all-gathers in flight on a communication stream, which is one partition of the devices into groups (default: 3; 0: no limit)">,
    Option<"maxInFlightReductions", "max-in-flight-reductions", "uint32_t", /*default=*/"3",
           "most reductions in flight on a communication stream (default: 3; 0: no limit)">,
    Option<"ties", "ties", "::comm::TieBreak", /*default=*/"::comm::TieBreak::EGraph",
           "how topologically equal collectives are ordered: egraph (default) or source",
           [{::llvm::cl::values(
             clEnumValN(::comm::TieBreak::EGraph, "egraph", "least peak memory, by equality saturation"),
             clEnumValN(::comm::TieBreak::Source, "source", "as in the source"))}]>,
    Option<"verify", "verify", "bool", /*default=*/"false",
           "check the new order against the dependence graph (default: false; always done in debug builds)">
  ];
  let dependentDialects = ["::comm::CommDialect"];
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

def CommVerifyFutures : Pass<"comm-verify-futures", "::mlir::func::FuncOp"> {
  let summary = "Check that every future is awaited exactly once on every path";
  let description = [{
    A future without any user is legal and dead. `comm-sort` runs the same
    check first.
  }];
}

def CommVerifyOrder : Pass<"comm-verify-order", "::mlir::ModuleOp"> {
  let summary = "Check that all ranks issue collectives in one order, without deadlock";
  let description = [{
    Follows the program of every rank. Control flow whose condition is the same
    on all devices, or computed from `comm.rank` and constants, is followed;
    arms of any other (divergent) branch must issue equal sequences. The members
    of a group must issue the same collectives in the same order, and the union
    of all ranks' issue orders, on instances of collectives, must have no cycle.
  }];
}

def CommVerifySchedule : Pass<"comm-verify-schedule", "::mlir::func::FuncOp"> {
  let summary = "Check that a reordering kept every dependence";
  let description = [{
    `mode=record` before the reordering numbers the ops of every block;
    `mode=check` after it verifies that the same ops are there, that each block
    is a linear extension of the recorded order, and removes the numbers.

    ```
    func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check})
    ```
  }];
  let options = [
    Option<"mode", "mode", "::comm::VerifyMode", /*default=*/"::comm::VerifyMode::Check",
           "record the order, or check it (default)",
           [{::llvm::cl::values(
             clEnumValN(::comm::VerifyMode::Record, "record", "number the ops"),
             clEnumValN(::comm::VerifyMode::Check, "check", "compare with the numbers"))}]>
  ];
}

#endif // COMM_PASSES_TD
