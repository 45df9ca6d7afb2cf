// One name from a program of collectives to streams: what pays is fused, what is left is started early, all is proved.
//
// RUN: comm-opt %s --pass-pipeline='builtin.module(comm-overlap-pipeline{schedule=two-stream})' | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: comm-opt %s --comm-overlap-pipeline | FileCheck %s --check-prefixes=CHECK,AUTO

// CHECK-LABEL: func.func @layer(
// CHECK-SAME: memref<2048x8192xbf16>
// CHECK-NOT: tensor<
// TWO: comm_stream.stream "second {{\[\[}}0, 1, 2, 3]]"
// TWO: comm_stream.launch "chunk 1"
// TWO: comm_stream.launch "own"
// AUTO: comm_stream.stream "copies {{\[\[}}0, 1, 2, 3]]"
// AUTO: comm_stream.put_signal
// AUTO: comm_stream.launch "own"
// AUTO: comm_stream.launch "chunk 1
// CHECK: comm_stream.symmetric_free
// CHECK-NEXT: return
func.func @layer(%x: tensor<2048x8192xbf16>, %w: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<2048x8192xbf16> -> tensor<8192x8192xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8192x8192xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%empty : tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  %y = linalg.matmul ins(%g, %w : tensor<8192x8192xbf16>, tensor<8192x8192xbf16>)
                     outs(%zeros : tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  return %y : tensor<8192x8192xbf16>
}
