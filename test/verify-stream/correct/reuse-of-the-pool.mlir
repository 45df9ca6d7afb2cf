// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// Two symmetric buffers, one after the other: the second may be the memory of the first.
func.func @twice(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  %a = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  %mine = comm_stream.local %a : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.copy %x to %mine on %s0 : memref<4xf32> to memref<4xf32>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  %theirs = comm_stream.peer %a at %peer : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.copy %theirs to %y on %s0 : memref<4xf32> to memref<4xf32>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  comm_stream.symmetric_free %a : !comm_stream.symmetric<memref<4xf32>>
  %b = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %target = comm_stream.peer %b at %peer : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  comm_stream.copy %x to %target on %s0 : memref<4xf32> to memref<4xf32>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  comm_stream.symmetric_free %b : !comm_stream.symmetric<memref<4xf32>>
  return
}
