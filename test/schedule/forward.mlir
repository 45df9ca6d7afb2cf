// A forward pass as a front end emits it: every weight is gathered and awaited where it is used. Each gather takes half as
// long as a layer, so all of them can be hidden, with two in flight at most.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight=2 | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='effort=fast max-in-flight=2' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='effort=exact max-in-flight=2 verify=true' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule{effort=default max-in-flight=2}))' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='max-in-flight=2' --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// With one in flight and the block's one stream, a gather starts only when the one before is awaited: still hidden.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='max-in-flight=1' --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE

// Each of the three gathers runs for 50 us beside computation, which does half of its work in that time on this machine.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=machine=%S/Inputs/contention.toml --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=CONTENTION
// CONTENTION: step time 550.0 us -> 400.0 us
// CONTENTION: [Analysis] contention {{.*}}with the machine's contention the step takes 550.0 us -> 475.0 us

// CHECK-LABEL: func.func @layers(
// CHECK:         %[[F1:.*]] = comm.all_gather %arg1
// CHECK:         "model.embed"
// CHECK-DAG:     comm.wait %[[F1]]
// CHECK-DAG:     %[[F2:.*]] = comm.all_gather %arg2
// CHECK:         "model.layer"
// CHECK-DAG:     comm.wait %[[F2]]
// CHECK-DAG:     %[[F3:.*]] = comm.all_gather %arg3
// CHECK:         "model.layer"
// CHECK:         comm.wait %[[F3]]
// CHECK:         "model.layer"

// REMARKS: scheduled {{.*}}step time 550.0 us -> 400.0 us, exposed 150.0 us -> 0.0 us
// REMARKS-SAME: no order is faster, by the bound
// REMARKS-COUNT-3: [Passed] collective {{.*}}hidden 50.0 us, exposed 0.0 us

// ONE: step time 550.0 us -> 400.0 us
func.func @layers(%x: tensor<4xf32>, %p1: tensor<2xf32>, %p2: tensor<2xf32>, %p3: tensor<2xf32>) -> tensor<4xf32> {
  %h = "model.embed"(%x) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %f1 = comm.all_gather %p1 dim 0 over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w1 = comm.wait %f1 keeping(%p1 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y1 = "model.layer"(%h, %w1) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %f2 = comm.all_gather %p2 dim 0 over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w2 = comm.wait %f2 keeping(%p2 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y2 = "model.layer"(%y1, %w2) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %f3 = comm.all_gather %p3 dim 0 over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w3 = comm.wait %f3 keeping(%p3 : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y3 = "model.layer"(%y2, %w3) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y3 : tensor<4xf32>
}
