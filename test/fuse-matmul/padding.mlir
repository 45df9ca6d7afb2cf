// Where a group does not divide a dimension, frameworks gather shards padded to one size and cut the padding off before the
// product, and pad a product before they scatter it. Padding is cut off the product instead, and factors are padded, where that
// is the same.
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

// A product that is padded with rows of zeros before it is scattered: the factor is padded, and a mask puts zeros where that
// makes something else.
// CHECK-LABEL: func.func @padded(
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, true, true, false, false]> : tensor<12xi1>
// CHECK: %[[X:.*]] = tensor.pad %{{.*}} low[0, 0] high[2, 0]
// CHECK: tensor<10x8xf32> to tensor<12x8xf32>
// CHECK-NEXT: comm.matmul_reduce_scatter sum
// CHECK-NEXT: product(%[[X]], %{{.*}} : tensor<12x8xf32>, tensor<8x5xf32>)
// CHECK: partial(%[[MASK]] : tensor<12xi1>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[IS:.*]]: i1):
// CHECK: %[[M:.*]] = arith.select %[[IS]], %[[S]], %{{.*}} : f32
// CHECK-NEXT: comm.yield %[[M]]
// CHECK-NOT: tensor.pad
// CHECK: return
// REMARK: [Passed] fused {{.*}}Function=padded | Remark="1 product(s) and reduce-scatter, factors padded in the place of the product(s): {{.*}}"
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

// As StableHLO spells it, with bf16 that is rounded first, in columns: the right factor is padded.
// CHECK-LABEL: func.func @columns(
// CHECK: %[[W:.*]] = tensor.pad %{{.*}} low[0, 0] high[0, 2]
// CHECK: tensor<8x10xbf16> to tensor<8x12xbf16>
// CHECK-NEXT: comm.matmul_reduce_scatter sum
// CHECK-NEXT: product(%{{.*}}, %[[W]] : tensor<5x8xbf16>, tensor<8x12xbf16>)
// CHECK: ^bb0(%[[S:.*]]: f32, %[[IS:.*]]: i1):
// CHECK: %[[R:.*]] = arith.truncf %[[S]] : f32 to bf16
// CHECK: arith.select %[[IS]], %[[R]], %{{.*}} : bf16
// CHECK-NOT: stablehlo.pad
// CHECK: return
func.func @columns(%x: tensor<5x8xbf16>, %w: tensor<8x10xbf16>) -> tensor<5x3xbf16> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
  %p = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x8xbf16>, tensor<8x10xbf16>) -> tensor<5x10xbf16>
  %q = "stablehlo.pad"(%p, %zero) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 0>}> : (tensor<5x10xbf16>, tensor<bf16>) -> tensor<5x12xbf16>
  %s = comm.reduce_scatter sum %q dim 1 over [[0, 1, 2, 3]] : tensor<5x12xbf16> -> tensor<5x3xbf16>
  return %s : tensor<5x3xbf16>
}

// Padding in front is none at the end.
// CHECK-LABEL: func.func @front(
// CHECK-NOT: comm.matmul_reduce_scatter
// REMARK: [Missed] refused {{.*}}Function=front | Remark="its product is padded otherwise than at the end of the scattered dimension"
func.func @front(%x: tensor<10x8xf32>, %w: tensor<8x5xf32>) -> tensor<3x5xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<10x8xf32>, tensor<8x5xf32>) -> tensor<10x5xf32>
  %q = "stablehlo.pad"(%p, %zero) <{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<10x5xf32>, tensor<f32>) -> tensor<12x5xf32>
  %s = comm.reduce_scatter sum %q dim 0 over [[0, 1, 2, 3]] : tensor<12x5xf32> -> tensor<3x5xf32>
  return %s : tensor<3x5xf32>
}

// What is added to the product has no rows for the padding.
// CHECK-LABEL: func.func @added(
// CHECK-NOT: comm.matmul_reduce_scatter
// REMARK: [Missed] refused {{.*}}Function=added | Remark="what is done with the product reads tensors without rows for its padding"
func.func @added(%x: tensor<10x8xf32>, %w: tensor<8x5xf32>, %r: tensor<10x5xf32>) -> tensor<3x5xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %p = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<10x8xf32>, tensor<8x5xf32>) -> tensor<10x5xf32>
  %a = "stablehlo.add"(%p, %r) : (tensor<10x5xf32>, tensor<10x5xf32>) -> tensor<10x5xf32>
  %q = "stablehlo.pad"(%a, %zero) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<10x5xf32>, tensor<f32>) -> tensor<12x5xf32>
  %s = comm.reduce_scatter sum %q dim 0 over [[0, 1, 2, 3]] : tensor<12x5xf32> -> tensor<3x5xf32>
  return %s : tensor<3x5xf32>
}
