// RUN: comm-opt %s --comm-verify-futures | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-verify-futures))' | FileCheck %s

// CHECK-LABEL: @dead
func.func @dead(%x: tensor<4xf32>) {
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  return
}

// Both paths meet before the wait.
// CHECK-LABEL: @meeting
func.func @meeting(%x: tensor<4xf32>, %p: i1) {
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.cond_br %p, ^a, ^b
^a:
  cf.br ^c
^b:
  cf.br ^c
^c:
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
}

// Each round starts and awaits, in blocks of its own.
// CHECK-LABEL: @in_a_loop
func.func @in_a_loop(%x: tensor<4xf32>, %p: i1) {
  cf.br ^start
^start:
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.br ^wait
^wait:
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  cf.cond_br %p, ^start, ^end
^end:
  return
}

// A loop between start and wait.
// CHECK-LABEL: @around_a_loop
func.func @around_a_loop(%x: tensor<4xf32>, %p: i1) {
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.br ^loop
^loop:
  cf.cond_br %p, ^loop, ^wait
^wait:
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
}

// A path that is never taken needs no wait.
// CHECK-LABEL: @unreachable
func.func @unreachable(%x: tensor<4xf32>, %p: i1) {
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  cf.cond_br %p, ^wait, ^never
^wait:
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
^never:
  llvm.unreachable
}
