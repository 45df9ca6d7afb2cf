// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK:         %[[Z:.*]] = linalg.fill
// CHECK:         linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x2xf32>) outs(%[[Z]] : tensor<4x2xf32>)
func.func @matmul(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %z : tensor<4x2xf32>
}

// Batch dimensions first, each part collapsed into one dimension.
// CHECK-LABEL: func.func @batch
// CHECK:         linalg.transpose ins(%arg0 : tensor<2x4x3x8xf32>) outs(%{{.*}} : tensor<2x3x4x8xf32>) permutation = [0, 2, 1, 3]
// CHECK:         linalg.transpose ins(%arg1 : tensor<2x5x3x8xf32>) outs(%{{.*}} : tensor<2x3x8x5xf32>) permutation = [0, 2, 3, 1]
// CHECK:         linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<6x4x8xf32>, tensor<6x8x5xf32>) outs(%{{.*}} : tensor<6x4x5xf32>)
// CHECK:         tensor.expand_shape {{.*}} : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>
func.func @batch(%x: tensor<2x4x3x8xf32>, %y: tensor<2x5x3x8xf32>) -> tensor<2x3x4x5xf32> {
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<2x4x3x8xf32>, tensor<2x5x3x8xf32>) -> tensor<2x3x4x5xf32>
  return %z : tensor<2x3x4x5xf32>
}

// Products of 16 bit floats accumulate in f32.
// CHECK-LABEL: func.func @narrow
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32>)
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
func.func @narrow(%x: tensor<4x8xbf16>, %y: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
  %z = "stablehlo.dot"(%x, %y) : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  return %z : tensor<4x2xbf16>
}
