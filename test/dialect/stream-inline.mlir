// RUN: comm-opt %s --inline | FileCheck %s

// What is issued goes into a function, and not into a launch.
// CHECK-LABEL: func.func @caller(
// CHECK: comm_stream.barrier
// CHECK: comm_stream.launch
// CHECK-NEXT: func.call @issues
func.func @caller() {
  %s = comm_stream.stream "side"
  call @issues() : () -> ()
  comm_stream.launch on %s {
    func.call @issues() : () -> ()
  }
  return
}
func.func private @issues() {
  %s = comm_stream.stream "other"
  comm_stream.barrier over [[0, 1]] channel 0 on %s
  return
}
