// RUN: comm-opt %s --comm-fuse-matmul | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-fuse-matmul))' | FileCheck %s
// RUN: comm-opt %s --comm-fuse-matmul --remarks-filter='comm-fuse-matmul' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// The two products of a tensor-parallel layer: the first reads gathered rows, the second makes what is scattered by rows.
// Both are large enough that chunks keep the machine busy while others arrive.

// CHECK-LABEL: func.func @layer
// CHECK:         %[[H:.*]] = comm.all_gather_matmul gather(%arg0 : tensor<1024x8192xf32>) dim 0 over
// CHECK-NEXT:      product(%arg1 : tensor<8192x8192xf32>)
// CHECK-NEXT:      {{.*}}-> tensor<8192x8192xf32>
// CHECK-NEXT:    %[[Y:.*]] = comm.matmul_reduce_scatter sum
// CHECK-NEXT:      product(%[[H]], %arg2 : tensor<8192x8192xf32>, tensor<8192x8192xf32>)
// CHECK-NEXT:      dim 0 over {{.*}}-> tensor<1024x8192xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @layer(%x: tensor<1024x8192xf32>, %w1: tensor<8192x8192xf32>, %w2: tensor<8192x8192xf32>) -> tensor<1024x8192xf32> {
  %zero = arith.constant dense<0.0> : tensor<8192x8192xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<1024x8192xf32> -> tensor<8192x8192xf32>
  %h = linalg.matmul ins(%g, %w1 : tensor<8192x8192xf32>, tensor<8192x8192xf32>) outs(%zero : tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
  %y = linalg.matmul ins(%h, %w2 : tensor<8192x8192xf32>, tensor<8192x8192xf32>) outs(%zero : tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
  %s = comm.reduce_scatter sum %y dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<8192x8192xf32> -> tensor<1024x8192xf32>
  return %s : tensor<1024x8192xf32>
}

// REMARKS: [Passed] fused {{.*}}gather and 1 product(s): {{.*}} us -> {{.*}} us
// REMARKS: [Passed] fused {{.*}}1 product(s) and reduce-scatter: {{.*}} us -> {{.*}} us
