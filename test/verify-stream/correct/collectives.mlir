// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

comm.mesh @mesh <["dp" = 2, "tp" = 2]>

// Collectives on their own streams, with a product that hides the gather.
func.func @layer(%shard: memref<4x8xf32>, %x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %s0 = comm_stream.current
  %gathers = comm_stream.stream "all_gather tp"
  %reductions = comm_stream.stream "all_reduce dp"
  %full = memref.alloc() : memref<8x8xf32>
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %gathers
  comm_stream.all_gather %shard into %full dim 0 over @mesh["tp"] on %gathers : memref<4x8xf32> into memref<8x8xf32>
  %gathered = comm_stream.record on %gathers
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  comm_stream.wait_event %gathered on %s0 keeping(%shard : memref<4x8xf32>)
  %z = memref.alloc() : memref<8x8xf32>
  linalg.matmul ins(%y, %full : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32>)
  %produced = comm_stream.record on %s0
  comm_stream.wait_event %produced on %reductions
  comm_stream.all_reduce sum %z into %y over @mesh["dp"] on %reductions : memref<8x8xf32> into memref<8x8xf32>
  %reduced = comm_stream.record on %reductions
  comm_stream.wait_event %reduced on %s0
  memref.dealloc %full : memref<8x8xf32>
  memref.dealloc %z : memref<8x8xf32>
  return
}
