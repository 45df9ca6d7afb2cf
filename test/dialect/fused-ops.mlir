// Text of the fused ops, their shapes, and the same ops on buffers.
//
// RUN: comm-opt %s | comm-opt | FileCheck %s
// RUN: comm-opt %s --mlir-print-op-generic | comm-opt | FileCheck %s
// RUN: comm-opt %s --emit-bytecode | comm-opt | FileCheck %s
// RUN: comm-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' | FileCheck %s --check-prefix=BUFFER
// RUN: comm-opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s --check-prefix=SHAPE

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(m, k) -> (m, 0)>
#blocks = affine_map<(m, k) -> (m, k floordiv 32)>
#column = affine_map<(m, n) -> (n)>
#same = affine_map<(m, n) -> (m, n)>

comm.mesh @mesh <["dp" = 2, "tp" = 4]>

// Two right-hand sides, one transposed and with a bias; the gathered tensor too.
// CHECK-LABEL: func.func @rows(
// CHECK:      comm.all_gather_matmul gather(%{{.*}} : tensor<4x64xf32>) dim 0 over [{{\[}}0, 1]]
// CHECK-NEXT:   product(%{{.*}} : tensor<64x8xf32>) maps [#[[MK:.*]], #[[KN:.*]], #[[MN:.*]]]
// CHECK-NEXT:   product(%{{.*}} : tensor<6x64xf32>) maps [#[[MK]], #[[NK:.*]], #[[MN]]] epilogue(%{{.*}} : tensor<6xf32>) maps [#[[N:.*]]] {
// CHECK-NEXT:   ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT:     %[[R:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
// CHECK-NEXT:     comm.yield %[[R]] : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   returning [0] {a = 1 : i64} -> tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x64xf32>
// BUFFER-LABEL: func.func @rows(
// BUFFER-NOT:  bufferization
// BUFFER-NOT:  memref.copy
// BUFFER:      %[[ALL:.*]]:3 = comm.all_gather_matmul gather(%{{.*}} : memref<4x64xf32>) dim 0 over
// BUFFER:        product(%{{.*}} : memref<6x64xf32>) {{.*}} epilogue(%{{.*}} : memref<6xf32>)
// BUFFER:        returning [0] {a = 1 : i64} -> memref<8x8xf32>, memref<8x6xf32>, memref<8x64xf32>
// BUFFER-NEXT: return %[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2
func.func @rows(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %v: tensor<6x64xf32>, %b: tensor<6xf32>)
    -> (tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x64xf32>) {
  %q, %k, %g = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]
    product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn]
    product(%v : tensor<6x64xf32>) maps [#mk, #nk, #mn] epilogue(%b : tensor<6xf32>) maps [#column] {
    ^bb0(%sum: f32, %bias: f32):
      %r = arith.addf %sum, %bias : f32
      comm.yield %r : f32
    }
    returning [0] {a = 1} -> tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x64xf32>
  return %q, %k, %g : tensor<8x8xf32>, tensor<8x6xf32>, tensor<8x64xf32>
}

// Scales of rows and of blocks travel with a narrow operand; the sum is rounded in the epilogue.
// CHECK-LABEL: func.func @scales(
// CHECK:      comm.all_gather_matmul gather(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x64xf8E4M3FN>, tensor<4x1xf32>, tensor<4x2xf32>) dim 0 over @mesh["tp"] prologue(%{{.*}} : tensor<f32>) maps [#{{.*}}, #{{.*}}, #{{.*}}] {
// CHECK-NEXT: ^bb0(%{{.*}}: f8E4M3FN, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK:      -> tensor<16x8xbf16>
// BUFFER-LABEL: func.func @scales(
// BUFFER:      prologue(%{{.*}} : memref<f32>)
// BUFFER:      -> memref<16x8xbf16>
func.func @scales(%x: tensor<4x64xf8E4M3FN>, %rows: tensor<4x1xf32>, %blocks: tensor<4x2xf32>, %t: tensor<f32>,
                  %w: tensor<64x8xf32>) -> tensor<16x8xbf16> {
  %q = comm.all_gather_matmul
    gather(%x, %rows, %blocks : tensor<4x64xf8E4M3FN>, tensor<4x1xf32>, tensor<4x2xf32>) dim 0 over @mesh["tp"]
    prologue(%t : tensor<f32>) maps [#rows, #blocks, affine_map<(m, k) -> ()>] {
    ^bb0(%e: f8E4M3FN, %row: f32, %block: f32, %all: f32):
      %0 = arith.extf %e : f8E4M3FN to f32
      %1 = arith.mulf %0, %row : f32
      %2 = arith.mulf %1, %block : f32
      %3 = arith.mulf %2, %all : f32
      comm.yield %3 : f32
    }
    product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue() maps [] {
    ^bb0(%sum: f32):
      %r = arith.truncf %sum : f32 to bf16
      comm.yield %r : bf16
    }
    -> tensor<16x8xbf16>
  return %q : tensor<16x8xbf16>
}

// A weight gradient adds chunks, an activation gradient places them; both read one gather.
// CHECK-LABEL: func.func @backward(
// CHECK: ordered -> tensor<64x8xf32>, tensor<2x8x8xf32>
func.func @backward(%dy: tensor<2x4x64xf32>, %h: tensor<2x8x8xf32>, %w: tensor<8x64xf32>)
    -> (tensor<64x8xf32>, tensor<2x8x8xf32>) {
  %dw, %dx = comm.all_gather_matmul gather(%dy : tensor<2x4x64xf32>) dim 1 over [[0, 1]]
    product(%h : tensor<2x8x8xf32>)
      maps [affine_map<(m, n, b, s) -> (b, s, m)>, affine_map<(m, n, b, s) -> (b, s, n)>, affine_map<(m, n, b, s) -> (m, n)>]
    product(%w : tensor<8x64xf32>)
      maps [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (n, k)>, affine_map<(b, s, n, k) -> (b, s, n)>]
    ordered -> tensor<64x8xf32>, tensor<2x8x8xf32>
  return %dw, %dx : tensor<64x8xf32>, tensor<2x8x8xf32>
}

// Sizes that are not known.
// CHECK-LABEL: func.func @dynamic(
// SHAPE-LABEL: func.func @dynamic(
// SHAPE:       %[[M:.*]] = tensor.dim %arg0
// SHAPE:       %[[MM:.*]] = arith.muli %[[M]], %{{.*}}
// SHAPE:       return %[[MM]]
func.func @dynamic(%x: tensor<?x64xf32>, %w: tensor<64x?xf32>) -> index {
  %q = comm.all_gather_matmul gather(%x : tensor<?x64xf32>) dim 0 over @mesh["tp"]
    product(%w : tensor<64x?xf32>) maps [#mk, #kn, #mn]
    -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %q, %c0 : tensor<?x?xf32>
  return %d : index
}

// A sum of products, scattered by rows, sent narrow, with a residual added.
// CHECK-LABEL: func.func @scatter(
// CHECK:      comm.matmul_reduce_scatter sum
// CHECK-NEXT:   product(%{{.*}}, %{{.*}} : tensor<8x4xbf16>, tensor<16x4xbf16>) maps [#[[MK]], #[[NK]], #[[MN]]]
// CHECK-NEXT:   product(%{{.*}}, %{{.*}} : tensor<8x4xbf16>, tensor<16x4xbf16>) maps [#[[MK]], #[[NK]], #[[MN]]]
// CHECK-NEXT:   partial() maps [] {
// CHECK-NEXT:   ^bb0(%{{.*}}: f32):
// CHECK:      } dim 0 over [{{\[}}0, 1], [2, 3]] epilogue(%{{.*}} : tensor<4x16xf32>) maps [#{{.*}}] {
// CHECK:      } ordered -> tensor<4x16xf32>
// BUFFER-LABEL: func.func @scatter(
// BUFFER-NOT:  memref.copy
// BUFFER:      comm.matmul_reduce_scatter sum
// BUFFER-NEXT:   product(%{{.*}}, %{{.*}} : memref<8x4xbf16>, memref<16x4xbf16>)
// BUFFER:      epilogue(%{{.*}} : memref<4x16xf32>)
// BUFFER:      -> memref<4x16xf32>
func.func @scatter(%q: tensor<8x4xbf16>, %wq: tensor<16x4xbf16>, %k: tensor<8x4xbf16>, %wk: tensor<16x4xbf16>,
                   %residual: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %s = comm.matmul_reduce_scatter sum
    product(%q, %wq : tensor<8x4xbf16>, tensor<16x4xbf16>) maps [#mk, #nk, #mn]
    product(%k, %wk : tensor<8x4xbf16>, tensor<16x4xbf16>) maps [#mk, #nk, #mn]
    partial() maps [] {
    ^bb0(%sum: f32):
      %c = arith.truncf %sum : f32 to bf16
      comm.yield %c : bf16
    }
    dim 0 over [[0, 1], [2, 3]]
    epilogue(%residual : tensor<4x16xf32>) maps [#same] {
    ^bb0(%reduced: f32, %r: f32):
      %0 = arith.addf %reduced, %r : f32
      comm.yield %0 : f32
    }
    ordered -> tensor<4x16xf32>
  return %s : tensor<4x16xf32>
}

// Scattered by columns, averaged, over a mesh.
// CHECK-LABEL: func.func @columns(
// CHECK: comm.matmul_reduce_scatter avg
// CHECK: dim 1 over @mesh["dp"] -> tensor<8x8xf32>
func.func @columns(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) -> tensor<8x8xf32> {
  %s = comm.matmul_reduce_scatter avg product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn]
    dim 1 over @mesh["dp"] -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
