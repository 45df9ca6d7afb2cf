// A pass that fails leaves a reproducer, which fails alike when it is run.
//
// RUN: not comm-opt %s --comm-verify-order --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.mlir
// RUN: not comm-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not %mlir_opt_plugin %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN
//
// CHECK: error: 'scf.if' op branches on a value that may differ between ranks
// CHECK: reproducer generated at
// FILE: scf.if
// FILE: mlir_reproducer: {
// FILE: pipeline: "builtin.module(comm-verify-order)"
// AGAIN: error: 'scf.if' op branches on a value that may differ between ranks

func.func @f(%x: tensor<4xf32>, %p: i1) {
  scf.if %p {
    %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  return
}
