// RUN: comm-opt %s --comm-bucket | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-bucket))' | FileCheck %s
// RUN: comm-opt %s --comm-bucket --remarks-filter='comm-bucket' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// Two layers too small to hide a gather behind. What both gathers carry takes little longer than their latency, so they
// become one; the gather of the last weight has a long product to hide behind and stays apart.

// CHECK-LABEL: func.func @layers
// CHECK:         %[[F:.*]] = comm.all_gather %arg1, %arg2 dim 0 over {{.*}} -> !comm.future<tensor<256x256xf32>, tensor<256x256xf32>>
// CHECK-NEXT:    %[[W:.*]]:2 = comm.wait %[[F]] keeping(%arg1, %arg2 : {{.*}})
// CHECK-NEXT:    {{.*}}linalg.matmul ins(%arg0, %[[W]]#0
// CHECK-NEXT:    {{.*}}linalg.matmul ins({{.*}}, %[[W]]#1
// CHECK-NEXT:    {{.*}}linalg.matmul {comm.duration_ns
// CHECK-NEXT:    {{.*}}comm.all_gather %arg3 dim 0
func.func @layers(%x: tensor<256x256xf32>, %w1: tensor<32x256xf32>, %w2: tensor<32x256xf32>,
                  %w3: tensor<32x256xf32>) -> tensor<256x256xf32> {
  %f1 = comm.all_gather %w1 dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<32x256xf32> -> !comm.future<tensor<256x256xf32>>
  %g1 = comm.wait %f1 keeping(%w1 : tensor<32x256xf32>) : !comm.future<tensor<256x256xf32>>
  %y1 = linalg.matmul ins(%x, %g1 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%x : tensor<256x256xf32>) -> tensor<256x256xf32>
  %f2 = comm.all_gather %w2 dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<32x256xf32> -> !comm.future<tensor<256x256xf32>>
  %g2 = comm.wait %f2 keeping(%w2 : tensor<32x256xf32>) : !comm.future<tensor<256x256xf32>>
  %y2 = linalg.matmul ins(%y1, %g2 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%x : tensor<256x256xf32>) -> tensor<256x256xf32>
  %b = linalg.matmul {comm.duration_ns = 500000 : i64} ins(%y2, %y2 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%x : tensor<256x256xf32>) -> tensor<256x256xf32>
  %f3 = comm.all_gather %w3 dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] : tensor<32x256xf32> -> !comm.future<tensor<256x256xf32>>
  %g3 = comm.wait %f3 keeping(%w3 : tensor<32x256xf32>) : !comm.future<tensor<256x256xf32>>
  %y3 = linalg.matmul ins(%b, %g3 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%x : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %y3 : tensor<256x256xf32>
}

// REMARKS: [Passed] buckets {{.*}}3 collective(s) -> 2; scheduled fast, step time
// REMARKS: [Passed] bucket {{.*}}merged 2 of 'comm.all_gather' into one of 524288 bytes
