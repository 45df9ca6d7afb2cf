// A call in a region of one unregistered op does not verify in MLIR (the op might be a symbol table), so such programs,
// as JAX prints them, are read with the verifier off until the calls are inlined. What a verifier would have caught is then caught here.
// RUN: not comm-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --comm-import-stablehlo 2>&1 | FileCheck %s
// RUN: not %mlir_opt_plugin %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --verify-each=false --pass-pipeline='builtin.module(comm-import-stablehlo)' 2>&1 | FileCheck %s

// CHECK: error: 'func.call' op does not fit the arguments and results of its callee
// CHECK: note: called function
func.func @main(%x: tensor<2xf32>) {
  "sdy.manual_computation"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %0 = func.call @callee(%a) : (tensor<2xf32>) -> tensor<2xf32>
    "sdy.return"() : () -> ()
  }) : (tensor<2xf32>) -> ()
  return
}
func.func private @callee(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
