// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// A loop of which only the devices know how often it runs: its rounds are alike.
func.func @rounds(%x: memref<4xf32>, %y: memref<8xf32>, %z: memref<4xf32>, %n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  %gathers = comm_stream.stream "gathers"
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<4xf32>>
  %theirs = comm_stream.peer %w at %peer : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  scf.for %i = %c0 to %n step %c1 {
    %epoch = arith.addi %i, %c1 : index
    %full = memref.alloc() : memref<8xf32>
    %ready = comm_stream.record on %s0
    comm_stream.wait_event %ready on %gathers
    comm_stream.all_gather %x into %full dim 0 over [[0, 1]] on %gathers : memref<4xf32> into memref<8xf32>
    %done = comm_stream.record on %gathers
    comm_stream.wait_event %done on %s0
    memref.copy %full, %y : memref<8xf32> to memref<8xf32>
    memref.dealloc %full : memref<8xf32>
    comm_stream.copy %x to %theirs on %s0 : memref<4xf32> to memref<4xf32>
    comm_stream.put_signal %w to %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
    comm_stream.wait_signal %w from %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
    comm_stream.copy %mine to %z on %s0 : memref<4xf32> to memref<4xf32>
    comm_stream.put_signal %w to %peer channel 1 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
    comm_stream.wait_signal %w from %peer channel 1 epoch %epoch on %s0 : !comm_stream.symmetric<memref<4xf32>>
  }
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<4xf32>>
  return
}
