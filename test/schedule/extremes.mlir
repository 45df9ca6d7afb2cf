// Numbers at the end of their range, and attributes that say nothing where they stand.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=-2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=-1 -o /dev/null

// NEGATIVE: error: comm-schedule: memory-limit is expected to be -1 (no limit), 0 or more, but is -2

// A loop takes 2^50 ns at most, and what is exposed in it no more than that.
// CHECK: Function=long_loop {{.*}}step time 1125899906842.6 us -> 1125899906842.6 us, exposed 1125899906842.6 us -> 1125899906842.6 us
func.func @long_loop(%x: tensor<4xf32>, %n: index {comm.uniform}) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%h = %x) -> tensor<4xf32> {
    %w = comm.all_reduce sum %h over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<4xf32> -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } {comm.trip_count = 9223372036854775807 : i64}
  return %r : tensor<4xf32>
}

// CHECK: Function=no_loop {{.*}}hidden 0.0 us, exposed 20.0 us; nothing awaits it"
// CHECK-NOT: consumer
// CHECK: [Analysis] trip-count {{.*}}Function=no_loop {{.*}}comm.trip_count says nothing here: 'my.op' is not known to be a loop
func.func @no_loop(%x: tensor<2xf32>) {
  %f = comm.all_gather %x dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  "my.op"() {comm.trip_count = 3 : i64, comm.pure, comm.duration_ns = 0 : i64} : () -> ()
  return
}
