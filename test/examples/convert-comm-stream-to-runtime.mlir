// RUN: comm-opt %s --convert-comm-stream-to-runtime | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(convert-comm-stream-to-runtime)' | FileCheck %s

// The device's own thread waits for the barrier, since it is issued on its stream.
// CHECK-LABEL: func.func @meet
// CHECK: %[[RANK:.*]] = call @comm_rt_rank_current() : () -> !llvm.ptr
// CHECK: call @comm_rt_stream(%[[RANK]],
// CHECK: %[[STREAM:.*]] = llvm.load
// CHECK: call @comm_rt_group_among(%[[RANK]],
// CHECK: %[[GROUP:.*]] = llvm.load
// CHECK: call @comm_rt_barrier(%[[RANK]], %[[STREAM]], %[[GROUP]],
// CHECK: call @comm_rt_stream_synchronize(%[[RANK]],
func.func @meet() {
  %current = comm_stream.current
  comm_stream.barrier over [[0, 1]] channel 0 on %current
  return
}
