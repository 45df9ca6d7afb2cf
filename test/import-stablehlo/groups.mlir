// RUN: comm-opt %s --allow-unregistered-dialect --split-input-file --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

// Flattened ids: replica * num_partitions + partition.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  // CHECK-LABEL: func.func @encodings
  func.func @encodings(%x: tensor<1xf32>) {
    // CHECK: over {{\[\[}}0, 3], [2, 1]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    // Padding is taken off.
    // CHECK: over {{\[\[}}0, 1], [2, 3]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, -1], [2, -1, 3]]> : tensor<2x3xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
    // No elements: all.
    // CHECK: over {{\[\[}}0, 1, 2, 3]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<> : tensor<0x0xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
    // CHECK: over {{\[\[}}0, 1, 2, 3]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<> : tensor<1x0xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
    // Groups of one.
    // CHECK: over {{\[\[}}0], [1], [2], [3]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<1xf32>
    return
  }

  // CHECK-LABEL: func.func @replicas_or_partitions
  func.func @replicas_or_partitions(%x: tensor<2xf32>) {
    // No channel: replicas, once in each partition.
    // CHECK: comm.all_gather {{.*}} over {{\[\[}}0, 2], [1, 3]] :
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    // CHECK: comm.all_gather {{.*}} over {{\[\[}}2, 0], [3, 1]] :
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    // CHECK: comm.all_to_all {{.*}} over {{\[\[}}0, 2], [1, 3]] :
    "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
    // A channel and no flag to be had: partitions, once in each replica.
    // CHECK: comm.all_to_all {{.*}} over {{\[\[}}0, 1], [2, 3]] {
    "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
    // CHECK: comm.broadcast {{.*}} root 0 over {{\[\[}}1, 0], [3, 2]] {
    "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// A channel without the flag joins all partitions of the replicas named. With one replica, those are all partitions.
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  // CHECK-LABEL: func.func @one_replica
  func.func @one_replica(%x: tensor<2xf32>) {
    // CHECK: over {{\[\[}}0, 1, 2, 3]] {comm.channel_id = 1 : i64} : tensor<2xf32> -> tensor<8xf32>
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<8xf32>
    // CHECK: over {{\[\[}}0, 1, 2, 3]] {comm.channel_id = 1 : i64} : tensor<2xf32> -> tensor<8xf32>
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<2xf32>) -> tensor<8xf32>
    // The same attribute means something else where the numbers do: one replica, in each partition by itself.
    // CHECK: over {{\[\[}}0], [1], [2], [3]] : tensor<2xf32> -> tensor<2xf32>
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// With one partition a replica is a device.
module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  // CHECK-LABEL: func.func @one_partition
  func.func @one_partition(%x: tensor<2xf32>) {
    // CHECK: over {{\[\[}}0, 2], [1, 3]] {comm.channel_id = 7 : i64}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A module that does not count its devices: numbers are ranks as they stand.
// CHECK-LABEL: func.func @unknown_counts
func.func @unknown_counts(%x: tensor<2xf32>) {
  // CHECK: over {{\[\[}}0, 1], [3, 2]] :
  "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [3, 2]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  // CHECK: over {{\[\[}}4, 5]] {
  "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[4, 5]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return
}
