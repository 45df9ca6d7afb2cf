// RUN: comm-opt %s --comm-verify-stream

// Memory that ends on a condition that is not known, or that is one of several: as buffer-deallocation-pipeline writes it for
// buffers that branches and loops hand on. It is ordered as if it ended.
func.func @branches(%x: memref<4xf32>, %flag: i1) -> memref<4xf32> {
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "gather"
  %made, %own = scf.if %flag -> (memref<4xf32>, i1) {
    %true = arith.constant true
    %y = memref.alloc() : memref<4xf32>
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %true : memref<4xf32>, i1
  } else {
    %false = arith.constant false
    scf.yield %x, %false : memref<4xf32>, i1
  }
  %sum = memref.alloc() : memref<4xf32>
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  comm_stream.all_reduce sum %made into %sum over [[0, 1]] on %s1 : memref<4xf32> into memref<4xf32>
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  %base, %offset, %size, %stride = memref.extract_strided_metadata %made : memref<4xf32> -> memref<f32>, index, index, index
  scf.if %own {
    memref.dealloc %base : memref<f32>
  }
  return %sum : memref<4xf32>
}

// Each round hands a new buffer to the next.
func.func @rounds(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "gather"
  %last, %own = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %mine = %false) -> (memref<4xf32>, i1) {
    %z = memref.alloc() : memref<4xf32>
    memref.copy %y, %z : memref<4xf32> to memref<4xf32>
    %base, %offset, %size, %stride = memref.extract_strided_metadata %y : memref<4xf32> -> memref<f32>, index, index, index
    scf.if %mine {
      memref.dealloc %base : memref<f32>
    }
    scf.yield %z, %true : memref<4xf32>, i1
  }
  %sum = memref.alloc() : memref<4xf32>
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  comm_stream.all_reduce sum %last into %sum over [[0, 1]] on %s1 : memref<4xf32> into memref<4xf32>
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  return %sum : memref<4xf32>
}
