// What becomes of reductions that follow products.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-fuse-matmul='force ordered' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-fuse-matmul='force ordered' | comm-opt --allow-unregistered-dialect --comm-fuse-matmul='force ordered' | FileCheck %s

// The gradient of x in x * wq, x * wk, x * wv: a sum of three, started, with a residual after it.
// CHECK-LABEL: func.func @sum(
// CHECK:       %[[S:.*]] = comm.matmul_reduce_scatter sum
// CHECK-NEXT:    product(%arg0, %arg3 : tensor<8x4xf32>, tensor<16x4xf32>)
// CHECK-NEXT:    product(%arg1, %arg4 : tensor<8x4xf32>, tensor<16x4xf32>)
// CHECK-NEXT:    product(%arg2, %arg5 : tensor<8x4xf32>, tensor<16x4xf32>)
// CHECK-NEXT:    dim 0 over {{.*}} epilogue(%arg6 : tensor<4x16xf32>) maps [#{{.*}}] {
// CHECK-NEXT:    ^bb0(%[[R:.*]]: f32, %[[X:.*]]: f32):
// CHECK-NEXT:      %[[A:.*]] = arith.addf %[[X]], %[[R]] : f32
// CHECK-NEXT:      comm.yield %[[A]] : f32
// CHECK-NEXT:    } ordered {{.*}}-> tensor<4x16xf32>
// CHECK-NEXT:  return %[[S]]
func.func @sum(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>, %wq: tensor<16x4xf32>,
               %wk: tensor<16x4xf32>, %wv: tensor<16x4xf32>, %x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = "stablehlo.dot_general"(%q, %wq) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
  %1 = "stablehlo.dot_general"(%k, %wk) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
  %2 = "stablehlo.add"(%0, %1) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = "stablehlo.dot_general"(%v, %wv) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
  %4 = "stablehlo.add"(%2, %3) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %f = comm.reduce_scatter sum %4 dim 0 over [[0, 1]] : tensor<8x16xf32> -> !comm.future<tensor<4x16xf32>>
  %s = comm.wait %f keeping(%4 : tensor<8x16xf32>) : !comm.future<tensor<4x16xf32>>
  %5 = "stablehlo.add"(%x, %s) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return %5 : tensor<4x16xf32>
}

// Averaged along columns, in bf16, masked before it is sent.
// CHECK-LABEL: func.func @partial(
// CHECK:       comm.matmul_reduce_scatter avg
// CHECK-NEXT:    product(%arg0, %arg1 : tensor<8x4xbf16>, tensor<4x16xbf16>)
// CHECK-NEXT:    partial(%arg2 : tensor<8x16xbf16>) maps [#{{.*}}] {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[M:.*]]: bf16):
// CHECK-NEXT:      %[[T:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[T]], %[[M]] : bf16
// CHECK-NEXT:      comm.yield %[[P]] : bf16
// CHECK-NEXT:    } dim 1 over {{.*}} ordered {{.*}}-> tensor<8x8xbf16>
func.func @partial(%a: tensor<8x4xbf16>, %b: tensor<4x16xbf16>, %mask: tensor<8x16xbf16>) -> tensor<8x8xbf16> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x4xbf16>, tensor<4x16xbf16>) -> tensor<8x16xbf16>
  %1 = "stablehlo.multiply"(%0, %mask) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %s = comm.reduce_scatter avg %1 dim 1 over [[0, 1]] : tensor<8x16xbf16> -> tensor<8x8xbf16>
  return %s : tensor<8x8xbf16>
}

// Columns, as libraries spell it that scatter the first dimension only.
// CHECK-LABEL: func.func @spelled(
// CHECK:       comm.matmul_reduce_scatter sum
// CHECK-NEXT:    product(%arg0, %arg1 : tensor<8x4xf32>, tensor<4x16xf32>)
// CHECK-NEXT:    dim 1 over {{.*}}-> tensor<8x8xf32>
// CHECK-NEXT:  return
func.func @spelled(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %c = "stablehlo.slice"(%0) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 8>, strides = array<i64: 1, 1>}> : (tensor<8x16xf32>) -> tensor<8x8xf32>
  %d = "stablehlo.slice"(%0) <{start_indices = array<i64: 0, 8>, limit_indices = array<i64: 8, 16>, strides = array<i64: 1, 1>}> : (tensor<8x16xf32>) -> tensor<8x8xf32>
  %e = "stablehlo.concatenate"(%c, %d) <{dimension = 0 : i64}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %s = comm.reduce_scatter sum %e dim 0 over [[0, 1]] : tensor<16x8xf32> -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// An all-reduce is split along the longer dimension that the group divides.
// CHECK-LABEL: func.func @all_reduce(
// CHECK:       %[[S:.*]] = comm.matmul_reduce_scatter sum
// CHECK:         dim 1 over {{.*}}-> tensor<7x8xf32>
// CHECK-NEXT:  %[[G:.*]] = comm.all_gather %[[S]] dim 1 over {{.*}} : tensor<7x8xf32> -> tensor<7x16xf32>
// CHECK-NEXT:  return %[[G]]
func.func @all_reduce(%a: tensor<7x4xf32>, %b: tensor<4x16xf32>) -> tensor<7x16xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<7x4xf32>, tensor<4x16xf32>) -> tensor<7x16xf32>
  %s = comm.all_reduce sum %0 over [[0, 1]] : tensor<7x16xf32> -> tensor<7x16xf32>
  return %s : tensor<7x16xf32>
}
