// RUN: comm-opt %s --convert-comm-to-stream --split-input-file | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(convert-comm-to-stream)' --split-input-file | FileCheck %s

// A started collective runs on its group's stream; `current` waits where the result is first touched.
// CHECK-LABEL: func.func @started(
// CHECK-SAME: %[[X:.*]]: memref<2x4xf32>, %[[Y:.*]]: memref<2x4xf32>, %[[Z:.*]]: memref<8x4xf32>
func.func @started(%x: memref<2x4xf32>, %y: memref<2x4xf32>, %z: memref<8x4xf32>) {
  // CHECK: %[[C:.*]] = comm_stream.current
  // CHECK: %[[S:.*]] = comm_stream.stream "{{\[\[}}0, 1, 2, 3]]"
  // CHECK: %[[G:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x4xf32>
  // CHECK: %[[READY:.*]] = comm_stream.record on %[[C]]
  // CHECK: comm_stream.wait_event %[[READY]] on %[[S]]
  // CHECK: comm_stream.all_gather %[[X]] into %[[G]] dim 0 over {{.*}} on %[[S]] :
  // CHECK: %[[DONE:.*]] = comm_stream.record on %[[S]]
  %f = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] {regather} : memref<2x4xf32> -> !comm.future<memref<8x4xf32>>
  // Reading the operand needs no wait.
  // CHECK-NEXT: linalg.add
  linalg.add ins(%x, %y : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  %g = comm.wait %f keeping(%x : memref<2x4xf32>) : !comm.future<memref<8x4xf32>>
  // CHECK-NEXT: linalg.exp ins(%[[Y]]
  linalg.exp ins(%y : memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  // CHECK-NEXT: comm_stream.wait_event %[[DONE]] on %[[C]] keeping(%[[X]] : memref<2x4xf32>)
  // CHECK-NEXT: linalg.exp ins(%[[G]]
  linalg.exp ins(%g : memref<8x4xf32>) outs(%z : memref<8x4xf32>)
  // CHECK-NEXT: return
  return
}

// -----

// Writing the operand does.
// CHECK-LABEL: func.func @operand_written(
// CHECK: comm_stream.all_reduce
// CHECK: comm_stream.wait_event
// CHECK-NEXT: linalg.exp
func.func @operand_written(%x: memref<4xf32>) -> memref<4xf32> {
  %f = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> !comm.future<memref<4xf32>>
  %r = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<4xf32>>
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return %r : memref<4xf32>
}

// -----

// A collective fed by a collective of another group waits stream to stream; one event at the end implies the rest.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[C:.*]] = comm_stream.current
// CHECK: %[[S1:.*]] = comm_stream.stream "{{\[\[}}0, 1], [2, 3]]"
// CHECK: %[[S2:.*]] = comm_stream.stream "{{\[\[}}0, 2], [1, 3]]"
// CHECK: comm_stream.all_gather {{.*}} on %[[S1]]
// CHECK: %[[GATHERED:.*]] = comm_stream.record on %[[S1]]
// CHECK: %[[ALLOCATED:.*]] = comm_stream.record on %[[C]]
// CHECK-NEXT: comm_stream.wait_event %[[ALLOCATED]] on %[[S2]]
// CHECK-NEXT: comm_stream.wait_event %[[GATHERED]] on %[[S2]]
// CHECK-NEXT: comm_stream.reduce_scatter {{.*}} on %[[S2]]
// CHECK-NEXT: %[[SCATTERED:.*]] = comm_stream.record on %[[S2]]
// CHECK-NEXT: comm_stream.wait_event %[[SCATTERED]] on %[[C]] keeping(%{{.*}}, %{{.*}} : memref<8x16xf32>, memref<16x16xf32>)
// CHECK-NEXT: return
func.func @chain(%x: memref<8x16xf32>) -> memref<8x16xf32> {
  %f = comm.all_gather %x dim 0 over [[0, 1], [2, 3]] : memref<8x16xf32> -> !comm.future<memref<16x16xf32>>
  %g = comm.wait %f keeping(%x : memref<8x16xf32>) : !comm.future<memref<16x16xf32>>
  %f2 = comm.reduce_scatter sum %g dim 0 over [[0, 2], [1, 3]] : memref<16x16xf32> -> !comm.future<memref<8x16xf32>>
  %g2 = comm.wait %f2 keeping(%g : memref<16x16xf32>) : !comm.future<memref<8x16xf32>>
  return %g2 : memref<8x16xf32>
}

// -----

// On one stream no event is needed between them, also through a view; whoever is not waited for has no event.
// CHECK-LABEL: func.func @same_group(
// CHECK: comm_stream.all_gather
// CHECK-NOT: comm_stream.record on %1
// CHECK: comm_stream.reduce_scatter
// CHECK-NEXT: comm_stream.record
// CHECK-NEXT: comm_stream.wait_event
// CHECK-NEXT: return
func.func @same_group(%x: memref<8x16xf32>) -> memref<4x16xf32> {
  %g = comm.all_gather %x dim 0 over [[0, 1]] : memref<8x16xf32> -> memref<16x16xf32>
  %v = memref.subview %g[0, 0] [8, 16] [1, 1] : memref<16x16xf32> to memref<8x16xf32, strided<[16, 1]>>
  %s = comm.reduce_scatter sum %v dim 0 over [[0, 1]] : memref<8x16xf32, strided<[16, 1]>> -> memref<4x16xf32>
  return %s : memref<4x16xf32>
}

// -----

// In a loop: what is carried may be the result of the last iteration, never that of this one.
// CHECK-LABEL: func.func @ring(
// CHECK: scf.for
// CHECK: comm_stream.permute
// CHECK-NEXT: comm_stream.record
// CHECK-NEXT: linalg.add
// CHECK-NEXT: comm_stream.wait_event
// CHECK-NEXT: scf.yield
func.func @ring(%x: memref<8x16xf32>, %acc: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%b = %x) -> memref<8x16xf32> {
    %f = comm.permute %b pairs [[0, 1], [1, 0]] : memref<8x16xf32> -> !comm.future<memref<8x16xf32>>
    linalg.add ins(%b, %acc : memref<8x16xf32>, memref<8x16xf32>) outs(%acc : memref<8x16xf32>)
    %g = comm.wait %f keeping(%b : memref<8x16xf32>) : !comm.future<memref<8x16xf32>>
    scf.yield %g : memref<8x16xf32>
  }
  return
}

// -----

// An op with a region waits for what is touched in it.
// CHECK-LABEL: func.func @branch(
// CHECK: comm_stream.all_reduce
// CHECK-NEXT: comm_stream.record
// CHECK-NEXT: comm_stream.wait_event
// CHECK-NEXT: scf.if
func.func @branch(%x: memref<4xf32>, %p: i1) {
  %f = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> !comm.future<memref<4xf32>>
  %r = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<4xf32>>
  scf.if %p {
    linalg.exp ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)
  }
  return
}

// -----

// One that reads it in a region on the same stream comes after it in any case. A loop that runs teaches what its waits imply.
// CHECK-LABEL: func.func @loop_that_runs(
// CHECK: comm_stream.all_reduce
// CHECK-NOT: comm_stream.wait_event %{{.*}} on %{{.*}} keeping
// CHECK: scf.for
// CHECK: comm_stream.all_gather
// CHECK: comm_stream.wait_event %{{.*}} on %{{.*}} keeping
// CHECK: linalg.exp
// CHECK-NOT: comm_stream.wait_event
// CHECK: linalg.exp
func.func @loop_that_runs(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> !comm.future<memref<4xf32>>
  %r = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<4xf32>>
  scf.for %i = %c0 to %c2 step %c1 {
    %h = comm.all_gather %r dim 0 over [[0, 1]] : memref<4xf32> -> !comm.future<memref<8xf32>>
    %g = comm.wait %h keeping(%r : memref<4xf32>) : !comm.future<memref<8xf32>>
    linalg.exp ins(%g : memref<8xf32>) outs(%g : memref<8xf32>)
  }
  linalg.exp ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// -----

// A loop that may not run teaches nothing.
// CHECK-LABEL: func.func @loop_that_may_run(
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: comm_stream.wait_event %{{.*}} on %{{.*}} keeping
// CHECK-NEXT: linalg.exp
func.func @loop_that_may_run(%x: memref<4xf32>, %n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> !comm.future<memref<4xf32>>
  %r = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %h = comm.all_gather %r dim 0 over [[0, 1]] : memref<4xf32> -> !comm.future<memref<8xf32>>
    %g = comm.wait %h keeping(%r : memref<4xf32>) : !comm.future<memref<8xf32>>
    linalg.exp ins(%g : memref<8xf32>) outs(%g : memref<8xf32>)
  }
  linalg.exp ins(%r : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// -----

// What is chosen later makes new memory no view of an older one: the fill of `%new` does not wait for the reader of `%x`.
// CHECK-LABEL: func.func @chosen_later(
// CHECK: comm_stream.all_reduce
// CHECK-NOT: keeping
// CHECK: linalg.fill
// CHECK: comm_stream.wait_event %{{.*}} on %{{.*}} keeping
// CHECK: linalg.exp
func.func @chosen_later(%x: memref<4xf32>, %zero: f32, %p: i1) {
  %f = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> !comm.future<memref<4xf32>>
  %r = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<4xf32>>
  %new = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%new : memref<4xf32>)
  %one = arith.select %p, %x, %new : memref<4xf32>
  linalg.exp ins(%r : memref<4xf32>) outs(%one : memref<4xf32>)
  return
}

// -----

// A device alone in its group copies; a start that nobody awaits is dead. No stream, no event.
// CHECK-LABEL: func.func @alone(
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @alone(%x: memref<4xf32>) -> memref<4xf32> {
  %dead = comm.all_gather %x dim 0 over [[0, 1]] : memref<4xf32> -> !comm.future<memref<8xf32>>
  %r = comm.all_gather %x dim 0 over [[0], [1]] : memref<4xf32> -> memref<4xf32>
  return %r : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty() { return }
// CHECK: func.func private @declared
func.func private @declared(tensor<4xf32>)
