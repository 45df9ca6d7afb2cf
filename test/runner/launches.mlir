// RUN: comm-runner %s --ranks 2 --print | FileCheck %s
// RUN: comm-runner %s --ranks 2 --entry many | FileCheck %s --check-prefix=MANY

// A launch takes along buffers with strides and of dynamic size, indices, numbers of several widths, and makes constants anew.

// CHECK-DAG: rank 0 result 0 6xf32: [0.5, 3.5, 0.5, 3.5, 0.5, 3.5]
// CHECK-DAG: rank 1 result 0 6xf32: [0.5, 4.5, 0.5, 4.5, 0.5, 4.5]
func.func @main() -> memref<6xf32> {
  %current = comm_stream.current
  %s = comm_stream.stream "work"
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %half = arith.constant 0.5 : f32
  %yes = arith.constant true
  %three = arith.constant 3 : i8
  %x = memref.alloc() : memref<6xf32>
  linalg.fill ins(%half : f32) outs(%x : memref<6xf32>)
  %length = arith.divui %c6, %c2 : index
  %odd = memref.subview %x[1] [%length] [2] : memref<6xf32> to memref<?xf32, strided<[2], offset: 1>>
  %is_one = arith.cmpi eq, %rank, %c1 : index
  %rank_i32 = arith.index_cast %rank : index to i32
  %ready = comm_stream.record on %current
  comm_stream.wait_event %ready on %s
  comm_stream.launch "add" on %s {
    %size = memref.dim %odd, %c0 : memref<?xf32, strided<[2], offset: 1>>
    scf.for %i = %c0 to %size step %c1 {
      %old = memref.load %odd[%i] : memref<?xf32, strided<[2], offset: 1>>
      %wide = arith.extsi %three : i8 to i32
      %r = arith.addi %wide, %rank_i32 : i32
      %or_none = arith.constant 3 : i32
      %chosen = arith.select %is_one, %r, %or_none : i32
      %f = arith.sitofp %chosen : i32 to f32
      %new = arith.addf %old, %f : f32
      scf.if %yes {
        memref.store %new, %odd[%i] : memref<?xf32, strided<[2], offset: 1>>
      }
    }
  }
  %done = comm_stream.record on %s
  comm_stream.wait_event %done on %current
  return %x : memref<6xf32>
}

// Ten thousand launches, with as many events, each of which is released.
// MANY: compiled in
func.func @many() -> i64 {
  %current = comm_stream.current
  %s = comm_stream.stream "work"
  %n = memref.alloc() : memref<i64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 10000 : index
  %zero = arith.constant 0 : i64
  memref.store %zero, %n[] : memref<i64>
  scf.for %i = %c0 to %most step %c1 {
    %ready = comm_stream.record on %current
    comm_stream.wait_event %ready on %s
    comm_stream.launch on %s {
      %one = arith.constant 1 : i64
      %old = memref.load %n[] : memref<i64>
      %new = arith.addi %old, %one : i64
      memref.store %new, %n[] : memref<i64>
    }
    %done = comm_stream.record on %s
    comm_stream.wait_event %done on %current
  }
  %sum = memref.load %n[] : memref<i64>
  memref.dealloc %n : memref<i64>
  %expected = arith.constant 10000 : i64
  %is_right = arith.cmpi eq, %sum, %expected : i64
  cf.assert %is_right, "a launch was lost"
  return %sum : i64
}
