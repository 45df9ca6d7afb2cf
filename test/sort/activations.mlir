// A gather of an activation takes no slot and never stands above its operand; gathers of parameters pass it.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort=max-in-flight=3 | FileCheck %s

// CHECK-LABEL: func.func @tensor_parallel
// CHECK-NEXT:    comm.all_gather %arg1
// CHECK-NEXT:    comm.all_gather %arg2
// CHECK-NEXT:    comm.wait
// CHECK-NEXT:    %[[Y:.*]] = "model.layer"
// CHECK-NEXT:    %[[A:.*]] = comm.all_gather %[[Y]]
// CHECK-NEXT:    comm.wait %[[A]]
func.func @tensor_parallel(%x: tensor<4xf32>, %p: tensor<2xf32>, %q: tensor<2xf32>) -> tensor<8xf32> {
  %f = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y = "model.layer"(%x, %w) {comm.pure} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = comm.all_gather %y dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %v = comm.wait %g keeping(%y : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %h = comm.all_gather %q dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %u = comm.wait %h keeping(%q : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %z = "model.layer"(%v, %u) {comm.pure} : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
