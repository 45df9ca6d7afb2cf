// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect of streams, its types and the resource of its effects.

#ifndef COMM_STREAM_DIALECT_TD
#define COMM_STREAM_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CommStream_Dialect : Dialect {
  let name = "comm_stream";
  let cppNamespace = "::comm::stream";
  let summary = "Streams, events, symmetric memory and signals, as SSA values";
  let description = [{
    What `comm` is lowered to: ops on buffers that are issued in program order
    and run asynchronously, each on a stream. All devices run the same program.

    **Order.** A stream runs its ops first in, first out. The ordinary ops of a
    function (those of `linalg`, `memref`, ...) run on the stream `current`, in
    program order. Nothing else orders two streams but an event that one
    records and the other waits for, and barriers and signals between devices.
    That an op is issued before another one orders nothing.

    **Memory.** `memref.alloc` and `memref.dealloc` write their buffer on the
    stream `current`, as a stream-ordered allocator does. What a function
    returns is read on `current` at its end, and its arguments may be read and
    written before its beginning and after its end.

    **Symmetric memory** has one part on each device of a group. It comes from a
    pool: before the function every device may have read and written every
    part, and after its end each device may write its own part at once. So a
    program that leaves a peer reading has to wait for that peer. Counters of
    signals begin at 0 when the buffer is allocated.

    **Collectives** read their inputs and write their outputs on their stream, and
    are matched by group and order of issue. They order no other memory.

    `comm-verify-stream` proves that all conflicting accesses are ordered by
    these rules, and that nothing waits in vain.

    ```mlir
    %compute = comm_stream.current
    %gather = comm_stream.stream "gather"
    %ready = comm_stream.record on %compute
    comm_stream.wait_event %ready on %gather
    comm_stream.all_gather %x into %y dim 0 over [[0, 1]] on %gather : memref<4xf32> into memref<8xf32>
    %done = comm_stream.record on %gather
    // ... ops that hide the transfer ...
    comm_stream.wait_event %done on %compute keeping(%x : memref<4xf32>)
    ```
  }];
  let dependentDialects = ["::comm::CommDialect"];
  let useDefaultTypePrinterParser = 1;
}

/// What issuing on a stream reads and writes, so that no pass moves, merges or drops it.
def CommStream_Queue : Resource<"::comm::stream::QueueResource">;

class CommStream_Type<string name, string typeMnemonic> : TypeDef<CommStream_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def CommStream_StreamType : CommStream_Type<"Stream", "stream"> {
  let summary = "Runs ops first in, first out";
}

def CommStream_EventType : CommStream_Type<"Event", "event"> {
  let summary = "Happens when all that was issued on a stream before it was recorded has ended";
}

def CommStream_SymmetricType : CommStream_Type<"Symmetric", "symmetric"> {
  let summary = "A buffer with one part of the same type on each device of a group";
  let description = [{
    ```mlir
    !comm_stream.symmetric<memref<2x8x16xf32>>
    ```
  }];
  let parameters = (ins "::mlir::MemRefType":$memref);
  let assemblyFormat = "`<` $memref `>`";
  let genVerifyDecl = 1;
}

#endif // COMM_STREAM_DIALECT_TD
