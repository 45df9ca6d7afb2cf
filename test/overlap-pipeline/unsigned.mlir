// Maxima of unsigned integers are started and awaited as other collectives, in the order of signed ones, and are right.
//
// RUN: comm-opt %s --comm-overlap-pipeline | FileCheck %s
// RUN: comm-runner %s --ranks 2 --passes comm-asyncify --check %s | FileCheck %s --check-prefix=SAME

// SAME: result 0 and {{.*}}: equal
// CHECK-LABEL: func.func @main(
// CHECK: arith.xori
// CHECK: comm_stream.all_reduce max {{.*}} memref<4xi32>
// CHECK: arith.xori
func.func @main(%x: tensor<4xui32>) -> tensor<4xui32> {
  %y = comm.all_reduce max %x over [[0, 1]] : tensor<4xui32> -> tensor<4xui32>
  return %y : tensor<4xui32>
}
