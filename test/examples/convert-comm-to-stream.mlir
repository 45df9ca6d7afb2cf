// RUN: comm-opt %s --convert-comm-to-stream | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(convert-comm-to-stream)' | FileCheck %s

// CHECK-LABEL: func.func @layer
// CHECK:         %[[CURRENT:.*]] = comm_stream.current
// CHECK:         %[[GATHERS:.*]] = comm_stream.stream
// CHECK:         %[[WEIGHT:.*]] = memref.alloc
// CHECK:         %[[READY:.*]] = comm_stream.record on %[[CURRENT]]
// CHECK-NEXT:    comm_stream.wait_event %[[READY]] on %[[GATHERS]]
// CHECK-NEXT:    comm_stream.all_gather %{{.*}} into %[[WEIGHT]] {{.*}} on %[[GATHERS]]
// CHECK-NEXT:    %[[DONE:.*]] = comm_stream.record on %[[GATHERS]]
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    comm_stream.wait_event %[[DONE]] on %[[CURRENT]]
// CHECK-NEXT:    linalg.matmul
func.func @layer(%x: memref<4x8xf32>, %shard: memref<2x8xf32>, %out: memref<4x8xf32>) {
  %f = comm.all_gather %shard dim 0 over [[0, 1, 2, 3]] : memref<2x8xf32> -> !comm.future<memref<8x8xf32>>
  linalg.exp ins(%x : memref<4x8xf32>) outs(%x : memref<4x8xf32>)
  %weight = comm.wait %f keeping(%shard : memref<2x8xf32>) : !comm.future<memref<8x8xf32>>
  linalg.matmul ins(%x, %weight : memref<4x8xf32>, memref<8x8xf32>) outs(%out : memref<4x8xf32>)
  return
}
