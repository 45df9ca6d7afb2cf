// What is never one bucket, however many bytes are allowed.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket=mode=bytes | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-bucket=mode=bytes --remarks-filter=comm-bucket -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARKS

// Another group, another reduction, another element type of a reduction, a gather and what gathers its operand again, a
// blocking and a started collective, another kind.
// CHECK-LABEL: func.func @forms(
// CHECK-NEXT:    comm.all_gather %arg0 dim 0 over {{\[\[0, 1\]\]}} :
// CHECK-NEXT:    comm.all_gather %arg0 dim 0 over {{\[\[1, 0\]\]}} :
// CHECK-NEXT:    comm.all_gather %arg0 dim 0 over {{\[\[0, 1\]\]}} {regather} :
// CHECK-NEXT:    comm.all_gather %arg0 dim 0 over {{\[\[0, 1\]\]}} {mergeable} :
// CHECK-NEXT:    comm.all_reduce sum %arg0 over
// CHECK-NEXT:    comm.all_reduce max %arg0 over
// CHECK-NEXT:    comm.all_reduce sum %arg1 over
// CHECK-NEXT:    comm.all_reduce sum %arg0 over {{.*}} !comm.future
// CHECK-NEXT:    comm.wait
// CHECK-NEXT:    comm.all_to_all %arg0
// CHECK-NEXT:    comm.all_to_all %arg0
// REMARKS: [Analysis] alone {{.*}}8 collective(s) have a form of their own
func.func @forms(%x: tensor<4xf32>, %i: tensor<4xf16>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>,
    tensor<4xf32>, tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %b = comm.all_gather %x dim 0 over [[1, 0]] : tensor<4xf32> -> tensor<8xf32>
  %c = comm.all_gather %x dim 0 over [[0, 1]] {regather} : tensor<4xf32> -> tensor<8xf32>
  %d = comm.all_gather %x dim 0 over [[0, 1]] {mergeable} : tensor<4xf32> -> tensor<8xf32>
  %e = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %f = comm.all_reduce max %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %g = comm.all_reduce sum %i over [[0, 1]] : tensor<4xf16> -> tensor<4xf16>
  %started = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %h = comm.wait %started keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  %t = comm.all_to_all %x split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %u = comm.all_to_all %x split 0 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h, %t, %u : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>,
    tensor<4xf32>, tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The second reads what the first yields.
// CHECK-LABEL: func.func @dependent(
// CHECK-COUNT-2: comm.all_reduce sum %{{[a-z0-9]+}} over
// REMARKS: [Missed] apart {{.*}}2 of 'comm.all_reduce' of one form stay apart: each depends on the one before
func.func @dependent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  %b = "model.layer"(%a) {comm.pure} : (tensor<4xf32>) -> tensor<4xf32>
  %c = comm.all_reduce sum %b over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// Nobody knows what the op between them does.
// CHECK-LABEL: func.func @fence(
// CHECK-NEXT:    comm.all_gather %arg0, %arg1 dim 0
// CHECK-NEXT:    "model.effect"
// CHECK-NEXT:    comm.all_gather %arg2, %arg3 dim 0
// REMARKS: [Missed] fence {{.*}}no collective moves across 'model.effect'
func.func @fence(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %ga = comm.all_gather %a dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %gb = comm.all_gather %b dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  "model.effect"() : () -> ()
  %gc = comm.all_gather %c dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %gd = comm.all_gather %d dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  return %ga, %gb, %gc, %gd : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Each region has buckets of its own.
// CHECK-LABEL: func.func @regions(
// CHECK:         comm.all_gather %arg1, %arg2 dim 0
// CHECK:         scf.if
// CHECK:           comm.all_gather %arg1, %arg2 dim 0
func.func @regions(%flag: i1 {comm.uniform}, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %ga = comm.all_gather %a dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %gb = comm.all_gather %b dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  %r:2 = scf.if %flag -> (tensor<8xf32>, tensor<8xf32>) {
    %ha = comm.all_gather %a dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
    %hb = comm.all_gather %b dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
    scf.yield %ha, %hb : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %ga, %gb : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// How much a tensor of dynamic shape carries is not known.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT:    comm.all_gather %arg0 dim 0
// CHECK-NEXT:    comm.all_gather %arg1 dim 0
// REMARKS: [Missed] apart {{.*}}stays apart: its shape is dynamic
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %ga = comm.all_gather %a dim 0 over [[0, 1]] : tensor<?xf32> -> tensor<?xf32>
  %gb = comm.all_gather %b dim 0 over [[0, 1]] : tensor<?xf32> -> tensor<?xf32>
  return %ga, %gb : tensor<?xf32>, tensor<?xf32>
}

// Buckets grow: what carries several tensors is a member like any other.
// CHECK-LABEL: func.func @again(
// CHECK-NEXT:    comm.all_gather %arg0, %arg1, %arg2 dim [0, 0, 1] over
func.func @again(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4x4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) {
  %g:2 = comm.all_gather %a, %b dim 0 over [[0, 1]] : tensor<4xf32>, tensor<4xf32> -> tensor<8xf32>, tensor<8xf32>
  %gc = comm.all_gather %c dim 1 over [[0, 1]] : tensor<4x4xf32> -> tensor<4x8xf32>
  return %g#0, %g#1, %gc : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>
}
