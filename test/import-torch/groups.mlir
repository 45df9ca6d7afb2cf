// Groups without an entry in the option: a group_size that the graph mentions says who is in it, all_reduce included.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch --remarks-filter='comm-import-torch' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch)' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch='groups=0=0.1.2.3/4.5.6.7' | FileCheck %s --check-prefix=GIVEN

// REMARK: takes process group '0' for ranks 0 to 3, as many as its group_size; say otherwise by groups=0=RANK.RANK...
// REMARK: takes process group '1' for ranks 0 to 1,

// CHECK:  comm.all_reduce sum %{{.*}} over {{\[\[}}0, 1, 2, 3]]
// CHECK:  comm.all_gather %{{.*}} dim 0 over {{\[\[}}0, 1, 2, 3]]
// CHECK:  comm.all_to_all %{{.*}} split 0 concat 0 over {{\[\[}}0, 1]]
// GIVEN:  comm.all_reduce sum %{{.*}} over {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]
// GIVEN:  comm.all_gather %{{.*}} dim 0 over {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]
// GIVEN:  comm.all_to_all %{{.*}} split 0 concat 0 over {{\[\[}}0, 1]]

func.func @groups(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,8],f32>) {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "0"}> : () -> !torch.str
  %n = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %2 = "torch.operator"(%x, %n, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[16,8],f32>
  %3 = "torch.operator"(%2) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[16,8],f32>
  %o = "torch.constant.str"() <{value = "1"}> : () -> !torch.str
  %two = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %l = "torch.prim.ListConstruct"(%two, %two) : (!torch.int, !torch.int) -> !torch.list<int>
  %4 = "torch.operator"(%x, %l, %l, %o) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %5 = "torch.operator"(%4) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1, %3, %5 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[16,8],f32>, !torch.vtensor<[4,8],f32>
}
