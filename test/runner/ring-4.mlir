// RUN: comm-runner %s --ranks 4 --passes comm-asyncify,comm-sort --check %s | FileCheck %s
// CHECK: equal

// A ring, sums in both directions, and a product of what arrives.
func.func @main(%x: tensor<4x6xf32>, %w: tensor<6x5xf32>) -> (tensor<4x5xf32>, tensor<16x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = comm.permute %x pairs [[0, 1], [1, 2], [2, 3], [3, 0]] : tensor<4x6xf32> -> tensor<4x6xf32>
  %g = comm.all_gather %p dim 0 over [[0, 1, 2, 3]] : tensor<4x6xf32> -> tensor<16x6xf32>
  %r = comm.reduce_scatter sum %g dim 0 over [[0, 1, 2, 3]] : tensor<16x6xf32> -> tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %m = linalg.matmul ins(%r, %w : tensor<4x6xf32>, tensor<6x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = comm.all_reduce max %m over [[0, 1, 2, 3]] : tensor<4x5xf32> -> tensor<4x5xf32>
  return %a, %g : tensor<4x5xf32>, tensor<16x6xf32>
}
