// Members that were measured: their bucket takes their time less all latencies but the longest, and says so; what a profile
// says of single collectives is not taken for the bucket's time afterwards.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='machine=%S/Inputs/latency.toml' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket='machine=%S/Inputs/latency.toml profile=%S/Inputs/profile.toml' | FileCheck %s --check-prefix=PROFILE
// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-bucket{machine=%S/Inputs/latency.toml profile=%S/Inputs/profile.toml},comm-schedule{machine=%S/Inputs/latency.toml profile=%S/Inputs/profile.toml}))' --remarks-filter=comm-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=STEP

// The latency is 20 us: 30 + 25 - 20.
// CHECK:   comm.all_gather %arg0, %arg1 dim 0 over {{.*}} {comm.duration_ns = 35000 : i64}
// PROFILE: comm.all_gather %arg0, %arg1 dim 0 over {{.*}} {comm.duration_ns = 60000 : i64}
// STEP:    step time {{.*}} -> 60.0 us
func.func @measured(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %fa = comm.all_gather %a dim 0 over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %wa = comm.wait %fa keeping(%a : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %fb = comm.all_gather %b dim 0 over [[0, 1]] {comm.duration_ns = 25000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %wb = comm.wait %fb keeping(%b : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %wa, %wb : tensor<4xf32>, tensor<4xf32>
}
