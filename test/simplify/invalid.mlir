// RUN: comm-opt %s --comm-simplify=machine=h100-8 -verify-diagnostics -split-input-file
// RUN: not comm-opt %s -split-input-file --comm-simplify=machine=nothing 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not comm-opt %s -split-input-file --comm-simplify=memory-limit=-2 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not comm-opt %s -split-input-file --comm-simplify=profile=%t.does.not.exist 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not comm-opt %s -split-input-file --comm-simplify=egraphs=/dev/null/graphs 2>&1 | FileCheck %s --check-prefix=GRAPHS

// MACHINE: error: comm-simplify: {{.*}}nothing
// LIMIT: error: comm-simplify: memory-limit is expected to be -1 (no limit), 0 or more, but is -2
// PROFILE: error: comm-simplify: {{.*}}does.not.exist
// GRAPHS: error: comm-simplify: cannot write e-graphs to '/dev/null/graphs'

func.func @fine(%x: tensor<8x4xf32>) -> tensor<8x4xbf16> {
  %0 = comm.all_gather %x dim 0 over [[0]] : tensor<8x4xf32> -> tensor<8x4xf32>
  %1 = arith.truncf %0 : tensor<8x4xf32> to tensor<8x4xbf16>
  return %1 : tensor<8x4xbf16>
}

// -----

// Futures are checked first.
func.func @twice(%x: tensor<8x4xf32>) -> tensor<16x4xf32> {
  // expected-error @below {{'comm.all_gather' op yields a future with more than one comm.wait}}
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<8x4xf32> -> !comm.future<tensor<16x4xf32>>
  // expected-note @below {{awaited here}}
  %0 = comm.wait %f keeping(%x : tensor<8x4xf32>) : !comm.future<tensor<16x4xf32>>
  // expected-note @below {{awaited here}}
  %1 = comm.wait %f keeping(%x : tensor<8x4xf32>) : !comm.future<tensor<16x4xf32>>
  return %1 : tensor<16x4xf32>
}
