// RUN: comm-opt %s --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check}))' | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check}))' | FileCheck %s

// The gather moves down to its consumer, past a product that it does not concern. The numbers are gone after a
// successful check.
// CHECK-LABEL: func.func @layer
// CHECK-NOT:     comm.recorded
// CHECK:         %[[F:.*]] = comm.all_gather
// CHECK-NEXT:    %[[G:.*]] = comm.wait %[[F]]
// CHECK-NEXT:    %[[Y:.*]] = arith.addf %{{.*}}, %[[G]]
// CHECK-NEXT:    return %[[Y]]
func.func @layer(%x: tensor<8xf32>, %shard: tensor<2xf32>) -> tensor<8xf32> {
  %f = comm.all_gather %shard dim 0 over [[0, 1, 2, 3]] : tensor<2xf32> -> !comm.future<tensor<8xf32>>
  %g = comm.wait %f keeping(%shard : tensor<2xf32>) : !comm.future<tensor<8xf32>>
  %square = arith.mulf %x, %x : tensor<8xf32>
  %y = arith.addf %square, %g : tensor<8xf32>
  return %y : tensor<8xf32>
}
