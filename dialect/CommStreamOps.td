// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of streams: order, symmetric memory, work, and collectives.

#ifndef COMM_STREAM_OPS_TD
#define COMM_STREAM_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "CommAttributes.td"
include "CommStreamDialect.td"

class CommStream_Op<string mnemonic, list<Trait> traits = []> : Op<CommStream_Dialect, mnemonic, traits>;

/// An op that is issued, and so neither moved, merged nor dropped.
class CommStream_Issued<string mnemonic, list<Trait> traits = []> : CommStream_Op<mnemonic, !listconcat([
    MemoryEffects<[MemRead<CommStream_Queue>, MemWrite<CommStream_Queue>]>], traits)>;

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

def CommStream_CurrentOp : CommStream_Op<"current", [Pure]> {
  let summary = "the stream of the function's ordinary ops";
  let description = [{
    ```mlir
    %s = comm_stream.current
    ```
  }];
  let results = (outs CommStream_StreamType:$stream);
  let assemblyFormat = "attr-dict";
}

def CommStream_StreamOp : CommStream_Op<"stream", [Pure]> {
  let summary = "the stream of a name, made at its first use";
  let description = [{
    The same name is the same stream wherever it stands in the program of a
    device.

    ```mlir
    %s = comm_stream.stream "gather"
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs CommStream_StreamType:$stream);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

def CommStream_RecordOp : CommStream_Issued<"record"> {
  let summary = "an event that happens when all issued on a stream so far has ended";
  let description = [{
    ```mlir
    %e = comm_stream.record on %s
    ```
  }];
  let arguments = (ins CommStream_StreamType:$stream);
  let results = (outs CommStream_EventType:$event);
  let assemblyFormat = "`on` $stream attr-dict";
}

def CommStream_WaitEventOp : CommStream_Op<"wait_event", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "lets a stream wait for an event";
  let description = [{
    `keeping` names buffers that are in use until then, so that whoever places
    a `memref.dealloc` by the last use sees this one.

    ```mlir
    comm_stream.wait_event %e on %s keeping(%x : memref<4xf32>)
    ```
  }];
  let arguments = (ins CommStream_EventType:$event, CommStream_StreamType:$stream, Variadic<AnyMemRef>:$kept);
  let assemblyFormat = "$event `on` $stream (`keeping` `(` $kept^ `:` type($kept) `)`)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Symmetric memory
//===----------------------------------------------------------------------===//

def CommStream_SymmetricAllocOp : CommStream_Issued<"symmetric_alloc", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "takes a symmetric buffer from the pool of a group";
  let description = [{
    All devices of the group do so together. What it holds is not known.

    ```mlir
    %w = comm_stream.symmetric_alloc over @mesh["tp"] : !comm_stream.symmetric<memref<2x8xf32>>
    ```
  }];
  let arguments = (ins Comm_AnyGroups:$groups, OptionalAttr<I64Attr>:$timeout_ms);
  let results = (outs CommStream_SymmetricType:$buffer);
  let assemblyFormat = "`over` custom<Groups>($groups) attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def CommStream_SymmetricFreeOp : CommStream_Issued<"symmetric_free"> {
  let summary = "gives a symmetric buffer back to the pool";
  let description = [{
    All devices of the group do so together, each when all that it has issued
    has ended.

    ```mlir
    comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<2x8xf32>>
    ```
  }];
  let arguments = (ins CommStream_SymmetricType:$buffer, OptionalAttr<I64Attr>:$timeout_ms);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

class CommStream_ViewOp<string mnemonic> : CommStream_Op<mnemonic, [Pure,
    TypesMatchWith<"the view has the type of a part of the buffer", "buffer", "view",
                   "::llvm::cast<::comm::stream::SymmetricType>($_self).getMemref()">]>;

def CommStream_LocalOp : CommStream_ViewOp<"local"> {
  let summary = "this device's part of a symmetric buffer";
  let description = [{
    ```mlir
    %m = comm_stream.local %w : !comm_stream.symmetric<memref<2x8xf32>>
    ```
  }];
  let arguments = (ins CommStream_SymmetricType:$buffer);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
}

def CommStream_PeerOp : CommStream_ViewOp<"peer"> {
  let summary = "another device's part of a symmetric buffer";
  let description = [{
    The device is named by its position in the group of the buffer.

    ```mlir
    %p = comm_stream.peer %w at %i : !comm_stream.symmetric<memref<2x8xf32>>
    ```
  }];
  let arguments = (ins CommStream_SymmetricType:$buffer, Index:$position);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = "$buffer `at` $position attr-dict `:` qualified(type($buffer))";
}

//===----------------------------------------------------------------------===//
// Order between devices
//===----------------------------------------------------------------------===//

def CommStream_BarrierOp : CommStream_Issued<"barrier", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "lets the streams of a group meet";
  let description = [{
    The k-th barrier of a group and channel on one device meets the k-th on the
    others.

    ```mlir
    comm_stream.barrier over @mesh["tp"] channel 0 on %s
    ```
  }];
  let arguments = (ins Comm_AnyGroups:$groups, I64Attr:$channel, CommStream_StreamType:$stream,
                       OptionalAttr<I64Attr>:$timeout_ms);
  let assemblyFormat = "`over` custom<Groups>($groups) `channel` custom<Integer>($channel) `on` $stream attr-dict";
  let hasVerifier = 1;
}

def CommStream_PutSignalOp : CommStream_Issued<"put_signal"> {
  let summary = "raises a peer's counter, after all issued on a stream before";
  let description = [{
    The counter of (buffer, channel, sender) on the receiver becomes `epoch`,
    which is above its last value. Waits for nobody. Peers are named by their
    position in the group of the buffer.

    ```mlir
    comm_stream.put_signal %w to %peer channel 0 epoch %n on %s : !comm_stream.symmetric<memref<2x8xf32>>
    ```
  }];
  let arguments = (ins CommStream_SymmetricType:$buffer, Index:$peer, I64Attr:$channel, Index:$epoch,
                       CommStream_StreamType:$stream);
  let assemblyFormat = [{
    $buffer `to` $peer `channel` custom<Integer>($channel) `epoch` $epoch `on` $stream attr-dict
    `:` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def CommStream_WaitSignalOp : CommStream_Issued<"wait_signal"> {
  let summary = "lets a stream wait until a counter has come to an epoch";
  let description = [{
    What the peer issued on its stream before it put the signal has then ended.

    ```mlir
    comm_stream.wait_signal %w from %peer channel 0 epoch %n on %s : !comm_stream.symmetric<memref<2x8xf32>>
    ```
  }];
  let arguments = (ins CommStream_SymmetricType:$buffer, Index:$peer, I64Attr:$channel, Index:$epoch,
                       CommStream_StreamType:$stream, OptionalAttr<I64Attr>:$timeout_ms);
  let assemblyFormat = [{
    $buffer `from` $peer `channel` custom<Integer>($channel) `epoch` $epoch `on` $stream attr-dict
    `:` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

def CommStream_CopyOp : CommStream_Op<"copy", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copies a buffer on a stream";
  let description = [{
    Either side may be a peer's. Layouts may differ, shapes and element types
    may not.

    ```mlir
    comm_stream.copy %a to %b on %s : memref<4xf32> to memref<4xf32, strided<[2]>>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$target, CommStream_StreamType:$stream);
  let assemblyFormat = "$source `to` $target `on` $stream attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

def CommStream_LaunchOp : CommStream_Op<"launch", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"::comm::stream::ReturnOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs ordinary ops on a stream";
  let description = [{
    The region may use values of outside, which it takes along when it is
    issued. It issues nothing itself.

    ```mlir
    comm_stream.launch "block 0" on %s {
      linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32>)
    }
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name, CommStream_StreamType:$stream);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "($name^)? `on` $stream $body attr-dict";
  let hasVerifier = 1;
}

def CommStream_ReturnOp : CommStream_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"LaunchOp">]> {
  let summary = "ends the region of a launch";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

class CommStream_Collective<string mnemonic, dag extra, list<Trait> traits = []> : CommStream_Op<mnemonic, !listconcat([
    SameVariadicOperandSize, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let summary = "the collective `comm." # mnemonic # "`, on a stream";
  let arguments = !con((ins Variadic<AnyMemRef>:$inputs, Variadic<AnyMemRef>:$outputs, CommStream_StreamType:$stream),
                       extra, (ins OptionalAttr<I64Attr>:$timeout_ms));
  let hasVerifier = 1;
}

def CommStream_AllGatherOp : CommStream_Collective<"all_gather",
    (ins DenseI64ArrayAttr:$dims, Comm_AnyGroups:$groups)> {
  let description = [{
    ```mlir
    comm_stream.all_gather %x into %y dim 0 over [[0, 1]] on %s : memref<4xf32> into memref<8xf32>
    ```
  }];
  let assemblyFormat = [{
    $inputs `into` $outputs `dim` custom<Dims>($dims) `over` custom<Groups>($groups) `on` $stream attr-dict
    `:` type($inputs) `into` type($outputs)
  }];
}

def CommStream_ReduceScatterOp : CommStream_Collective<"reduce_scatter",
    (ins Comm_ReductionAttr:$kind, DenseI64ArrayAttr:$dims, Comm_AnyGroups:$groups)> {
  let description = [{
    ```mlir
    comm_stream.reduce_scatter sum %x into %y dim 0 over [[0, 1]] on %s : memref<8xf32> into memref<4xf32>
    ```
  }];
  let assemblyFormat = [{
    custom<Reduction>($kind) $inputs `into` $outputs `dim` custom<Dims>($dims) `over` custom<Groups>($groups)
    `on` $stream attr-dict `:` type($inputs) `into` type($outputs)
  }];
}

def CommStream_AllReduceOp : CommStream_Collective<"all_reduce",
    (ins Comm_ReductionAttr:$kind, Comm_AnyGroups:$groups)> {
  let description = [{
    ```mlir
    comm_stream.all_reduce sum %x into %y over @mesh["dp"] on %s : memref<4xf32> into memref<4xf32>
    ```
  }];
  let assemblyFormat = [{
    custom<Reduction>($kind) $inputs `into` $outputs `over` custom<Groups>($groups) `on` $stream attr-dict
    `:` type($inputs) `into` type($outputs)
  }];
}

def CommStream_AllToAllOp : CommStream_Collective<"all_to_all",
    (ins I64Attr:$split, I64Attr:$concat, Comm_AnyGroups:$groups)> {
  let description = [{
    ```mlir
    comm_stream.all_to_all %x into %y split 0 concat 1 over [[0, 1]] on %s : memref<4x2xf32> into memref<2x4xf32>
    ```
  }];
  let assemblyFormat = [{
    $inputs `into` $outputs `split` custom<Integer>($split) `concat` custom<Integer>($concat)
    `over` custom<Groups>($groups) `on` $stream attr-dict `:` type($inputs) `into` type($outputs)
  }];
}

def CommStream_PermuteOp : CommStream_Collective<"permute", (ins DenseI64ArrayAttr:$pairs)> {
  let description = [{
    ```mlir
    comm_stream.permute %x into %y pairs [[0, 1], [1, 0]] on %s : memref<4xf32> into memref<4xf32>
    ```
  }];
  let assemblyFormat = [{
    $inputs `into` $outputs `pairs` custom<Pairs>($pairs) `on` $stream attr-dict
    `:` type($inputs) `into` type($outputs)
  }];
}

def CommStream_BroadcastOp : CommStream_Collective<"broadcast", (ins I64Attr:$root, Comm_AnyGroups:$groups)> {
  let description = [{
    ```mlir
    comm_stream.broadcast %x into %y root 0 over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
    ```
  }];
  let assemblyFormat = [{
    $inputs `into` $outputs `root` custom<Integer>($root) `over` custom<Groups>($groups) `on` $stream attr-dict
    `:` type($inputs) `into` type($outputs)
  }];
}

#endif // COMM_STREAM_OPS_TD
