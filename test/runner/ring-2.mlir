// RUN: comm-runner %s --ranks 2 --passes comm-asyncify,comm-sort --check %s | FileCheck %s
// CHECK: equal

// A ring, sums in both directions, and a product of what arrives.
func.func @main(%x: tensor<2x6xf32>, %w: tensor<6x5xf32>) -> (tensor<2x5xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = comm.permute %x pairs [[0, 1], [1, 0]] : tensor<2x6xf32> -> tensor<2x6xf32>
  %g = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2x6xf32> -> tensor<4x6xf32>
  %r = comm.reduce_scatter sum %g dim 0 over [[0, 1]] : tensor<4x6xf32> -> tensor<2x6xf32>
  %e = tensor.empty() : tensor<2x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m = linalg.matmul ins(%r, %w : tensor<2x6xf32>, tensor<6x5xf32>) outs(%z : tensor<2x5xf32>) -> tensor<2x5xf32>
  %a = comm.all_reduce max %m over [[0, 1]] : tensor<2x5xf32> -> tensor<2x5xf32>
  return %a, %g : tensor<2x5xf32>, tensor<4x6xf32>
}
