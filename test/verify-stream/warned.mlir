// RUN: comm-opt %s --comm-verify-stream=warn-unproved=true --verify-diagnostics -split-input-file

// What cannot be followed may be right, and passes with a warning where that is asked for.

func.func @condition(%x: memref<4xf32>, %goes: i1) {
  %current = comm_stream.current
  // expected-warning @+1 {{is not proved to be ordered: rank 0 does not know its condition, and an arm issues on streams}}
  scf.if %goes {
    comm_stream.all_reduce sum %x into %x over [[0, 1]] on %current : memref<4xf32> into memref<4xf32>
  }
  return
}

// What is wrong is refused all the same, in the functions behind it too.

// expected-note @+1 {{the buffer is made here}}
func.func @race(%x: memref<4xf32>) {
  %side = comm_stream.stream "side"
  // expected-error @+1 {{breaks the rules of streams: race}}
  comm_stream.all_reduce sum %x into %x over [[0, 1]] on %side : memref<4xf32> into memref<4xf32>
  // expected-note @+1 {{after the function}}
  return
}

// -----

// expected-error @+1 {{issues on streams and calls itself, which is not followed; expected a loop}}
func.func private @even(%x: memref<4xf32>, %n: index) {
  // expected-note @+1 {{this call leads back to it}}
  call @odd(%x, %n) : (memref<4xf32>, index) -> ()
  return
}

func.func private @odd(%x: memref<4xf32>, %n: index) {
  %current = comm_stream.current
  comm_stream.all_reduce sum %x into %x over [[0, 1]] on %current : memref<4xf32> into memref<4xf32>
  call @even(%x, %n) : (memref<4xf32>, index) -> ()
  return
}

// -----

// Functions that compute alone may.

func.func private @compute(%n: index) -> index {
  %m = call @compute(%n) : (index) -> index
  return %m : index
}
