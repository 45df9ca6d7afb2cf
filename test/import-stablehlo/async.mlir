// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

// A start and a done become a start and a wait that keeps the operands.
module attributes {mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: func.func @gather
  // CHECK: %[[F:.*]] = comm.all_gather %arg0 dim 0 over {{\[\[}}0, 1]]
  // CHECK-SAME: {comm.channel_id = 1 : i64, mhlo.sharding = "s"} : tensor<2x2xf32> -> !comm.future<tensor<4x2xf32>>
  // CHECK: %[[T:.*]] = "stablehlo.tanh"(%arg0)
  // CHECK: %[[G:.*]] = comm.wait %[[F]] keeping(%arg0 : tensor<2x2xf32>) : !comm.future<tensor<4x2xf32>>
  // CHECK: return %[[G]], %[[T]]
  func.func @gather(%x: tensor<2x2xf32>) -> (tensor<4x2xf32>, tensor<2x2xf32>) {
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2x2xf32>):
      %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<4x2xf32>
      "stablehlo.return"(%g) : (tensor<4x2xf32>) -> ()
    }) {mhlo.sharding = "s"} : (tensor<2x2xf32>) -> !stablehlo.future<tensor<4x2xf32>>
    %t = "stablehlo.tanh"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %y = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x2xf32>>) -> tensor<4x2xf32>
    return %y, %t : tensor<4x2xf32>, tensor<2x2xf32>
  }

  // Operands in another order than the region's arguments, and one from outside.
  // CHECK-LABEL: func.func @variadic
  // CHECK: %[[F:.*]] = comm.all_reduce sum %arg1, %arg0, %arg2 over {{.*}} -> !comm.future<tensor<3xf32>, tensor<2xf32>, tensor<4xf32>>
  // CHECK: %[[W:.*]]:3 = comm.wait %[[F]] keeping(%arg1, %arg0, %arg2 :
  // CHECK: return %[[W]]#2
  func.func @variadic(%x: tensor<2xf32>, %y: tensor<3xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
    %f = "stablehlo.async_start"(%x, %y) ({
    ^bb0(%a: tensor<2xf32>, %b: tensor<3xf32>):
      %g:3 = "stablehlo.all_reduce"(%b, %a, %z) ({
      ^bb0(%c: tensor<f32>, %d: tensor<f32>):
        %s = "stablehlo.add"(%c, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%s) : (tensor<f32>) -> ()
      }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<3xf32>, tensor<2xf32>, tensor<4xf32>) -> (tensor<3xf32>, tensor<2xf32>, tensor<4xf32>)
      "stablehlo.return"(%g#0, %g#1, %g#2) : (tensor<3xf32>, tensor<2xf32>, tensor<4xf32>) -> ()
    }) : (tensor<2xf32>, tensor<3xf32>) -> !stablehlo.future<tensor<3xf32>, tensor<2xf32>, tensor<4xf32>>
    %r:3 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<3xf32>, tensor<2xf32>, tensor<4xf32>>) -> (tensor<3xf32>, tensor<2xf32>, tensor<4xf32>)
    return %r#2 : tensor<4xf32>
  }

  // A start that nobody awaits is legal and dead.
  // CHECK-LABEL: func.func @dead
  // CHECK-NEXT: comm.permute %arg0 pairs {{\[\[}}0, 1]] {comm.channel_id = 1 : i64} : tensor<2xf32> -> !comm.future<tensor<2xf32>>
  // CHECK-NEXT: return
  func.func @dead(%x: tensor<2xf32>) {
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %p = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%p) : (tensor<2xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
    return
  }

  // An asynchronous slice is no collective and stays.
  // CHECK-LABEL: func.func @slice
  // CHECK: "stablehlo.async_start"
  // CHECK: "stablehlo.async_done"
  func.func @slice(%x: tensor<4xf32>) -> tensor<2xf32> {
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<4xf32>):
      %s = "stablehlo.slice"(%a) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
      "stablehlo.return"(%s) : (tensor<2xf32>) -> ()
    }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
    %y = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
}
