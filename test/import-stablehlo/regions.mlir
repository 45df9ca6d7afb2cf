// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

// Collectives are converted wherever they stand: in loops and branches, in sdy.manual_computation, in functions that nobody
// calls. What is no collective between devices stays untouched.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  // CHECK-LABEL: func.func @control_flow
  // CHECK: "stablehlo.while"
  // CHECK: comm.all_reduce max
  // CHECK: "stablehlo.compare"
  // CHECK: "stablehlo.case"
  // CHECK: comm.permute
  // CHECK-NOT: "stablehlo.all_reduce"
  // CHECK-NOT: "stablehlo.collective_permute"
  // CHECK: return
  func.func @control_flow(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
    %0 = "stablehlo.while"(%x) ({
    ^bb0(%a: tensor<f32>):
      %1 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%b: tensor<f32>, %c: tensor<f32>):
        %2 = "stablehlo.maximum"(%b, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%2) : (tensor<f32>) -> ()
      }) : (tensor<f32>) -> tensor<f32>
      %3 = "stablehlo.compare"(%1, %x) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<f32>):
      %1 = "stablehlo.case"(%i) ({
        %2 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%2) : (tensor<f32>) -> ()
      }, {
        "stablehlo.return"(%a) : (tensor<f32>) -> ()
      }) : (tensor<i32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }

  // CHECK-LABEL: func.func @manual_computation
  // CHECK: "sdy.manual_computation"
  // CHECK: comm.all_gather
  // CHECK: "sdy.return"
  func.func @manual_computation(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}]>]>}> ({
    ^bb0(%a: tensor<2xf32>):
      %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "sdy.return"(%1) : (tensor<4xf32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // A branch of several blocks.
  // CHECK-LABEL: func.func @blocks
  // CHECK: cf.cond_br
  // CHECK: comm.broadcast
  func.func @blocks(%x: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
    cf.cond_br %c, ^a, ^b
  ^a:
    %0 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  ^b:
    return %x : tensor<2xf32>
  }

  // CHECK-LABEL: func.func @untouched
  // CHECK-NEXT: "stablehlo.partition_id"() : () -> tensor<ui32>
  // CHECK-NEXT: "stablehlo.replica_id"() : () -> tensor<ui32>
  // CHECK-NEXT: "stablehlo.custom_call"() <{call_target_name = "Sharding"}>
  // CHECK-NEXT: "stablehlo.custom_call"()
  // CHECK-NEXT: "stablehlo.create_token"
  // CHECK-NEXT: "stablehlo.infeed"
  // CHECK-NEXT: "stablehlo.outfeed"
  // CHECK-NEXT: "stablehlo.send"
  // CHECK-NEXT: "stablehlo.recv"
  // CHECK-NEXT: "stablehlo.optimization_barrier"(%arg0)
  // CHECK-NEXT: return
  func.func @untouched(%x: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.replica_id"() : () -> tensor<ui32>
    "stablehlo.custom_call"() <{call_target_name = "Sharding"}> : () -> ()
    "stablehlo.custom_call"() : () -> ()
    %t = "stablehlo.create_token"() : () -> !stablehlo.token
    %2:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    %3 = "stablehlo.outfeed"(%x, %2#1) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    %4 = "stablehlo.send"(%x, %3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    %5:2 = "stablehlo.recv"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    %6 = "stablehlo.optimization_barrier"(%x) : (tensor<f32>) -> tensor<f32>
    return %6 : tensor<f32>
  }
}
