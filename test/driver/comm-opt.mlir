// comm-opt is mlir-opt with more in it.
//
// RUN: comm-opt --help | FileCheck %s --check-prefix=HELP
// RUN: %mlir_opt_plugin --help | FileCheck %s --check-prefix=HELP
// HELP-DAG: --comm-asyncify
// HELP-DAG: --comm-import-shard
// HELP-DAG: --comm-import-stablehlo
// HELP-DAG: --comm-import-torch
// HELP-DAG: --comm-sort
// HELP-DAG: --comm-verify-futures
// HELP-DAG: --comm-verify-order
// HELP-DAG: --comm-verify-schedule
// HELP-DAG: --one-shot-bufferize
// HELP-DAG: --convert-scf-to-cf
//
// RUN: comm-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: %mlir_opt_plugin --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: arith
// DIALECTS: {{[ ,]}}comm{{,|$}}
// DIALECTS: shard
//
// RUN: comm-opt %s --comm-asyncify --mlir-timing --mlir-timing-display=list 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: CommAsyncify
//
// RUN: comm-opt %s --comm-asyncify --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-asyncify))' --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// AFTER: IR Dump After CommAsyncify (comm-asyncify)
// AFTER: comm.wait
//
// RUN: comm-opt %s --emit-bytecode -o %t.mlirbc
// RUN: comm-opt %t.mlirbc | FileCheck %s --check-prefix=BYTECODE
// RUN: %mlir_opt_plugin %t.mlirbc | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: comm.all_reduce sum
//
// The pipeline that ran can be printed, with the values of all options.
// RUN: comm-opt %s --comm-sort=max-in-flight=1 --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: comm-sort{
// PIPELINE-SAME: max-in-flight=1
//
// Options that are not there, and values that are none, are refused.
// RUN: not comm-opt %s --pass-pipeline='builtin.module(func.func(comm-sort{nonsense=1}))' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: no such option nonsense
// RUN: not comm-opt %s --pass-pipeline='builtin.module(func.func(comm-sort{ties=coin}))' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: coin
//
// A pass on another op than it is for is refused.
// RUN: not comm-opt %s --pass-pipeline='builtin.module(comm-sort)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: Can't add pass 'CommSort' restricted to 'func.func'

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
