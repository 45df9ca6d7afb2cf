// RUN: comm-runner %s --ranks 4 --print | FileCheck %s
// RUN: comm-runner %s --ranks 4 --print --link-latency 20us --link-bandwidth 1GB/s | FileCheck %s

// Every rank r holds 10 r + i at place i. Groups of two for some collectives, of all for others.

func.func private @count(%x: memref<4xf32>, %rank: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %ten = arith.constant 10 : index
  %base = arith.muli %rank, %ten : index
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.addi %base, %i : index
    %k = arith.index_cast %n : index to i64
    %f = arith.sitofp %k : i64 to f32
    memref.store %f, %x[%i] : memref<4xf32>
  }
  return
}

// CHECK: compiled in {{.*}}; 4 ranks ran in
// CHECK-DAG: rank 0 result 0 8xf32: [0, 1, 2, 3, 10, 11, 12, 13]
// CHECK-DAG: rank 3 result 0 8xf32: [20, 21, 22, 23, 30, 31, 32, 33]
// CHECK-DAG: rank 0 result 1 1xf32: [60]
// CHECK-DAG: rank 2 result 1 1xf32: [68]
// CHECK-DAG: rank 1 result 2 4xf32: [30, 31, 32, 33]
// CHECK-DAG: rank 1 result 3 4xf32: [2, 3, 12, 13]
// CHECK-DAG: rank 2 result 3 4xf32: [20, 21, 30, 31]
// CHECK-DAG: rank 0 result 4 4xf32: [10, 11, 12, 13]
// CHECK-DAG: rank 1 result 4 4xf32: [0, 1, 2, 3]
// CHECK-DAG: rank 2 result 4 4xf32: [0, 0, 0, 0]
// CHECK-DAG: rank 3 result 4 4xf32: [0, 0, 0, 0]
// CHECK-DAG: rank 0 result 5 4xf32: [10, 11, 12, 13]
// CHECK-DAG: rank 2 result 5 4xf32: [30, 31, 32, 33]
// CHECK-DAG: rank 3 result 6 i64: [1]
comm.mesh @mesh <["dp" = 2, "tp" = 2]>
func.func @main() -> (memref<8xf32>, memref<1xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, index) {
  %current = comm_stream.current
  %rank = comm.rank over [[0, 1, 2, 3]] : index
  %place = comm.rank over @mesh["tp"] : index
  %x = memref.alloc() : memref<4xf32>
  func.call @count(%x, %rank) : (memref<4xf32>, index) -> ()
  %gathered = memref.alloc() : memref<8xf32>
  %scattered = memref.alloc() : memref<1xf32>
  %reduced = memref.alloc() : memref<4xf32>
  %exchanged = memref.alloc() : memref<4xf32>
  %permuted = memref.alloc() : memref<4xf32>
  %sent = memref.alloc() : memref<4xf32>
  %s = comm_stream.stream "communication"
  %ready = comm_stream.record on %current
  comm_stream.wait_event %ready on %s
  comm_stream.all_gather %x into %gathered dim 0 over @mesh["tp"] on %s : memref<4xf32> into memref<8xf32>
  comm_stream.reduce_scatter sum %x into %scattered dim 0 over [[0, 1, 2, 3]] on %s : memref<4xf32> into memref<1xf32>
  comm_stream.all_reduce max %x into %reduced over [[0, 1, 2, 3]] on %s : memref<4xf32> into memref<4xf32>
  comm_stream.all_to_all %x into %exchanged split 0 concat 0 over [[0, 1], [2, 3]] on %s : memref<4xf32> into memref<4xf32>
  comm_stream.permute %x into %permuted pairs [[0, 1], [1, 0]] on %s : memref<4xf32> into memref<4xf32>
  comm_stream.broadcast %x into %sent root 1 over @mesh["tp"] on %s : memref<4xf32> into memref<4xf32>
  %done = comm_stream.record on %s
  comm_stream.wait_event %done on %current keeping(%x : memref<4xf32>)
  memref.dealloc %x : memref<4xf32>
  return %gathered, %scattered, %reduced, %exchanged, %permuted, %sent, %place : memref<8xf32>, memref<1xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, index
}
