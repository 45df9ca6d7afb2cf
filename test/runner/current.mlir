// RUN: comm-runner %s --no-verify --ranks 1 --entry one --print | FileCheck %s --check-prefix=ONE
// RUN: comm-runner %s --no-verify --ranks 3 --entry three --print | FileCheck %s --check-prefix=THREE

// All on the device's own thread, without any event.

// ONE: rank 0 result 0 2xi32: [0, 1]
func.func @one() -> memref<2xi32> {
  %s = comm_stream.current
  %x = memref.alloc() : memref<2xi32>
  %y = memref.alloc() : memref<2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  comm_stream.launch on %s {
    memref.store %zero, %x[%c0] : memref<2xi32>
    memref.store %one, %x[%c1] : memref<2xi32>
  }
  comm_stream.all_reduce sum %x into %y over [[0]] on %s : memref<2xi32> into memref<2xi32>
  comm_stream.barrier over [[0]] channel 3 on %s
  comm_stream.copy %y to %x on %s : memref<2xi32> to memref<2xi32>
  memref.dealloc %y : memref<2xi32>
  return %x : memref<2xi32>
}

// THREE: rank 0 result 0 1xbf16: [3]
// THREE: rank 2 result 0 1xbf16: [3]
func.func @three() -> memref<1xbf16> {
  %s = comm_stream.current
  %x = memref.alloc() : memref<1xbf16>
  %y = memref.alloc() : memref<1xbf16>
  %c0 = arith.constant 0 : index
  %rank = comm.rank over [[0, 1, 2]] : index
  %k = arith.index_cast %rank : index to i32
  %f = arith.sitofp %k : i32 to f32
  %h = arith.truncf %f : f32 to bf16
  memref.store %h, %x[%c0] : memref<1xbf16>
  comm_stream.all_reduce sum %x into %y over [[0, 1, 2]] on %s : memref<1xbf16> into memref<1xbf16>
  memref.dealloc %x : memref<1xbf16>
  return %y : memref<1xbf16>
}
