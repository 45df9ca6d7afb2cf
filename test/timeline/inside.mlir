// What a loop or a branch holds inside counts: step, exposed time and peak memory are those that the pass reports of the
// same order.
// RUN: comm-opt %s --pass-pipeline='builtin.module(func.func(comm-schedule))' --remarks-filter='comm-schedule' -o %t.mlir 2> %t.txt
// RUN: comm-timeline %t.mlir --ascii --svg %t.svg >> %t.txt
// RUN: FileCheck %s --input-file %t.txt
// RUN: FileCheck %s --check-prefix=SVG --input-file %t.svg

// Five times 20 us in the loop, and 50 us in the branch.
// CHECK: Function=step {{.*}}step time 600.0 us -> 600.0 us, exposed 250.0 us -> 250.0 us, peak memory 20480 -> 20480 bytes
// CHECK: step 600 us = compute 350 us + exposed 250 us (41.7 %)
// CHECK-NEXT: 150 us of what is exposed lies inside of 2 bars of loops or branches, whose waits are not drawn
// CHECK-NEXT: peak memory 20 KiB (20480 bytes) at 100 us
// What is inside may take less in another order, which the bound does not know.
// CHECK-NEXT: no order of this block takes less than 600 us (LB0); gap 0.0 %
// CHECK-NEXT: as long as what is inside of 2 loops or branches stays as it is
// What is listed is all that is exposed.
// CHECK: 1 100 us all_reduce line [[#]] at 0 ns: runs 100 us, issued as the step begins
// CHECK-NEXT: limited by blocking
// CHECK-NEXT: 2 100 us inside for line [[#]] at 100 us: takes 350 us
// CHECK-NEXT: 3 50 us inside if line [[#]] at 450 us: takes 50 us
// CHECK: limited by inside loops or branches 150 us in 2 bars
// CHECK-NEXT: blocking 100 us in 1 wait
// SVG: 150 us of what is exposed lies inside of 2 bars
// SVG: 58.3 % busy

func.func @step(%x: tensor<1024xf32>, %c: i1 {comm.uniform}) -> tensor<1024xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %a = comm.all_reduce sum %x over [[0, 1]] {comm.duration_ns = 100000 : i64} : tensor<1024xf32> -> tensor<1024xf32>
  %r = scf.for %i = %zero to %five step %one iter_args(%h = %a) -> tensor<1024xf32> {
    %b = arith.addf %h, %h {comm.duration_ns = 40000 : i64} : tensor<1024xf32>
    %g = comm.all_gather %b dim 0 over [[0, 1]] {comm.duration_ns = 20000 : i64} : tensor<1024xf32> -> tensor<2048xf32>
    %s = tensor.extract_slice %g[0] [1024] [1] : tensor<2048xf32> to tensor<1024xf32>
    %d = arith.mulf %s, %b {comm.duration_ns = 10000 : i64} : tensor<1024xf32>
    scf.yield %d : tensor<1024xf32>
  }
  %q = scf.if %c -> tensor<1024xf32> {
    %e = comm.all_reduce sum %r over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<1024xf32> -> tensor<1024xf32>
    scf.yield %e : tensor<1024xf32>
  } else {
    scf.yield %r : tensor<1024xf32>
  }
  %z = arith.addf %q, %q {comm.duration_ns = 100000 : i64} : tensor<1024xf32>
  return %z : tensor<1024xf32>
}
