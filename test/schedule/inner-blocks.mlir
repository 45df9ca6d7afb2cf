// The time of a block in a loop is no step time, and figures before the schedule of the block around are taken with the inner
// block in its new order.
// RUN: comm-opt %s --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s

// The gather in the loop is hidden by the addition: 60 us a trip in place of 90. The block around has nothing to gain.
// CHECK: Function=step {{.*}}"step time 180.0 us -> 180.0 us, exposed 0.0 us -> 0.0 us, peak memory {{.*}} bytes (before: with inner blocks in their new order); no order is faster
// CHECK: Function=step {{.*}}"block time 90.0 us -> 60.0 us, exposed 30.0 us -> 0.0 us, peak memory {{[0-9]+}} -> {{[0-9]+}} bytes; no order is faster
func.func @step(%x: tensor<4xf32>, %p: tensor<2xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %r = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> tensor<4xf32> {
    %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
    %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
    %a = arith.addf %h, %h {comm.duration_ns = 50000 : i64} : tensor<4xf32>
    %b = arith.mulf %a, %w {comm.duration_ns = 10000 : i64} : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
