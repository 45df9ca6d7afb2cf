// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK:         linalg.generic
// CHECK:           %[[B:.*]] = linalg.index 0
// CHECK:           %[[O:.*]] = linalg.index 1
// CHECK:           %[[I:.*]] = tensor.extract %arg1[%[[B]], %{{.*}}] : tensor<3x1xi32>
// CHECK:           arith.maxsi
// CHECK:           %[[P:.*]] = arith.minsi
// CHECK:           tensor.extract %arg0[%[[P]], %[[O]]] : tensor<10x4xf32>
func.func @gather(%x: tensor<10x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %y = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// An update out of bounds writes back what was there.
// CHECK-LABEL: func.func @scatter
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %arg0) -> (tensor<10xf32>)
// CHECK:           %[[IN:.*]] = arith.cmpi ult
// CHECK:           %[[P:.*]] = arith.select %[[IN]]
// CHECK:           %[[OLD:.*]] = tensor.extract %[[T]][%[[P]]]
// CHECK:           %[[SUM:.*]] = arith.addf %[[OLD]], %{{.*}} : f32
// CHECK:           %[[NEW:.*]] = arith.select %[[IN]], %[[SUM]], %[[OLD]]
// CHECK:           %[[NEXT:.*]] = tensor.insert %[[NEW]] into %[[T]][%[[P]]]
// CHECK:           scf.yield %[[NEXT]]
func.func @scatter(%x: tensor<10xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<10xf32> {
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<10xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<10xf32>
  return %y : tensor<10xf32>
}

// CHECK-LABEL: func.func @sort
// CHECK:         scf.for
// CHECK:           arith.shli
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               arith.cmpi ult
// CHECK:           bufferization.materialize_in_destination
func.func @sort(%x: tensor<8xui32>) -> tensor<8xui32> {
  %y = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %p = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }) : (tensor<8xui32>) -> tensor<8xui32>
  return %y : tensor<8xui32>
}
