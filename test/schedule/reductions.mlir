// Gradients that are reduced at the end of the step: each reduction starts as soon as its gradient is there, and all but
// the last are hidden behind the computation of the next.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule))' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// CHECK-LABEL: func.func @backward
// CHECK:         %[[G3:.*]] = "model.gradient"(%arg0)
// CHECK-NEXT:    comm.reduce_scatter sum %[[G3]]
// CHECK-NEXT:    %[[G2:.*]] = "model.gradient"(%[[G3]])
// CHECK:         comm.all_reduce sum %[[G2]]
// CHECK:         %[[G1:.*]] = "model.gradient"(%[[G2]])
// CHECK:         comm.reduce_scatter sum %[[G1]]
// CHECK:         comm.wait

// REMARKS: scheduled {{.*}}step time 390.0 us -> 330.0 us, exposed 90.0 us -> 30.0 us
// REMARKS: [Missed] collective {{.*}}hidden 0.0 us, exposed 30.0 us; limited by its operand, which is not there earlier
func.func @backward(%y: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>) {
  %g3 = "model.gradient"(%y) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %g2 = "model.gradient"(%g3) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %g1 = "model.gradient"(%g2) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %r1 = comm.reduce_scatter sum %g1 dim 0 over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<8xf32> -> !comm.future<tensor<4xf32>>
  %s1 = comm.wait %r1 keeping(%g1 : tensor<8xf32>) : !comm.future<tensor<4xf32>>
  %r2 = comm.all_reduce sum %g2 over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<8xf32> -> !comm.future<tensor<8xf32>>
  %s2 = comm.wait %r2 keeping(%g2 : tensor<8xf32>) : !comm.future<tensor<8xf32>>
  %r3 = comm.reduce_scatter sum %g3 dim 0 over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<8xf32> -> !comm.future<tensor<4xf32>>
  %s3 = comm.wait %r3 keeping(%g3 : tensor<8xf32>) : !comm.future<tensor<4xf32>>
  return %s1, %s2, %s3 : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>
}
