// RUN: comm-opt %s --comm-sort=max-in-flight=2 | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-sort{max-in-flight=2}))' | FileCheck %s

// Two layers forward and the gradients' way back. The weights are declared in reverse order of use, and gathered and
// awaited at once; the gradients are reduced at the end. Afterwards two gathers are in flight before the first product,
// and each reduction starts right after the product that it sums.

// CHECK-LABEL: func.func @step
// CHECK-NEXT:    %[[F1:.*]] = comm.all_gather %arg2
// CHECK-NEXT:    %[[F2:.*]] = comm.all_gather %arg1
// CHECK-NEXT:    %[[W1:.*]] = comm.wait %[[F1]]
// CHECK-NEXT:    %[[Y1:.*]] = linalg.matmul ins(%arg0, %[[W1]]
// CHECK-NEXT:    %[[W2:.*]] = comm.wait %[[F2]]
// CHECK-NEXT:    %[[Y2:.*]] = linalg.matmul ins(%[[Y1]], %[[W2]]
// CHECK-NEXT:    %[[G2:.*]] = linalg.matmul ins(%[[Y1]], %[[Y2]]
// CHECK-NEXT:    %[[R2:.*]] = comm.reduce_scatter sum %[[G2]]
// CHECK-NEXT:    %[[G1:.*]] = linalg.matmul ins(%arg0, %[[Y2]]
// CHECK-NEXT:    %[[R1:.*]] = comm.reduce_scatter sum %[[G1]]
// CHECK-NEXT:    %[[S1:.*]] = comm.wait %[[R1]]
// CHECK-NEXT:    %[[S2:.*]] = comm.wait %[[R2]]
// CHECK-NEXT:    return %[[S1]], %[[S2]]
func.func @step(%x: tensor<8x8xf32>, %w2: tensor<2x8xf32>, %w1: tensor<2x8xf32>, %o: tensor<8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %f2 = comm.all_gather %w2 dim 0 over [[0, 1, 2, 3]] : tensor<2x8xf32> -> !comm.future<tensor<8x8xf32>>
  %g2 = comm.wait %f2 keeping(%w2 : tensor<2x8xf32>) : !comm.future<tensor<8x8xf32>>
  %f1 = comm.all_gather %w1 dim 0 over [[0, 1, 2, 3]] : tensor<2x8xf32> -> !comm.future<tensor<8x8xf32>>
  %g1 = comm.wait %f1 keeping(%w1 : tensor<2x8xf32>) : !comm.future<tensor<8x8xf32>>
  %y1 = linalg.matmul ins(%x, %g1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y2 = linalg.matmul ins(%y1, %g2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d2 = linalg.matmul ins(%y1, %y2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d1 = linalg.matmul ins(%x, %y2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r1 = comm.reduce_scatter sum %d1 dim 0 over [[0, 1, 2, 3]] : tensor<8x8xf32> -> !comm.future<tensor<2x8xf32>>
  %s1 = comm.wait %r1 keeping(%d1 : tensor<8x8xf32>) : !comm.future<tensor<2x8xf32>>
  %r2 = comm.reduce_scatter sum %d2 dim 0 over [[0, 1, 2, 3]] : tensor<8x8xf32> -> !comm.future<tensor<2x8xf32>>
  %s2 = comm.wait %r2 keeping(%d2 : tensor<8x8xf32>) : !comm.future<tensor<2x8xf32>>
  return %s1, %s2 : tensor<2x8xf32>, tensor<2x8xf32>
}
