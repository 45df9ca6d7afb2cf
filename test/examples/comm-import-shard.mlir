// RUN: comm-opt %s --comm-import-shard | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-import-shard)' | FileCheck %s

// CHECK:       comm.mesh @grid<["axis0" = 2, "axis1" = 4]>
shard.grid @grid(shape = 2x4)

// CHECK-LABEL: func.func @layer
// CHECK:         %[[W:.*]] = comm.all_gather %{{.*}} dim 0 over @grid["axis1"] : tensor<4x32xf32> -> tensor<16x32xf32>
// CHECK-NEXT:    %[[Y:.*]] = linalg.matmul ins(%{{.*}}, %[[W]]
// CHECK-NEXT:    comm.all_reduce sum %[[Y]] over @grid["axis0"] : tensor<8x32xf32> -> tensor<8x32xf32>
func.func @layer(%x: tensor<8x16xf32>, %shard: tensor<4x32xf32>, %out: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %w = shard.all_gather %shard on @grid grid_axes = [1] gather_axis = 0 : tensor<4x32xf32> -> tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%out : tensor<8x32xf32>) -> tensor<8x32xf32>
  %sum = shard.all_reduce %y on @grid grid_axes = [0] : tensor<8x32xf32> -> tensor<8x32xf32>
  return %sum : tensor<8x32xf32>
}
