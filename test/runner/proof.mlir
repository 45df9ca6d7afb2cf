// What the proof of happens-before refuses can be looked at, and the error says how.
//
// RUN: not comm-runner %s --ranks 2 --entry race --emit stream 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: comm-runner %s --ranks 2 --entry race --emit stream --no-verify | FileCheck %s --check-prefix=SHOWN
// RACE: proof.mlir:[[#@LINE+5]]:3: error: 'comm_stream.all_reduce' op breaks the rules of streams: race
// RACE: hint: '--no-verify' leaves this proof out, and with '--emit stream' shows the program
// SHOWN: func.func @race
func.func @race(%x: memref<4xf32>) {
  %s = comm_stream.stream "side"
  comm_stream.all_reduce sum %x into %x over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
  return
}
