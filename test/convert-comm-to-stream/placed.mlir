// RUN: comm-opt %s --convert-comm-to-stream='waits=placed timeout-ms=1500' | FileCheck %s

// Waits stand where they were placed, and a blocking collective blocks.
// CHECK-LABEL: func.func @placed(
// CHECK: comm_stream.all_gather {{.*}} {timeout_ms = 1500 : i64}
// CHECK: comm_stream.wait_event
// CHECK-NEXT: linalg.exp ins(%arg1
// CHECK: comm_stream.all_reduce {{.*}} {timeout_ms = 1500 : i64}
// CHECK-NEXT: comm_stream.record
// CHECK-NEXT: comm_stream.wait_event
// CHECK-NEXT: linalg.exp ins(%arg1
func.func @placed(%x: memref<4xf32>, %y: memref<4xf32>) -> (memref<8xf32>, memref<4xf32>) {
  %f = comm.all_gather %x dim 0 over [[0, 1]] : memref<4xf32> -> !comm.future<memref<8xf32>>
  %g = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<8xf32>>
  linalg.exp ins(%y : memref<4xf32>) outs(%y : memref<4xf32>)
  %r = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%y : memref<4xf32>)
  return %g, %r : memref<8xf32>, memref<4xf32>
}

// A wait that feeds collectives alone does not hold up `current`, wherever it stands.
// CHECK-LABEL: func.func @fed(
// CHECK: comm_stream.all_gather
// CHECK-NOT: comm_stream.wait_event %{{.*}} on %0
// CHECK: linalg.exp
func.func @fed(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1]] : memref<4xf32> -> memref<8xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%y : memref<4xf32>)
  %s = comm.reduce_scatter sum %g dim 0 over [[0, 1]] : memref<8xf32> -> memref<4xf32>
  return %s : memref<4xf32>
}
