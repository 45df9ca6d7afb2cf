// RUN: comm-opt %s --comm-verify-futures -verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-verify-futures))' -verify-diagnostics

func.func @one_path_only(%shard: tensor<2xf32>, %full: tensor<8xf32>, %now: i1) -> tensor<8xf32> {
  // expected-error @+1 {{'comm.all_gather' op yields a future that is not awaited on every path to the end of its region}}
  %future = comm.all_gather %shard dim 0 over [[0, 1, 2, 3]] : tensor<2xf32> -> !comm.future<tensor<8xf32>>
  cf.cond_br %now, ^wait, ^leave(%full : tensor<8xf32>)
^wait:
  // expected-note @+1 {{awaited here}}
  %gathered = comm.wait %future keeping(%shard : tensor<2xf32>) : !comm.future<tensor<8xf32>>
  cf.br ^leave(%gathered : tensor<8xf32>)
^leave(%result: tensor<8xf32>):
  return %result : tensor<8xf32>
}
