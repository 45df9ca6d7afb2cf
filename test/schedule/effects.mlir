// Computation moves too, so effects have their order: what writes or may do anything is a fence against all that
// reads, writes or communicates; reads commute; what is pure moves past all of them.
// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-schedule,comm-verify-schedule{mode=check}))' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-schedule,comm-verify-schedule{mode=check}))' | FileCheck %s

// The gather could be hidden behind the loads, were the stores no fences.
// CHECK-LABEL: func.func @stores_keep_their_order
// CHECK:         memref.store %arg3
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.store
// CHECK:         comm.all_gather
func.func @stores_keep_their_order(%m: memref<4xf32>, %p: tensor<2xf32>, %i: index, %c: f32) -> (f32, tensor<4xf32>) {
  memref.store %c, %m[%i] : memref<4xf32>
  %v = memref.load %m[%i] {comm.duration_ns = 50000 : i64} : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 40000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %v, %w : f32, tensor<4xf32>
}

// Loads and allocations do not interfere with a transfer between tensors.
// CHECK-LABEL: func.func @reads_commute
// CHECK:         comm.all_gather
// CHECK:         memref.load
// CHECK:         comm.wait
func.func @reads_commute(%m: memref<4xf32>, %p: tensor<2xf32>, %i: index) -> (f32, tensor<4xf32>) {
  %v = memref.load %m[%i] {comm.duration_ns = 50000 : i64} : memref<4xf32>
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 40000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %v, %w : f32, tensor<4xf32>
}

// An op that nobody knows holds the gather and the load, but not what is pure: the gather hides behind that.
// CHECK-LABEL: func.func @unknown
// CHECK:         "my.print"
// CHECK-NEXT:    comm.all_gather
// CHECK:         "model.layer"
// CHECK:         comm.wait
func.func @unknown(%x: tensor<4xf32>, %p: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = "model.layer"(%x) {comm.pure, comm.duration_ns = 50000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  "my.print"() : () -> ()
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 40000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %y, %w : tensor<4xf32>, tensor<4xf32>
}

// What ends a block stays there, known or not, in a region or not; so do values that nobody needs.
// CHECK-LABEL: func.func @ends
// CHECK:         "my.loop"
// CHECK:           "my.end"
// CHECK-NEXT:    })
// CHECK-NEXT:    return
func.func @ends(%x: tensor<4xf32>, %p: tensor<2xf32>) {
  "my.loop"() ({
    %y = "model.layer"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
    %f = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    "my.end"() : () -> ()
  }) : () -> ()
  return
}

// All-to-alls keep their order, as does a branch that devices may take differently.
// CHECK-LABEL: func.func @opaque
// CHECK:         comm.all_to_all %arg0
// CHECK:         comm.all_to_all %arg1
// CHECK:         scf.if
func.func @opaque(%a: tensor<4xf32>, %b: tensor<4xf32>, %now: i1) -> (tensor<4xf32>, tensor<4xf32>, f32) {
  %f = comm.all_to_all %a split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %g = comm.all_to_all %b split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %s = scf.if %now -> f32 {
    %one = arith.constant 1.0 : f32
    scf.yield %one : f32
  } else {
    %two = arith.constant 2.0 : f32
    scf.yield %two : f32
  }
  return %f, %g, %s : tensor<4xf32>, tensor<4xf32>, f32
}

// A future that is awaited in another block keeps its side of fences, and takes its time where it starts.
// CHECK-LABEL: func.func @across
// CHECK:         comm.all_gather
// CHECK:         "my.print"
// CHECK:         cf.br
// CHECK:         comm.wait
func.func @across(%x: tensor<4xf32>, %p: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  "my.print"() : () -> ()
  %y = "model.layer"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %y, %w : tensor<4xf32>, tensor<4xf32>
}

// All-to-alls, permutes and broadcasts keep their order, also if one is awaited in another block.
// CHECK-LABEL: func.func @opaque_across
// CHECK:         comm.broadcast %arg0
// CHECK:         comm.all_to_all %arg1
// CHECK:         cf.br
func.func @opaque_across(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = comm.broadcast %a root 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %g = comm.all_to_all %b split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^next
^next:
  %w = comm.wait %f keeping(%a : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return %w, %g : tensor<4xf32>, tensor<4xf32>
}
