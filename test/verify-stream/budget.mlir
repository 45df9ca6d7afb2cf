// RUN: comm-opt %s --comm-verify-stream
// RUN: comm-opt %s --comm-verify-stream=max-events=99 -verify-diagnostics

func.func @long() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %s0 = comm_stream.current
  scf.for %i = %c0 to %c50 step %c1 {
    // expected-error @+1 {{is not proved to be ordered: to follow 2 ranks to here takes more than 99 events (option max-events)}}
    comm_stream.barrier over [[0, 1]] channel 0 on %s0
  }
  return
}
