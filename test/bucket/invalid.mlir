// RUN: comm-opt %s --comm-bucket='machine=z80' -split-input-file -verify-diagnostics
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-bucket{machine=z80}))' -split-input-file -verify-diagnostics

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

// expected-error @+1 {{comm-bucket: 'z80' is no machine: one of a100-8, h100-8, b200-8, or a path that ends in .toml, is expected}}
func.func @no_machine(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = comm.all_gather %a dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  %y = comm.all_gather %b dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  return %x, %y : tensor<4xf32>, tensor<4xf32>
}

// -----

// One collective has nothing to be merged with, so no machine is asked for.
func.func @one(%a: tensor<2xf32>) -> tensor<4xf32> {
  %x = comm.all_gather %a dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'comm.bucket' is expected to be a string, but is 1 : i64}}
func.func @no_string(%a: tensor<2xf32>) attributes {comm.bucket = 1 : i64} {
  return
}
