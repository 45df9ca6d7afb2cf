// What upstream's partitioner makes of a matmul whose contraction is sharded.
//
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(sharding-propagation,shard-partition),canonicalize)' -o %t.mlir
// RUN: FileCheck %s --check-prefix=SOURCE --input-file=%t.mlir
// RUN: comm-opt %t.mlir --comm-import-shard | FileCheck %s
// RUN: %mlir_opt_plugin %t.mlir --pass-pipeline='builtin.module(comm-import-shard)' | FileCheck %s
// RUN: comm-opt %s --pass-pipeline='builtin.module(func.func(sharding-propagation,shard-partition),canonicalize,comm-import-shard,func.func(comm-asyncify,comm-verify-futures))' | FileCheck %s --check-prefix=ASYNC

// SOURCE:         shard.grid @grid
// SOURCE:         shard.process_multi_index on @grid axes = [1]
// SOURCE-COUNT-1: shard.all_reduce
// SOURCE-NOT:     shard.all_

// CHECK:          comm.mesh @grid<["axis0" = 2, "axis1" = 4]>
// CHECK-NOT:      shard.
// CHECK:          comm.rank over @grid["axis1"] : index
// CHECK:          %[[Y:.*]] = linalg.matmul
// CHECK-NEXT:     comm.all_reduce sum %[[Y]] over @grid["axis1"] : tensor<4x32xf32> -> tensor<4x32xf32>
// CHECK-NOT:      shard.

// ASYNC:          comm.all_reduce sum %{{.*}} over @grid["axis1"] : tensor<4x32xf32> -> !comm.future<tensor<4x32xf32>>
// ASYNC-NEXT:     comm.wait
shard.grid @grid(shape = 2x4)
func.func @matmul(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %x_sharding = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %x_sharded = shard.shard %x to %x_sharding : tensor<8x16xf32>
  %x_used = shard.shard %x_sharded to %x_sharding annotate_for_users : tensor<8x16xf32>
  %w_sharding = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %w_sharded = shard.shard %w to %w_sharding : tensor<16x32xf32>
  %w_used = shard.shard %w_sharded to %w_sharding annotate_for_users : tensor<16x32xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x_used, %w_used : tensor<8x16xf32>, tensor<16x32xf32>) outs(%out : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y_sharding = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %y_sharded = shard.shard %y to %y_sharding : tensor<8x32xf32>
  %y_used = shard.shard %y_sharded to %y_sharding annotate_for_users : tensor<8x32xf32>
  return %y_used : tensor<8x32xf32>
}
