// RUN: comm-runner %s --ranks 2 --print | FileCheck %s
// RUN: comm-runner %s --ranks 2 --passes 'comm-asyncify,comm-sort{max-in-flight=1}' --check %s | FileCheck %s --check-prefix=CHECKED
// RUN: comm-runner %s --ranks 2 --emit stream | FileCheck %s --check-prefix=STREAM
// RUN: comm-runner %s --ranks 2 --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: not comm-runner %s --ranks 2 --passes comm-nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not comm-runner %s --ranks 2 --entry elsewhere 2>&1 | FileCheck %s --check-prefix=ENTRY

// CHECKED: result 0 and {{.*}}: equal
// CHECKED: result 1 and {{.*}}: equal
// STREAM: comm_stream.all_gather
// LLVM: llvm.func @comm_rt_all_gather
// LLVM-NOT: func.func
// NOTHING: 'comm-nothing' does not refer to a registered pass
// ENTRY: no function 'elsewhere' with a body; there are: main

// CHECK-DAG: rank 0 result 0 2x2xf32: [1, 1, 3, 3]
// CHECK-DAG: rank 1 result 0 2x2xf32: [1, 1, 3, 3]
// CHECK-DAG: rank 0 result 1 1x2xf32: [4, 4]
// CHECK-DAG: rank 1 result 1 1x2xf32: [8, 8]
func.func @main() -> (tensor<2x2xf32>, tensor<1x2xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %k = arith.index_cast %rank : index to i32
  %f = arith.sitofp %k : i32 to f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %scaled = arith.mulf %f, %two : f32
  %v = arith.addf %scaled, %one : f32
  %e = tensor.empty() : tensor<1x2xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<1x2xf32> -> tensor<2x2xf32>
  %m = arith.constant dense<[[0.5, 0.5], [1.0, 1.0]]> : tensor<2x2xf32>
  %e2 = tensor.empty() : tensor<2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = linalg.matmul ins(%m, %g : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = comm.reduce_scatter sum %p dim 0 over [[0, 1]] : tensor<2x2xf32> -> tensor<1x2xf32>
  return %g, %s : tensor<2x2xf32>, tensor<1x2xf32>
}
