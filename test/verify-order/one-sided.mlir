// RUN: comm-opt %s --comm-verify-order --split-input-file --verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-verify-order)' --split-input-file --verify-diagnostics

// An unused collective is dead, also where its counterpart on another path is not: legal now, a deadlock after DCE.

// The root needs nothing of what it sends.
func.func @root(%x: tensor<2xf32>) -> tensor<2xf32> {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %root = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %root -> tensor<2xf32> {
    // expected-warning @below {{'comm.broadcast' op has no used result, unlike its counterpart on other ranks; a pass that erases dead code (canonicalize, cse) would leave those waiting; a use of its result is expected here too}}
    %unused = comm.broadcast %x root 0 over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    scf.yield %x : tensor<2xf32>
  } else {
    %b = comm.broadcast %x root 0 over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    scf.yield %b : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// A wait is no use where nobody uses what it yields. The condition is not known; the arms are equal.
func.func @wait(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %r = scf.if %p -> tensor<2xf32> {
    %f = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<2xf32>>
    %y = comm.wait %f keeping(%x : tensor<2xf32>) : !comm.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    // expected-warning @below {{'comm.all_reduce' op has no used result}}
    %f = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<2xf32>>
    %y = comm.wait %f keeping(%x : tensor<2xf32>) : !comm.future<tensor<2xf32>>
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// Dead on both paths, or used on both: nobody is left waiting.
func.func @both(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %r = scf.if %p -> tensor<2xf32> {
    %dead = comm.all_reduce max %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  } else {
    %dead = comm.all_reduce max %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    %b = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    scf.yield %b : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
