// What is asked for and makes no sense is an error, not something else that is done.
//
// RUN: not comm-runner %s --ranks 2 --repeat 0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: invalid value '0' for '--repeat <N>'
// RUN: not comm-runner %s --ranks 2 --link-bandwidth 0GB/s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: at '0GB/s' nothing would arrive; expected more than 0
// RUN: not comm-runner %s --ranks 2 --link-bandwidth=-1GB/s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: '-1GB/s' is negative or not finite
// RUN: not comm-runner %s --ranks 2 --link-bandwidth nanGB/s 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: 'nanGB/s' does not begin with a number
// RUN: not comm-runner %s --ranks 2 --timeout 0s 2>&1 | FileCheck %s --check-prefix=TIMEOUT
// TIMEOUT: '0s' is no time to wait; expected more than 0
// RUN: not comm-runner %s --ranks 2 --passes ',' 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: ',' names no pass
// RUN: not comm-runner %s --ranks 2 --pass-pipeline '' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: error: a value is required for '--pass-pipeline <PIPELINE>'
// RUN: not comm-runner %s --ranks 2 --entry '' 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: a value is required for '--entry <NAME>'
// RUN: not comm-runner %s --ranks 2 --rtol nan 2>&1 | FileCheck %s --check-prefix=RTOL
// RTOL: 'nan' is negative or not finite
// RUN: not comm-runner %s --ranks 2 --atol=-1 2>&1 | FileCheck %s --check-prefix=ATOL
// ATOL: '-1' is negative or not finite
// RUN: not comm-runner %s --ranks 2 --link-latency 40s 2>&1 | FileCheck %s --check-prefix=LATENCY
// LATENCY: the link's latency of 40s is not less than the timeout of 30s
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// RUN: not comm-runner %s --ranks 2 --entry race --emit stream 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: comm-runner %s --ranks 2 --entry race --emit stream --no-verify | FileCheck %s --check-prefix=SHOWN
// RACE: refused.mlir:[[#@LINE+5]]:3: error: 'comm_stream.all_reduce' op breaks the rules of streams: race
// RACE: hint: '--no-verify' leaves this proof out, and with '--emit stream' shows the program
// SHOWN: func.func @race
func.func @race(%x: memref<4xf32>) {
  %s = comm_stream.stream "side"
  comm_stream.all_reduce sum %x into %x over [[0, 1]] on %s : memref<4xf32> into memref<4xf32>
  return
}

// RUN: not comm-runner %s --ranks 2 --entry countdown 2>&1 | FileCheck %s --check-prefix=RECURSION
// RECURSION: refused.mlir:[[#@LINE+2]]:1: error: 'func.func' op issues on streams and calls itself, which is not followed; expected a loop
// RECURSION: refused.mlir:[[#@LINE+10]]:5: note: this call leads back to it
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
