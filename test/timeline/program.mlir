// The top block of a function of a program: ops by name and line or named location, a loop as one bar that keeps its
// stream busy. Of several functions the one that communicates, or the one that is named.
// RUN: comm-timeline %s --ascii | FileCheck %s
// RUN: comm-timeline %s --function quiet | FileCheck %s --check-prefix=QUIET
// RUN: comm-timeline %s --ascii --trace %t.json > %t.txt
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json
// RUN: not comm-timeline %s --function nowhere 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not comm-timeline %s --machine abacus 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: cat %s %S/Inputs/second.mlir > %t.mlir
// RUN: not comm-timeline %t.mlir 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: echo 'func.func' > %t.broken.mlir
// RUN: not comm-timeline %t.broken.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX

// CHECK:      program.mlir
// CHECK-NEXT: step 220 us = compute 70 us + exposed 150 us (68.2 %)
// CHECK-NEXT: 50 us of what is exposed lies inside of 1 bar of loops or branches, whose waits are not drawn
// CHECK:      {{^ +}}[[[GROUP:.*]]] {{ *}}GGGG{{.*}}===
// CHECK:      1 70 us all_gather weight at 20 us: runs 90 us, issued 20 us before; limited by consumer
// CHECK:      3 30 us all_reduce line 48 at 190 us: runs 30 us, issued when needed; limited by blocking

// TRACE-DAG: "name":"all_gather weight"
// TRACE-DAG: "name":"for line 44"

// QUIET: step 5 us = compute 5 us + exposed 0 ns (0.0 %)
// QUIET: nothing is exposed

// UNKNOWN: comm-timeline: {{.*}}program.mlir: has no function @nowhere with a body; it has @step, @quiet
// MACHINE: comm-timeline: {{.*}}program.mlir: {{.*}}abacus
// WHICH: has several functions, name one of @step, @second
// SYNTAX: comm-timeline: {{.*}}broken.mlir: is no program that MLIR can parse

func.func private @declared(tensor<4xf32>)

func.func @step(%x: tensor<4xf32>, %p: tensor<2xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 90000 : i64}
    : tensor<2xf32> -> !comm.future<tensor<4xf32>> loc("weight")
  %a = arith.addf %x, %x {comm.duration_ns = 20000 : i64} : tensor<4xf32>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %b = arith.mulf %a, %w {comm.duration_ns = 50000 : i64} : tensor<4xf32>
  // Five times a body that takes ten microseconds, a collective among them.
  %r = scf.for %i = %zero to %five step %one iter_args(%h = %b) -> tensor<4xf32> {
    %c = comm.all_reduce sum %h over [[0, 1]] {comm.duration_ns = 10000 : i64} : tensor<4xf32> -> tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  %s = comm.all_reduce sum %r over [[0, 1]] {comm.duration_ns = 30000 : i64} : tensor<4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

func.func @quiet(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = arith.addf %x, %x {comm.duration_ns = 5000 : i64} : tensor<4xf32>
  return %a : tensor<4xf32>
}
