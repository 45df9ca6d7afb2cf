// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo='split-barriers' -verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo{split-barriers=true})' -verify-diagnostics

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects results of the types of its operands}}
  "stablehlo.optimization_barrier"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return
}
