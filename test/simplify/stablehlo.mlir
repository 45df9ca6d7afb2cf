// RUN: comm-opt %s --allow-unregistered-dialect --comm-simplify | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: comm-opt %s --allow-unregistered-dialect --comm-simplify=fp=reassociate | FileCheck %s --check-prefixes=CHECK,SUMS
// RUN: rm -rf %t && comm-opt %s --allow-unregistered-dialect --comm-simplify=egraphs=%t -o /dev/null
// RUN: grep "digraph egraph" %t/narrow-0.dot

// StableHLO in generic form.

// A conversion moves to the side where fewer bytes are sent.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT:    %[[NARROW:.*]] = "stablehlo.convert"(%arg0) : (tensor<512x4096xf32>) -> tensor<512x4096xbf16>
// CHECK-NEXT:    %[[WHOLE:.*]] = comm.all_gather %[[NARROW]] dim 0
// CHECK-NEXT:    "stablehlo.dot_general"(%arg1, %[[WHOLE]])
func.func @narrow(%w: tensor<512x4096xf32>, %x: tensor<256x4096xbf16>) -> tensor<256x4096xbf16> {
  %0 = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<512x4096xf32> -> tensor<4096x4096xf32>
  %1 = "stablehlo.convert"(%0) : (tensor<4096x4096xf32>) -> tensor<4096x4096xbf16>
  %2 = "stablehlo.dot_general"(%x, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<256x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<256x4096xbf16>
  return %2 : tensor<256x4096xbf16>
}

// Elementwise work on what all devices have is done once by each on its part.
// CHECK-LABEL: func.func @scaled
// CHECK-NEXT:    %[[HALF:.*]] = "stablehlo.constant"
// CHECK:         %[[OWN:.*]] = "stablehlo.multiply"(%arg0,
// CHECK:         comm.all_gather %[[OWN]] dim 1
func.func @scaled(%w: tensor<4096x512xf32>) -> tensor<4096x4096xf32> {
  %half = "stablehlo.constant"() <{value = dense<0.3> : tensor<4096x4096xf32>}> : () -> tensor<4096x4096xf32>
  %0 = comm.all_gather %w dim 1 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<4096x512xf32> -> tensor<4096x4096xf32>
  %1 = "stablehlo.multiply"(%0, %half) : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// Of two sums that are added, one is enough; that adds in another order.
// CHECK-LABEL: func.func @two_sums
// EXACT-NEXT:    comm.all_reduce
// EXACT-NEXT:    comm.all_reduce
// SUMS-NEXT:     %[[LOCAL:.*]] = "stablehlo.add"(%arg0, %arg1)
// SUMS-NEXT:     %[[SUM:.*]] = comm.all_reduce sum %[[LOCAL]]
// SUMS-NEXT:     return %[[SUM]]
func.func @two_sums(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = comm.all_reduce sum %x over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<4096x4096xf32> -> tensor<4096x4096xf32>
  %1 = comm.all_reduce sum %y over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<4096x4096xf32> -> tensor<4096x4096xf32>
  %2 = "stablehlo.add"(%0, %1) : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %2 : tensor<4096x4096xf32>
}

// What is transposed after it was gathered is gathered along the other dimension, for a smaller transposition.
// CHECK-LABEL: func.func @transposed
// CHECK-NEXT:    %[[OWN:.*]] = "stablehlo.transpose"(%arg0)
// CHECK-NEXT:    comm.all_gather %[[OWN]] dim 1
func.func @transposed(%w: tensor<512x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<512x4096xf32> -> tensor<4096x4096xf32>
  %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// Nobody knows what this does, so nothing moves past it.
// CHECK-LABEL: func.func @opaque
// CHECK-NEXT:    comm.all_gather %arg0 dim 0
// CHECK-NEXT:    "other.convert"
func.func @opaque(%w: tensor<512x4096xf32>) -> tensor<4096x4096xbf16> {
  %0 = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<512x4096xf32> -> tensor<4096x4096xf32>
  %1 = "other.convert"(%0) {comm.pure} : (tensor<4096x4096xf32>) -> tensor<4096x4096xbf16>
  return %1 : tensor<4096x4096xbf16>
}
