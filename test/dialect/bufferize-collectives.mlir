// Upstream's bufferization turns collectives into the same ops on buffers, and never writes into an operand in flight.
// RUN: comm-opt %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' --split-input-file | FileCheck %s
// RUN: %mlir_opt_plugin %s --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @in_flight(
// CHECK-SAME: %[[X:.*]]: memref<2x4xf32>, %[[Y:.*]]: memref<2x4xf32>
func.func @in_flight(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>) {
  // CHECK: %[[F:.*]] = comm.all_gather %[[X]] dim 0 over {{.*}} {regather} : memref<2x4xf32> -> !comm.future<memref<8x4xf32>>
  %f = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] {regather} : tensor<2x4xf32> -> !comm.future<tensor<8x4xf32>>
  // A write into %x that could be in place, but for the transfer.
  // CHECK: %[[N:.*]] = memref.alloc() {{.*}} : memref<2x4xf32>
  // CHECK: linalg.add ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[N]] : memref<2x4xf32>)
  %z = linalg.add ins(%x, %y : tensor<2x4xf32>, tensor<2x4xf32>) outs(%x : tensor<2x4xf32>) -> tensor<2x4xf32>
  // CHECK: %[[G:.*]] = comm.wait %[[F]] keeping(%[[X]] : memref<2x4xf32>) : !comm.future<memref<8x4xf32>>
  %g = comm.wait %f keeping(%x : tensor<2x4xf32>) : !comm.future<tensor<8x4xf32>>
  // What a collective made may be written in place.
  // CHECK: linalg.exp ins(%[[G]] : memref<8x4xf32>) outs(%[[G]] : memref<8x4xf32>)
  %e = linalg.exp ins(%g : tensor<8x4xf32>) outs(%g : tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: return %[[G]], %[[N]]
  return %e, %z : tensor<8x4xf32>, tensor<2x4xf32>
}

// -----

// Two ops on one buffer are not one op: each result is written by who owns it.
// CHECK-LABEL: func.func @buckets
func.func @buckets(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  // CHECK: comm.all_reduce sum %{{.*}}, %{{.*}} over {{.*}} {mergeable} : memref<4xf32>, memref<2xf32> -> memref<4xf32>, memref<2xf32>
  %r:2 = comm.all_reduce sum %x, %y over [[0, 1]] {mergeable} : tensor<4xf32>, tensor<2xf32> -> tensor<4xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<2xf32>
}

// -----

// Groups of one device: on buffers the result is memory of its own.
// CHECK-LABEL: func.func @alone
// CHECK: comm.all_gather
func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = comm.all_gather %x dim 0 over [[0], [1]] : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
