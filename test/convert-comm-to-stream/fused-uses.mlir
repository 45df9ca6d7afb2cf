// Several uses of one workspace, and options.
//
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal sub-chunks=1 timeout-ms=1500' --canonicalize --split-input-file | FileCheck %s
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal sub-chunks=1 timeout-ms=1500' --comm-verify-stream --split-input-file -o /dev/null
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal depth=1 sub-chunks=2 order=descending' --canonicalize --split-input-file | FileCheck %s --check-prefix=PARTS
// RUN: comm-opt %s --convert-comm-to-stream='schedule=signal depth=1 sub-chunks=2 order=descending' --comm-verify-stream --split-input-file -o /dev/null

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Uses are numbered from 0 over the whole function: epoch u + 1, and half u mod 2 of the workspace, which has the size of what
// the largest op needs (128 bytes: a shard of 2x16 floats, or two slots of 2x4 floats, each aligned to 64).
// CHECK-LABEL: func.func @numbers(
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C128:.*]] = arith.constant 128 : index
// CHECK: %[[W:.*]] = comm_stream.symmetric_alloc over {{.*}} {timeout_ms = 1500 : i64} : !comm_stream.symmetric<memref<256xi8>>
// CHECK: comm_stream.barrier over {{.*}} channel 0 on %{{.*}} {timeout_ms = 1500 : i64}
// CHECK: comm_stream.put_signal %[[W]] to %{{.*}} channel 0 epoch %[[C1]] on
// CHECK: comm_stream.wait_signal %[[W]] from %{{.*}} channel 0 epoch %[[C1]] on %{{.*}} {timeout_ms = 1500 : i64}
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[C2]] {
// CHECK:   %[[PASSED:.*]] = arith.subi %[[I]], %[[C1]]
// CHECK:   %[[ROUND:.*]] = arith.divui %[[PASSED]], %[[C2]]
// CHECK:   %[[USE:.*]] = arith.addi %[[ROUND]], %[[C1]]
// CHECK:   %[[HALF:.*]] = arith.remui %[[USE]], %[[C2]]
// CHECK:   %[[BEGIN:.*]] = arith.muli %[[HALF]], %[[C128]]
// CHECK:   %[[EPOCH:.*]] = arith.addi %[[ROUND]], %[[C2]]
// CHECK:   memref.view %{{.*}}[%[[BEGIN]]][] : memref<256xi8> to memref<2x4xf32>
// CHECK:   comm_stream.put_signal %[[W]] to %{{.*}} channel 0 epoch %[[EPOCH]] on
// CHECK-NOT: comm_stream.barrier
// CHECK: }
// CHECK: comm_stream.barrier over {{.*}} channel 0 on
// CHECK-NEXT: comm_stream.symmetric_free %[[W]] {timeout_ms = 1500 : i64}
// CHECK-NEXT: return
//
// Parts of a scattered chunk have channels of their own: 2p for data and 2p + 1 for credits.
// PARTS-LABEL: func.func @numbers(
// PARTS: comm_stream.launch "own"
// PARTS: comm_stream.launch "chunk 1 part 0"
// PARTS: scf.for
// PARTS: comm_stream.launch "chunk 1 part 0"
// PARTS: comm_stream.put_signal {{.*}} channel 0 epoch
// PARTS: comm_stream.wait_signal {{.*}} channel 1 epoch
// PARTS: comm_stream.launch "chunk 1 part 1"
// PARTS: comm_stream.put_signal {{.*}} channel 2 epoch
func.func @numbers(%x: memref<2x16xf32>, %w: memref<16x4xf32>, %z: memref<4x16xf32>) -> memref<4x4xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %y = comm.all_gather_matmul gather(%x : memref<2x16xf32>) dim 0 over [[0, 1]]
    product(%w : memref<16x4xf32>) maps [#mk, #kn, #mn] -> memref<4x4xf32>
  scf.for %i = %c1 to %c7 step %c2 {
    %r = comm.matmul_reduce_scatter sum product(%z, %w : memref<4x16xf32>, memref<16x4xf32>) maps [#mk, #kn, #mn]
      dim 0 over [[0, 1]] -> memref<2x4xf32>
  }
  return %y : memref<4x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Where uses cannot be numbered, barriers order them: one before the branch, two in it.
// CHECK-LABEL: func.func @branch(
// CHECK: comm_stream.barrier over {{.*}} channel 0
// CHECK: scf.if
// CHECK-NOT: comm_stream.put_signal
// CHECK: comm_stream.barrier over {{.*}} channel 1
// CHECK: comm_stream.barrier over {{.*}} channel 0
// CHECK-NOT: comm_stream.barrier
// PARTS-LABEL: func.func @branch(
func.func @branch(%x: memref<2x16xf32>, %w: memref<16x4xf32>) {
  %p = comm.rank over [[0, 1]] : index
  %c2 = arith.constant 2 : index
  %all = arith.cmpi ult, %p, %c2 : index
  scf.if %all {
    %y = comm.all_gather_matmul gather(%x : memref<2x16xf32>) dim 0 over [[0, 1]]
      product(%w : memref<16x4xf32>) maps [#mk, #kn, #mn] -> memref<4x4xf32>
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Each group has streams and a workspace of its own. Peers are taken in the order that is asked for.
// CHECK-LABEL: func.func @groups(
// CHECK-DAG: comm_stream.stream "copies {{\[\[}}0, 1, 2, 3]]"
// CHECK-DAG: comm_stream.stream "copies {{\[\[}}0, 1], [2, 3]]"
// CHECK: comm_stream.launch "own"
// CHECK: comm_stream.launch "chunk 1"
// CHECK: comm_stream.launch "chunk 2"
// CHECK: comm_stream.launch "chunk 3"
// CHECK: comm_stream.launch "own"
// CHECK: comm_stream.launch "chunk 1"
// PARTS-LABEL: func.func @groups(
// PARTS: comm_stream.launch "own"
// PARTS: comm_stream.launch "chunk 3 part 0"
// PARTS: comm_stream.launch "chunk 3 part 1"
// PARTS: comm_stream.launch "chunk 2 part 0"
func.func @groups(%x: memref<2x16xf32>, %w: memref<16x4xf32>) {
  %a = comm.all_gather_matmul gather(%x : memref<2x16xf32>) dim 0 over [[0, 1, 2, 3]]
    product(%w : memref<16x4xf32>) maps [#mk, #kn, #mn] -> memref<8x4xf32>
  %b = comm.all_gather_matmul gather(%x : memref<2x16xf32>) dim 0 over [[0, 1], [2, 3]]
    product(%w : memref<16x4xf32>) maps [#mk, #kn, #mn] -> memref<4x4xf32>
  return
}
