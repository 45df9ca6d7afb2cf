// The memory limit is hard. Unlimited, the gather is hidden behind the large op; where both do not fit, it starts
// behind it, and the remark says why.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule --remarks-filter='comm-schedule' 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=84 --remarks-filter='comm-schedule' 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=83 --remarks-filter='comm-schedule' 2>&1 | FileCheck %s --check-prefix=TIGHT
// RUN: comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=68 --remarks-filter='comm-schedule' 2>&1 | FileCheck %s --check-prefix=TIGHT
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=67 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not comm-opt %s --allow-unregistered-dialect --comm-schedule=memory-limit=0 2>&1 | FileCheck %s --check-prefix=ZERO

// FREE: step time 161.0 us -> 111.0 us, exposed 50.0 us -> 0.0 us, peak memory 68 -> 84 bytes
// FREE: hidden 50.0 us, exposed 0.0 us
// FREE: comm.all_gather
// FREE: "model.large"

// TIGHT: step time 161.0 us -> 161.0 us, exposed 50.0 us -> 50.0 us, peak memory 68 -> 68 bytes
// TIGHT: hidden 0.0 us, exposed 50.0 us; limited by the memory limit, which an earlier start would exceed
// TIGHT: "model.small"
// TIGHT-NEXT: comm.all_gather

// ERROR: memory-limit.mlir:[[#@LINE+7]]:{{.*}}error: comm-schedule: at most 67 bytes live at once cannot be kept; 68 is the least that any order needs
// ZERO: at most 0 bytes live at once cannot be kept; 68 is

// The large op yields 64 bytes, the small one 4, the gather 16.
func.func @gather(%x: tensor<4xf32>, %p: tensor<2xf32>) -> tensor<1xf32> {
  %l = "model.large"(%x) {comm.pure, comm.duration_ns = 100000 : i64} : (tensor<4xf32>) -> tensor<16xf32>
  %s = "model.small"(%l) {comm.pure, comm.duration_ns = 1000 : i64} : (tensor<16xf32>) -> tensor<1xf32>
  %f = comm.all_gather %p dim 0 over [[0, 1]] {comm.duration_ns = 50000 : i64} : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %w = comm.wait %f keeping(%p : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  %y = "model.use"(%s, %w) {comm.pure, comm.duration_ns = 10000 : i64} : (tensor<1xf32>, tensor<4xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
