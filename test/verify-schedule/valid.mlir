// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record}))' | FileCheck %s --check-prefix=RECORD
// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check}))' | FileCheck %s --check-prefix=SORTED --implicit-check-not=comm.recorded
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record},comm-sort,comm-verify-schedule{mode=check}))' | FileCheck %s --check-prefix=SORTED --implicit-check-not=comm.recorded
// RUN: comm-opt %s --allow-unregistered-dialect --split-input-file --comm-verify-schedule=mode=record --comm-verify-schedule=mode=check | FileCheck %s --check-prefix=SAME --implicit-check-not=comm.recorded
// RUN: comm-opt %s --allow-unregistered-dialect --comm-verify-schedule=mode=record | comm-opt --allow-unregistered-dialect --comm-verify-schedule=mode=check | FileCheck %s --check-prefix=SAME --implicit-check-not=comm.recorded
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=record}))' | %mlir_opt_plugin --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(comm-verify-schedule{mode=check}))' | FileCheck %s --check-prefix=SAME --implicit-check-not=comm.recorded

// Ops are numbered block by block, with a gap between blocks; the function carries the next number.
// RECORD-LABEL: func.func @moved
// RECORD-SAME: comm.recorded = 10 : i64
// RECORD: comm.all_gather {{.*}} {comm.recorded = 0 : i64}
// RECORD: comm.wait {{.*}} {comm.recorded = 1 : i64}
// RECORD: arith.addf {{.*}} {comm.recorded = 2 : i64}
// RECORD: scf.if
// RECORD: scf.yield {comm.recorded = 6 : i64}
// RECORD: scf.yield {comm.recorded = 8 : i64}
// RECORD: {comm.recorded = 3 : i64}
// RECORD: return {comm.recorded = 4 : i64}

// SAME-LABEL: func.func @moved
// SAME: comm.all_gather
// SORTED-LABEL: func.func @moved
// SORTED: arith.addf
// SORTED: comm.all_gather
// SORTED: comm.wait
// SORTED: scf.if
func.func @moved(%x: tensor<4xf32>, %y: tensor<8xf32>, %p: i1 {comm.uniform}) -> tensor<8xf32> {
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %a = arith.addf %y, %y : tensor<8xf32>
  %r = scf.if %p -> tensor<8xf32> {
    scf.yield %g : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A declaration has no order.
// RECORD: func.func private @declared()
// SORTED: func.func private @declared()
// SAME: func.func private @declared()
func.func private @declared()

// What linalg ops hold has no number: their short forms print none of it, and the check may read another file.
// RECORD-LABEL: func.func @short_forms
// RECORD-SAME: comm.recorded = 5 : i64
// SAME-LABEL: func.func @short_forms
// SAME: linalg.transpose
// SORTED-LABEL: func.func @short_forms
func.func @short_forms(%m: memref<4x2xf32>, %x: memref<2x4xf32>) -> f32 {
  %i = arith.constant 0 : index
  linalg.transpose ins(%x : memref<2x4xf32>) outs(%m : memref<4x2xf32>) permutation = [1, 0]
  %v = memref.load %m[%i, %i] : memref<4x2xf32>
  return %v : f32
}
