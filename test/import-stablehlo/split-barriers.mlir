// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo='split-barriers' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo{split-barriers=true})' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s --check-prefix=KEEP
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo='split-barriers' --remarks-filter='comm-import.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// As jax.checkpoint writes it: the shard bypasses the barrier, the gradient does not. The gather of the forward pass is no regather.
// REMARK: barrier-split {{.*}}1 of 2 value(s) bypass the barrier, 1 gather(s) of them are marked regather
// CHECK-LABEL: func.func @remat
// CHECK: comm.all_gather %arg0 dim 0 over {{\[\[}}0, 1]] : tensor<2xf32>
// CHECK: %[[T:.*]] = "stablehlo.tanh"
// CHECK: %[[B:.*]] = "stablehlo.optimization_barrier"(%[[T]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: comm.all_gather %arg0 dim 0 over {{\[\[}}0, 1]] {regather} : tensor<2xf32>
// CHECK: "stablehlo.add"(%[[B]],
// KEEP-LABEL: func.func @remat
// KEEP: %[[B:.*]]:2 = "stablehlo.optimization_barrier"(%{{.*}}, %arg0)
// KEEP: comm.all_gather %[[B]]#1 dim 0 over {{\[\[}}0, 1]] : tensor<2xf32>
func.func @remat(%w: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2:2 = "stablehlo.optimization_barrier"(%1, %w) : (tensor<4xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>)
  %3 = "stablehlo.all_gather"(%2#1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %4 = "stablehlo.add"(%2#0, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Views of arguments bypass; the mark looks through views, added dimensions and conversions; nothing is left of the barrier.
// CHECK-LABEL: func.func @views
// CHECK-NOT: optimization_barrier
// CHECK: %[[R:.*]] = "stablehlo.reshape"(%arg0)
// CHECK: %[[V:.*]] = "stablehlo.transpose"(%[[R]])
// CHECK-NOT: optimization_barrier
// CHECK: %[[C:.*]] = "stablehlo.convert"(%[[V]])
// CHECK: comm.all_gather %[[C]] {{.*}} {regather}
// CHECK: %[[D:.*]] = "stablehlo.broadcast_in_dim"(%arg1)
// CHECK: comm.all_gather %[[D]] {{.*}} {regather}
// CHECK: %[[E:.*]] = "stablehlo.broadcast_in_dim"(%arg1)
// CHECK: comm.all_gather %[[E]] {{.*}} over {{\[\[}}0, 1]] : tensor<3x4xf32>
func.func @views(%w: tensor<6xf32>, %v: tensor<4xf32>) {
  %0 = "stablehlo.reshape"(%w) : (tensor<6xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2:2 = "stablehlo.optimization_barrier"(%1, %v) : (tensor<3x2xf32>, tensor<4xf32>) -> (tensor<3x2xf32>, tensor<4xf32>)
  %3 = "stablehlo.convert"(%2#0) : (tensor<3x2xf32>) -> tensor<3x2xbf16>
  "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3x2xbf16>) -> tensor<6x2xbf16>
  %4 = "stablehlo.broadcast_in_dim"(%2#1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
  "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %5 = "stablehlo.broadcast_in_dim"(%2#1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<3x4xf32>
  "stablehlo.all_gather"(%5) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3x4xf32>) -> tensor<6x4xf32>
  return
}

// A conversion is a tensor of its own and waits in the barrier. Attributes of the barrier stay.
// CHECK-LABEL: func.func @no_views
// CHECK: %[[C:.*]] = "stablehlo.convert"(%arg0)
// CHECK: %[[B:.*]] = "stablehlo.optimization_barrier"(%[[C]]) {mhlo.sharding = "s"} : (tensor<2xbf16>) -> tensor<2xbf16>
// CHECK: comm.all_gather %[[B]] {{.*}} over {{\[\[}}0, 1]] : tensor<2xbf16>
func.func @no_views(%w: tensor<2xf32>) {
  %0 = "stablehlo.convert"(%w) : (tensor<2xf32>) -> tensor<2xbf16>
  %1:2 = "stablehlo.optimization_barrier"(%0, %w) {mhlo.sharding = "s"} : (tensor<2xbf16>, tensor<2xf32>) -> (tensor<2xbf16>, tensor<2xf32>)
  "stablehlo.all_gather"(%1#0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xbf16>) -> tensor<4xbf16>
  return
}

// Two barriers in a row, the second in a branch; arguments of a manual computation count, those of a loop do not.
// CHECK-LABEL: func.func @nested
// CHECK: "stablehlo.case"
// CHECK-NEXT: comm.all_gather %arg0 {{.*}} {regather}
// CHECK: "sdy.manual_computation"
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<2xf32>)
// CHECK-NEXT: comm.all_gather %[[A]] {{.*}} {regather}
// CHECK: "stablehlo.while"
// CHECK: "stablehlo.optimization_barrier"
func.func @nested(%w: tensor<2xf32>, %i: tensor<i32>) {
  %0 = "stablehlo.optimization_barrier"(%w) : (tensor<2xf32>) -> tensor<2xf32>
  "stablehlo.case"(%i) ({
    %1 = "stablehlo.optimization_barrier"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    "stablehlo.return"() : () -> ()
  }) : (tensor<i32>) -> ()
  "sdy.manual_computation"(%w) ({
  ^bb0(%a: tensor<2xf32>):
    %1 = "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    "sdy.return"() : () -> ()
  }) : (tensor<2xf32>) -> ()
  "stablehlo.while"(%w) ({
  ^bb0(%a: tensor<2xf32>):
    %1 = "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<2xf32>
    "stablehlo.return"(%1) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> ()
  return
}

// Arguments of later blocks are given by branches: a loop's value waits in the barrier, also where the loop is made of blocks.
// CHECK-LABEL: func.func @loop_of_blocks
// CHECK: ^bb1(%[[C:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[B:.*]] = "stablehlo.optimization_barrier"(%[[C]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: "stablehlo.add"(%[[B]], %arg0)
// CHECK: ^bb2:
// CHECK-NEXT: comm.all_gather %[[B]] dim 0 over {{\[\[}}0, 1]] : tensor<4xf32>
// CHECK-LABEL: func.func @manual_loop_of_blocks
// CHECK: ^bb1(%[[C:.*]]: tensor<4xf32>):
// CHECK-NEXT: "stablehlo.optimization_barrier"(%[[C]]) : (tensor<4xf32>) -> tensor<4xf32>
func.func @loop_of_blocks(%x: tensor<4xf32>, %p: i1) -> tensor<8xf32> {
  cf.br ^h(%x : tensor<4xf32>)
^h(%c: tensor<4xf32>):
  %b:2 = "stablehlo.optimization_barrier"(%c, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %n = "stablehlo.add"(%b#0, %b#1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %p, ^h(%n : tensor<4xf32>), ^e
^e:
  %g = "stablehlo.all_gather"(%b#0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  return %g : tensor<8xf32>
}
func.func @manual_loop_of_blocks(%x: tensor<4xf32>) {
  "sdy.manual_computation"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    cf.br ^h(%a : tensor<4xf32>)
  ^h(%c: tensor<4xf32>):
    %b:2 = "stablehlo.optimization_barrier"(%c, %a) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    cf.br ^h(%b#0 : tensor<4xf32>)
  }) : (tensor<4xf32>) -> ()
  return
}

// A barrier in the place of a terminator stays.
// CHECK-LABEL: func.func @barrier_ends_block
// CHECK: "stablehlo.optimization_barrier"(%arg0)[^bb1]
func.func @barrier_ends_block(%x: tensor<4xf32>) -> tensor<4xf32> {
  %b = "stablehlo.optimization_barrier"(%x)[^next] : (tensor<4xf32>) -> tensor<4xf32>
^next:
  return %b : tensor<4xf32>
}
