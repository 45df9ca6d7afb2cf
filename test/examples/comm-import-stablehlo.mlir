// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK:         %[[G:.*]] = comm.all_gather %arg0 dim 0 over {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]] {{.*}}: tensor<8x16xbf16> -> tensor<32x16xbf16>
// CHECK:         %[[D:.*]] = "stablehlo.dot_general"(%arg1, %[[G]])
// CHECK:         %[[S:.*]] = comm.reduce_scatter sum %[[D]] dim 0 over {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]] {{.*}}: tensor<4x16xbf16> -> tensor<1x16xbf16>
// CHECK:         return %[[S]]
func.func @main(%shard: tensor<8x16xbf16>, %x: tensor<4x32xbf16>) -> tensor<1x16xbf16> {
  %weight = "stablehlo.all_gather"(%shard) <{all_gather_dim = 0 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}>
      : (tensor<8x16xbf16>) -> tensor<32x16xbf16>
  %y = "stablehlo.dot_general"(%x, %weight) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<4x32xbf16>, tensor<32x16xbf16>) -> tensor<4x16xbf16>
  %s = "stablehlo.reduce_scatter"(%y) <{scatter_dimension = 0 : i64,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %sum = "stablehlo.add"(%a, %b) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    "stablehlo.return"(%sum) : (tensor<bf16>) -> ()
  }) : (tensor<4x16xbf16>) -> tensor<1x16xbf16>
  return %s : tensor<1x16xbf16>
}
