// A limit that a fence makes impossible is an error that names the least one that is possible; with that one it works.
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-sort=max-in-flight=1 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort=max-in-flight=2 | FileCheck %s

// ERROR: error: comm-sort: at most 1 gathers in flight on stream {{.*}} cannot be kept; 2 is the least that the order of the computation allows

// CHECK-LABEL: func.func @fence
// CHECK-NEXT:    comm.all_gather
// CHECK-NEXT:    comm.all_gather
// CHECK-NEXT:    "model.print"
// CHECK-NEXT:    comm.wait
// CHECK-NEXT:    comm.wait
func.func @fence(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = comm.all_gather %a dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %g = comm.all_gather %b dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  "model.print"() : () -> ()
  %x = comm.wait %f keeping(%a : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y = comm.wait %g keeping(%b : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %x, %y : tensor<4xf32>, tensor<4xf32>
}
