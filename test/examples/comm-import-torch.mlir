// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=dp=0.1/2.3' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch{groups=dp=0.1/2.3})' | FileCheck %s

// CHECK-LABEL: func.func @weight
// CHECK:         %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to tensor<4x8xf32>
// CHECK-NEXT:    %[[F:.*]] = comm.all_gather %[[X]] dim 0 over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<8x8xf32>>
// CHECK-NEXT:    "torch.aten.relu"(%{{.*}})
// CHECK-NEXT:    %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<8x8xf32>>
// CHECK-NEXT:    %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<8x8xf32> to !torch.vtensor<[8,8],f32>
// CHECK-NEXT:    "torch.aten.mm"(%{{.*}}, %[[Y]])
func.func @weight(%shard: !torch.vtensor<[4,8],f32>, %x: !torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32> {
  %size = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %group = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %start = "torch.operator"(%shard, %size, %group) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[8,8],f32>
  %h = "torch.aten.relu"(%x) : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  %w = "torch.operator"(%start) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  %y = "torch.aten.mm"(%h, %w) : (!torch.vtensor<[2,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[2,8],f32>
  return %y : !torch.vtensor<[2,8],f32>
}
