// RUN: comm-opt %s --comm-asyncify | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-asyncify))' | FileCheck %s

// CHECK-LABEL: func.func @layer
// CHECK:         %[[F:.*]] = comm.all_gather %[[SHARD:.*]] dim 0 over {{\[\[}}0, 1, 2, 3]] : tensor<2x8xf32> -> !comm.future<tensor<8x8xf32>>
// CHECK-NEXT:    %[[W:.*]] = comm.wait %[[F]] keeping(%[[SHARD]] : tensor<2x8xf32>) : !comm.future<tensor<8x8xf32>>
// CHECK-NEXT:    linalg.matmul ins(%{{.*}}, %[[W]]
func.func @layer(%x: tensor<4x8xf32>, %shard: tensor<2x8xf32>, %out: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %weight = comm.all_gather %shard dim 0 over [[0, 1, 2, 3]] : tensor<2x8xf32> -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %weight : tensor<4x8xf32>, tensor<8x8xf32>) outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
