// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  // As JAX writes it. Flattened ids need the flag; the channel stays as provenance.
  // CHECK-LABEL: func.func @jax
  // CHECK: %[[G:.*]] = comm.all_gather %arg0 dim 0 over {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]
  // CHECK-SAME: {comm.channel_id = 1 : i64} : tensor<8x16xbf16> -> tensor<32x16xbf16>
  // CHECK: return %[[G]]
  func.func @jax(%x: tensor<8x16xbf16>) -> tensor<32x16xbf16> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x16xbf16>) -> tensor<32x16xbf16>
    return %0 : tensor<32x16xbf16>
  }

  // Older text has all attributes in braces; those of other dialects stay, and so does the location.
  // CHECK-LABEL: func.func @attributes_in_braces
  // CHECK: comm.all_gather %arg0 dim 1 over {{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]]
  // CHECK-SAME: {comm.channel_id = 5 : i64, mhlo.sharding = "{manual}"} : tensor<2x3xf32> -> tensor<2x24xf32>
  func.func @attributes_in_braces(%x: tensor<2x3xf32>) -> tensor<2x24xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle=5,type=0>, mhlo.sharding = "{manual}", replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids = true} : (tensor<2x3xf32>) -> tensor<2x24xf32>
    return %0 : tensor<2x24xf32>
  }

  // CHECK-LABEL: func.func @variadic
  // CHECK: %[[G:.*]]:2 = comm.all_gather %arg0, %arg1 dim 0 over {{\[\[}}0, 1], [2, 3], [4, 5], [6, 7]]
  // CHECK-SAME: : tensor<4xf32>, tensor<2x2xi8> -> tensor<8xf32>, tensor<4x2xi8>
  // CHECK: return %[[G]]#1, %[[G]]#0
  func.func @variadic(%x: tensor<4xf32>, %y: tensor<2x2xi8>) -> (tensor<4x2xi8>, tensor<8xf32>) {
    %0:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<4xf32>, tensor<2x2xi8>) -> (tensor<8xf32>, tensor<4x2xi8>)
    return %0#1, %0#0 : tensor<4x2xi8>, tensor<8xf32>
  }

  // CHECK-LABEL: func.func @dynamic
  // CHECK: comm.all_gather {{.*}} : tensor<?x4xf32> -> tensor<?x4xf32>
  func.func @dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<?x4xf32>) -> tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
}
