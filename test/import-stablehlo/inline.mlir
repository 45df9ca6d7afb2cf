// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-stablehlo)' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo='inline=false' | FileCheck %s --check-prefix=KEEP
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-stablehlo --remarks-filter='comm-import.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Private functions that are called directly are inlined and erased, wherever the calls stand.
// CHECK-NOT: @leaf
// CHECK-NOT: @nested
// CHECK-NOT: @"<lambda>"

// CHECK-LABEL: func.func @main
// CHECK: comm.all_gather %arg0
// CHECK: "stablehlo.tanh"
// CHECK: comm.all_gather
// CHECK: "stablehlo.tanh"
// CHECK: comm.all_gather
// CHECK: return
// KEEP-LABEL: func.func @main
// KEEP-COUNT-2: call @
// KEEP: return
// KEEP: func.func private @nested
// KEEP: call @leaf
// KEEP: func.func private @leaf
func.func @main(%x: tensor<2xf32>) -> tensor<16xf32> {
  %0 = call @nested(%x) : (tensor<2xf32>) -> tensor<8xf32>
  %1 = func.call @"<lambda>"(%0) : (tensor<8xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

func.func private @nested(%x: tensor<2xf32>) -> tensor<8xf32> {
  %0 = call @leaf(%x) : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  %2 = "stablehlo.tanh"(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

func.func private @leaf(%x: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func private @"<lambda>"(%x: tensor<8xf32>) -> tensor<16xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Calls in the regions of a loop, and a callee that returns its arguments.
// CHECK-LABEL: func.func @loop
// CHECK: "stablehlo.while"(%arg0)
// CHECK-NOT: call
// CHECK: "stablehlo.is_finite"
// CHECK-NOT: call
// CHECK: comm.permute
// CHECK: "stablehlo.return"
// CHECK: return
func.func @loop(%x: tensor<i1>) -> tensor<i1> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i1>):
    %1 = func.call @condition(%a) : (tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i1>):
    %1:2 = func.call @swap(%a, %x) : (tensor<i1>, tensor<i1>) -> (tensor<i1>, tensor<i1>)
    %2 = "stablehlo.collective_permute"(%1#1) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%2) : (tensor<i1>) -> ()
  }) : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func private @condition(%x: tensor<i1>) -> tensor<i1> {
  %0 = "stablehlo.is_finite"(%x) : (tensor<i1>) -> tensor<i1>
  return %0 : tensor<i1>
}

func.func private @swap(%x: tensor<i1>, %y: tensor<i1>) -> (tensor<i1>, tensor<i1>) {
  return %y, %x : tensor<i1>, tensor<i1>
}

// A function that something else names stays, also where the name is in a property or in opaque text.
// CHECK-LABEL: func.func @other_uses
// CHECK-NOT: call @
// CHECK: return
func.func @other_uses(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @composed(%x) : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.composite"(%0) <{decomposition = @composed, name = "my.op"}> : (tensor<f32>) -> tensor<f32>
  %2 = call @in_text(%1) : (tensor<f32>) -> tensor<f32>
  %3 = call @constant(%2) : (tensor<f32>) -> tensor<f32>
  %f = constant @constant : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
// CHECK: func.func private @composed
func.func private @composed(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// CHECK: func.func private @in_text
func.func private @in_text(%x: tensor<f32>) -> tensor<f32> {
  "test.use"() {key = #stablehlo.some<f = @in_text>} : () -> ()
  return %x : tensor<f32>
}
// CHECK: func.func private @constant
func.func private @constant(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// Left: recursion, public functions, declarations, several blocks, and what a front end marked.
// CHECK-LABEL: func.func @left
// CHECK: call @recursive
// CHECK: call @mutual
// CHECK: call @public
// CHECK: call @declared
// CHECK: call @blocks
// CHECK: call @marked
// CHECK: call @plain(%{{.*}}) {mhlo.frontend_attributes
// CHECK: return
func.func @left(%x: i1) -> i1 {
  // REMARK: call-left {{.*}}call of @recursive left: it is recursive
  %0 = call @recursive(%x) : (i1) -> i1
  %1 = call @mutual(%0) : (i1) -> i1
  // REMARK: call-left {{.*}}call of @public left: it is not private
  %2 = call @public(%1) : (i1) -> i1
  // REMARK: call-left {{.*}}call of @declared left: it is not one block
  %3 = call @declared(%2) : (i1) -> i1
  // REMARK: call-left {{.*}}call of @blocks left: it is not one block
  %4 = call @blocks(%3) : (i1) -> i1
  // REMARK: call-left {{.*}}call of @marked left: it is marked 'no_inline'
  %5 = call @marked(%4) : (i1) -> i1
  // REMARK: call-left {{.*}}call of @plain left: it has 'mhlo.frontend_attributes'
  %6 = call @plain(%5) {mhlo.frontend_attributes = {_xla_compute_type = "host"}} : (i1) -> i1
  return %6 : i1
}
// CHECK: func.func private @recursive
func.func private @recursive(%x: i1) -> i1 {
  %0 = call @recursive(%x) : (i1) -> i1
  return %0 : i1
}
// CHECK: func.func private @mutual
func.func private @mutual(%x: i1) -> i1 {
  %0 = call @mutual2(%x) : (i1) -> i1
  return %0 : i1
}
// CHECK: func.func private @mutual2
func.func private @mutual2(%x: i1) -> i1 {
  %0 = call @mutual(%x) : (i1) -> i1
  return %0 : i1
}
func.func @public(%x: i1) -> i1 {
  return %x : i1
}
func.func private @declared(i1) -> i1
func.func private @blocks(%x: i1) -> i1 {
  cf.br ^end
^end:
  return %x : i1
}
func.func private @marked(%x: i1) -> i1 attributes {no_inline} {
  return %x : i1
}
// CHECK: func.func private @plain
func.func private @plain(%x: i1) -> i1 {
  return %x : i1
}

// In a launch nothing is issued, so what a callee may issue stays behind its call; upstream's inliner leaves it, too.
// CHECK-LABEL: func.func @launched(
// CHECK: comm_stream.launch
// CHECK-NEXT: func.call @issues
func.func @launched() {
  %s = comm_stream.stream "side"
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
