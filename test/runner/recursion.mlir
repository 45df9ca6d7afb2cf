// Calls of one function within each other would share its buffers in the proof.
//
// RUN: not comm-runner %s --ranks 2 --entry countdown 2>&1 | FileCheck %s --check-prefix=RECURSION
// RECURSION: recursion.mlir:[[#@LINE+2]]:1: error: 'func.func' op issues on streams and calls itself, which is not followed; expected a loop
// RECURSION: recursion.mlir:[[#@LINE+10]]:5: note: this call leads back to it
func.func @countdown(%x: memref<4xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %goes_on = arith.cmpi ne, %n, %zero : index
  scf.if %goes_on {
    %s = comm_stream.current
    %y = memref.alloc() : memref<4xf32>
    comm_stream.all_reduce sum %x into %y over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
    %m = arith.subi %n, %one : index
    func.call @countdown(%y, %m) : (memref<4xf32>, index) -> ()
    memref.dealloc %y : memref<4xf32>
  }
  return
}
