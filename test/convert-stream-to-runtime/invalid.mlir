// RUN: comm-opt %s --convert-comm-stream-to-runtime -split-input-file -verify-diagnostics

func.func @not_on_streams(%x: memref<2xf32>) -> memref<4xf32> {
  // expected-error @below {{'comm.all_gather' op is no op on streams; expected 'convert-comm-to-stream' to have run}}
  %y = comm.all_gather %x dim 0 over [[0, 1]] : memref<2xf32> -> memref<4xf32>
  return %y : memref<4xf32>
}

// -----

func.func @unknown_stream(%s: !comm_stream.stream) {
  // expected-error @below {{is on a stream that is not known when it is lowered; expected the result of 'comm_stream.current'}}
  comm_stream.barrier over [[0, 1]] channel 0 on %s
  return
}

// -----

func.func @stream_as_argument(%flag: i1) {
  %s = comm_stream.current
  // expected-error @below {{'func.call' op takes a stream along}}
  func.call @callee(%s) : (!comm_stream.stream) -> ()
  return
}
func.func private @callee(!comm_stream.stream)

// -----

func.func @complex_numbers(%x: memref<2xcomplex<f32>>) {
  %s = comm_stream.current
  // expected-error @below {{works on elements of type complex<f32>, which the run-time does not have}}
  comm_stream.all_reduce sum %x into %x over [[0, 1]] on %s : memref<2xcomplex<f32>> into memref<2xcomplex<f32>>
  return
}

// -----

func.func @vectors_in_launches(%x: memref<2xf32>, %v: vector<2xf32>) {
  %s = comm_stream.stream "side"
  %c0 = arith.constant 0 : index
  comm_stream.launch on %s {
    // expected-error @below {{takes a value of type vector<2xf32> along to a stream; expected a memref, an index or a number}}
    vector.store %v, %x[%c0] : memref<2xf32>, vector<2xf32>
  }
  return
}

// -----

func.func @calls_in_launches(%x: memref<2xf32>) {
  %s = comm_stream.stream "side"
  comm_stream.launch on %s {
    // expected-error @below {{is in a launch and calls a function that issues ops; expected a function that computes alone}}
    func.call @outer(%x) : (memref<2xf32>) -> ()
  }
  return
}
func.func private @outer(%x: memref<2xf32>) {
  func.call @inner(%x) : (memref<2xf32>) -> ()
  return
}
func.func private @inner(%x: memref<2xf32>) {
  // expected-note @below {{is issued here}}
  %s = comm_stream.current
  comm_stream.barrier over [[0, 1]] channel 0 on %s
  return
}

// -----

// expected-error @below {{has the name 'comm_rt_rank_current', which the lowering to the run-time needs}}
func.func private @comm_rt_rank_current() -> i32
func.func @taken() {
  %s = comm_stream.current
  comm_stream.barrier over [[0, 1]] channel 0 on %s
  return
}
