// Collectives of other dialects that nobody imported are computation to the schedulers, which is said rather than passed over.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort --remarks-filter='comm-sort' -o /dev/null 2>&1 | FileCheck %s
// RUN: comm-timeline %S/../programs/jax/zero3_L2_small_train.local.generic.mlir --function main 2>&1 | FileCheck %s --check-prefix=TIMELINE
// RUN: comm-opt %S/../programs/jax/zero3_L2_small_train.local.generic.mlir --allow-unregistered-dialect --comm-import-stablehlo -o %t.mlir
// RUN: comm-timeline %t.mlir 2>&1 | FileCheck %s --check-prefix=IMPORTED

// TIMELINE: warning: 'stablehlo.{{.*}}' op is not imported: {{[0-9]+}} collectives of stablehlo count as computation; comm-import-stablehlo makes comm ops of them
// TIMELINE: nothing is exposed
// IMPORTED-NOT: is not imported
// IMPORTED: step

shard.grid @grid(shape = 2)

func.func @step(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-DAG: [Missed] not-imported {{.*}}2 collectives of stablehlo count as computation; comm-import-stablehlo makes comm ops of them
  %a = "stablehlo.all_gather"(%x) : (tensor<4xf32>) -> tensor<8xf32>
  %b = "stablehlo.all_gather"(%x) : (tensor<4xf32>) -> tensor<8xf32>
  %c = "stablehlo.add"(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK-DAG: [Missed] not-imported {{.*}}1 collective of torch counts as computation; comm-import-torch makes comm ops of it
  %d = "torch.operator"(%x) {name = "torch._c10d_functional.all_reduce"} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-DAG: [Missed] not-imported {{.*}}1 collective of shard counts as computation; comm-import-shard makes comm ops of it
  %e = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %c, %d, %e : tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
}
