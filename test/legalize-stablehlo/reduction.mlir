// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// CHECK: #[[$WINDOW:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1 * 3)>

// The value so far is on the left; two results of one reduction are one loop nest.
// CHECK-LABEL: func.func @several
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : {{.*}}) outs(
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: i32, %[[C:.*]]: f32, %[[D:.*]]: i32):
// CHECK-NEXT:      %[[M:.*]] = arith.maximumf %[[C]], %[[A]] : f32
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[D]], %[[B]] : i32
// CHECK-NEXT:      linalg.yield %[[M]], %[[S]] : f32, i32
func.func @several(%x: tensor<3x4xf32>, %y: tensor<3x4xi32>, %i: tensor<f32>, %j: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %r:2 = "stablehlo.reduce"(%x, %y, %i, %j) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %m = "stablehlo.maximum"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %s = "stablehlo.add"(%b, %d) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%m, %s) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @window
// CHECK:         %[[W:.*]] = tensor.empty() : tensor<2xi1>
// CHECK:         linalg.generic {indexing_maps = [#[[$WINDOW]], {{.*}}iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %[[W]] : tensor<9xf32>, tensor<2xi1>)
func.func @window(%x: tensor<8xf32>, %i: tensor<f32>) -> tensor<3xf32> {
  %r = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, window_dilations = array<i64: 3>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%m) : (tensor<f32>) -> ()
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
