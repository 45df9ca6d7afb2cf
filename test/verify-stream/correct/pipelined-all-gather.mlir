// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-verify-stream)' -verify-diagnostics

// Pipelined all-gather and matmul on two streams, as in PyTorch's _pipelined_all_gather_and_consume: each of four ranks copies
// its shard into its symmetric buffer, all meet, and shards are pulled and multiplied on two streams in turn.

func.func @gather_matmul(%x: memref<2x8xf32>, %w: memref<8x4xf32>) -> memref<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %rank = comm.rank over [[0, 1, 2, 3]] : index
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "backend"
  %workspace = comm_stream.symmetric_alloc over [[0, 1, 2, 3]] : !comm_stream.symmetric<memref<2x8xf32>>
  %gathered = memref.alloc() : memref<8x8xf32>
  %y = memref.alloc() : memref<8x4xf32>
  // Everyone has finished with the workspace.
  comm_stream.barrier over [[0, 1, 2, 3]] channel 0 on %s0
  %mine = comm_stream.local %workspace : !comm_stream.symmetric<memref<2x8xf32>>
  comm_stream.copy %x to %mine on %s0 : memref<2x8xf32> to memref<2x8xf32>
  // All shards are there.
  comm_stream.barrier over [[0, 1, 2, 3]] channel 0 on %s0
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  %row = affine.apply affine_map<(d0) -> (d0 * 2)>(%rank)
  %y_own = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  comm_stream.launch "own" on %s0 {
    linalg.matmul ins(%x, %w : memref<2x8xf32>, memref<8x4xf32>) outs(%y_own : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  }
  scf.for %step = %c1 to %c4 step %c1 {
    %sum = arith.addi %rank, %step : index
    %peer = arith.remui %sum, %c4 : index
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%peer)
    %shard = comm_stream.peer %workspace at %peer : !comm_stream.symmetric<memref<2x8xf32>>
    %landing = memref.subview %gathered[%at, 0] [2, 8] [1, 1] : memref<8x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
    %out = memref.subview %y[%at, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %odd = arith.remui %step, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    scf.if %is_odd {
      comm_stream.copy %shard to %landing on %s1 : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
      comm_stream.launch "odd" on %s1 {
        linalg.matmul ins(%landing, %w : memref<2x8xf32, strided<[8, 1], offset: ?>>, memref<8x4xf32>)
                      outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      }
    } else {
      comm_stream.copy %shard to %landing on %s0 : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
      comm_stream.launch "even" on %s0 {
        linalg.matmul ins(%landing, %w : memref<2x8xf32, strided<[8, 1], offset: ?>>, memref<8x4xf32>)
                      outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      }
    }
  }
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  // Nobody reads from this rank any more.
  comm_stream.barrier over [[0, 1, 2, 3]] channel 0 on %s0
  comm_stream.symmetric_free %workspace : !comm_stream.symmetric<memref<2x8xf32>>
  memref.dealloc %gathered : memref<8x8xf32>
  return %y : memref<8x4xf32>
}
