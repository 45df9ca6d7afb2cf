// RUN: comm-opt %s --comm-verify-order -verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-verify-order)' -verify-diagnostics

// Rank 0 reduces %x first, rank 1 reduces %y first: each waits for the other.
func.func @deadlock(%x: tensor<2xf32>, %y: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %rank, %zero : index
  %r:2 = scf.if %first -> (tensor<2xf32>, tensor<4xf32>) {
    // expected-error @+1 {{'comm.all_reduce' op is collective #0 that rank 0 issues among ranks [0, 1], but rank 1 issues another one there}}
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    %b = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %a, %b : tensor<2xf32>, tensor<4xf32>
  } else {
    // expected-note @+1 {{rank 1 issues this}}
    %b = comm.all_reduce sum %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    %a = comm.all_reduce sum %x over [[0, 1]] : tensor<2xf32> -> tensor<2xf32>
    scf.yield %a, %b : tensor<2xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<4xf32>
}
