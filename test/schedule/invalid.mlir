// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='machine=z80 memory-limit=1' -split-input-file -verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule{machine=z80 memory-limit=1}))' -split-input-file -verify-diagnostics

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

// -----

// expected-error @+1 {{comm-schedule: 'z80' is no machine: one of a100-8, h100-8, b200-8, or a path that ends in .toml, is expected}}
func.func @no_machine(%shard: tensor<2xf32>) -> tensor<4xf32> {
  %gathered = comm.all_gather %shard dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  return %gathered : tensor<4xf32>
}

// -----

// What does not communicate needs no machine.
func.func @nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
