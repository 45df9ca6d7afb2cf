// RUN: comm-opt %s --allow-unregistered-dialect --split-input-file --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // CHECK-LABEL: func.func @ring
  // CHECK: comm.permute %arg0 pairs {{\[\[}}0, 1], [1, 2], [2, 3], [3, 0]] {comm.channel_id = 1 : i64} : tensor<2xf32> -> tensor<2xf32>
  func.func @ring(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }

  // Ranks that are no target get zeros, in both dialects.
  // CHECK-LABEL: func.func @partial
  // CHECK: comm.permute %arg0 pairs {{\[\[}}3, 0]] {
  // CHECK: comm.permute %arg0 pairs [] {
  func.func @partial(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[3, 0]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0, %1 : tensor<2xf32>, tensor<2xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 3 : i32} {
  // Without a channel, pairs are of replicas and hold in each partition; with one, they are of partitions and hold in each replica.
  // CHECK-LABEL: func.func @repeated
  // CHECK: comm.permute %arg0 pairs {{\[\[}}0, 4], [1, 5]] :
  // CHECK: comm.permute %arg0 pairs {{\[\[}}0, 1], [2, 3], [4, 5]] {
  func.func @repeated(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    %1 = "stablehlo.collective_permute"(%x) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0, %1 : tensor<2xf32>, tensor<2xf32>
  }
}
