// RUN: comm-opt %s --allow-unregistered-dialect --split-input-file --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s

// Groups by axes of a mesh: opaque text, read here.
module attributes {mhlo.num_partitions = 8 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> : () -> ()

  // CHECK-LABEL: func.func @sdy_mesh
  func.func @sdy_mesh(%x: tensor<2xf32>) {
    // CHECK: over {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<8xf32>
    // CHECK: over {{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#sdy<axis_ref"x">]>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    // The axis named first varies slowest.
    // CHECK: over {{\[\[}}0, 4, 1, 5, 2, 6, 3, 7]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">, #stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<16xf32>
    // Parts of an axis.
    // CHECK: over {{\[\[}}0, 2], [1, 3], [4, 6], [5, 7]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#sdy<axis_ref"y":(1)2>]>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  "mesh.other"() <{sym_name = "m"}> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 2 : i64}]}} : () -> ()

  // CHECK-LABEL: func.func @stablehlo_mesh
  func.func @stablehlo_mesh(%x: tensor<2xf32>) {
    // CHECK: over {{\[\[}}0, 2], [1, 3]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "a">]>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    // CHECK: over {{\[\[}}0, 1], [2, 3]]
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "p", size = 2>, #stablehlo.mesh_axis<name = "q", size = 2>]>, axes = [#stablehlo.axis_ref<name = "q">]>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}
