// What becomes of gathers that feed products.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-fuse-matmul=force | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-fuse-matmul=force | comm-opt --allow-unregistered-dialect --comm-fuse-matmul=force | FileCheck %s

// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// Three right-hand sides of one started gather, one of them with the gathered factor on the right. The tensor is not wanted.
// CHECK-LABEL: func.func @several(
// CHECK-NOT:   comm.all_gather %
// CHECK:       %[[ALL:.*]]:3 = comm.all_gather_matmul gather(%arg0 : tensor<4x64xf32>) dim 0 over
// CHECK-NEXT:    product(%arg1 : tensor<64x8xf32>) maps [#[[MK]], #[[KN]], #[[MN]]]
// CHECK-NEXT:    product(%arg2 : tensor<8x64xf32>) maps [#[[NK]], #[[MK]], #[[MN]]]
// CHECK-NEXT:    product(%{{.*}} : tensor<64x8xf32>) maps [#[[MK]], #[[KN]], #[[MN]]]
// CHECK-NEXT:    {{.*}}-> tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
// CHECK-NEXT:  return %[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2
func.func @several(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %v: tensor<8x64xf32>, %u: tensor<8x64xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4x64xf32> -> !comm.future<tensor<8x64xf32>>
  %g = comm.wait %f keeping(%x : tensor<4x64xf32>) : !comm.future<tensor<8x64xf32>>
  %0 = "stablehlo.dot_general"(%g, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x64xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %1 = "stablehlo.dot_general"(%v, %g) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x8xf32>
  %t = "stablehlo.transpose"(%u) <{permutation = array<i64: 1, 0>}> : (tensor<8x64xf32>) -> tensor<64x8xf32>
  %2 = "stablehlo.dot_general"(%g, %t) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x64xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// A bias and an activation that reads the product twice.
// CHECK-LABEL: func.func @epilogue(
// CHECK:       comm.all_gather_matmul
// CHECK-NEXT:    product({{.*}}) maps [{{.*}}] epilogue(%arg2 : tensor<8xf32>) maps [#{{.*}}] {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:      %[[H:.*]] = arith.addf %[[SUM]], %[[B]] : f32
// CHECK-NEXT:      %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      %[[NEG:.*]] = arith.negf %[[H]] : f32
// CHECK-NEXT:      %[[EXP:.*]] = math.exp %[[NEG]] : f32
// CHECK-NEXT:      %[[DEN:.*]] = arith.addf %[[ONE]], %[[EXP]] : f32
// CHECK-NEXT:      %[[SIG:.*]] = arith.divf %[[ONE]], %[[DEN]] : f32
// CHECK-NEXT:      %[[R:.*]] = arith.mulf %[[H]], %[[SIG]] : f32
// CHECK-NEXT:      comm.yield %[[R]] : f32
// CHECK-NOT:     stablehlo
// CHECK:       return
func.func @epilogue(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4x64xf32> -> tensor<8x64xf32>
  %0 = "stablehlo.dot_general"(%g, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x64xf32>, tensor<64x8xf32>) -> tensor<8x8xf32>
  %1 = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<8x8xf32>
  %2 = "stablehlo.add"(%0, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "stablehlo.logistic"(%2) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "stablehlo.multiply"(%2, %3) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// An 8-bit operand and the scales of its rows, both gathered: the scales travel along, the product is made in f32 and
// rounded once.
// CHECK-LABEL: func.func @scales(
// CHECK-NOT:   comm.all_gather %
// CHECK:       comm.all_gather_matmul gather(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<4x1xf32>) dim 0 over {{.*}} prologue() maps [#{{.*}}] {
// CHECK-NEXT:  ^bb0(%[[E:.*]]: f8E4M3FN, %[[S:.*]]: f32):
// CHECK-NEXT:    %[[F:.*]] = arith.extf %[[E]] : f8E4M3FN to bf16
// CHECK-NEXT:    %[[T:.*]] = arith.truncf %[[S]] : f32 to bf16
// CHECK-NEXT:    %[[M:.*]] = arith.mulf %[[F]], %[[T]] : bf16
// CHECK-NEXT:    comm.yield %[[M]] : bf16
// CHECK:         product(%arg2 : tensor<64x8xbf16>) maps [{{.*}}] epilogue() maps [] {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32):
// CHECK-NEXT:      %[[R:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT:      comm.yield %[[R]] : bf16
// CHECK:         {{.*}}-> tensor<8x8xbf16>
// CHECK-NEXT:  return
func.func @scales(%x: tensor<4x64xf8E4M3FN>, %s: tensor<4x1xf32>, %w: tensor<64x8xbf16>) -> tensor<8x8xbf16> {
  %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4x64xf8E4M3FN> -> tensor<8x64xf8E4M3FN>
  %h = comm.all_gather %s dim 0 over [[0, 1]] : tensor<4x1xf32> -> tensor<8x1xf32>
  %0 = "stablehlo.convert"(%g) : (tensor<8x64xf8E4M3FN>) -> tensor<8x64xbf16>
  %1 = "stablehlo.convert"(%h) : (tensor<8x1xf32>) -> tensor<8x1xbf16>
  %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xbf16>) -> tensor<8x64xbf16>
  %3 = "stablehlo.multiply"(%0, %2) : (tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
  %4 = "stablehlo.dot_general"(%3, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x64xbf16>, tensor<64x8xbf16>) -> tensor<8x8xbf16>
  return %4 : tensor<8x8xbf16>
}

// The contracted dimension is gathered, in a batch of two; others use the gathered tensor.
// CHECK-LABEL: func.func @contracted(
// CHECK:       %[[ALL:.*]]:2 = comm.all_gather_matmul gather(%arg0 : tensor<2x4x8xf32>) dim 1 over
// CHECK-NEXT:    product(%arg1 : tensor<2x8x16xf32>) maps [#{{.*}}, #{{.*}}, #{{.*}}]
// CHECK-NEXT:    returning [0] {{.*}}-> tensor<2x8x16xf32>, tensor<2x8x8xf32>
// CHECK-NEXT:  return %[[ALL]]#0, %[[ALL]]#1
func.func @contracted(%x: tensor<2x4x8xf32>, %h: tensor<2x8x16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8x8xf32>) {
  %g = comm.all_gather %x dim 1 over [[0, 1]] : tensor<2x4x8xf32> -> tensor<2x8x8xf32>
  %0 = "stablehlo.dot_general"(%g, %h) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %0, %g : tensor<2x8x16xf32>, tensor<2x8x8xf32>
}

// Gathered along dimension 1 as libraries spell it that gather along the first only.
// CHECK-LABEL: func.func @spelled(
// CHECK:       comm.all_gather_matmul gather(%arg0 : tensor<2x4x8xf32>) dim 1 over
// CHECK-NEXT:    product(%arg1 : tensor<8x6xf32>)
// CHECK-NEXT:    {{.*}}-> tensor<2x8x6xf32>
// CHECK-NEXT:  return
func.func @spelled(%x: tensor<2x4x8xf32>, %w: tensor<8x6xf32>) -> tensor<2x8x6xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<2x4x8xf32> -> tensor<4x4x8xf32>
  %a = "stablehlo.slice"(%g) <{start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 2, 4, 8>, strides = array<i64: 1, 1, 1>}> : (tensor<4x4x8xf32>) -> tensor<2x4x8xf32>
  %b = "stablehlo.slice"(%g) <{start_indices = array<i64: 2, 0, 0>, limit_indices = array<i64: 4, 4, 8>, strides = array<i64: 1, 1, 1>}> : (tensor<4x4x8xf32>) -> tensor<2x4x8xf32>
  %c = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x8x8xf32>
  %0 = "stablehlo.dot_general"(%c, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x8x8xf32>, tensor<8x6xf32>) -> tensor<2x8x6xf32>
  return %0 : tensor<2x8x6xf32>
}

// linalg, named and generic, with an elementwise generic after one of them.
// CHECK-LABEL: func.func @linalg(
// CHECK:       comm.all_gather_matmul
// CHECK-NEXT:    product(%arg1 : tensor<64x8xf32>) maps [#[[MK]], #[[KN]], #[[MN]]] epilogue(%arg2 : tensor<8x8xf32>) maps [#{{.*}}] {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[R:.*]]: f32):
// CHECK-NEXT:      %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[SUM]], %[[TWO]] : f32
// CHECK-NEXT:      %[[A:.*]] = arith.addf %[[M]], %[[R]] : f32
// CHECK-NEXT:      comm.yield %[[A]] : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    product(%arg1 : tensor<64x8xf32>) maps [#[[MK]], #[[KN]], #[[NM:.*]]]
// CHECK-NOT:   linalg
// CHECK:       return
func.func @linalg(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %r: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4x64xf32> -> tensor<8x64xf32>
  %0 = linalg.matmul ins(%g, %w : tensor<8x64xf32>, tensor<64x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
       ins(%0, %r : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %m = arith.mulf %a, %two : f32
    %s = arith.addf %m, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
       ins(%g, %w : tensor<8x64xf32>, tensor<64x8xf32>) outs(%z : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %old, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A ring of permutes is not touched.
// CHECK-LABEL: func.func @ring(
// CHECK:         stablehlo.dot_general
// CHECK-NEXT:    comm.permute
// CHECK-NEXT:    stablehlo.dot_general
func.func @ring(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  %p = comm.permute %x pairs [[0, 1], [1, 0]] : tensor<4x64xf32> -> tensor<4x64xf32>
  %1 = "stablehlo.dot_general"(%p, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}
