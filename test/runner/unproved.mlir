// A loop on data cannot be followed: it runs after a warning, and comm-overlap-pipeline takes it, too.
//
// RUN: comm-runner %s --ranks 2 --print 2>&1 | FileCheck %s
// RUN: comm-opt %s --comm-overlap-pipeline 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: comm-runner %s --ranks 2 --entry branch 2>&1 | FileCheck %s --check-prefix=BRANCH

// CHECK: unproved.mlir:[[#@LINE+10]]:13: warning: 'scf.while' op is not proved to be ordered
// CHECK-DAG: rank 0 result 0 4xf32:
// CHECK-DAG: rank 1 result 0 4xf32:
// PIPELINE: unproved.mlir:[[#@LINE+7]]:13: warning: 'scf.while' op is not proved to be ordered
// PIPELINE: func.func @main
// PIPELINE: scf.while
// PIPELINE: comm_stream.all_reduce max
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %limit = arith.constant 50.0 : f32
  %zero = arith.constant 0 : index
  %result = scf.while (%y = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %most = comm.all_reduce max %y over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    %first = tensor.extract %most[%zero] : tensor<4xf32>
    %goes_on = arith.cmpf olt, %first, %limit : f32
    scf.condition(%goes_on) %y : tensor<4xf32>
  } do {
  ^bb0(%y: tensor<4xf32>):
    %z = comm.permute %y pairs [[0, 1], [1, 0]] : tensor<4xf32> -> tensor<4xf32>
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %w = arith.addf %z, %two : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}

// BRANCH: warning: 'scf.if' op is not proved to be ordered
// BRANCH: compiled in
// PIPELINE: func.func @branch
func.func @branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  %limit = arith.constant 50.0 : f32
  %zero = arith.constant 0 : index
  %most = comm.all_reduce max %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %first = tensor.extract %most[%zero] : tensor<4xf32>
  %goes = arith.cmpf olt, %first, %limit : f32
  %result = scf.if %goes -> tensor<4xf32> {
    %y = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %result : tensor<4xf32>
}
