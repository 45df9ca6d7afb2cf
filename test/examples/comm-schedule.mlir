// RUN: comm-opt %s --comm-schedule=machine=h100-8 | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-schedule{machine=h100-8}))' | FileCheck %s
// RUN: comm-opt %s --comm-schedule=memory-limit=50331648 --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: not comm-opt %s --comm-schedule=memory-limit=40000000 2>&1 | FileCheck %s --check-prefix=ERROR

// A layer whose weight is gathered where it is used, and a gradient that is reduced where the step ends. Afterwards the
// gather starts before the products that do not need it, and the reduction before those that are left.

// CHECK-LABEL: func.func @step
// CHECK-NEXT:    %[[F:.*]] = comm.all_gather %arg1
// CHECK:         linalg.matmul
// CHECK:         %[[W:.*]] = comm.wait %[[F]]
// CHECK-NEXT:    %[[Y:.*]] = linalg.matmul
// CHECK:         %[[R:.*]] = comm.reduce_scatter sum
// CHECK:         linalg.matmul
// CHECK:         comm.wait %[[R]]
func.func @step(%x: tensor<2048x2048xf32>, %w: tensor<256x2048xf32>, %o: tensor<2048x2048xf32>)
    -> (tensor<2048x2048xf32>, tensor<256x2048xf32>) {
  %a = linalg.matmul ins(%x, %x : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%o : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %f = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<256x2048xf32> -> !comm.future<tensor<2048x2048xf32>>
  %g = comm.wait %f keeping(%w : tensor<256x2048xf32>) : !comm.future<tensor<2048x2048xf32>>
  %y = linalg.matmul ins(%a, %g : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%o : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %b = linalg.matmul ins(%y, %y : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%o : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %c = linalg.matmul ins(%b, %b : tensor<2048x2048xf32>, tensor<2048x2048xf32>) outs(%o : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = comm.reduce_scatter sum %y dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<2048x2048xf32> -> !comm.future<tensor<256x2048xf32>>
  %s = comm.wait %r keeping(%y : tensor<2048x2048xf32>) : !comm.future<tensor<256x2048xf32>>
  return %c, %s : tensor<2048x2048xf32>, tensor<256x2048xf32>
}

// REMARKS: [Passed] scheduled {{.*}}step time {{.*}} us, exposed {{.*}}, peak memory {{[0-9]+}} -> {{[0-9]+}} bytes
// REMARKS: [{{Passed|Missed}}] collective {{.*}}hidden {{.*}} us, exposed {{.*}} us
// REMARKS: [{{Passed|Missed}}] collective {{.*}}hidden {{.*}} us, exposed {{.*}} us

// ERROR: error: comm-schedule: at most 40000000 bytes live at once cannot be kept; {{[0-9]+}} is the
