// RUN: comm-opt %s --comm-sort -split-input-file -verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-sort))' -split-input-file -verify-diagnostics

// The pass checks futures first.
func.func @not_awaited(%shard: tensor<2xf32>, %now: i1) {
  // expected-error @+1 {{'comm.all_gather' op yields a future that is not awaited on every path to the end of its region}}
  %future = comm.all_gather %shard dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  cf.cond_br %now, ^wait, ^leave
^wait:
  // expected-note @+1 {{awaited here}}
  %gathered = comm.wait %future keeping(%shard : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  cf.br ^leave
^leave:
  return
}
