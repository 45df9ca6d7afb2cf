// Reductions start right after their producer, with the cheap ops in between, whatever their size; their waits stand as
// late as the limit allows and do not pile up in front of the end.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='max-in-flight-reductions=1' | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='max-in-flight-reductions=0' | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort='reduce-scatter=keep' | FileCheck %s --check-prefixes=CHECK,KEEP

// CHECK-LABEL: func.func @backward
// ONE-NEXT:    %[[G3:.*]] = "model.gradient"
// ONE-NEXT:    %[[C3:.*]] = "stablehlo.convert"(%[[G3]])
// ONE-NEXT:    %[[R3:.*]] = comm.reduce_scatter sum %[[C3]]
// ONE-NEXT:    %[[G2:.*]] = "model.gradient"
// ONE-NEXT:    %[[S3:.*]] = comm.wait %[[R3]]
// ONE-NEXT:    %[[R2:.*]] = comm.reduce_scatter sum %[[G2]]
// ONE-NEXT:    %[[G1:.*]] = "model.gradient"
// ONE-NEXT:    %[[S2:.*]] = comm.wait %[[R2]]
// ONE-NEXT:    %[[R1:.*]] = comm.all_reduce sum %[[G1]]
// ONE-NEXT:    "model.gradient"
// ONE-NEXT:    %[[S1:.*]] = comm.wait %[[R1]]
// ONE-NEXT:    return %[[S1]], %[[S2]], %[[S3]]

// FREE-NEXT:    %[[G3:.*]] = "model.gradient"
// FREE-NEXT:    %[[C3:.*]] = "stablehlo.convert"(%[[G3]])
// FREE-NEXT:    %[[R3:.*]] = comm.reduce_scatter sum %[[C3]]
// FREE-NEXT:    %[[G2:.*]] = "model.gradient"
// FREE-NEXT:    %[[R2:.*]] = comm.reduce_scatter sum %[[G2]]
// FREE-NEXT:    %[[G1:.*]] = "model.gradient"
// FREE-NEXT:    %[[R1:.*]] = comm.all_reduce sum %[[G1]]
// FREE-NEXT:    "model.gradient"
// FREE-NEXT:    comm.wait %[[R1]]
// FREE-NEXT:    comm.wait %[[R2]]
// FREE-NEXT:    comm.wait %[[R3]]
// FREE-NEXT:    return

// KEEP-COUNT-4: "model.gradient"
// KEEP-NEXT:    "stablehlo.convert"
// KEEP-NEXT:    comm.all_reduce
// KEEP-NEXT:    comm.wait
// KEEP-NEXT:    comm.reduce_scatter
// KEEP-NEXT:    comm.wait
// KEEP-NEXT:    comm.reduce_scatter
// KEEP-NEXT:    comm.wait
func.func @backward(%y: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<4xbf16>) {
  %g3 = "model.gradient"(%y) {comm.pure} : (tensor<8xf32>) -> tensor<8xf32>
  %g2 = "model.gradient"(%g3) {comm.pure} : (tensor<8xf32>) -> tensor<8xf32>
  %g1 = "model.gradient"(%g2) {comm.pure} : (tensor<8xf32>) -> tensor<8xf32>
  %g0 = "model.gradient"(%g1) {comm.pure} : (tensor<8xf32>) -> tensor<8xf32>
  %c3 = "stablehlo.convert"(%g3) : (tensor<8xf32>) -> tensor<8xbf16>
  %r1 = comm.all_reduce sum %g1 over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<8xf32>>
  %s1 = comm.wait %r1 keeping(%g1 : tensor<8xf32>) : !comm.future<tensor<8xf32>>
  %r2 = comm.reduce_scatter sum %g2 dim 0 over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<4xf32>>
  %s2 = comm.wait %r2 keeping(%g2 : tensor<8xf32>) : !comm.future<tensor<4xf32>>
  %r3 = comm.reduce_scatter sum %c3 dim 0 over [[0, 1]] : tensor<8xbf16> -> !comm.future<tensor<4xbf16>>
  %s3 = comm.wait %r3 keeping(%c3 : tensor<8xbf16>) : !comm.future<tensor<4xbf16>>
  return %s1, %s2, %s3 : tensor<8xf32>, tensor<4xf32>, tensor<4xbf16>
}
