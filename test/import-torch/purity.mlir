// Which torch ops are known to have no side effect.
//
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch)' | FileCheck %s


func.func @purity(%x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) {
  // CHECK: "torch.aten.mm"(%{{.*}}) {comm.pure} :
  %0 = "torch.aten.mm"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.operator"(%{{.*}}) <{name = "torch.aten.silu_backward"}> {comm.pure} :
  %1 = "torch.operator"(%0, %x) <{name = "torch.aten.silu_backward"}> : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.aten.split_with_sizes"(%{{.*}}) {comm.pure} :
  %2 = "torch.aten.split_with_sizes"(%1) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  // Random numbers, writes in place, aliases and unknown ops are fences.
  // CHECK: "torch.aten.rand_like"(%{{.*}}) :
  %3 = "torch.aten.rand_like"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.aten.add_.Tensor"(%{{.*}}) :
  %4 = "torch.aten.add_.Tensor"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.aten.mul.Tensor"(%{{.*}}) :
  %5 = "torch.aten.mul.Tensor"(%m, %m) : (!torch.tensor<[4,8],f32>, !torch.tensor<[4,8],f32>) -> !torch.tensor<[4,8],f32>
  // CHECK: "torch.operator"(%{{.*}}) <{name = "torch.mylib.custom"}> :
  %6 = "torch.operator"(%x) <{name = "torch.mylib.custom"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.prim.Print"(%{{.*}}) :
  "torch.prim.Print"(%x) : (!torch.vtensor<[4,8],f32>) -> ()
  // CHECK: "test.op"(%{{.*}}) :
  %7 = "test.op"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // Attention draws numbers where it drops something.
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %some = "torch.constant.float"() <{value = 0.1 : f64}> : () -> !torch.float
  // CHECK: "torch.aten.scaled_dot_product_attention"(%{{.*}}) {comm.pure} :
  %8 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %zero) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.float) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.aten.scaled_dot_product_attention"(%{{.*}}) :
  %9 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %some) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.float) -> !torch.vtensor<[4,8],f32>
  // CHECK: "torch.aten.scaled_dot_product_attention"(%{{.*}}) :
  %10 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %p) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.float) -> !torch.vtensor<[4,8],f32>
  return
}
