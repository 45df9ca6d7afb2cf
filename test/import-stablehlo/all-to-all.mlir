// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  // There is no use_global_device_ids: with a channel, the numbers are partitions.
  // CHECK-LABEL: func.func @split_and_concatenate
  // CHECK: comm.all_to_all %arg0 split 0 concat 1 over {{\[\[}}0, 1, 2, 3]] {comm.channel_id = 1 : i64} : tensor<8x16xf32> -> tensor<2x64xf32>
  func.func @split_and_concatenate(%x: tensor<8x16xf32>) -> tensor<2x64xf32> {
    %0 = "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x16xf32>) -> tensor<2x64xf32>
    return %0 : tensor<2x64xf32>
  }

  // CHECK-LABEL: func.func @one_dimension
  // CHECK: %{{.*}}:2 = comm.all_to_all %arg0, %arg1 split 0 concat 0 over {{\[\[}}0, 2], [1, 3]]
  // CHECK-SAME: : tensor<4xf32>, tensor<6xi32> -> tensor<4xf32>, tensor<6xi32>
  func.func @one_dimension(%x: tensor<4xf32>, %y: tensor<6xi32>) -> (tensor<4xf32>, tensor<6xi32>) {
    %0:2 = "stablehlo.all_to_all"(%x, %y) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64} : (tensor<4xf32>, tensor<6xi32>) -> (tensor<4xf32>, tensor<6xi32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<6xi32>
  }
}
