// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @sum
  // CHECK: comm.reduce_scatter sum %arg0 dim 1 over {{\[\[}}0, 1], [2, 3]] {comm.channel_id = 1 : i64} : tensor<8x16xf32> -> tensor<8x8xf32>
  // CHECK-NOT: stablehlo
  func.func @sum(%x: tensor<8x16xf32>) -> tensor<8x8xf32> {
    %0 = "stablehlo.reduce_scatter"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<8x16xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }

  // CHECK-LABEL: func.func @swapped_maximum
  // CHECK: comm.reduce_scatter max %arg0 dim 0 over {{\[\[}}0, 1, 2, 3]]
  func.func @swapped_maximum(%x: tensor<8xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = "stablehlo.maximum"(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%1) : (tensor<i32>) -> ()
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids} : (tensor<8xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}
