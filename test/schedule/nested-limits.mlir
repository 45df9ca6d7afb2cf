// Limits hold across regions: what a loop needs inside counts at its place in the block around it.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='memory-limit=80 max-in-flight=2 max-in-flight-bytes=48' --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=79 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight=1 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight-bytes=47 2>&1 | FileCheck %s --check-prefix=BYTES

// CHECK: Function=around {{.*}}step time

// MEMORY: error: comm-schedule: at most 79 bytes live at once cannot be kept; 80 is the best found
// ZERO: error: comm-schedule: at most 0 bytes live at once cannot be kept; 80 is the best found
// COUNT: error: comm-schedule: at most 1 collectives in flight on one stream cannot be kept; 2 is
// BYTES: error: comm-schedule: at most 47 bytes in flight cannot be kept; 48 is
func.func @around(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index {comm.uniform}) -> (tensor<4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %y) -> tensor<4xf32> {
    %g = comm.all_reduce sum %h over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
    %v = comm.wait %g keeping(%h : tensor<4xf32>) : !comm.future<tensor<4xf32>>
    %s = arith.addf %h, %v : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %w = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  return %r, %w : tensor<4xf32>, tensor<8xf32>
}
