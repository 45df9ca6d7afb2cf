// Measured durations, by the name of an op or by its location, win over those that the program carries. What the profile
// says of nothing here is a remark.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ATTRIBUTES
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=profile=%S/Inputs/profile.toml --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule{profile=%S/Inputs/profile.toml}))' --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROFILE
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=profile=%S/Inputs/absent.toml 2>&1 | FileCheck %s --check-prefix=ABSENT

// ATTRIBUTES: step time {{.*}} -> 60.0 us
// ATTRIBUTES-NOT: the profile says

// PROFILE: step time {{.*}} -> 100.0 us
// PROFILE: [Analysis] profile {{.*}}no op here has what the profile says of model.absent

// ABSENT: error: comm-schedule: cannot read '{{.*}}absent.toml'
func.func @measured(%x: tensor<4xf32>, %p: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = "model.first"(%x) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = "model.second"(%a) {comm.pure, comm.duration_ns = 20000 : i64} : (tensor<4xf32>) -> tensor<4xf32> loc("second")
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 60000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %b, %w : tensor<4xf32>, tensor<4xf32>
}
