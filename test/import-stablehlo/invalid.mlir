// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo -split-input-file -verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' -split-input-file -verify-diagnostics

// Groups.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has ragged groups: 2 member(s) in group 0, 1 in group 1; comm collectives have groups of one size}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Padding is all there is.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has groups without members}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<-1> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Twice in one group.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has device 1 in its groups twice}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A splat of a matrix is a device listed over and over.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has device 0 in its groups twice}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Beyond the end.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names device 4; there are 4, numbered from 0}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Below the start.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names device -2; there are 4, numbered from 0}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [-2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Somebody is left out.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has device 1 in no group; every device must be in one}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// The largest number is no rank.
module attributes {} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names device 9223372036854775807; there are 1048576, numbered from 0}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 9223372036854775807]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A vast splat.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has 1000000000000 numbers in 'replica_groups'; at most 1048576 devices are supported}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1000000x1000000xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Not a matrix.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expects a two-dimensional i64 matrix as 'replica_groups', but it is dense<[0, 1]> : tensor<2xi64>}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Not of 64 bits.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error-re@+1 {{expects a two-dimensional i64 matrix as 'replica_groups', but it is dense<{{.*}}> : tensor<1x2xi32>}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi32>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// No groups at all.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has no attribute 'replica_groups'}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Empty groups of a program that does not count its devices.
module attributes {} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has empty 'replica_groups', which stands for all replicas; how many there are follows from the module's attributes 'mhlo.num_replicas' and 'mhlo.num_partitions', which it lacks}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Mesh axes.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names mesh @mesh, which no sdy.mesh of the module defines, in}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = []>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// An axis that is not there.
module attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names axis "z", which the mesh does not have}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "z">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A part that does not divide its axis.
module attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names a part of axis "x" that does not divide it}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#sdy<axis_ref"x":(1)3>]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// An axis twice.
module attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names overlapping parts of axes}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#sdy<axis_ref"x">, #sdy<axis_ref"x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A device order.
module attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=4], device_ids=[3, 2, 1, 0]>, sym_name = "mesh"}> : () -> ()
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{uses a mesh with a device order of its own ('device_ids')}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#sdy<axis_ref"x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A mesh larger than the program.
module attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=8]>, sym_name = "mesh"}> : () -> ()
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names device 4; there are 4, numbered from 0}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#sdy<axis_ref"x">]>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// An unknown encoding.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{is in no known encoding; expected a matrix or #stablehlo.replica_group_mesh_axes<mesh = ..., axes = [...]>}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.iota<4>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Replicas and partitions.
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{joins all 2 partitions of its 2 replicas, in an order that is not settled; expected 'use_global_device_ids' with groups of flattened ids}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// The flag without a channel.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has 'use_global_device_ids' but no channel with a positive handle, which StableHLO does not allow}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A channel to the host.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has a channel of type 2; between devices, type 1 is expected}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Another channel.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expects #stablehlo.channel_handle<handle = ..., type = ...> as 'channel_handle', but it is 1 : i64}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = 1 : i64, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Numbers of two kinds in a program that does not count its devices.
func.func @f(%x: tensor<2xf32>) {
  "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  // expected-error@+1 {{has partition ids where collectives before it have replica ids}}
  "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Counts that are none.
// expected-error@+1 {{expects an integer from 1 to 1048576 as 'mhlo.num_replicas', but it is 0 : i32}}
module attributes {mhlo.num_replicas = 0 : i32} {
}

// -----

// Too many devices.
// expected-error@+1 {{has 1048576 replicas of 2 partitions; at most 1048576 devices are supported}}
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1048576 : i32} {
}

// -----

// Types and dimensions.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{yields 'tensor<6xf32>' as result #0, but for groups of 2 'tensor<4xf32>' is expected}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<6xf32>
    return
  }
}

// -----

// A dimension that is not there.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has gather dimension 1, but operand #0 of type 'tensor<2xf32>' has 1 dimension(s)}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A dimension that is no integer.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expects an integer as 'all_gather_dim', but it is "0"}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = "0", replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// No dimension.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has no attribute 'all_gather_dim'}}
    "stablehlo.all_gather"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// Unranked tensors.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<*xf32>) {
    // expected-error@+1 {{operand #0 must be variadic of ranked tensor of any type values or memref of any type values, but got 'tensor<*xf32>'}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<*xf32>) -> tensor<*xf32>
    return
  }
}

// -----

// Two operands, one result.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{carries 2 tensor(s) but yields 1}}
    "stablehlo.all_gather"(%x, %x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// An attribute that might change the meaning.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has an attribute 'quantized' that is not known for it, so its meaning cannot be kept}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, quantized = true, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return
  }
}

// -----

// A region where none belongs.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{has a region, whose meaning is not known}}
  "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// All-to-all.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{splits into 4 part(s), but its groups have 2 member(s)}}
    "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, split_count = 4 : i64, split_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// Parts of unequal size.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<3xf32>) {
    // expected-error@+1 {{splits dimension 0 of operand #0 of type 'tensor<3xf32>' over 2 devices, which do not divide it}}
    "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, split_count = 2 : i64, split_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<3xf32>) -> tensor<3xf32>
    return
  }
}

// -----

// Permutes.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expects (source, target) pairs, but has rows of 3 number(s)}}
    "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// A rank that is not there.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names partition 4; there are 4, numbered from 0}}
    "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// Two sources for one target.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has rank 1 twice as a target}}
    "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// Pairs that are no matrix.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expects a two-dimensional i64 matrix as 'source_target_pairs', but it is array<i64: 0, 1>}}
    "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = array<i64: 0, 1>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// A broadcast that does not reach everybody.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has partition 2 in no group; every partition must be in one}}
    "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// Reducers.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{has a reducer that computes 'stablehlo.subtract'; expected one of add, multiply, maximum, minimum, and, or, xor of its two arguments}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.subtract"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Only one of the arguments.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{has a reducer that does not combine its two arguments by one op}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Two ops.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{has a reducer that does not combine its two arguments by one op}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %0 = "stablehlo.negate"(%1) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// The result is dropped.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{has a reducer that does not combine its two arguments by one op}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// A collective in a reducer.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{has a reducer that does not combine its two arguments by one op}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Accumulation in another type.
func.func @f(%x: tensor<2xbf16>) {
  // expected-error@+1 {{has a reducer that accumulates bf16 in f32; expected}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<2xbf16>) -> tensor<2xbf16>
  return
}

// -----

// No region.
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{has a reducer that is not a region of one block}}
    "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// Xor of floats passes here and fails in the op that it becomes.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{cannot combine operand #0 of element type 'f32' by 'xor'}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.xor"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Asynchronous forms.
func.func @f(%x: tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>> {
    // expected-error@+1 {{yields a future that goes elsewhere than to stablehlo.async_done}}
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    // expected-note@+1 {{used here}}
    return %f : !stablehlo.future<tensor<4xf32>>
}

// -----

// Awaited twice.
func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{yields a future that is used more than once}}
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    // expected-note@+1 {{used here}}
    "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    // expected-note@+1 {{used here}}
    "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    return
}

// -----

// Awaited in a branch.
func.func @f(%x: tensor<2xf32>, %i: tensor<i32>) {
    // expected-error@+1 {{yields a future that is awaited in another region}}
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    "stablehlo.case"(%i) ({
      // expected-note@+1 {{awaited here}}
      "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
      "stablehlo.return"() : () -> ()
    }) : (tensor<i32>) -> ()
    return
}

// -----

// More than a collective.
func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{expects one collective in its region and a return of all its results, in their order}}
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %t = "stablehlo.tanh"(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %g = "stablehlo.all_gather"(%t) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    return
}

// -----

// Operands and arguments that differ.
func.func @f(%x: tensor<3xf32>) {
    // expected-error@+1 {{has operands that differ in type from its region's arguments}}
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
    }) : (tensor<3xf32>) -> !stablehlo.future<tensor<4xf32>>
    return
}

// -----

// The done yields something else.
func.func @f(%x: tensor<2xf32>) {
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<2xf32>):
      // expected-note@+1 {{collective}}
      %g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
      "stablehlo.return"(%g) : (tensor<4xf32>) -> ()
    }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
    // expected-error@+1 {{yields other types than the collective that it awaits}}
    "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<5xf32>
    return
}

// -----

// Communication that comm has no op for.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{calls 'ragged_all_to_all', which communicates and sends parts whose sizes are known at run time only; comm collectives have static shapes}}
  "stablehlo.custom_call"(%x) <{backend_config = {}, call_target_name = "ragged_all_to_all"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{calls 'all-gather-start', which communicates and hides its groups from MLIR; a collective of StableHLO is expected}}
  "stablehlo.custom_call"(%x) {call_target_name = "all-gather-start"} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{calls 'collective-permute-done', which communicates and hides its groups from MLIR; a collective of StableHLO is expected}}
  "stablehlo.custom_call"(%x) {call_target_name = "collective-permute-done"} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{calls 'mpi_allreduce', which communicates and hides its groups from MLIR; a collective of StableHLO is expected}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_allreduce"} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{calls 'ncclReduceScatter', which communicates and hides its groups from MLIR; a collective of StableHLO is expected}}
  "stablehlo.custom_call"(%x) {call_target_name = "ncclReduceScatter"} : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// Device to device.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{communicates between two devices outside any collective, which comm cannot represent; expected stablehlo.collective_permute}}
  "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

// Device to device, by default.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{communicates between two devices outside any collective, which comm cannot represent; expected stablehlo.collective_permute}}
  "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

// Deprecated.
func.func @f(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{is deprecated and not read; expected stablehlo.all_reduce}}
  "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// All errors of a module are reported.
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @f(%x: tensor<2xf32>) {
    // expected-error@+1 {{names device 2}}
    "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    // expected-error@+1 {{names partition 3}}
    "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 3]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi_sendrecv', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_sendrecv"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi_bcast', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_bcast"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi_barrier', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_barrier"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi_reduce', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_reduce"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi_scan', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_scan"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi_gather_ffi', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi_gather_ffi"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'mpi4jax.send', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "mpi4jax.send"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'MPI_Recv', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "MPI_Recv"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'ncclSend', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "ncclSend"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'nccl_broadcast', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "nccl_broadcast"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'my_rccl.group', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "my_rccl.group"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'ppermute', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "ppermute"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Custom calls.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{calls 'xla.collective_matmul', which communicates and hides its groups from MLIR}}
  "stablehlo.custom_call"(%x) {call_target_name = "xla.collective_matmul"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// MLIR takes an op that it does not know for a terminator at the end of a block. One of comm is none.
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{is the last op of its block; a collective cannot end a block}}
  %0 = "stablehlo.all_gather"(%x)[^next] <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
^next:
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.async_start' op is the last op of its block; a collective cannot end a block}}
  %0 = "stablehlo.async_start"(%x)[^next] ({
  ^bb0(%a: tensor<2xf32>):
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    "stablehlo.return"(%1) : (tensor<4xf32>) -> ()
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
^next:
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    "stablehlo.return"(%1) : (tensor<4xf32>) -> ()
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  // expected-error@+1 {{'stablehlo.async_done' op is the last op of its block; a collective cannot end a block}}
  %2 = "stablehlo.async_done"(%0)[^next] : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
^next:
  return
}
