// The machine says what things cost, and which groups share a link. Two gathers over different axes of a mesh run at once
// if each axis has a link of its own; else the second waits for the first.
// RUN: comm-opt %s --comm-schedule=machine=%S/Inputs/two-links.toml --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: comm-opt %s --comm-schedule=machine=%S/Inputs/one-link.toml --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-schedule{machine=%S/Inputs/one-link.toml}))' --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: comm-opt %s --comm-schedule=machine=a100-8 | FileCheck %s
// RUN: comm-opt %s --comm-schedule=machine=h100-8 | FileCheck %s
// RUN: comm-opt %s --comm-schedule=machine=b200-8 | FileCheck %s

// TWO: step time 40.0 us -> 20.0 us
// TWO-DAG: hidden 0.0 us, exposed 20.0 us; limited by its consumer, although it begins with the step
// TWO-DAG: hidden 0.0 us, exposed 0.0 us

// ONE: step time 40.0 us -> 40.0 us
// ONE: limited by the link, which is busy until it begins

// CHECK-LABEL: func.func @axes
comm.mesh @mesh <["x" = 2, "y" = 2]>
func.func @axes(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = comm.all_gather %a dim 0 over @mesh["x"] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%a : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %g = comm.all_gather %b dim 0 over @mesh["y"] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %v = comm.wait %g keeping(%b : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w, %v : tensor<4xf32>, tensor<4xf32>
}
