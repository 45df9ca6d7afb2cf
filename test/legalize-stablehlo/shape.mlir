// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// CHECK: #[[$BROADCAST:.*]] = affine_map<(d0, d1, d2) -> (d2, 0)>

// Only what remains of the operand is copied; negative padding takes away.
// CHECK-LABEL: func.func @pad
// CHECK:         %[[V:.*]] = tensor.extract %arg1[]
// CHECK:         %[[F:.*]] = linalg.fill ins(%[[V]] : f32)
// CHECK:         %[[P:.*]] = tensor.extract_slice %arg0[1] [3] [1]
// CHECK:         tensor.insert_slice %[[P]] into %[[F]][0] [3] [2]
func.func @pad(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<7xf32> {
  %y = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 1>}> : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// CHECK-LABEL: func.func @reshape
// CHECK:         tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<2x3x8xf32> into tensor<6x8xf32>
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
func.func @reshape(%x: tensor<2x3x8xf32>) -> tensor<6x2x4xf32> {
  %y = "stablehlo.reshape"(%x) : (tensor<2x3x8xf32>) -> tensor<6x2x4xf32>
  return %y : tensor<6x2x4xf32>
}

// CHECK-LABEL: func.func @broadcast
// CHECK:         linalg.generic {indexing_maps = [#[[$BROADCAST]], #{{.*}}]
func.func @broadcast(%x: tensor<4x1xf32>) -> tensor<2x3x4xf32> {
  %y = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 2, 1>}> : (tensor<4x1xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @transpose
// CHECK:         linalg.transpose ins(%arg0 : tensor<2x3xi32>) outs(%{{.*}} : tensor<3x2xi32>) permutation = [1, 0]
func.func @transpose(%x: tensor<2x3xui32>) -> tensor<3x2xui32> {
  %y = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xui32>) -> tensor<3x2xui32>
  return %y : tensor<3x2xui32>
}

// CHECK-LABEL: func.func @concatenate
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5xf32>
// CHECK:         %[[A:.*]] = tensor.insert_slice %arg0 into %[[E]][0, 0] [2, 3] [1, 1]
// CHECK:         %[[B:.*]] = tensor.insert_slice %arg1 into %[[A]][0, 3] [2, 2] [1, 1]
// CHECK:         return %[[B]]
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) -> tensor<2x5xf32> {
  %z = "stablehlo.concatenate"(%x, %y) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  return %z : tensor<2x5xf32>
}

// The slice is moved to where it fits; what fits anyhow is not looked at.
// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[I:.*]] = arith.index_cast
// CHECK:         %[[L:.*]] = arith.maxsi %[[I]]
// CHECK:         %[[M:.*]] = arith.minsi %[[L]]
// CHECK:         tensor.extract_slice %arg0[%[[M]], 0] [2, 4] [1, 1]
func.func @dynamic(%x: tensor<8x4xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x4xf32> {
  %y = "stablehlo.dynamic_slice"(%x, %i, %j) <{slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
