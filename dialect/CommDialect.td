// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself and the memory resource of its effects.

#ifndef COMM_DIALECT_TD
#define COMM_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Comm_Dialect : Dialect {
  let name = "comm";
  let cppNamespace = "::comm";
  let summary = "Collective communication between the devices of an SPMD program";
  let description = [{
    Collectives are ops on ranked tensors, one op a collective, with value
    semantics. All devices run the same program; a collective names the groups
    of devices that take part, either as axes of a `comm.mesh` or as explicit
    lists of ranks.

    **Asynchronous by result type.** With tensor results a collective blocks.
    With a single result of type `!comm.future` it starts the transfer, and
    `comm.wait` yields the tensors:

    ```mlir
    %f = comm.all_gather %x dim 0 over @mesh["tp"] : tensor<8x16xf32> -> !comm.future<tensor<32x16xf32>>
    // ... computation that hides the transfer ...
    %g = comm.wait %f keeping(%x : tensor<8x16xf32>) : !comm.future<tensor<32x16xf32>>
    ```

    **Futures are linear.** A future has at most one user, a `comm.wait` in the
    same region; it is never passed to a call, a branch, a select or a yield. A
    start without a wait is legal and dead. `comm-verify-futures` checks that
    a future is awaited exactly once on every path.

    **Operands live until the wait.** The wait names the started operands
    (`keeping`) and so reads them: that an operand stays unchanged and
    allocated during the transfer is a fact of SSA form, which liveness and
    bufferization see without knowing this dialect.

    **Effects.** A start allocates its future, a wait frees it, a blocking
    collective allocates its results. CSE therefore does not merge two gathers
    of one value (gathering again is how ZeRO-3 saves memory), an unused start
    is dead, a wait is not sunk into a branch and a gather is not hoisted out
    of a loop. The unit attribute `mergeable` lets CSE merge blocking
    collectives.

    **Buffers.** Upstream's one-shot-bufferize turns a collective into the same
    op on buffers, which allocates its results; a future then yields buffers,
    and the wait still names those of the start. `convert-comm-to-stream` takes
    it from there; all other passes of this dialect work on tensors.

    Discardable attributes, verified wherever they stand:

    | attribute | on | meaning |
    |---|---|---|
    | `comm.duration_ns` | any op | measured time in nanoseconds, an `i64`, which wins over the timing model (`comm-schedule`); more than 2^40 (18 minutes) counts as that |
    | `comm.bucket` | collective, function argument | string: what it belongs to, for `comm-bucket{mode=name}` |
    | `comm.uniform` | function argument | same value on all devices |
    | `comm.trip_count` | loop | expected number of iterations, an `i64`, where its bounds do not say it |
    | `comm.pure` | op of an unregistered dialect | the front end asserts that it has no side effect |
    | `comm.channel_id` | collective | channel of the imported op, kept as provenance |
  }];
  // What rewrites and reified shapes are made of.
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasCanonicalizer = 0;
}

#endif // COMM_DIALECT_TD
