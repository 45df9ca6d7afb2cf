// All-to-all, permute and broadcast keep their order also where one of them is awaited in another block: it stays where it
// is, and the others do not pass it.
// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check}))' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check}))' | FileCheck %s

// The all-to-all could start at the head of the block, where its operand is, were the permute not between.
// CHECK-LABEL: func.func @not_above
// CHECK-NEXT:    %[[Y:.*]] = "model.layer"
// CHECK-NEXT:    %[[F:.*]] = comm.permute
// CHECK-NEXT:    comm.all_to_all
// CHECK-NEXT:    "model.layer"(%[[Y]]
// CHECK-NEXT:    comm.wait
// CHECK:       ^bb1:
// CHECK-NEXT:    comm.wait %[[F]]
func.func @not_above(%p: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %y = "model.layer"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  %f = comm.permute %p pairs [[0, 1], [1, 0]] : tensor<2xf32> -> !comm.future<tensor<2xf32>>
  %z = "model.layer"(%y) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  %g = comm.all_to_all %x split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %g keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  %u = "model.add"(%z, %w) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %v = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<2xf32>>
  return %v, %u : tensor<2xf32>, tensor<4xf32>
}

// Nobody needs the all-to-all in its block, so it would start behind the permute.
// CHECK-LABEL: func.func @not_below
// CHECK-NEXT:    comm.all_to_all
// CHECK:         comm.permute
func.func @not_below(%p: tensor<2xf32>, %x: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %g = comm.all_to_all %x split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %f = comm.permute %p pairs [[0, 1], [1, 0]] : tensor<2xf32> -> !comm.future<tensor<2xf32>>
  %y = "model.layer"(%x) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %v = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<2xf32>>
  return %v, %y : tensor<2xf32>, tensor<4xf32>
}
