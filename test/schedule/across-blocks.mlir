// Memory that goes from block to block. What another block uses lives to the end of its block, and counts in each block that
// it is alive in; there nothing is proved, since it may die in the middle.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=48 -o /dev/null
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=47 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=0 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO

// Blocks are reported from the last to the first. Each value takes 16 bytes.
// CHECK: Function=used_later {{.*}}peak memory 48 -> 48 bytes; no order is faster, by the bound LB0 of {{[0-9.]*}} us"
// CHECK: Function=used_later {{.*}}peak memory 48 -> 48 bytes; no order is faster, by the bound LB0 of {{[0-9.]*}} us; proved to be the best
func.func @used_later(%p: tensor<2xf32>, %q: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // ERROR: [[#@LINE+2]]:{{.*}}at most 47 bytes live at once cannot be kept; 48 is the least that any order needs
  // ZERO: [[#@LINE+1]]:{{.*}}at most 0 bytes live at once cannot be kept; 48 is the least that any order needs
  %v = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  %a = "my.one"(%v) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "my.two"(%v) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %w = comm.all_gather %q dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  return %a, %b, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A value is alive in the blocks between its own and those that use it, also through a view, and what a branch passes on is.
// CHECK: Function=passed_through {{.*}}peak memory 32 -> 32 bytes
// CHECK-NOT: proved
// CHECK: Function=passed_through {{.*}}peak memory 48 -> 48 bytes
// CHECK-NOT: proved
// CHECK: Function=passed_through {{.*}}peak memory 16 -> 16 bytes; {{.*}}; proved to be the best
// ERROR: [[#@LINE+8]]:{{.*}}at most 47 bytes live at once cannot be kept; 48 is the best found
// ZERO: [[#@LINE+7]]:{{.*}}at most 0 bytes live at once cannot be kept; 48 is the best found
func.func @passed_through(%p: tensor<2xf32>, %q: tensor<2xf32>) -> tensor<2x2xf32> {
  %v = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  %view = tensor.expand_shape %v [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  cf.br ^middle(%v : tensor<4xf32>)
^middle(%x: tensor<4xf32>):
  // Alive: the gathered value, for the view; the argument; the reduced value, to its end.
  %w = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^last
^last:
  // Here the gathered value, for the view, and the gather.
  %u = comm.all_gather %q dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  return %view : tensor<2x2xf32>
}
