// Where a future is awaited.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=g=0.1' --verify-each | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch{groups=g=0.1},func.func(comm-verify-futures))' | FileCheck %s

// The first wait is the wait; others in its block are answered with what it yields, and so is a wait for a wait.
// CHECK-LABEL: func.func @several
// CHECK:         %[[F:.*]] = comm.all_reduce
// CHECK-NEXT:    "torch.aten.relu"
// CHECK-NEXT:    %[[W:.*]] = comm.wait %[[F]]
// CHECK-NEXT:    %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]]
// CHECK-NEXT:    %[[Z:.*]] = "torch.aten.add.Tensor"(%[[Y]], %[[Y]])
// CHECK-NEXT:    return %[[Y]], %[[Z]]
func.func @several(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %r = "torch.aten.relu"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %2 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %3 = "torch.operator"(%2) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %4 = "torch.operator"(%3) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %s = "torch.aten.add.Tensor"(%1, %2) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %4, %s : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>
}

// A start may be awaited in a later block of its region.
// CHECK-LABEL: func.func @blocks
// CHECK:         %[[F:.*]] = comm.all_reduce
// CHECK:       ^bb1:
// CHECK-NEXT:    comm.wait %[[F]]
func.func @blocks(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  cf.br ^next
^next:
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}
