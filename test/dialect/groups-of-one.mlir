// Rewrites of groups of one need no dialect to be loaded by the file, and leave an op alone that is its own operand.
// RUN: comm-opt %s --canonicalize -split-input-file | FileCheck %s
// RUN: %mlir_opt_plugin %s --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @cast
// CHECK-NEXT:    %[[C:.*]] = tensor.cast %arg0 : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT:    return %[[C]]
func.func @cast(%x: tensor<?xf32>) -> tensor<4xf32> {
  %g = comm.all_gather %x dim 0 over [[0]] : tensor<?xf32> -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @itself
// CHECK-NOT: comm.all_reduce
func.func @itself() {
  return
^never:
  %g = comm.all_reduce sum %g over [[0]] : tensor<4xf32> -> tensor<4xf32>
  cf.br ^never
}
