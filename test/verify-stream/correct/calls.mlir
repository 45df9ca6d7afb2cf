// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// Callees issue on the streams of their callers; branches on what is not known issue nothing; loops of scalars and calls to
// functions of which nothing is known are ordinary ops.
func.func private @other(memref<4xf32>)

func.func private @copy_on(%stream_input: memref<4xf32>, %output: memref<4xf32>) {
  %s1 = comm_stream.stream "copies"
  comm_stream.copy %stream_input to %output on %s1 : memref<4xf32> to memref<4xf32>
  return
}

func.func @caller(%x: memref<4xf32>, %flag: i1, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s0 = comm_stream.current
  %s1 = comm_stream.stream "copies"
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  %picked = scf.if %flag -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %picked[%i] : memref<4xf32>
  }
  %ready = comm_stream.record on %s0
  comm_stream.wait_event %ready on %s1
  func.call @copy_on(%picked, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  %done = comm_stream.record on %s1
  comm_stream.wait_event %done on %s0
  func.call @other(%x) : (memref<4xf32>) -> ()
  return %a : memref<4xf32>
}
