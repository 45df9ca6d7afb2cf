// RUN: comm-opt %s --comm-asyncify | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(func.func(comm-asyncify))' | FileCheck %s
// RUN: comm-opt %s --comm-asyncify --comm-asyncify | FileCheck %s
// RUN: comm-opt %s --comm-asyncify --remarks-filter='comm-.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// REMARK: split 4 blocking collective(s) into a start and a wait

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<2xf32>, %[[P:.*]]: i1
func.func @all(%x: tensor<4xf32>, %y: tensor<2xf32>, %p: i1) -> (tensor<8xf32>, tensor<4xf32>) {
  // A bucket is one future. Attributes stay; mergeable is dropped, since a future has one wait.
  // CHECK: %[[F:.*]] = comm.all_gather %[[X]], %[[Y]] dim 0 over {{.*}} {comm.duration_ns = 5 : i64, regather} : {{.*}} -> !comm.future<tensor<8xf32>, tensor<4xf32>>
  // CHECK-NEXT: %[[G:.*]]:2 = comm.wait %[[F]] keeping(%[[X]], %[[Y]] : tensor<4xf32>, tensor<2xf32>)
  %g:2 = comm.all_gather %x, %y dim 0 over [[0, 1]] {mergeable, regather, comm.duration_ns = 5 : i64}
    : tensor<4xf32>, tensor<2xf32> -> tensor<8xf32>, tensor<4xf32>
  // CHECK: %[[D:.*]] = comm.permute
  // CHECK-NEXT: comm.wait %[[D]] keeping(%[[X]] : tensor<4xf32>)
  %d = comm.permute %x pairs [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  // CHECK: scf.if
  scf.if %p {
    // CHECK: %[[N:.*]] = comm.all_reduce
    // CHECK-NEXT: comm.wait %[[N]]
    %n = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  }
  // A chain: the second starts from what the wait of the first yields.
  // CHECK: %[[S:.*]] = comm.reduce_scatter sum %[[G]]#0 {{.*}} -> !comm.future<tensor<4xf32>>
  // CHECK-NEXT: %[[T:.*]] = comm.wait %[[S]] keeping(%[[G]]#0 : tensor<8xf32>)
  %s = comm.reduce_scatter sum %g#0 dim 0 over [[0, 1]] : tensor<8xf32> -> tensor<4xf32>
  // What is asynchronous already is left alone.
  // CHECK: %[[A:.*]] = comm.broadcast
  // CHECK-NEXT: comm.wait %[[A]]
  // CHECK-NEXT: return %[[G]]#0, %[[T]]
  %a = comm.broadcast %x root 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  %b = comm.wait %a keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return %g#0, %s : tensor<8xf32>, tensor<4xf32>
}
