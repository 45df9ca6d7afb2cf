// RUN: comm-opt %s --split-input-file --verify-diagnostics --comm-asyncify | FileCheck %s
// RUN: %mlir_opt_plugin %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(comm-asyncify))' | FileCheck %s
//
// An error that was expected and does not come fails the run.
// RUN: sed 's/tensor<3xf32>/tensor<4xf32>/g' %s > %t.mlir
// RUN: not comm-opt %t.mlir --split-input-file --verify-diagnostics --comm-asyncify 2>&1 | FileCheck %s --check-prefix=MISSED
// MISSED: expected error "do not divide it" was not produced

// CHECK-LABEL: @first
// CHECK: comm.wait
func.func @first(%x: tensor<4xf32>) {
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @second(%x: tensor<3xf32>) {
  // expected-error @below {{do not divide it}}
  %r = comm.reduce_scatter sum %x dim 0 over [[0, 1]] : tensor<3xf32> -> tensor<2xf32>
  return
}

// -----

// The error before does not stop what comes after.
// CHECK-LABEL: @third
// CHECK: comm.wait
func.func @third(%x: tensor<4xf32>) {
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}
