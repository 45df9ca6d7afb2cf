// A loop that communicates over two groups keeps the links of both busy: a gather over either waits for it, a gather over
// a third group does not. Nothing of the communication moves across the loop.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=machine=%S/Inputs/two-links.toml | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=machine=%S/Inputs/two-links.toml --remarks-filter='comm-schedule' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-schedule{machine=%S/Inputs/two-links.toml}))' | FileCheck %s

// CHECK-LABEL: func.func @two_streams
// CHECK-DAG:     comm.all_gather %arg1 dim 0 over @mesh["x", "y"]
// CHECK-DAG:     comm.all_gather %arg1 dim 0 over @mesh["x"] 
// CHECK:         scf.for
// CHECK:         scf.yield
// CHECK:         comm.wait
// CHECK:         comm.wait

// The loop begins when the gather over its first link has ended, and takes 3 x 40 us. The gather over both axes has a
// link of its own and is hidden.
// REMARKS: Function=two_streams {{.*}}step time {{.*}} -> 170.0 us
// REMARKS: hidden 0.0 us, exposed 50.0 us; limited by its consumer, although it begins with the step
// REMARKS: hidden 10.0 us, exposed 0.0 us
comm.mesh @mesh <["x" = 2, "y" = 2]>
func.func @two_streams(%x: tensor<4xf32>, %p: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %f = comm.all_gather %p dim 0 over @mesh["x"] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %g = comm.all_gather %p dim 0 over @mesh["x", "y"] {comm.duration_ns = 60000 : i64} : tensor<2xf32> -> !comm.future<tensor<8xf32>>
  %r = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> tensor<4xf32> {
    %a = comm.all_reduce sum %h over @mesh["x"] {comm.duration_ns = 20000 : i64} : tensor<4xf32> -> !comm.future<tensor<4xf32>>
    %b = comm.wait %a keeping(%h : tensor<4xf32>) : !comm.future<tensor<4xf32>>
    %c = comm.all_reduce sum %b over @mesh["y"] {comm.duration_ns = 20000 : i64} : tensor<4xf32> -> !comm.future<tensor<4xf32>>
    %d = comm.wait %c keeping(%b : tensor<4xf32>) : !comm.future<tensor<4xf32>>
    %e = "model.layer"(%d) {comm.pure, comm.duration_ns = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %v = comm.wait %g keeping(%p : tensor<2xf32>) : !comm.future<tensor<8xf32>>
  return %w, %r, %v : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}
