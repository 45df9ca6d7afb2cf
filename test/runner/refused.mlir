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
