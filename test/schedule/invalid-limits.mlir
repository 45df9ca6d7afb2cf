// A limit that cannot be kept is an error at the block that needs most, and the function stays as it was.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='memory-limit=31 max-in-flight=1' -split-input-file -verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule{memory-limit=31 max-in-flight=1}))' -split-input-file -verify-diagnostics
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule='memory-limit=31' --mlir-print-ir-after-failure -o /dev/null 2>&1 | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule='memory-limit=32 max-in-flight=2' -split-input-file -o /dev/null

// CHECK: func.func @two_blocks
// CHECK:   comm.all_gather
// CHECK-NEXT: comm.wait
// CHECK-NEXT: "my.small"
// CHECK-NEXT: cf.br
// CHECK:   comm.all_gather
// CHECK-NEXT: comm.wait
// CHECK-NEXT: "my.small"
// CHECK-NEXT: return
func.func @two_blocks(%p: tensor<2xf32>, %q: tensor<4xf32>) {
  %f = comm.all_gather %p dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %s = "my.small"(%w) {comm.pure} : (tensor<4xf32>) -> tensor<1xf32>
  cf.br ^next
^next:
  // expected-error @+1 {{comm-schedule: at most 31 bytes live at once cannot be kept; 32 is}}
  %g = comm.all_gather %q dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %v = comm.wait %g keeping(%q : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %t = "my.small"(%v) {comm.pure} : (tensor<8xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @fence(%p: tensor<1xf32>, %q: tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @+1 {{comm-schedule: at most 1 collectives in flight on one stream cannot be kept; 2 is}}
  %f = comm.all_gather %p dim 0 over [[0, 1]] : tensor<1xf32> -> !comm.future<tensor<2xf32>>
  %g = comm.all_gather %q dim 0 over [[0, 1]] : tensor<1xf32> -> !comm.future<tensor<2xf32>>
  "my.print"() : () -> ()
  %w = comm.wait %f keeping(%p : tensor<1xf32>) : !comm.future<tensor<2xf32>>
  %v = comm.wait %g keeping(%q : tensor<1xf32>) : !comm.future<tensor<2xf32>>
  return %w, %v : tensor<2xf32>, tensor<2xf32>
}
