// Which rank is which device. On a grid 2x3 device (i, j) is rank 3i + j. The order in which axes are listed is the order
// of the group: over [1, 0] the group of all six is (0,0) (1,0) (0,1) (1,1) (0,2) (1,2), that is ranks 0 3 1 4 2 5. A
// broadcast's root [2, 1] over [1, 0] is device (1, 2): rank 5, position 2 * 2 + 1 = 5. Shifts name ranks, so they show
// the numbering itself.
//
// RUN: comm-opt %s --comm-import-shard | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-import-shard)' | FileCheck %s

// CHECK: comm.mesh @grid<["axis0" = 2, "axis1" = 3]>
shard.grid @grid(shape = 2x3)

// CHECK-LABEL: func.func @axes_in_both_orders
func.func @axes_in_both_orders(%x: tensor<6xf32>) -> (tensor<36xf32>, tensor<36xf32>, tensor<1xf32>) {
  // CHECK: comm.all_gather %{{.*}} dim 0 over @grid["axis0", "axis1"]
  %0 = shard.all_gather %x on @grid grid_axes = [0, 1] gather_axis = 0 : tensor<6xf32> -> tensor<36xf32>
  // CHECK: comm.all_gather %{{.*}} dim 0 over @grid["axis1", "axis0"]
  %1 = shard.all_gather %x on @grid grid_axes = [1, 0] gather_axis = 0 : tensor<6xf32> -> tensor<36xf32>
  // CHECK: comm.rank over @grid["axis1", "axis0"]
  %2 = shard.all_slice %x on @grid grid_axes = [1, 0] slice_axis = 0 : tensor<6xf32> -> tensor<1xf32>
  return %0, %1, %2 : tensor<36xf32>, tensor<36xf32>, tensor<1xf32>
}

// CHECK-LABEL: func.func @roots
func.func @roots(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  // CHECK: comm.broadcast %{{.*}} root 5 over @grid["axis1", "axis0"]
  %0 = shard.broadcast %x on @grid grid_axes = [1, 0] root = [2, 1] : (tensor<6xf32>) -> tensor<6xf32>
  // CHECK: comm.broadcast %{{.*}} root 4 over @grid["axis0", "axis1"]
  %1 = shard.broadcast %x on @grid grid_axes = [0, 1] root = [1, 1] : (tensor<6xf32>) -> tensor<6xf32>
  // CHECK: comm.broadcast %{{.*}} root 2 over @grid["axis1"]
  %2 = shard.broadcast %x on @grid grid_axes = [1] root = [2] : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func @shifts
func.func @shifts(%x: tensor<6xf32>) -> tensor<6xf32> {
  // CHECK: comm.permute %{{.*}} pairs {{\[\[}}0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]
  %0 = shard.shift %x on @grid grid_axes = [1] shift_axis = 1 offset = 1 rotate : tensor<6xf32> -> tensor<6xf32>
  // CHECK: comm.permute %{{.*}} pairs {{\[\[}}0, 1], [1, 2], [3, 4], [4, 5]]
  %1 = shard.shift %x on @grid grid_axes = [1] shift_axis = 1 offset = 1 : tensor<6xf32> -> tensor<6xf32>
  // CHECK: comm.permute %{{.*}} pairs {{\[\[}}3, 0], [4, 1], [5, 2]]
  %2 = shard.shift %x on @grid grid_axes = [0, 1] shift_axis = 0 offset = -1 : tensor<6xf32> -> tensor<6xf32>
  // CHECK: comm.permute %{{.*}} pairs {{\[\[}}0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]
  %3 = shard.shift %x on @grid grid_axes = [1] shift_axis = 1 offset = -5 rotate : tensor<6xf32> -> tensor<6xf32>
  // Everything leaves the grid: zeros everywhere.
  // CHECK: comm.permute %{{.*}} pairs []
  %4 = shard.shift %x on @grid grid_axes = [1] shift_axis = 1 offset = 9223372036854775807 : tensor<6xf32> -> tensor<6xf32>
  // Round and round: both are 1 beyond a multiple of 3.
  // CHECK: comm.permute %{{.*}} pairs {{\[\[}}0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]
  %5 = shard.shift %x on @grid grid_axes = [1] shift_axis = 1 offset = 9223372036854775807 rotate : tensor<6xf32> -> tensor<6xf32>
  // CHECK: comm.permute %{{.*}} pairs {{\[\[}}0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]
  %6 = shard.shift %x on @grid grid_axes = [1] shift_axis = 1 offset = -9223372036854775808 rotate : tensor<6xf32> -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
