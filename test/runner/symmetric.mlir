// RUN: comm-opt %s --comm-verify-stream -o /dev/null
// RUN: comm-runner %s --ranks 4 --print | FileCheck %s
// RUN: comm-runner %s --ranks 4 --entry signals --print | FileCheck %s --check-prefix=SIGNALS

// Each rank copies its shard into its symmetric buffer, all meet, and each reads the shards of the others of its group.

comm.mesh @mesh <["dp" = 2, "tp" = 2]>
// CHECK-DAG: rank 0 result 0 2x2xi64: [0, 0, 1, 1]
// CHECK-DAG: rank 1 result 0 2x2xi64: [0, 0, 1, 1]
// CHECK-DAG: rank 3 result 0 2x2xi64: [2, 2, 3, 3]
func.func @main() -> memref<2x2xi64> {
  %current = comm_stream.current
  %s = comm_stream.stream "copies"
  %rank = comm.rank over [[0, 1, 2, 3]] : index
  %number = arith.index_cast %rank : index to i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.alloc() : memref<2xi64>
  linalg.fill ins(%number : i64) outs(%x : memref<2xi64>)
  %y = memref.alloc() : memref<2x2xi64>
  %w = comm_stream.symmetric_alloc over @mesh["tp"] : !comm_stream.symmetric<memref<2xi64>>
  %mine = comm_stream.local %w : !comm_stream.symmetric<memref<2xi64>>
  // The buffer is from a pool: whoever used it before has to be done with it.
  comm_stream.barrier over @mesh["tp"] channel 1 on %current
  comm_stream.copy %x to %mine on %current : memref<2xi64> to memref<2xi64>
  %ready = comm_stream.record on %current
  comm_stream.wait_event %ready on %s
  comm_stream.barrier over @mesh["tp"] channel 0 on %s
  scf.for %i = %c0 to %c2 step %c1 {
    %theirs = comm_stream.peer %w at %i : !comm_stream.symmetric<memref<2xi64>>
    %row = memref.subview %y[%i, 0] [1, 2] [1, 1] : memref<2x2xi64> to memref<2xi64, strided<[1], offset: ?>>
    comm_stream.copy %theirs to %row on %s : memref<2xi64> to memref<2xi64, strided<[1], offset: ?>>
  }
  comm_stream.barrier over @mesh["tp"] channel 0 on %s
  %done = comm_stream.record on %s
  comm_stream.wait_event %done on %current
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<2xi64>>
  memref.dealloc %x : memref<2xi64>
  return %y : memref<2x2xi64>
}

// A ring over positions [3, 2, 1, 0]: each writes to the next and signals it, three turns.
// SIGNALS-DAG: rank 3 result 0 i64: [0]
// SIGNALS-DAG: rank 2 result 0 i64: [3]
// SIGNALS-DAG: rank 1 result 0 i64: [2]
// SIGNALS-DAG: rank 0 result 0 i64: [1]
func.func @signals() -> i64 {
  %current = comm_stream.current
  %s = comm_stream.stream "ring"
  %position = comm.rank over [[3, 2, 1, 0]] : index
  %rank = comm.rank over [[0, 1, 2, 3]] : index
  %number = arith.index_cast %rank : index to i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %up = arith.addi %position, %c1 : index
  %next = arith.remui %up, %c4 : index
  %down = arith.addi %position, %c3 : index
  %previous = arith.remui %down, %c4 : index
  %w = comm_stream.symmetric_alloc over [[3, 2, 1, 0]] : !comm_stream.symmetric<memref<i64>>
  %x = memref.alloc() : memref<i64>
  memref.store %number, %x[] : memref<i64>
  %y = memref.alloc() : memref<i64>
  comm_stream.barrier over [[3, 2, 1, 0]] channel 2 on %current
  %ready = comm_stream.record on %current
  comm_stream.wait_event %ready on %s
  scf.for %turn = %c0 to %c3 step %c1 {
    %epoch = arith.addi %turn, %c1 : index
    %theirs = comm_stream.peer %w at %next : !comm_stream.symmetric<memref<i64>>
    comm_stream.copy %x to %theirs on %s : memref<i64> to memref<i64>
    comm_stream.put_signal %w to %next channel 0 epoch %epoch on %s : !comm_stream.symmetric<memref<i64>>
    comm_stream.wait_signal %w from %previous channel 0 epoch %epoch on %s : !comm_stream.symmetric<memref<i64>>
    %mine = comm_stream.local %w : !comm_stream.symmetric<memref<i64>>
    comm_stream.copy %mine to %y on %s : memref<i64> to memref<i64>
    // The next turn may write only when this one was read.
    comm_stream.put_signal %w to %previous channel 1 epoch %epoch on %s : !comm_stream.symmetric<memref<i64>>
    comm_stream.wait_signal %w from %next channel 1 epoch %epoch on %s : !comm_stream.symmetric<memref<i64>>
  }
  %done = comm_stream.record on %s
  comm_stream.wait_event %done on %current
  %got = memref.load %y[] : memref<i64>
  comm_stream.symmetric_free %w : !comm_stream.symmetric<memref<i64>>
  memref.dealloc %x : memref<i64>
  memref.dealloc %y : memref<i64>
  return %got : i64
}
