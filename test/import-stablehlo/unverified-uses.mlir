// With the verifier off, a value may be used outside of the region that makes it. The region must not vanish under it.
// RUN: not comm-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --comm-import-stablehlo 2>&1 | FileCheck %s

// CHECK: error: 'stablehlo.all_reduce' op has a region whose values are used outside of it
func.func @main(%x: tensor<2xf32>) {
  "test.use"(%1) : (tensor<f32>) -> ()
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
