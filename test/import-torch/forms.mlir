// Lists of tensors travel together; forms that write in place yield a new tensor where nobody sees the old one.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=g=0.1' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=g=0.1' | comm-opt --allow-unregistered-dialect | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch{groups=g=0.1})' | FileCheck %s

// CHECK-LABEL: func.func @all_gather_coalesced
// CHECK-NEXT:    %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[6],f16> to tensor<6xf16>
// CHECK-NEXT:    %[[F:.*]] = comm.all_gather %[[X]], %[[Y]] dim 0 over {{\[\[}}0, 1]] : tensor<4x8xf32>, tensor<6xf16> -> !comm.future<tensor<8x8xf32>, tensor<12xf16>>
// CHECK-NEXT:    %[[W:.*]]:2 = comm.wait %[[F]] keeping(%[[X]], %[[Y]] : tensor<4x8xf32>, tensor<6xf16>)
// CHECK-NEXT:    %[[V:.*]] = builtin.unrealized_conversion_cast %[[W]]#1 : tensor<12xf16> to
// CHECK-NEXT:    %[[U:.*]] = builtin.unrealized_conversion_cast %[[W]]#0 : tensor<8x8xf32> to
// CHECK-NEXT:    return %[[U]], %[[V]]
func.func @all_gather_coalesced(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[6],f16>) -> (!torch.vtensor<[8,8],f32>, !torch.vtensor<[12],f16>) {
  %c0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x, %y) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[6],f16>) -> !torch.list<vtensor>
  %0 = "torch.operator"(%l, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor_coalesced"}> : (!torch.list<vtensor>, !torch.int, !torch.str) -> !torch.list<vtensor>
  %1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[8,8],f32>, !torch.vtensor<[12],f16>)
  %2 = "torch.operator"(%1#1) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[12],f16>) -> !torch.vtensor<[12],f16>
  %3 = "torch.operator"(%1#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  return %3, %2 : !torch.vtensor<[8,8],f32>, !torch.vtensor<[12],f16>
}

// CHECK-LABEL: func.func @reduce_scatter_coalesced
// CHECK-NEXT:    %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[6],f16> to tensor<6xf16>
// CHECK-NEXT:    %[[F:.*]] = comm.reduce_scatter sum %[[X]], %[[Y]] dim 0 over {{\[\[}}0, 1]] : tensor<4x8xf32>, tensor<6xf16> -> !comm.future<tensor<2x8xf32>, tensor<3xf16>>
// CHECK-NEXT:    %[[W:.*]]:2 = comm.wait %[[F]] keeping(%[[X]], %[[Y]] : tensor<4x8xf32>, tensor<6xf16>)
// CHECK-NEXT:    %[[V:.*]] = builtin.unrealized_conversion_cast %[[W]]#1 : tensor<3xf16> to
// CHECK-NEXT:    %[[U:.*]] = builtin.unrealized_conversion_cast %[[W]]#0 : tensor<2x8xf32> to
// CHECK-NEXT:    return %[[U]], %[[V]]
func.func @reduce_scatter_coalesced(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[6],f16>) -> (!torch.vtensor<[2,8],f32>, !torch.vtensor<[3],f16>) {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c2 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x, %y) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[6],f16>) -> !torch.list<vtensor>
  %0 = "torch.operator"(%l, %c0, %c1, %c2) <{name = "torch._c10d_functional.reduce_scatter_tensor_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.int, !torch.str) -> !torch.list<vtensor>
  %1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[2,8],f32>, !torch.vtensor<[3],f16>)
  %2 = "torch.operator"(%1#1) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[3],f16>) -> !torch.vtensor<[3],f16>
  %3 = "torch.operator"(%1#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  return %3, %2 : !torch.vtensor<[2,8],f32>, !torch.vtensor<[3],f16>
}

// CHECK-LABEL: func.func @all_reduce_coalesced
// CHECK-NEXT:    %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[6],f16> to tensor<6xf16>
// CHECK-NEXT:    %[[F:.*]] = comm.all_reduce max %[[X]], %[[Y]] over {{\[\[}}0, 1]] : tensor<4x8xf32>, tensor<6xf16> -> !comm.future<tensor<4x8xf32>, tensor<6xf16>>
// CHECK-NEXT:    %[[W:.*]]:2 = comm.wait %[[F]] keeping(%[[X]], %[[Y]] : tensor<4x8xf32>, tensor<6xf16>)
// CHECK-NEXT:    %[[V:.*]] = builtin.unrealized_conversion_cast %[[W]]#1 : tensor<6xf16> to
// CHECK-NEXT:    %[[U:.*]] = builtin.unrealized_conversion_cast %[[W]]#0 : tensor<4x8xf32> to
// CHECK-NEXT:    return %[[U]], %[[V]]
func.func @all_reduce_coalesced(%x: !torch.vtensor<[4,8],f32>, %y: !torch.vtensor<[6],f16>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[6],f16>) {
  %c0 = "torch.constant.str"() <{value = "max"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x, %y) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[6],f16>) -> !torch.list<vtensor>
  %0 = "torch.operator"(%l, %c0, %c1) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[6],f16>)
  %2 = "torch.operator"(%1#1) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[6],f16>) -> !torch.vtensor<[6],f16>
  %3 = "torch.operator"(%1#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %3, %2 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[6],f16>
}

// CHECK-LABEL: func.func @all_reduce_in_place
// CHECK:         %[[M:.*]] = "torch.aten.mul.Tensor"
// CHECK:         %[[X:.*]] = builtin.unrealized_conversion_cast %[[M]]
// CHECK-NEXT:    comm.all_reduce sum %[[X]]
func.func @all_reduce_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.mul.Tensor"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %0 = "torch.operator"(%m, %c0, %c1) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @broadcast_in_place
// CHECK:         comm.broadcast %{{.*}} root 0
func.func @broadcast_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.clone"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %0 = "torch.operator"(%m, %c0, %c1) <{name = "torch._c10d_functional.broadcast_"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_coalesced_in_place
// CHECK:         comm.all_reduce sum %{{.*}}, %{{.*}} over
func.func @all_reduce_coalesced_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.mul.Tensor"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %n = "torch.aten.add.Tensor"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %l = "torch.prim.ListConstruct"(%m, %n) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %0 = "torch.operator"(%l, %c0, %c1) <{name = "torch._c10d_functional.all_reduce_coalesced_"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>)
  %2 = "torch.operator"(%1#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

// The tensor that is overwritten has no use any more.
// CHECK-LABEL: func.func @outs
// CHECK:         comm.all_gather %{{.*}} dim 0 over
// CHECK:         comm.reduce_scatter sum %{{.*}} dim 0 over
func.func @outs(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[8,8],f32>, !torch.vtensor<[2,8],f32>) {
  %n = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %o = "torch.aten.empty_like"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[8,8],f32>
  %0 = "torch.operator"(%x, %n, %c1, %o) <{name = "torch._c10d_functional.all_gather_into_tensor_out"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  %p = "torch.aten.zeros_like"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[2,8],f32>
  %2 = "torch.operator"(%x, %c0, %n, %c1, %p) <{name = "torch._c10d_functional.reduce_scatter_tensor_out"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.int, !torch.str, !torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  %3 = "torch.operator"(%2) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  return %1, %3 : !torch.vtensor<[8,8],f32>, !torch.vtensor<[2,8],f32>
}
