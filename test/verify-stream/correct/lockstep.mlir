// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// Rounds take turns between two slots. Nothing says that a slot has been read but the signal of the round between: whoever has
// sent it has read the slot of the round before.
func.func @lockstep(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<2x4xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<2x4xf32>>
  %theirs = comm_stream.peer %w at %peer : !comm_stream.symmetric<memref<2x4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  scf.for %i = %c0 to %c3 step %c1 {
    %epoch = arith.addi %i, %c1 : index
    %slot = arith.remui %i, %c2 : index
    %to = memref.subview %theirs[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %from = memref.subview %mine[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    comm_stream.copy %x to %to on %s0 : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    comm_stream.put_signal %w to %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<2x4xf32>>
    comm_stream.wait_signal %w from %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<2x4xf32>>
    comm_stream.copy %from to %y on %s0 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  }
  return
}
