// RUN: comm-opt %s | comm-opt | FileCheck %s
// RUN: comm-opt %s --mlir-print-op-generic | comm-opt | FileCheck %s
// RUN: comm-opt %s --emit-bytecode | comm-opt | FileCheck %s
// RUN: %mlir_opt_plugin %s --emit-bytecode | %mlir_opt_plugin | FileCheck %s
// RUN: comm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK: comm.mesh @mesh<["dp" = 2, "tp" = 4]>
// CHECK: comm.mesh private @line<["x" = 1]>
comm.mesh @mesh <["dp" = 2, "tp" = 4]>
comm.mesh private @line <["x" = 1]>

// CHECK-LABEL: func.func @blocking(
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32>
func.func @blocking(%x: tensor<8x16xf32>) {
  // CHECK: comm.all_gather %[[X]] dim 0 over [
  // CHECK-SAME: [0, 1, 2, 3]] : tensor<8x16xf32> -> tensor<32x16xf32>
  // GENERIC: "comm.all_gather"(%{{.*}}) <{dims = array<i64: 0>, groups = #comm.groups<{{\[\[}}0, 1, 2, 3]]>}>
  %0 = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<8x16xf32> -> tensor<32x16xf32>
  // CHECK: comm.all_gather %[[X]] dim 1 over @mesh["tp"] {mergeable, regather} : tensor<8x16xf32> -> tensor<8x64xf32>
  // GENERIC: groups = #comm.axes<@mesh["tp"]>, mergeable, regather}>
  %1 = comm.all_gather %x dim 1 over @mesh["tp"] {mergeable, regather} : tensor<8x16xf32> -> tensor<8x64xf32>
  // CHECK: comm.reduce_scatter sum %[[X]] dim 0 over [
  // CHECK-SAME: [0, 1], [2, 3]] : tensor<8x16xf32> -> tensor<4x16xf32>
  // GENERIC: kind = #comm.reduction<sum>
  %2 = comm.reduce_scatter sum %x dim 0 over [[0, 1], [2, 3]] : tensor<8x16xf32> -> tensor<4x16xf32>
  // CHECK: comm.all_reduce avg %[[X]] over @mesh["dp", "tp"] : tensor<8x16xf32> -> tensor<8x16xf32>
  %3 = comm.all_reduce avg %x over @mesh["dp", "tp"] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: comm.all_to_all %[[X]] split 0 concat 1 over @mesh["tp"] : tensor<8x16xf32> -> tensor<2x64xf32>
  // GENERIC: concat = 1 : i64
  // GENERIC-SAME: split = 0 : i64
  %4 = comm.all_to_all %x split 0 concat 1 over @mesh["tp"] : tensor<8x16xf32> -> tensor<2x64xf32>
  // Splitting and concatenating one dimension keeps its size.
  // CHECK: comm.all_to_all %[[X]] split 1 concat 1 over @mesh["tp"] : tensor<8x16xf32> -> tensor<8x16xf32>
  %5 = comm.all_to_all %x split 1 concat 1 over @mesh["tp"] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: comm.permute %[[X]] pairs [
  // CHECK-SAME: [0, 1], [1, 2]] : tensor<8x16xf32> -> tensor<8x16xf32>
  // GENERIC: pairs = array<i64: 0, 1, 1, 2>
  %6 = comm.permute %x pairs [[0, 1], [1, 2]] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: comm.permute %[[X]] pairs [] : tensor<8x16xf32> -> tensor<8x16xf32>
  %7 = comm.permute %x pairs [] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: comm.broadcast %[[X]] root 1 over @mesh["dp"] : tensor<8x16xf32> -> tensor<8x16xf32>
  // GENERIC: root = 1 : i64
  %8 = comm.broadcast %x root 1 over @mesh["dp"] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: comm.rank over @mesh["tp"] : index
  %9 = comm.rank over @mesh["tp"] : index
  // CHECK: comm.rank over [
  // CHECK-SAME: [0, 1]] : index
  %10 = comm.rank over [[0, 1]] : index
  return
}

// CHECK-LABEL: func.func @asynchronous(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<2xbf16>
func.func @asynchronous(%x: tensor<8xf32>, %y: tensor<2xbf16>) -> (tensor<16xf32>, tensor<4xbf16>) {
  // One future, however many tensors.
  // CHECK: %[[F:.*]] = comm.all_gather %[[X]], %[[Y]] dim 0 over [
  // CHECK-SAME: [0, 1]] : tensor<8xf32>, tensor<2xbf16> -> !comm.future<tensor<16xf32>, tensor<4xbf16>>
  %f = comm.all_gather %x, %y dim 0 over [[0, 1]] : tensor<8xf32>, tensor<2xbf16> -> !comm.future<tensor<16xf32>, tensor<4xbf16>>
  // CHECK: %[[G:.*]]:2 = comm.wait %[[F]] keeping(%[[X]], %[[Y]] : tensor<8xf32>, tensor<2xbf16>) : !comm.future<tensor<16xf32>, tensor<4xbf16>>
  %g:2 = comm.wait %f keeping(%x, %y : tensor<8xf32>, tensor<2xbf16>) : !comm.future<tensor<16xf32>, tensor<4xbf16>>
  // A future without a user is legal.
  // CHECK: comm.all_reduce max %[[X]] over {{.*}} -> !comm.future<tensor<8xf32>>
  %dead = comm.all_reduce max %x over [[0, 1]] : tensor<8xf32> -> !comm.future<tensor<8xf32>>
  // CHECK: return %[[G]]#0, %[[G]]#1
  return %g#0, %g#1 : tensor<16xf32>, tensor<4xbf16>
}

// A dimension for each tensor; each reduction; each kind started.
// CHECK-LABEL: func.func @variadic(
func.func @variadic(%x: tensor<8x4xi32>, %y: tensor<2x6xi32>) {
  // CHECK: comm.all_gather {{.*}} dim [0, 1] over
  %0:2 = comm.all_gather %x, %y dim [0, 1] over [[0, 1]] : tensor<8x4xi32>, tensor<2x6xi32> -> tensor<16x4xi32>, tensor<2x12xi32>
  // CHECK: comm.reduce_scatter prod {{.*}} dim [0, 1] over
  %1:2 = comm.reduce_scatter prod %x, %y dim [0, 1] over [[0, 1]] : tensor<8x4xi32>, tensor<2x6xi32> -> tensor<4x4xi32>, tensor<2x3xi32>
  // CHECK: comm.all_reduce min
  %2 = comm.all_reduce min %x over [[0, 1]] : tensor<8x4xi32> -> tensor<8x4xi32>
  // CHECK: comm.all_reduce and
  %3 = comm.all_reduce and %x over [[0, 1]] : tensor<8x4xi32> -> tensor<8x4xi32>
  // CHECK: comm.all_reduce or
  %4 = comm.all_reduce or %x over [[0, 1]] : tensor<8x4xi32> -> tensor<8x4xi32>
  // CHECK: comm.all_reduce xor
  %5 = comm.all_reduce xor %x over [[0, 1]] : tensor<8x4xi32> -> tensor<8x4xi32>
  // CHECK: comm.reduce_scatter sum {{.*}} -> !comm.future<tensor<4x4xi32>>
  %6 = comm.reduce_scatter sum %x dim 0 over [[0, 1]] : tensor<8x4xi32> -> !comm.future<tensor<4x4xi32>>
  // CHECK: comm.all_to_all {{.*}} -> !comm.future<tensor<4x8xi32>>
  %7 = comm.all_to_all %x split 0 concat 1 over [[0, 1]] : tensor<8x4xi32> -> !comm.future<tensor<4x8xi32>>
  // CHECK: comm.permute {{.*}} -> !comm.future<tensor<8x4xi32>>
  %8 = comm.permute %x pairs [[0, 1]] : tensor<8x4xi32> -> !comm.future<tensor<8x4xi32>>
  // CHECK: comm.broadcast {{.*}} -> !comm.future<tensor<8x4xi32>>
  %9 = comm.broadcast %x root 0 over [[0, 1]] : tensor<8x4xi32> -> !comm.future<tensor<8x4xi32>>
  return
}

// Dynamic dimensions agree with what they would be; an encoding is kept.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%x: tensor<?x4xf32>, %y: tensor<8x4xf32>) {
  // CHECK: tensor<?x4xf32> -> tensor<?x4xf32>
  %0 = comm.all_gather %x dim 0 over [[0, 1]] : tensor<?x4xf32> -> tensor<?x4xf32>
  // CHECK: tensor<?x4xf32> -> tensor<12x4xf32>
  %1 = comm.all_gather %x dim 0 over [[0, 1]] : tensor<?x4xf32> -> tensor<12x4xf32>
  // CHECK: tensor<8x4xf32> -> tensor<?x4xf32>
  %2 = comm.reduce_scatter sum %y dim 0 over [[0, 1]] : tensor<8x4xf32> -> tensor<?x4xf32>
  return
}

// Discardable attributes of the dialect.
// CHECK-LABEL: func.func @attributes(
// CHECK-SAME: {comm.uniform}
func.func @attributes(%n: index {comm.uniform}, %x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: {comm.channel_id = 7 : i64, comm.duration_ns = 1200 : i64}
  %0 = comm.all_reduce sum %x over [[0, 1]] {comm.duration_ns = 1200 : i64, comm.channel_id = 7 : i64} : tensor<4xf32> -> tensor<4xf32>
  scf.for %i = %c0 to %n step %c1 {
  // CHECK: {comm.trip_count = 12 : i64}
  } {comm.trip_count = 12 : i64}
  return
}

// Attributes stand alone too.
// CHECK-LABEL: func.func private @spelled(
// CHECK-SAME: axes = #comm.axes<@mesh["dp", "tp"]>
// CHECK-SAME: future = !comm.future<tensor<2xf32>>
// CHECK-SAME: groups = #comm.groups<{{\[\[}}0, 2], [1, 3]]>
// CHECK-SAME: kind = #comm.reduction<xor>
func.func private @spelled() attributes {
  axes = #comm.axes<@mesh["dp", "tp"]>, groups = #comm.groups<[[0, 2], [1, 3]]>, kind = #comm.reduction<xor>,
  future = !comm.future<tensor<2xf32>>
}
