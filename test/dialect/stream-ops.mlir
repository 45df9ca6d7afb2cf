// RUN: comm-opt %s | comm-opt | FileCheck %s
// RUN: comm-opt %s --emit-bytecode | comm-opt | FileCheck %s
// RUN: comm-opt %s --mlir-print-op-generic | comm-opt | FileCheck %s
// RUN: %mlir_opt_plugin %s | FileCheck %s
// No pass merges, moves or drops what is issued.
// RUN: comm-opt %s --canonicalize --cse --canonicalize | FileCheck %s

comm.mesh @mesh <["tp" = 2]>

// CHECK-LABEL: func.func @all
func.func @all(%x: memref<4xf32>, %y: memref<8xf32>, %i: index) {
  // CHECK: %[[C:.*]] = comm_stream.current
  %c = comm_stream.current
  // CHECK: %[[S:.*]] = comm_stream.stream "gather"
  %s = comm_stream.stream "gather"
  // CHECK: %[[E:.*]] = comm_stream.record on %[[C]]
  %e = comm_stream.record on %c
  // CHECK: comm_stream.wait_event %[[E]] on %[[S]]
  comm_stream.wait_event %e on %s
  // CHECK: comm_stream.all_gather %{{.*}} into %{{.*}} dim 0 over {{\[\[}}0, 1]] on %[[S]] {timeout_ms = 5000 : i64} : memref<4xf32> into memref<8xf32>
  comm_stream.all_gather %x into %y dim 0 over [[0, 1]] on %s {timeout_ms = 5000 : i64} : memref<4xf32> into memref<8xf32>
  // CHECK: comm_stream.reduce_scatter sum %{{.*}} into %{{.*}} dim 0 over @mesh["tp"] on %[[S]] : memref<8xf32> into memref<4xf32>
  comm_stream.reduce_scatter sum %y into %x dim 0 over @mesh["tp"] on %s : memref<8xf32> into memref<4xf32>
  // CHECK: comm_stream.all_reduce max %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}} over {{\[\[}}0, 1]] on %[[S]] : memref<4xf32>, memref<8xf32> into memref<4xf32>, memref<8xf32>
  comm_stream.all_reduce max %x, %y into %x, %y over [[0, 1]] on %s : memref<4xf32>, memref<8xf32> into memref<4xf32>, memref<8xf32>
  // CHECK: comm_stream.all_to_all %{{.*}} into %{{.*}} split 0 concat 0 over {{\[\[}}0, 1]] on %[[S]] : memref<4xf32> into memref<4xf32>
  comm_stream.all_to_all %x into %x split 0 concat 0 over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
  // CHECK: comm_stream.permute %{{.*}} into %{{.*}} pairs {{\[\[}}0, 1], [1, 0]] on %[[S]] : memref<4xf32> into memref<4xf32>
  comm_stream.permute %x into %x pairs [[0, 1], [1, 0]] on %s : memref<4xf32> into memref<4xf32>
  // CHECK: comm_stream.broadcast %{{.*}} into %{{.*}} root 1 over {{\[\[}}0, 1]] on %[[S]] : memref<4xf32> into memref<4xf32>
  comm_stream.broadcast %x into %x root 1 over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
  // CHECK: %[[W:.*]] = comm_stream.symmetric_alloc over @mesh["tp"] : !comm_stream.symmetric<memref<4xf32>>
  %w = comm_stream.symmetric_alloc over @mesh["tp"] : !comm_stream.symmetric<memref<4xf32>>
  // CHECK: %[[L:.*]] = comm_stream.local %[[W]] : !comm_stream.symmetric<memref<4xf32>>
  %l = comm_stream.local %w : !comm_stream.symmetric<memref<4xf32>>
  // CHECK: %[[P:.*]] = comm_stream.peer %[[W]] at %[[I:.*]] : !comm_stream.symmetric<memref<4xf32>>
  %p = comm_stream.peer %w at %i : !comm_stream.symmetric<memref<4xf32>>
  // CHECK: comm_stream.copy %{{.*}} to %[[L]] on %[[S]] : memref<4xf32> to memref<4xf32>
  comm_stream.copy %x to %l on %s : memref<4xf32> to memref<4xf32>
  // CHECK: comm_stream.barrier over @mesh["tp"] channel 1 on %[[S]]
  comm_stream.barrier over @mesh["tp"] channel 1 on %s
  // CHECK: comm_stream.put_signal %[[W]] to %[[I]] channel 0 epoch %[[I]] on %[[S]] : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.put_signal %w to %i channel 0 epoch %i on %s : !comm_stream.symmetric<memref<4xf32>>
  // CHECK: comm_stream.wait_signal %[[W]] from %[[I]] channel 0 epoch %[[I]] on %[[S]] {timeout_ms = 10 : i64} : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.wait_signal %w from %i channel 0 epoch %i on %s {timeout_ms = 10 : i64} : !comm_stream.symmetric<memref<4xf32>>
  // CHECK: comm_stream.launch "block 0" on %[[S]] {
  // CHECK-NEXT: memref.copy %[[P]]
  // CHECK-NEXT: }
  comm_stream.launch "block 0" on %s {
    memref.copy %p, %x : memref<4xf32> to memref<4xf32>
  }
  // CHECK: %[[D:.*]] = comm_stream.record on %[[S]]
  %d = comm_stream.record on %s
  // CHECK: comm_stream.wait_event %[[D]] on %[[C]] keeping(%{{.*}} : memref<4xf32>)
  comm_stream.wait_event %d on %c keeping(%x : memref<4xf32>)
  // CHECK: comm_stream.symmetric_free %[[W]] : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<4xf32>>
  return
}
