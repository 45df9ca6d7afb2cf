// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes. Decisions are made in Rust (src/passes); these declarations give
// the registry, the command line and the documentation.

#ifndef COMM_PASSES_TD
#define COMM_PASSES_TD

include "mlir/Pass/PassBase.td"
include "CommLoweringPasses.td"

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

def CommSimplify : Pass<"comm-simplify", "::mlir::func::FuncOp"> {
  let summary = "Identities of collectives, by equality saturation, where they make a block better";
  let description = [{
    Rewrites collectives together with the local ops around them: a reduction of
    which each device keeps a part becomes a reduce-scatter, a reduction over one
    axis and then another sends the least where the scattering one comes first,
    conversions move to the side where fewer bytes are sent, layout changes and
    elementwise ops move across collectives, collectives that undo each other go.

    Each block is cut into pieces: a collective and the ops of StableHLO (in
    generic form), linalg, tensor, arith, math and tosa around it that the pass
    knows; any other op stays, and its operands and results are what they are.
    The part of a tensor that belongs to a device is `tensor.extract_slice` at an
    offset of `comm.rank` times the size of the part, read and written.
    All equal forms of a piece are in one e-graph, pieces that compute alike in the
    same. What a linear price finds cheaper is put into the block, timed as
    `comm-schedule{effort=fast}` orders it, and kept where the block gets faster,
    or takes less memory, or sends fewer bytes, and no other of these figures gets
    worse. With a `memory-limit` the peak may rise up to the limit.

    `fp` says what a rewrite may do to numbers: *exact* nothing, bit by bit, short
    of overflow and underflow (factors may be multiplied) and payloads of NaN;
    *reassociate* may add the same terms in another order, as reduce-scatter for
    all-reduce does; *precision* may also send and add in a narrower or wider type.

    Two gathers of one value stay two, since to share one is to keep its result,
    unless both are `mergeable` and in one piece. Attributes that all collectives of a kind in a
    piece have go to the new ones of that kind. With `gathers=choose` it is decided for each value
    whether to keep it gathered or to gather it again, between ZeRO stage 2 and
    stage 3, for the fastest step within the `memory-limit`; without one, within
    what the block needs as it stands. Run that behind `comm-asyncify`. Nothing crosses a fence. Run it before
    `comm-asyncify` or after; collectives of several tensors are left alone, so run
    it before `comm-bucket`.

    Limits count e-graph nodes and schedules, never seconds. Remarks
    (`--remarks-filter=comm-simplify`) name the rules that were applied, what they
    are worth, and whether every e-graph saturated.
  }];
  let options = [
    Option<"fp", "fp", "::comm::FloatingPoint", /*default=*/"::comm::FloatingPoint::Exact",
           "what rewrites may do to floating-point numbers: exact (default), reassociate or precision",
           [{::llvm::cl::values(
             clEnumValN(::comm::FloatingPoint::Exact, "exact", "nothing, bit by bit"),
             clEnumValN(::comm::FloatingPoint::Reassociate, "reassociate", "add the same terms in another order"),
             clEnumValN(::comm::FloatingPoint::Precision, "precision", "also compute in another precision"))}]>,
    Option<"machine", "machine", "std::string", /*default=*/"\"h100-8\"",
           "the machine: a100-8, h100-8, b200-8, or the path of a TOML file (default: h100-8)">,
    Option<"profile", "profile", "std::string", /*default=*/"\"\"",
           "path of a file of measured durations, by op name or location (default: none)">,
    Option<"memoryLimit", "memory-limit", "int64_t", /*default=*/"-1",
           "bytes live at once, arguments apart, up to which the peak may rise (default: -1, not at all; other negative numbers are errors)">,
    Option<"gathers", "gathers", "::comm::Gathers", /*default=*/"::comm::Gathers::Keep",
           "what becomes of values that are gathered several times or used far apart: keep (default) or choose",
           [{::llvm::cl::values(
             clEnumValN(::comm::Gathers::Keep, "keep", "they are gathered as the program says"),
             clEnumValN(::comm::Gathers::Choose, "choose", "each is kept or gathered again, for the fastest step within the memory limit"))}]>,
    Option<"nodes", "nodes", "uint32_t", /*default=*/"2000",
           "nodes of an e-graph at most (default: 2000)">,
    Option<"alternatives", "alternatives", "uint32_t", /*default=*/"4",
           "alternatives of a piece that are timed, at most (default: 4)">,
    Option<"egraphs", "egraphs", "std::string", /*default=*/"\"\"",
           "a directory that the e-graphs are written to, for Graphviz (default: none)">
  ];
  let dependentDialects = ["::comm::CommDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CommFuseMatmul : Pass<"comm-fuse-matmul", "::mlir::func::FuncOp"> {
  let summary = "Fuse gathers and reduce-scatters with the matrix products around them, where that pays";
  let description = [{
    An all-gather whose result is a factor of products becomes a
    `comm.all_gather_matmul`; sums of products that are reduce-scattered become a
    `comm.matmul_reduce_scatter`. `convert-comm-to-stream` then pipelines them.
    Run it after import and before the sorts, on StableHLO (`dot_general`) or
    linalg; collectives may block or be started, but carry one tensor.

    *Products* are contractions in any form: transposed, batched, of more than two
    dimensions, the gathered factor on either side, gathered along rows, batch or
    what is contracted. All products of one gather that can stand at its first use
    are fused together; where others use the gathered tensor, it is returned.
    Gathers on other dimensions that are spelled as gather, slices and concatenate
    are read as one. Where shards were padded to one size and the padding is cut
    off before a product, it is cut off the product instead; where a product is
    padded before it is scattered, its factor is.
    *Around them*: elementwise ops between the gather and its products (conversions,
    scales that are gathered too) become the prologue, those that are the only use
    of a product (bias, activation, conversion) its epilogue.
    *Sums* of products before a reduce-scatter become one op that accumulates all,
    in an order of additions of its own. An all-reduce of products is split into a
    fused reduce-scatter and an all-gather where that is faster.

    Products added over chunks and reductions begin with the own chunk (see the
    ops); `ordered` asks for the order of positions, which is that of the program.

    *Where it pays*: the fused op is timed by a recurrence over its chunks, a
    transfer and a product each, with the launch floor and the waste of partial
    waves of tiles (see `docs/machine.md`), against the collective and the whole
    product, one after the other; what already hides the collective is no gain.
    Less than `min-gain` percent is refused. Remarks
    (`--remarks-filter=comm-fuse-matmul`) tell the times, or why a candidate is
    refused. Permutes, and so rings written by hand, are left alone.
  }];
  let options = [
    Option<"machine", "machine", "std::string", /*default=*/"\"h100-8\"",
           "machine model: a100-8, h100-8 (default), b200-8, or a TOML file">,
    Option<"minGain", "min-gain", "unsigned", /*default=*/"5",
           "least gain for which ops are fused, in percent of the time before (default: 5)">,
    Option<"force", "force", "bool", /*default=*/"false",
           "fuse whatever can be, gain or not (default: false)">,
    Option<"ordered", "ordered", "bool", /*default=*/"false",
           "add in the order of positions, as the program does (default: false)">
  ];
  let dependentDialects = ["::comm::CommDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def CommBucket : Pass<"comm-bucket", "::mlir::func::FuncOp"> {
  let summary = "Send collectives of one form as one, where the step gets faster";
  let description = [{
    Merges all-gathers, reduce-scatters and all-reduces of one block into one op
    of several tensors. Nothing is copied, and every tensor is reduced by itself,
    so results are those of separate ops for a given order of the reduction.
    Run it after `comm-asyncify` and before `comm-sort` or `comm-schedule`.

    Members have the same op, the same groups and the same attributes (dimensions,
    `comm.duration_ns` and `comm.bucket` apart; so a `regather` is never merged
    with the gather it repeats), block or do not block alike, have static shapes
    and, for reductions, one element type. None depends on another; none moves
    across a fence or to another block. The start stands behind all operands, the
    wait before the first consumer.

    *cost*: a collective has a latency, whatever it carries, but what is sent as
    one is awaited as one. Collectives of one form make a chain beside the
    computation of the block, whose fastest partition is found exactly by dynamic
    programming. It is kept as far as the step of the whole block, timed as
    `comm-schedule{effort=fast}` orders it, is faster with it than without, and
    never slower than with buckets of 25 MB, 30 MiB or 500 MB. What does not pay
    stays apart.
    *bytes*: buckets are filled up to `bytes`, in the order in which results are
    needed (gathers) or operands made (reductions).
    *name*: neighbours in that order of one layer or block of the model. The name
    is the string `comm.bucket` on the collective or on the function argument
    that it gathers, else the name in the collective's location, else in the
    argument's. Its components are separated by `.`, `/` and brackets:
    `params['blocks'][3]['mlp']['w']` is of the layer `params.blocks.3.mlp` and
    of the block `params.blocks.3`.

    A bucket with a measured member (`comm.duration_ns`, or a `profile`) gets
    `comm.duration_ns`: the members' time less all latencies but the longest.
    Remarks (`--remarks-filter=comm-bucket`) tell of each bucket what it saves,
    and why what could be merged by its form stays apart.
  }];
  let options = [
    Option<"mode", "mode", "::comm::BucketMode", /*default=*/"::comm::BucketMode::Cost",
           "what decides: cost (default), bytes or name",
           [{::llvm::cl::values(
             clEnumValN(::comm::BucketMode::Cost, "cost", "the step time by the timing model"),
             clEnumValN(::comm::BucketMode::Bytes, "bytes", "a number of bytes"),
             clEnumValN(::comm::BucketMode::Name, "name", "names of layers or blocks"))}]>,
    Option<"bytes", "bytes", "uint64_t", /*default=*/"25000000",
           "bytes that a bucket is filled up to in mode bytes (default: 25000000)">,
    Option<"level", "level", "::comm::BucketLevel", /*default=*/"::comm::BucketLevel::Block",
           "what names tell apart in mode name: block (default) or layer",
           [{::llvm::cl::values(
             clEnumValN(::comm::BucketLevel::Block, "block", "up to the first number in the name"),
             clEnumValN(::comm::BucketLevel::Layer, "layer", "all but the last component"))}]>,
    Option<"machine", "machine", "std::string", /*default=*/"\"h100-8\"",
           "the machine: a100-8, h100-8, b200-8, or the path of a TOML file (default: h100-8)">,
    Option<"profile", "profile", "std::string", /*default=*/"\"\"",
           "path of a file of measured durations, by op name or location (default: none)">,
    Option<"maxBytes", "max-bytes", "uint64_t", /*default=*/"0",
           "most bytes that a bucket yields (default: 0, no limit)">,
    Option<"maxLiveBytes", "max-live-bytes", "uint64_t", /*default=*/"0",
           "most bytes that a bucket and either neighbour yield together: one is used while the other is on its way (default: 0, no limit)">,
    Option<"memoryLimit", "memory-limit", "int64_t", /*default=*/"-1",
           "most bytes live at once with the buckets, arguments apart, in mode cost; as many as without any where those are more (default: -1, no limit; other negative numbers are errors)">
  ];
  let dependentDialects = ["::comm::CommDialect"];
}

def CommSchedule : Pass<"comm-schedule", "::mlir::func::FuncOp"> {
  let summary = "Least step time by a timing model, then least memory; hard limits";
  let description = [{
    Orders the computation and the communication of each block that
    communicates, for the least step time under the timing model, and then for
    the least memory at that time. The model: one compute stream; one stream for
    each partition of the devices into groups; the machine says how long ops
    take and which streams share a link. `comm.duration_ns` on an op is a
    measured cost and goes before the model, a `profile` before both.

    Inner blocks come first. An op with regions takes the time of its regions:
    a loop its body times the trip count (constant bounds, else
    `comm.trip_count`, else 1, with a remark), a branch the longest arm, any
    other op their sum; regions that only say what is computed for one element
    do not count. Nothing else uses the links that its regions use while it runs. A call takes what the machine
    takes to read its operands and write its results; `comm.duration_ns` on it
    says better.

    Ops that write memory, are not known to be free of side effects, communicate
    in a region, or branch on what may differ between devices are fences: they
    keep their order among each other, against communication, and against ops
    that read memory. Nothing moves from block to block, and a start whose wait
    is in another block takes its time where it stands; with a limit in flight
    it is an error. Values that go from block to block of a region count in the
    memory of every block that they are alive in, from its begin to its end.
    Durations above 2^40 ns (18 minutes) count as that, and so do values of more
    than 2^40 bytes; an op with regions takes 2^50 ns at most.

    The limits are hard: each is met, in all blocks and across regions, or the
    function stays as it was and an error names the least limit that is met, and
    whether that is proved. Remarks (`--remarks-filter=comm-schedule`) tell of
    each block its time, the exposed time, the peak memory and how far the time
    is from a lower bound that no order can beat. The time of the only block of a
    function is the step time; that of a block in a loop is of one trip. What
    stands before an arrow is of the source order of the block, around inner
    blocks that are in their new order already; `comm-timeline` on the program
    as given tells what it took before anything was moved. Of each collective
    they tell how much of it is hidden and what limits it, an op that it may not
    move across by its name and line.
  }];
  let options = [
    Option<"machine", "machine", "std::string", /*default=*/"\"h100-8\"",
           "the machine: a100-8, h100-8, b200-8, or the path of a TOML file (default: h100-8)">,
    Option<"effort", "effort", "::comm::Effort", /*default=*/"::comm::Effort::Default",
           "how much work the search does: fast, default or exact",
           [{::llvm::cl::values(
             clEnumValN(::comm::Effort::Fast, "fast", "list orders; near-linear"),
             clEnumValN(::comm::Effort::Default, "default", "and local search; the exact method on small blocks"),
             clEnumValN(::comm::Effort::Exact, "exact", "as default with far more steps"))}]>,
    Option<"memoryLimit", "memory-limit", "int64_t", /*default=*/"-1",
           "most bytes live at once, arguments apart (default: -1, no limit; other negative numbers are errors)">,
    Option<"maxInFlight", "max-in-flight", "uint32_t", /*default=*/"0",
           "most collectives in flight on a communication stream (default: 0, no limit)">,
    Option<"maxInFlightBytes", "max-in-flight-bytes", "uint64_t", /*default=*/"0",
           "most bytes that the collectives in flight yield, all streams together (default: 0, no limit)">,
    Option<"profile", "profile", "std::string", /*default=*/"\"\"",
           "path of a file of measured durations, by op name or location (default: none)">,
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

def CommVerifyStream : Pass<"comm-verify-stream", "::mlir::ModuleOp"> {
  let summary = "Check the happens-before of programs of comm_stream";
  let description = [{
    Executes every function that issues on streams as each rank, with memrefs
    as regions of buffers, and proves for all interleavings that

    - conflicting accesses, on whatever ranks and streams, are ordered by
      events, barriers and signals;
    - every signal is put and awaited once an epoch, and epochs rise;
    - nothing waits for ever, and nothing uses memory after its end.

    Arguments are in use before and after the function on the stream `current`,
    symmetric memory by all devices before it and by its own device after it.
    Memory that is freed on a condition that is not known, or that is one of
    several, is ordered as if it ended there, but its use afterwards is no error.
    A program that cannot be followed (branches that issue on a condition that is
    not known, loops of unknown length whose rounds differ) is refused as not
    proved, or, with `warn-unproved`, passes with a warning: it may be right.
    Functions that issue and call themselves are refused.
  }];
  let options = [
    Option<"maxEvents", "max-events", "uint64_t", /*default=*/"4000000",
           "most ops and accesses that are followed, on all ranks together">,
    Option<"warnUnproved", "warn-unproved", "bool", /*default=*/"false",
           "warn of what cannot be followed instead of refusing it">
  ];
}

#endif // COMM_PASSES_TD
