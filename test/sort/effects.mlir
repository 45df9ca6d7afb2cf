// Ops that write memory keep their place against communication, whatever their dialect says of the ops in their regions;
// and what touches a buffer never moves, cheap or not.
// RUN: comm-opt %s --comm-sort | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-sort))' | FileCheck %s

// CHECK-LABEL: func.func @writes_are_fences
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    %[[F:.*]] = comm.all_gather
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    comm.wait %[[F]]
// CHECK-NEXT:    linalg.fill
func.func @writes_are_fences(%m: memref<4xf32>, %x: tensor<4xf32>, %c: f32) -> tensor<8xf32> {
  linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)
  return %g : tensor<8xf32>
}

// The transpose is cheap and reads what was gathered, but it writes the buffer that is read next.
// CHECK-LABEL: func.func @cheap_on_a_buffer
// CHECK:         linalg.transpose
// CHECK-NEXT:    memref.load
func.func @cheap_on_a_buffer(%m: memref<4x2xf32>, %x: tensor<1x4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<1x4xf32> -> !comm.future<tensor<2x4xf32>>
  %g = comm.wait %f keeping(%x : tensor<1x4xf32>) : !comm.future<tensor<2x4xf32>>
  %b = builtin.unrealized_conversion_cast %g : tensor<2x4xf32> to memref<2x4xf32>
  linalg.transpose ins(%b : memref<2x4xf32>) outs(%m : memref<4x2xf32>) permutation = [1, 0]
  %v = memref.load %m[%zero, %zero] : memref<4x2xf32>
  return %v : f32
}

// A branch that devices may take differently is a fence, also inside of an op that all take.
// CHECK-LABEL: func.func @divergent_inside
// CHECK-NEXT:    %[[F:.*]] = comm.all_gather
// CHECK-NEXT:    %[[G:.*]] = comm.wait %[[F]]
// CHECK-NEXT:    scf.execute_region
// CHECK:         return %[[G]]
func.func @divergent_inside(%x: tensor<4xf32>, %now: i1) -> (tensor<8xf32>, f32) {
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %r = scf.execute_region -> f32 {
    %s = scf.if %now -> f32 {
      %one = arith.constant 1.0 : f32
      scf.yield %one : f32
    } else {
      %two = arith.constant 2.0 : f32
      scf.yield %two : f32
    }
    scf.yield %s : f32
  }
  return %g, %r : tensor<8xf32>, f32
}

// A block that uses values before it defines them is left alone.
// CHECK-LABEL: func.func @unreachable
// CHECK:         comm.wait
// CHECK-NEXT:    comm.all_gather
func.func @unreachable(%x: tensor<4xf32>) {
  return
^never:
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  cf.br ^never
}
