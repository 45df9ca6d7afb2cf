// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// A loop that counts; its counter is no longer carried, and a tensor stays in the memory of the loop's argument.
// CHECK-LABEL: func.func @counted
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %[[C0]] to %[[C5]] step %[[C2]] iter_args(%[[X:.*]] = %arg0) -> (tensor<4xi32>)
// CHECK:           arith.index_cast %[[I]] : index to i32
// CHECK:           %[[N:.*]] = linalg.generic
// CHECK:           %[[M:.*]] = bufferization.materialize_in_destination %[[N]] in %[[X]]
// CHECK:           scf.yield %[[M]]
// CHECK:         %[[END:.*]] = arith.constant 6 : i32
// CHECK:         %[[T:.*]] = tensor.from_elements %[[END]]
// CHECK:         return %[[T]], %[[R]]
func.func @counted(%x: tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %c: tensor<4xi32>):
    %limit = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %p = "stablehlo.compare"(%i, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %c: tensor<4xi32>):
    %step = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %n = "stablehlo.add"(%i, %step) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %b = "stablehlo.broadcast_in_dim"(%i) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %s = "stablehlo.add"(%c, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    "stablehlo.return"(%n, %s) : (tensor<i32>, tensor<4xi32>) -> ()
  }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<i32>, tensor<4xi32>
}

// Any other loop; scalars are carried as scalars, and values that change places are copied aside first.
// CHECK-LABEL: func.func @general
// CHECK:         scf.while ({{.*}}) : (f32, tensor<4xf32>, tensor<4xf32>) -> (f32, tensor<4xf32>, tensor<4xf32>)
// CHECK:           arith.cmpf olt
// CHECK:           scf.condition
// CHECK:         ^bb0(%[[S:.*]]: f32, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
// CHECK:           %[[BB:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK:           %[[AA:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK:           bufferization.materialize_in_destination %[[BB]] in %[[A]]
// CHECK:           bufferization.materialize_in_destination %[[AA]] in %[[B]]
func.func @general(%s: tensor<f32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r:3 = "stablehlo.while"(%s, %x, %y) ({
  ^bb0(%i: tensor<f32>, %a: tensor<4xf32>, %b: tensor<4xf32>):
    %limit = "stablehlo.constant"() <{value = dense<5.0> : tensor<f32>}> : () -> tensor<f32>
    %p = "stablehlo.compare"(%i, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<f32>, %a: tensor<4xf32>, %b: tensor<4xf32>):
    %n = "stablehlo.add"(%i, %i) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%n, %b, %a) : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : (tensor<f32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}

// The last case is what is taken out of bounds.
// CHECK-LABEL: func.func @case
// CHECK:         scf.index_switch %{{.*}} -> f32
// CHECK:         case 0 {
// CHECK:           arith.constant 1.0
// CHECK:         default {
// CHECK:           arith.constant 2.0
func.func @case(%i: tensor<i32>) -> tensor<f32> {
  %r = "stablehlo.case"(%i) ({
    %a = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }, {
    %b = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}
