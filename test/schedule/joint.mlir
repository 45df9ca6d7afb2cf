// Forward and backward in one function, weights gathered again for the backward pass, and two groups of devices, whose
// collectives share the links of one node. All is hidden but what cannot be: the reduction of the activation, which the
// next layer needs at once, and that of the last gradient. 500 us of computation + 20 + 50.
// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-schedule,comm-verify-schedule{mode=check},comm-verify-futures),comm-verify-order)' --remarks-filter='comm-schedule' 2>&1 | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='effort=fast max-in-flight=2' --remarks-filter='comm-schedule' 2>&1 | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule))' --remarks-filter='comm-schedule' 2>&1 | FileCheck %s

// CHECK: step time 820.0 us -> 570.0 us, exposed 320.0 us -> 70.0 us
// CHECK-DAG: hidden 0.0 us, exposed 20.0 us; limited by its operand, which is not there earlier
// CHECK-DAG: hidden 0.0 us, exposed 50.0 us; limited by its operand, which is not there earlier

// CHECK-LABEL: func.func @step
// CHECK:       comm.all_gather %arg1
// CHECK:       "model.embed"
// CHECK:       %[[F1:.*]] = "model.forward"
// CHECK:       comm.all_reduce sum %[[F1]]
// CHECK:       "model.forward"
// CHECK:       %[[B2:.*]] = "model.backward"
// CHECK:       comm.reduce_scatter avg %[[B2]]
// CHECK:       %[[B1:.*]] = "model.backward"
// CHECK:       comm.reduce_scatter avg %[[B1]]
// CHECK:       comm.wait
// CHECK:       return
comm.mesh @mesh <["dp" = 4, "tp" = 2]>
func.func @step(%x: tensor<4xf32>, %p1: tensor<1xf32>, %p2: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %e = "model.embed"(%x) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %f1 = comm.all_gather %p1 dim 0 over @mesh["dp"] {comm.duration_ns = 50000 : i64} : tensor<1xf32> -> !comm.future<tensor<4xf32>>
  %w1 = comm.wait %f1 keeping(%p1 : tensor<1xf32>) : !comm.future<tensor<4xf32>>
  %y1 = "model.forward"(%e, %w1) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a1 = comm.all_reduce sum %y1 over @mesh["tp"] {comm.duration_ns = 20000 : i64} : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %z1 = comm.wait %a1 keeping(%y1 : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  %f2 = comm.all_gather %p2 dim 0 over @mesh["dp"] {comm.duration_ns = 50000 : i64} : tensor<1xf32> -> !comm.future<tensor<4xf32>>
  %w2 = comm.wait %f2 keeping(%p2 : tensor<1xf32>) : !comm.future<tensor<4xf32>>
  %y2 = "model.forward"(%z1, %w2) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %h2 = comm.all_gather %p2 dim 0 over @mesh["dp"] {comm.duration_ns = 50000 : i64} : tensor<1xf32> -> !comm.future<tensor<4xf32>>
  %v2 = comm.wait %h2 keeping(%p2 : tensor<1xf32>) : !comm.future<tensor<4xf32>>
  %b2 = "model.backward"(%y2, %z1, %v2) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %h1 = comm.all_gather %p1 dim 0 over @mesh["dp"] {comm.duration_ns = 50000 : i64} : tensor<1xf32> -> !comm.future<tensor<4xf32>>
  %v1 = comm.wait %h1 keeping(%p1 : tensor<1xf32>) : !comm.future<tensor<4xf32>>
  %b1 = "model.backward"(%b2, %e, %v1) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r2 = comm.reduce_scatter avg %b2 dim 0 over @mesh["dp"] {comm.duration_ns = 50000 : i64} : tensor<4xf32> -> !comm.future<tensor<1xf32>>
  %s2 = comm.wait %r2 keeping(%b2 : tensor<4xf32>) : !comm.future<tensor<1xf32>>
  %r1 = comm.reduce_scatter avg %b1 dim 0 over @mesh["dp"] {comm.duration_ns = 50000 : i64} : tensor<4xf32> -> !comm.future<tensor<1xf32>>
  %s1 = comm.wait %r1 keeping(%b1 : tensor<4xf32>) : !comm.future<tensor<1xf32>>
  return %s1, %s2 : tensor<1xf32>, tensor<1xf32>
}
