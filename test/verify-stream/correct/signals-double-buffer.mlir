// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// Two ranks send each other six blocks over two slots. Channel 0 says that a block has landed, channel 1 that a slot may be
// overwritten; a slot is awaited from the third block on only. Epochs are numbers of blocks.
func.func @exchange(%blocks: memref<6x4xf32>, %received: memref<6x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %rank = comm.rank over [[0, 1]] : index
  %peer = arith.subi %c1, %rank : index
  %s0 = comm_stream.current
  %send = comm_stream.stream "send"
  %slots = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<2x4xf32>>
  comm_stream.barrier over [[0, 1]] channel 0 on %s0
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %send
  %theirs = comm_stream.peer %slots at %peer : !comm_stream.symmetric<memref<2x4xf32>>
  %mine = comm_stream.local %slots : !comm_stream.symmetric<memref<2x4xf32>>
  scf.for %i = %c0 to %c6 step %c1 {
    %epoch = arith.addi %i, %c1 : index
    %slot = arith.remui %i, %c2 : index
    %from = memref.subview %blocks[%i, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %to = memref.subview %theirs[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %late = arith.cmpi uge, %i, %c2 : index
    scf.if %late {
      %freed = arith.subi %i, %c1 : index
      comm_stream.wait_signal %slots from %peer channel 1 epoch %freed on %send : !comm_stream.symmetric<memref<2x4xf32>>
    }
    comm_stream.copy %from to %to on %send : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
    comm_stream.put_signal %slots to %peer channel 0 epoch %epoch on %send : !comm_stream.symmetric<memref<2x4xf32>>
    %landed = memref.subview %mine[%slot, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %out = memref.subview %received[%i, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    comm_stream.wait_signal %slots from %peer channel 0 epoch %epoch on %s0 : !comm_stream.symmetric<memref<2x4xf32>>
    comm_stream.copy %landed to %out on %s0 : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
    %early = arith.cmpi ult, %i, %c4 : index
    scf.if %early {
      comm_stream.put_signal %slots to %peer channel 1 epoch %epoch on %s0 : !comm_stream.symmetric<memref<2x4xf32>>
    }
  }
  %sent = comm_stream.record on %send
  comm_stream.wait_event %sent on %s0
  comm_stream.symmetric_free %slots : !comm_stream.symmetric<memref<2x4xf32>>
  return
}
