// Two gathers fit behind the first op, if both may be in flight. If not, the second starts when the first is awaited, and
// the remark says why. A gather yields 16 bytes.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight=2 --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight-bytes=32 --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight=1 --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight-bytes=16 --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight-bytes=15 2>&1 | FileCheck %s --check-prefix=ERROR

// FREE: step time 220.0 us -> 120.0 us, exposed 100.0 us -> 0.0 us

// ONE: step time 220.0 us -> 160.0 us, exposed 100.0 us -> 40.0 us
// ONE: hidden 10.0 us, exposed 40.0 us; limited by the limit in flight, which an earlier start would exceed

// ERROR: at most 15 bytes in flight cannot be kept; 16 is
func.func @two(%x: tensor<4xf32>, %p: tensor<2xf32>, %q: tensor<2xf32>) -> tensor<4xf32> {
  %a = "model.first"(%x) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %b = "model.second"(%a, %w) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %g = comm.all_gather %q dim 0 over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %v = comm.wait %g keeping(%q : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %c = "model.third"(%b, %v) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
