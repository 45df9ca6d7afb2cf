// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-legalize-stablehlo)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: tensor<4x32xf32>, %[[SHARD:.*]]: tensor<8x16xf32>) -> tensor<4x16xf32>
// CHECK:         %[[W:.*]] = comm.all_gather %[[SHARD]] dim 0 over {{\[\[}}0, 1, 2, 3]] : tensor<8x16xf32> -> tensor<32x16xf32>
// CHECK:         %[[ZERO:.*]] = linalg.fill
// CHECK:         %[[Y:.*]] = linalg.matmul ins(%[[X]], %[[W]] : tensor<4x32xf32>, tensor<32x16xf32>) outs(%[[ZERO]] : tensor<4x16xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[Y]] : tensor<4x16xf32>)
// CHECK:           math.tanh
func.func @main(%x: tensor<4x32xf32>, %shard: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %weight = comm.all_gather %shard dim 0 over [[0, 1, 2, 3]] : tensor<8x16xf32> -> tensor<32x16xf32>
  %y = "stablehlo.dot_general"(%x, %weight) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<4x32xf32>, tensor<32x16xf32>) -> tensor<4x16xf32>
  %z = "stablehlo.tanh"(%y) : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %z : tensor<4x16xf32>
}
