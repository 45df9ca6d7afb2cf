// One-shot bufferization: an operand stays unchanged until its wait, because the wait reads it (keeping).
//
// RUN: comm-opt %s --allow-unregistered-dialect --one-shot-bufferize='allow-unknown-ops bufferize-function-boundaries' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --one-shot-bufferize='allow-unknown-ops bufferize-function-boundaries' | FileCheck %s

// A write between start and wait goes to a copy.
// CHECK-LABEL: func.func @insert_before_wait(
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: comm.all_gather
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: memref.copy %[[X]], %[[Y]]
// CHECK-NOT: memref.store {{.*}}, %[[X]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK: comm.wait
func.func @insert_before_wait(%v: f32, %i: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %y = tensor.insert %v into %x[%i] : tensor<4xf32>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  return %g, %y : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @fill_before_wait(
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: linalg.fill {{.*}} outs(%[[X]]
// CHECK: comm.reduce_scatter
// CHECK: %[[Y:.*]] = memref.alloc()
// CHECK: linalg.fill {{.*}} outs(%[[Y]]
// CHECK: comm.wait
func.func @fill_before_wait(%v: f32, %w: f32) -> (tensor<2xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = comm.reduce_scatter sum %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<2xf32>>
  %y = linalg.fill ins(%w : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<2xf32>>
  return %g, %y : tensor<2xf32>, tensor<4xf32>
}

// After the wait the buffer is free to be written.
// CHECK-LABEL: func.func @insert_after_wait(
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: comm.all_gather
// CHECK: comm.wait
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.store %{{.*}}, %[[X]]
func.func @insert_after_wait(%v: f32, %i: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %y = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %g, %y : tensor<8xf32>, tensor<4xf32>
}

// What a wait that names nothing would come to: the write lands in the buffer that is being sent.
// CHECK-LABEL: func.func @without_keeping(
// CHECK: %[[X:.*]] = memref.alloc()
// CHECK: "other.start"
// CHECK-NOT: memref.copy
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK: "other.wait"
func.func @without_keeping(%v: f32, %i: index) -> (tensor<8xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = "other.start"(%x) : (tensor<4xf32>) -> !other.future
  %y = tensor.insert %v into %x[%i] : tensor<4xf32>
  %g = "other.wait"(%f) : (!other.future) -> tensor<8xf32>
  return %g, %y : tensor<8xf32>, tensor<4xf32>
}
