// Names of meshes, and what stays.
//
// RUN: comm-opt %s -split-input-file --comm-import-shard | FileCheck %s
// RUN: %mlir_opt_plugin %s -split-input-file --pass-pipeline='builtin.module(comm-import-shard)' | FileCheck %s

// An annotation still names the grid: the mesh gets a name of its own, which no other symbol has.
// CHECK:       shard.grid @grid(shape = 2)
// CHECK-NEXT:  comm.mesh @grid_mesh_0<["axis0" = 2]>
shard.grid @grid(shape = 2)
func.func private @grid_mesh()

// CHECK-LABEL: func.func @annotated
func.func @annotated(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: shard.sharding @grid
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<4xf32>
  // CHECK: comm.all_reduce sum %{{.*}} over @grid_mesh_0["axis0"]
  %b = shard.all_reduce %a on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// No collective uses the grids: nothing changes. An index on a grid of unknown size may stay, since it communicates nothing.
// CHECK:     shard.grid @unused(shape = 2)
// CHECK:     shard.grid @dynamic(shape = 2x?)
// CHECK-NOT: comm.
shard.grid @unused(shape = 2)
shard.grid @dynamic(shape = 2x?)
func.func @index() -> index {
  %0 = shard.process_linear_index on @dynamic : index
  return %0 : index
}

// -----

// Indices of the process and sizes of the grid.
// CHECK:       comm.mesh @grid<["axis0" = 2, "axis1" = 3]>
// CHECK-LABEL: func.func @indices
shard.grid @grid(shape = 2x3)
func.func @indices() -> (index, index, index, index, index, index) {
  // CHECK-DAG:  %[[J:.*]] = comm.rank over @grid["axis1"] : index
  // CHECK-DAG:  %[[I:.*]] = comm.rank over @grid["axis0"] : index
  %0:2 = shard.process_multi_index on @grid axes = [1, 0] : index, index
  // CHECK-DAG:  %[[RANK:.*]] = comm.rank over @grid["axis0", "axis1"] : index
  %1 = shard.process_linear_index on @grid : index
  // CHECK-DAG:  %[[C3:.*]] = arith.constant 3 : index
  %2 = shard.grid_shape @grid axes = [1] : index
  // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
  %3:2 = shard.grid_shape @grid : index, index
  // CHECK:      return %[[J]], %[[I]], %[[RANK]], %[[C3]], %[[C2]],
  return %0#0, %0#1, %1, %2, %3#0, %3#1 : index, index, index, index, index, index
}

// -----

// The innermost module's grid is meant, here and in upstream's look-up.
// CHECK:       comm.mesh @grid<["axis0" = 8]>
// CHECK:       comm.mesh @grid<["axis0" = 2]>
shard.grid @grid(shape = 8)
func.func @outer(%x: tensor<4xf32>) -> tensor<32xf32> {
  %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
module @nested {
  shard.grid @grid(shape = 2)
  func.func @inner(%x: tensor<4xf32>) -> tensor<8xf32> {
    // CHECK: comm.all_gather %{{.*}} dim 0 over @grid["axis0"] : tensor<4xf32> -> tensor<8xf32>
    %0 = shard.all_gather %x on @grid grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
