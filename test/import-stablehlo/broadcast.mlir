// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // The source is the first member of each group.
  // CHECK-LABEL: func.func @broadcast
  // CHECK: comm.broadcast %arg0 root 0 over {{\[\[}}2, 0], [1, 3]] {comm.channel_id = 1 : i64} : tensor<2xf32> -> tensor<2xf32>
  func.func @broadcast(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
