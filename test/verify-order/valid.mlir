// RUN: comm-opt %s --allow-unregistered-dialect --comm-verify-order --split-input-file | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-verify-order)' --split-input-file | FileCheck %s

// Straight-line code: all ranks issue the same sequence, though groups overlap.
// CHECK-LABEL: @straight
func.func @straight(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = comm.all_reduce sum %x over [[0, 1], [2, 3]] : tensor<4xf32> -> tensor<4xf32>
  %b = comm.all_reduce sum %a over [[0, 2], [1, 3]] : tensor<4xf32> -> tensor<4xf32>
  %c = comm.permute %b pairs [[0, 1], [1, 2]] : tensor<4xf32> -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// A marked argument, a constant, what an all-reduce over all devices yields, and what pure ops make of them are the
// same on all devices.
// CHECK-LABEL: @uniform_conditions
func.func @uniform_conditions(%x: tensor<4xf32>, %n: index {comm.uniform}, %v: tensor<i32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %loop = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<4xf32> {
    %r = comm.all_reduce sum %acc over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  %s = comm.all_reduce sum %v over [[0, 1]] : tensor<i32> -> tensor<i32>
  %e = tensor.extract %s[] : tensor<i32>
  %z = arith.constant 7 : i32
  %p = arith.cmpi slt, %e, %z : i32
  %y = scf.if %p -> tensor<4xf32> {
    %r = comm.all_reduce sum %loop over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  } else {
    scf.yield %loop : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A loop-carried counter stays uniform.
// CHECK-LABEL: @while_loop
func.func @while_loop(%x: tensor<4xf32>, %n: index {comm.uniform}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %a = %x) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %p = arith.cmpi slt, %i, %n : index
    scf.condition(%p) %i, %a : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %a: tensor<4xf32>):
    %b = comm.all_reduce sum %a over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b : index, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// Divergent, but the arms issue the same; whether they block does not matter.
// CHECK-LABEL: @equal_arms
func.func @equal_arms(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %y = scf.if %p -> tensor<4xf32> {
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  } else {
    %d = arith.addf %x, %x : tensor<4xf32>
    %f = comm.all_reduce sum %d over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
    %r = comm.wait %f keeping(%d : tensor<4xf32>) : !comm.future<tensor<4xf32>>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Each rank is followed: ranks 0 and 1 take one arm, 2 and 3 the other, and each group lies in one arm.
// CHECK-LABEL: @stages
comm.mesh @mesh <["stage" = 2, "tp" = 2]>
func.func @stages(%x: tensor<4xf32>) -> tensor<4xf32> {
  %stage = comm.rank over @mesh["stage"] : index
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %stage, %c0 : index
  %y = scf.if %first -> tensor<4xf32> {
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    %p = comm.permute %a pairs [[0, 2], [1, 3]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %p : tensor<4xf32>
  } else {
    %p = comm.permute %x pairs [[0, 2], [1, 3]] : tensor<4xf32> -> tensor<4xf32>
    %a = comm.all_reduce sum %p over [[2, 3]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Unrolled, since ranks do different things in it: in round i, rank i and its right neighbour meet.
// CHECK-LABEL: @ring
func.func @ring(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1, 2]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.index_switch %i
    case 0 {
      %low = arith.cmpi ult, %rank, %c2 : index
      scf.if %low {
        %a = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
      }
      scf.yield
    }
    default {
      %high = arith.cmpi uge, %rank, %c1 : index
      scf.if %high {
        %a = comm.all_reduce sum %x over [[1, 2]] : tensor<4xf32> -> tensor<4xf32>
      }
    }
  }
  return
}

// -----

// Collectives of a group may meet across arms and calls; the trip count depends on the rank, their number does not.
// CHECK-LABEL: @unequal_loops
func.func private @gather(%x: tensor<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  }
  return
}
func.func @unequal_loops(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c1 = arith.constant 1 : index
  %before = arith.addi %rank, %c1 : index
  call @gather(%x, %before) : (tensor<4xf32>, index) -> ()
  %after = arith.subi %c1, %rank : index
  call @gather(%x, %after) : (tensor<4xf32>, index) -> ()
  return
}

// -----

// The ids of StableHLO are ranks where the module says that only one kind of id varies.
// CHECK-LABEL: module @jax
module @jax attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %id = "stablehlo.partition_id"() : () -> tensor<ui32>
    %zero = "stablehlo.constant"() {value = dense<0> : tensor<ui32>} : () -> tensor<ui32>
    %p = "stablehlo.compare"(%id, %zero) {comparison_direction = "EQ"} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %y = "stablehlo.if"(%p) ({
      %a = comm.all_gather %x dim 0 over [[0]] : tensor<4xf32> -> tensor<4xf32>
      "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
    }, {
      "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
    }) : (tensor<i1>) -> tensor<4xf32>
    %r = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

// Blocks: a uniform loop, then ranks part and meet again.
// CHECK-LABEL: @blocks
func.func @blocks(%x: tensor<4xf32>, %n: index {comm.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = comm.rank over [[0, 1]] : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^split
^body:
  %a = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^split:
  %zero = arith.cmpi eq, %rank, %c0 : index
  cf.cond_br %zero, ^left, ^right
^left:
  %b = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^join
^right:
  %c = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^join
^join:
  return
}

// -----

// Nothing is issued under the divergent condition, so it does not matter; a call of a function without a body is taken
// to be the same everywhere.
// CHECK-LABEL: @harmless
func.func private @external()
func.func @harmless(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %y = scf.if %p -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %d = arith.addf %x, %x : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  call @external() : () -> ()
  %r = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The condition is not known, but sends all ranks the same way; what follows on either path is checked on its own.
// CHECK-LABEL: @early_exits
func.func @early_exits(%x: tensor<2xf32>, %u: i1 {comm.uniform}) -> tensor<2xf32> {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  cf.cond_br %u, ^a, ^b
^a:
  cf.cond_br %p, ^c, ^d
^b:
  %0 = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
^c:
  %1 = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
^d:
  %2 = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// Regions that compute run no collective.
// CHECK-LABEL: @regions_that_compute
func.func @regions_that_compute(%x: tensor<4xf32>, %m: memref<4xf32>, %p: i1) -> tensor<4xf32> {
  %f = arith.constant 0.0 : f32
  scf.if %p {
    linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
    %s = "stablehlo.reduce"(%x, %x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %g = tensor.generate {
    ^bb0(%i: index):
      tensor.yield %f : f32
    } : tensor<4xf32>
  }
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
