// What is in flight around a loop counts together with what the loop has in flight.
// RUN: not comm-opt %s --comm-sort=max-in-flight=1 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: comm-opt %s --comm-sort=max-in-flight=2 | FileCheck %s

// ERROR: error: comm-sort: at most 1 gathers in flight on stream '{{.*}}' cannot be kept; 2 is the best found: 1 pass 'scf.for', whose regions have 1 in flight

// CHECK: comm.all_gather
// CHECK-NEXT: scf.for
func.func @around(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index {comm.uniform}) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = tensor.empty() : tensor<8xf32>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %init) -> tensor<8xf32> {
    %g = comm.all_gather %y dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
    %v = comm.wait %g keeping(%y : tensor<4xf32>) : !comm.future<tensor<8xf32>>
    %s = arith.addf %h, %v : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  %w = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  return %w, %r : tensor<8xf32>, tensor<8xf32>
}
