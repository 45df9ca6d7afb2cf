// RUN: comm-opt %s --allow-unregistered-dialect --comm-verify-schedule=mode=record --comm-verify-schedule=mode=check | FileCheck %s --implicit-check-not=comm.recorded
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-verify-schedule{mode=check}))' | FileCheck %s --implicit-check-not=comm.recorded

// Uses may come before definitions in blocks that nothing reaches and in graph regions.
// CHECK-LABEL: func.func @uses_first
func.func @uses_first(%x: tensor<2xf32>, %y: tensor<4xf32>) {
  "front.graph"() ({
    %a = arith.addf %y, %g : tensor<4xf32>
    %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  }) : () -> ()
  return
^unreachable:
  %a = arith.addf %a, %g : tensor<4xf32>
  %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
  cf.br ^unreachable
}
