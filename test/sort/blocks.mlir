// Nested regions and several blocks are sorted each by itself; a future that crosses blocks stays; buckets count once;
// streams have windows of their own.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort=max-in-flight=1 | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-sort{max-in-flight=1}))' | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK-NEXT:      %[[Y:.*]] = "model.layer"
// CHECK-NEXT:      comm.all_gather
// CHECK-NEXT:      comm.wait
// CHECK-NEXT:      "model.layer"(%[[Y]]
func.func @loop(%x: tensor<4xf32>, %shard: tensor<2xf32>, %n: index {comm.uniform}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %x) -> tensor<4xf32> {
    %f = comm.all_gather %shard dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %w = comm.wait %f keeping(%shard : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %y = "model.layer"(%h, %h) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %z = "model.layer"(%y, %w) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The future of the first block is awaited in another one: both ends stay. The gather beside it moves down.
// CHECK-LABEL: func.func @across
// CHECK-NEXT:    %[[F:.*]] = comm.all_gather %arg0
// CHECK-NEXT:    %[[Y:.*]] = "model.layer"
// CHECK-NEXT:    comm.all_gather %arg1
// CHECK-NEXT:    comm.wait
// CHECK-NEXT:    "model.layer"(%[[Y]]
// CHECK-NEXT:    cf.br
// CHECK:         comm.wait %[[F]]
func.func @across(%a: tensor<2xf32>, %b: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = comm.all_gather %a dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %g = comm.all_gather %b dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %g keeping(%b : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y = "model.layer"(%x, %x) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = "model.layer"(%y, %w) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %v = comm.wait %f keeping(%a : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %v, %z : tensor<4xf32>, tensor<4xf32>
}

// One in flight on each stream: a bucket of two tensors over one axis, and a gather over the other.
// CHECK-LABEL: func.func @streams
// CHECK-NEXT:    %[[B:.*]] = comm.all_gather %arg0, %arg1 dim 0 over @mesh["x"]
// CHECK-NEXT:    comm.wait %[[B]]
// CHECK-NEXT:    %[[C:.*]] = comm.all_gather %arg2 dim 0 over @mesh["y"]
// CHECK-NEXT:    comm.wait %[[C]]
// CHECK-NEXT:    "model.use"
comm.mesh @mesh <["x" = 2, "y" = 2]>
func.func @streams(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  %g = comm.all_gather %c dim 0 over @mesh["y"] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %g keeping(%c : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %f = comm.all_gather %a, %b dim 0 over @mesh["x"] : tensor<2xf32>, tensor<2xf32> -> !comm.future<tensor<4xf32>, tensor<4xf32>>
  %v:2 = comm.wait %f keeping(%a, %b : tensor<2xf32>, tensor<2xf32>) : !comm.future<tensor<4xf32>, tensor<4xf32>>
  "model.use"(%v#0, %v#1, %w) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
