// A collective that is awaited in another block: a remark says that it is not counted as in flight, and nothing is proved of
// the blocks of its region; with a limit in flight it is an error. A limit on memory counts it.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=64 -o /dev/null
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=63 -o /dev/null 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight=3 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=max-in-flight-bytes=100 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK-NOT: proved
// CHECK: [Analysis] across-blocks {{.*}}awaited in another block: {{.*}} not counted as in flight
// CHECK: [Analysis] across-blocks {{.*}}awaited in another block: {{.*}} not counted as in flight
// CHECK-NOT: proved

// MEMORY: at most 63 bytes live at once cannot be kept; 64 is the best found
func.func @awaited_later(%p: tensor<2xf32>, %q: tensor<2xf32>) -> tensor<4xf32> {
  // ERROR: [[#@LINE+1]]:{{.*}}error: 'comm.all_gather' op is awaited in another block, where no limit in flight can be kept; comm-schedule with such a limit expects every wait in the block of its start
  %f = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  // ERROR: [[#@LINE+1]]:{{.*}}error: 'comm.all_gather' op is awaited in another block
  %g = comm.all_gather %q dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  cf.br ^next
^next:
  %v = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %r = comm.all_reduce sum %v over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %g keeping(%q : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %s = comm.wait %r keeping(%v : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return %s : tensor<4xf32>
}
