// Where a group does not divide a dimension, frameworks gather shards padded to one size and cut the padding off before the
// product. It is cut off the product instead, where that is the same.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-fuse-matmul=force=true --canonicalize | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-fuse-matmul=force=true --remarks-filter=comm-fuse-matmul -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Ten rows on four devices, three each, and two of padding. Nothing is left of the slice of the gathered tensor.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: extract_slice
// CHECK: %[[P:.*]]:2 = comm.all_gather_matmul gather(%{{.*}} : tensor<3x8xf32>) dim 0
// CHECK: -> tensor<12x5xf32>, tensor<12x6xf32>
// CHECK-NEXT: %[[A:.*]] = tensor.extract_slice %[[P]]#0[0, 0] [10, 5] [1, 1] : tensor<12x5xf32> to tensor<10x5xf32>
// CHECK-NEXT: %[[B:.*]] = tensor.extract_slice %[[P]]#1[0, 0] [10, 6] [1, 1] : tensor<12x6xf32> to tensor<10x6xf32>
// CHECK-NEXT: return %[[A]], %[[B]]
// REMARK: [Passed] fused {{.*}}Function=rows | Remark="gather and 2 product(s), padding cut off the product(s): {{.*}}"
func.func @rows(%x: tensor<3x8xf32>, %w: tensor<8x5xf32>, %v: tensor<8x6xf32>) -> (tensor<10x5xf32>, tensor<10x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<10x5xf32>) -> tensor<10x5xf32>
  %f = tensor.empty() : tensor<10x6xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<10x6xf32>) -> tensor<10x6xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<3x8xf32> -> tensor<12x8xf32>
  %s = tensor.extract_slice %g[0, 0] [10, 8] [1, 1] : tensor<12x8xf32> to tensor<10x8xf32>
  %r = linalg.matmul ins(%s, %w : tensor<10x8xf32>, tensor<8x5xf32>) outs(%z : tensor<10x5xf32>) -> tensor<10x5xf32>
  %q = linalg.matmul ins(%s, %v : tensor<10x8xf32>, tensor<8x6xf32>) outs(%y : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r, %q : tensor<10x5xf32>, tensor<10x6xf32>
}

// As StableHLO spells it, with a bias in the epilogue and a prologue. A residual has no rows for the padding and stays outside.
// CHECK-LABEL: func.func @around(
// CHECK: %[[P:.*]] = comm.all_gather_matmul gather(%{{.*}} : tensor<3x8xbf16>) dim 0
// CHECK-SAME: prologue() maps [] {
// CHECK: arith.extf
// CHECK: epilogue(%{{.*}} : tensor<5xf32>)
// CHECK: -> tensor<12x5xf32>
// CHECK-NEXT: %[[S:.*]] = "stablehlo.slice"(%[[P]]) {limit_indices = array<i64: 10, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<12x5xf32>) -> tensor<10x5xf32>
// CHECK-NEXT: "stablehlo.add"(%[[S]], %{{.*}})
// REMARK: [Passed] fused {{.*}}Function=around | Remark="gather and 1 product(s), 1 with an epilogue, a prologue, padding cut off the product(s): {{.*}}"
func.func @around(%x: tensor<3x8xbf16>, %w: tensor<8x5xf32>, %b: tensor<5xf32>, %r: tensor<10x5xf32>) -> tensor<10x5xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<3x8xbf16> -> tensor<12x8xbf16>
  %s = "stablehlo.slice"(%g) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 10, 8>, strides = array<i64: 1, 1>}> : (tensor<12x8xbf16>) -> tensor<10x8xbf16>
  %c = "stablehlo.convert"(%s) : (tensor<10x8xbf16>) -> tensor<10x8xf32>
  %p = "stablehlo.dot_general"(%c, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<10x8xf32>, tensor<8x5xf32>) -> tensor<10x5xf32>
  %d = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<10x5xf32>
  %0 = "stablehlo.add"(%p, %d) : (tensor<10x5xf32>, tensor<10x5xf32>) -> tensor<10x5xf32>
  %1 = "stablehlo.add"(%0, %r) : (tensor<10x5xf32>, tensor<10x5xf32>) -> tensor<10x5xf32>
  return %1 : tensor<10x5xf32>
}

// Others read the gathered tensor without its padding: the op returns it with.
// CHECK-LABEL: func.func @returned(
// CHECK: %[[P:.*]]:2 = comm.all_gather_matmul
// CHECK: -> tensor<12x5xf32>, tensor<12x8xf32>
// CHECK-DAG: tensor.extract_slice %[[P]]#0[0, 0] [10, 5]
// CHECK-DAG: tensor.extract_slice %[[P]]#1[0, 0] [10, 8]
// CHECK: return
func.func @returned(%x: tensor<3x8xf32>, %w: tensor<8x5xf32>) -> (tensor<10x5xf32>, tensor<10x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<10x5xf32>) -> tensor<10x5xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<3x8xf32> -> tensor<12x8xf32>
  %s = tensor.extract_slice %g[0, 0] [10, 8] [1, 1] : tensor<12x8xf32> to tensor<10x8xf32>
  %r = linalg.matmul ins(%s, %w : tensor<10x8xf32>, tensor<8x5xf32>) outs(%z : tensor<10x5xf32>) -> tensor<10x5xf32>
  return %r, %s : tensor<10x5xf32>, tensor<10x8xf32>
}

// Along a contracted dimension the padding would be added.
// CHECK-LABEL: func.func @contracted(
// CHECK-NOT: comm.all_gather_matmul
// REMARK: [Missed] refused {{.*}}Function=contracted | Remark="the padding that is cut off stands along a contracted dimension"
func.func @contracted(%x: tensor<8x3xf32>, %w: tensor<10x5xf32>) -> tensor<8x5xf32> {
  %g = comm.all_gather %x dim 1 over [[0, 1, 2, 3]] : tensor<8x3xf32> -> tensor<8x12xf32>
  %s = "stablehlo.slice"(%g) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 10>, strides = array<i64: 1, 1>}> : (tensor<8x12xf32>) -> tensor<8x10xf32>
  %p = "stablehlo.dot_general"(%s, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x10xf32>, tensor<10x5xf32>) -> tensor<8x5xf32>
  return %p : tensor<8x5xf32>
}

// Scales of the rows that are left.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: comm.all_gather_matmul
// REMARK: [Missed] refused {{.*}}Function=scaled | Remark="what scales the gathered tensor has no rows for the padding that is cut off"
func.func @scaled(%x: tensor<3x8xf32>, %c: tensor<10x8xf32>, %w: tensor<8x5xf32>) -> tensor<10x5xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<3x8xf32> -> tensor<12x8xf32>
  %s = "stablehlo.slice"(%g) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 10, 8>, strides = array<i64: 1, 1>}> : (tensor<12x8xf32>) -> tensor<10x8xf32>
  %m = "stablehlo.multiply"(%s, %c) : (tensor<10x8xf32>, tensor<10x8xf32>) -> tensor<10x8xf32>
  %p = "stablehlo.dot_general"(%m, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<10x8xf32>, tensor<8x5xf32>) -> tensor<10x5xf32>
  return %p : tensor<10x5xf32>
}

// A slice from the middle is no padding cut off.
// CHECK-LABEL: func.func @middle(
// CHECK-NOT: comm.all_gather_matmul
// REMARK: [Missed] refused {{.*}}Function=middle | Remark="no matrix product reads the gathered tensor"
func.func @middle(%x: tensor<3x8xf32>, %w: tensor<8x5xf32>) -> tensor<10x5xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<3x8xf32> -> tensor<12x8xf32>
  %s = "stablehlo.slice"(%g) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 11, 8>, strides = array<i64: 1, 1>}> : (tensor<12x8xf32>) -> tensor<10x8xf32>
  %p = "stablehlo.dot_general"(%s, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<10x8xf32>, tensor<8x5xf32>) -> tensor<10x5xf32>
  return %p : tensor<10x5xf32>
}

// A product that is padded with rows of zeros before it is scattered: of a factor padded with zeros the rows need not be
// zeros.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT: comm.matmul_reduce_scatter
// REMARK: [Missed] refused {{.*}}Function=padded | Remark="its product is padded before it is reduced; with a padded factor instead, zero times infinity would be no zero"
func.func @padded(%x: tensor<10x8xf32>, %w: tensor<8x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<10x5xf32>) -> tensor<10x5xf32>
  %p = linalg.matmul ins(%x, %w : tensor<10x8xf32>, tensor<8x5xf32>) outs(%z : tensor<10x5xf32>) -> tensor<10x5xf32>
  %q = tensor.pad %p low[0, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<10x5xf32> to tensor<12x5xf32>
  %s = comm.reduce_scatter sum %q dim 0 over [[0, 1, 2, 3]] : tensor<12x5xf32> -> tensor<3x5xf32>
  return %s : tensor<3x5xf32>
}
