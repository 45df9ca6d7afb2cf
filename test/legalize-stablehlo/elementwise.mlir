// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// Elementwise ops are loops around scalar ops; a splat is a scalar in them.

// CHECK-LABEL: func.func @splat
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK:         %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:         %[[INIT:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[X]] : tensor<2x3xf32>) outs(%[[INIT]] : tensor<2x3xf32>)
// CHECK-NEXT:    ^bb0(%[[E:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[E]], %[[C]] : f32
// CHECK-NEXT:      linalg.yield %[[P]] : f32
// CHECK:         return %[[R]]
func.func @splat(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = "stablehlo.constant"() <{value = dense<2.0> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %y = "stablehlo.multiply"(%x, %c) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// Tensors of rank 0 need no loops.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT:     linalg
// CHECK:         %[[A:.*]] = tensor.extract %arg0[] : tensor<i32>
// CHECK:         arith.addi %[[A]], %{{.*}} : i32
// CHECK:         tensor.from_elements
func.func @scalar(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %z = "stablehlo.add"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %z : tensor<i32>
}

// Unsigned integers lose their sign in types, not in what is computed.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME:    (%{{.*}}: tensor<4xi32>, %{{.*}}: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi1>)
// CHECK:         arith.maxui
// CHECK:         arith.cmpi ult
func.func @unsigned(%x: tensor<4xui32>, %y: tensor<4xui32>) -> (tensor<4xui32>, tensor<4xi1>) {
  %z = "stablehlo.maximum"(%x, %y) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  %c = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  return %z, %c : tensor<4xui32>, tensor<4xi1>
}

// bf16 is computed in f32.
// CHECK-LABEL: func.func @narrow
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[B:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK:         arith.truncf %[[S]] : f32 to bf16
func.func @narrow(%x: tensor<4xbf16>, %y: tensor<4xbf16>) -> tensor<4xbf16> {
  %z = "stablehlo.add"(%x, %y) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %z : tensor<4xbf16>
}

// No division traps. A constant divisor that is neither 0 nor -1 is not checked.
// CHECK-LABEL: func.func @quotient
// CHECK:         %[[ZERO:.*]] = arith.cmpi eq, %[[D:.*]], %{{.*}} : i32
// CHECK:         %[[TRAPS:.*]] = arith.ori %[[ZERO]]
// CHECK:         %[[SAFE:.*]] = arith.select %[[TRAPS]], %{{.*}}, %[[D]]
// CHECK:         %[[Q:.*]] = arith.divsi %{{.*}}, %[[SAFE]]
// CHECK:         arith.select %[[ZERO]], %{{.*}}, %[[Q]]
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.remsi
// CHECK-NEXT:      linalg.yield
func.func @quotient(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %z = "stablehlo.divide"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %c = "stablehlo.constant"() <{value = dense<8> : tensor<4xi32>}> : () -> tensor<4xi32>
  %r = "stablehlo.remainder"(%x, %c) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %z, %r : tensor<4xi32>, tensor<4xi32>
}
