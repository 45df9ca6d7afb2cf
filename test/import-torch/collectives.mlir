// Every functional collective that comm has, in its plain form.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=dp=0.1/2.3,tp=0.2/1.3' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=dp=0.1/2.3,tp=0.2/1.3' | comm-opt --allow-unregistered-dialect | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch{groups=dp=0.1/2.3,tp=0.2/1.3})' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=dp=0.1/2.3,tp=0.2/1.3' -o /dev/null --remarks-filter='comm-import-torch' 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-NOT: assumed-group
// REMARK:     imported 18 collective(s) with 17 wait(s)

// CHECK-LABEL: func.func @all_gather
func.func @all_gather(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[8,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_gather %[[X]] dim 0 over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<8x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<8x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<8x8xf32> to !torch.vtensor<[8,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[8,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  return %1 : !torch.vtensor<[8,8],f32>
}

// Another group, and an attribute that stays.
// CHECK-LABEL: func.func @reduce_scatter
func.func @reduce_scatter(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[2,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.reduce_scatter avg %[[X]] dim 0 over {{\[\[}}0, 2], [1, 3]] {comm.duration_ns = 7 : i64} : tensor<4x8xf32> -> !comm.future<tensor<2x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<2x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<2x8xf32> to !torch.vtensor<[2,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "avg"}> : () -> !torch.str
  %c1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c2 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1, %c2) <{name = "torch._c10d_functional.reduce_scatter_tensor"}> {comm.duration_ns = 7 : i64} : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor<[2,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  return %1 : !torch.vtensor<[2,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_sum
func.func @all_reduce_sum(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce sum %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_avg
func.func @all_reduce_avg(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce avg %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "avg"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_min
func.func @all_reduce_min(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce min %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "min"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_max
func.func @all_reduce_max(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce max %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "max"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_product
func.func @all_reduce_product(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce prod %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "product"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_reduce_band
func.func @all_reduce_band(%x: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[?],si64> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce and %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<?xi64> -> !comm.future<tensor<?xi64>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<?xi64>) : !comm.future<tensor<?xi64>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<?xi64> to !torch.vtensor<[?],si64>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "band"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[?],si64>, !torch.str, !torch.str) -> !torch.vtensor<[?],si64>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64>
  return %1 : !torch.vtensor<[?],si64>
}

// CHECK-LABEL: func.func @all_reduce_bor
func.func @all_reduce_bor(%x: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[?],si64> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce or %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<?xi64> -> !comm.future<tensor<?xi64>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<?xi64>) : !comm.future<tensor<?xi64>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<?xi64> to !torch.vtensor<[?],si64>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "bor"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[?],si64>, !torch.str, !torch.str) -> !torch.vtensor<[?],si64>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64>
  return %1 : !torch.vtensor<[?],si64>
}

// CHECK-LABEL: func.func @all_reduce_bxor
func.func @all_reduce_bxor(%x: !torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[?],si64> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce xor %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<?xi64> -> !comm.future<tensor<?xi64>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<?xi64>) : !comm.future<tensor<?xi64>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<?xi64> to !torch.vtensor<[?],si64>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "bxor"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[?],si64>, !torch.str, !torch.str) -> !torch.vtensor<[?],si64>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[?],si64>) -> !torch.vtensor<[?],si64>
  return %1 : !torch.vtensor<[?],si64>
}

// Sums and products of bools are "any" and "all".

// CHECK-LABEL: func.func @all_reduce_bool_sum
func.func @all_reduce_bool_sum(%x: !torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[3],i1> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce or %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<3xi1> -> !comm.future<tensor<3xi1>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<3xi1>) : !comm.future<tensor<3xi1>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<3xi1> to !torch.vtensor<[3],i1>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[3],i1>, !torch.str, !torch.str) -> !torch.vtensor<[3],i1>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1>
  return %1 : !torch.vtensor<[3],i1>
}

// CHECK-LABEL: func.func @all_reduce_bool_product
func.func @all_reduce_bool_product(%x: !torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[3],i1> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_reduce and %[[X]] over {{\[\[}}0, 1], [2, 3]] : tensor<3xi1> -> !comm.future<tensor<3xi1>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<3xi1>) : !comm.future<tensor<3xi1>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<3xi1> to !torch.vtensor<[3],i1>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.str"() <{value = "product"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[3],i1>, !torch.str, !torch.str) -> !torch.vtensor<[3],i1>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1>
  return %1 : !torch.vtensor<[3],i1>
}

// Splits that are even, spelled out or not.
// CHECK-LABEL: func.func @all_to_all
func.func @all_to_all(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_to_all %[[X]] split 0 concat 0 over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %s0_0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %s0_1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c0 = "torch.prim.ListConstruct"(%s0_0, %s0_1) : (!torch.int, !torch.int) -> !torch.list<int>
  %s1_0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %s1_1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c1 = "torch.prim.ListConstruct"(%s1_0, %s1_1) : (!torch.int, !torch.int) -> !torch.list<int>
  %c2 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1, %c2) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @all_to_all_even
func.func @all_to_all_even(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[4,8],f32> to
  // CHECK-NEXT: %[[F:.*]] = comm.all_to_all %[[X]] split 0 concat 0 over {{\[\[}}0, 1], [2, 3]] : tensor<4x8xf32> -> !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<4x8xf32>) : !comm.future<tensor<4x8xf32>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<4x8xf32> to !torch.vtensor<[4,8],f32>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.prim.ListConstruct"() : () -> !torch.list<int>
  %c1 = "torch.prim.ListConstruct"() : () -> !torch.list<int>
  %c2 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1, %c2) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: !torch.vtensor<[],bf16>) -> !torch.vtensor<[],bf16> {
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !torch.vtensor<[],bf16> to
  // CHECK-NEXT: %[[F:.*]] = comm.broadcast %[[X]] root 1 over {{\[\[}}0, 2], [1, 3]] : tensor<bf16> -> !comm.future<tensor<bf16>>
  // CHECK-NEXT: %[[W:.*]] = comm.wait %[[F]] keeping(%[[X]] : tensor<bf16>) : !comm.future<tensor<bf16>>
  // CHECK-NEXT: %[[Y:.*]] = builtin.unrealized_conversion_cast %[[W]] : tensor<bf16> to !torch.vtensor<[],bf16>
  // CHECK-NEXT: return %[[Y]]
  %c0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.broadcast"}> : (!torch.vtensor<[],bf16>, !torch.int, !torch.str) -> !torch.vtensor<[],bf16>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[],bf16>) -> !torch.vtensor<[],bf16>
  return %1 : !torch.vtensor<[],bf16>
}

// Nobody waits: the future is dead, and so may be the collective.
// CHECK-LABEL: func.func @unused
// CHECK:         comm.all_reduce
// CHECK-NEXT:    return
func.func @unused(%x: !torch.vtensor<[4,8],f32>) {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce.default"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  return
}

// Constants that something else reads stay; a tensor that comes from a wait is taken from there, without casts between.
// CHECK-LABEL: func.func @chained
// CHECK-NEXT:    %[[SUM:.*]] = "torch.constant.str"
// CHECK-NEXT:    %[[X:.*]] = builtin.unrealized_conversion_cast
// CHECK-NEXT:    %[[F:.*]] = comm.reduce_scatter sum %[[X]]
// CHECK-NEXT:    %[[W:.*]] = comm.wait %[[F]]
// CHECK-NEXT:    builtin.unrealized_conversion_cast
// CHECK-NEXT:    comm.all_reduce sum %[[W]]
// CHECK-NEXT:    comm.wait %{{.*}} keeping(%[[W]] :
// CHECK-NEXT:    %[[Y:.*]] = builtin.unrealized_conversion_cast
// CHECK-NEXT:    return %[[Y]], %[[SUM]]
func.func @chained(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[2,8],f32>, !torch.str) {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %dp = "torch.constant.str"() <{value = "dp"}> : () -> !torch.str
  %tp = "torch.constant.str"() <{value = "tp"}> : () -> !torch.str
  %n = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %0 = "torch.operator"(%x, %sum, %n, %dp) <{name = "torch._c10d_functional.reduce_scatter_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.int, !torch.str) -> !torch.vtensor<[2,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  %2 = "torch.operator"(%1, %sum, %tp) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[2,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[2,8],f32>
  %3 = "torch.operator"(%2) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
  return %3, %sum : !torch.vtensor<[2,8],f32>, !torch.str
}
