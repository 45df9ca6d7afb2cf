// What keeps a collective from overlapping is named where it is no value but an op that writes memory, may do anything, or
// communicates inside.
// RUN: comm-opt %s --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s

func.func private @ext()

// The gather of an argument could start before the call, did it not follow it.
// CHECK: Function=call {{.*}}exposed 100.0 us; limited by the fence 'func.call' at line [[@LINE+2]], which it may not move across
func.func @call(%p: tensor<2xf32>) -> tensor<4xf32> {
  func.call @ext() {comm.duration_ns = 50000 : i64} : () -> ()
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 100000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// It begins with the step, but its wait may not move behind the store, whose time could hide it.
// CHECK: Function=store {{.*}}exposed 100.0 us; limited by the fence 'memref.store' at line [[@LINE+4]], which it may not move across
func.func @store(%p: tensor<2xf32>, %m: memref<f32>, %v: f32) -> tensor<4xf32> {
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 100000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  memref.store %v, %m[] {comm.duration_ns = 50000 : i64} : memref<f32>
  return %w : tensor<4xf32>
}

// CHECK: Function=loop {{.*}}exposed 100.0 us; limited by the fence 'scf.for' at line [[@LINE+5]], which it may not move across
func.func @loop(%p: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %r = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> tensor<4xf32> {
    %g = comm.all_reduce sum %h over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<4xf32> -> tensor<4xf32>
    scf.yield %g : tensor<4xf32>
  }
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 100000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %r, %w : tensor<4xf32>, tensor<4xf32>
}

// Without a fence the cause is what it was.
// CHECK: Function=consumer {{.*}}exposed 100.0 us; limited by its consumer, although it begins with the step
func.func @consumer(%p: tensor<2xf32>) -> tensor<4xf32> {
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 100000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}
