// RUN: comm-opt %s --comm-verify-stream -verify-diagnostics

// Two streams write halves of the columns of one matrix, through other shapes of it too.
func.func @columns(%m: memref<8x16xf32>) {
  %s0 = comm_stream.current
  %left = comm_stream.stream "left"
  %zero = arith.constant 0.0 : f32
  %begin = comm_stream.record on %s0
  comm_stream.wait_event %begin on %left
  %a = memref.subview %m[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  %split = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 4, 2, 8] : memref<8x16xf32> into memref<2x4x2x8xf32>
  %b = memref.subview %split[0, 0, 1, 0] [2, 4, 1, 8] [1, 1, 1, 1] : memref<2x4x2x8xf32> to memref<2x4x8xf32, strided<[64, 16, 1], offset: 8>>
  comm_stream.launch on %left {
    linalg.fill ins(%zero : f32) outs(%a : memref<8x8xf32, strided<[16, 1]>>)
  }
  linalg.fill ins(%zero : f32) outs(%b : memref<2x4x8xf32, strided<[64, 16, 1], offset: 8>>)
  %end = comm_stream.record on %left
  comm_stream.wait_event %end on %s0
  return
}
