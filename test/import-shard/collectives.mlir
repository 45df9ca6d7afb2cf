// Every collective of the shard dialect that comm has.
//
// RUN: comm-opt %s --comm-import-shard | FileCheck %s
// RUN: comm-opt %s --comm-import-shard | comm-opt | FileCheck %s
// RUN: %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-import-shard)' | FileCheck %s
// RUN: comm-opt %s --comm-import-shard -o /dev/null --remarks-filter='comm-import-shard' 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: imported 13 collective(s), 2 slice(s) and 0 index op(s) over 2 mesh(es); dropped 1 over no axes

// CHECK-NOT: shard.grid
// CHECK-DAG: comm.mesh @grid<["axis0" = 2, "axis1" = 3, "axis2" = 4]>
// CHECK-DAG: comm.mesh @line<["axis0" = 4]>
shard.grid @grid(shape = 2x3x4)
shard.grid @line(shape = 4)

// CHECK-LABEL: func.func @gather_and_scatter
// CHECK-SAME:    (%[[X:.*]]: tensor<8x12xf32>)
func.func @gather_and_scatter(%x: tensor<8x12xf32>) -> (tensor<8x48xf32>, tensor<2x12xf32>, tensor<4x24xf32>) {
  // CHECK-NEXT: comm.all_gather %[[X]] dim 1 over @grid["axis2"] : tensor<8x12xf32> -> tensor<8x48xf32>
  %0 = shard.all_gather %x on @grid grid_axes = [2] gather_axis = 1 : tensor<8x12xf32> -> tensor<8x48xf32>
  // CHECK-NEXT: comm.reduce_scatter sum %[[X]] dim 0 over @grid["axis2"] : tensor<8x12xf32> -> tensor<2x12xf32>
  %1 = shard.reduce_scatter %x on @grid grid_axes = [2] scatter_axis = 0 : tensor<8x12xf32> -> tensor<2x12xf32>
  // CHECK-NEXT: comm.all_to_all %[[X]] split 0 concat 1 over @grid["axis0"] : tensor<8x12xf32> -> tensor<4x24xf32>
  %2 = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 0 concat_axis = 1 : tensor<8x12xf32> -> tensor<4x24xf32>
  return %0, %1, %2 : tensor<8x48xf32>, tensor<2x12xf32>, tensor<4x24xf32>
}

// CHECK-LABEL: func.func @reductions
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>)
func.func @reductions(%x: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK-NEXT: comm.all_reduce max %[[X]] over @grid["axis1"]
  %0 = shard.all_reduce %x on @grid grid_axes = [1] reduction = max : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: comm.all_reduce min %[[X]]
  %1 = shard.all_reduce %x on @grid grid_axes = [1] reduction = min : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: comm.all_reduce prod %[[X]]
  %2 = shard.all_reduce %x on @grid grid_axes = [1] reduction = product : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: comm.all_reduce avg %[[X]]
  %3 = shard.all_reduce %x on @grid grid_axes = [1] reduction = average : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: comm.all_reduce and %[[I]]
  %4 = shard.all_reduce %i on @grid grid_axes = [1] reduction = bitwise_and : tensor<4xi32> -> tensor<4xi32>
  // CHECK-NEXT: comm.all_reduce or %[[I]]
  %5 = shard.all_reduce %i on @grid grid_axes = [1] reduction = bitwise_or : tensor<4xi32> -> tensor<4xi32>
  // CHECK-NEXT: comm.all_reduce xor %[[I]]
  %6 = shard.all_reduce %i on @grid grid_axes = [1] reduction = bitwise_xor : tensor<4xi32> -> tensor<4xi32>
  // A measured cost stays, and a group of one device is its operand.
  // CHECK-NEXT: comm.all_reduce sum %[[X]] over @line["axis0"] {comm.duration_ns = 7 : i64}
  %7 = shard.all_reduce %x on @line grid_axes = [0] {comm.duration_ns = 7 : i64} : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: return %[[X]]
  %8 = shard.all_reduce %x on @grid : tensor<4xf32> -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// A reduction computes in the element type of its result: the operand is converted first.
// CHECK-LABEL: func.func @accumulates_in_result_type
// CHECK-SAME:    (%[[X:.*]]: tensor<?x4xf32>)
func.func @accumulates_in_result_type(%x: tensor<?x4xf32>) -> (tensor<?x4xf64>, tensor<?x1xf16>) {
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[X]] : tensor<?x4xf32> to tensor<?x4xf64>
  // CHECK-NEXT: comm.all_reduce sum %[[WIDE]] over @line["axis0"] : tensor<?x4xf64> -> tensor<?x4xf64>
  %0 = shard.all_reduce %x on @line grid_axes = [0] : tensor<?x4xf32> -> tensor<?x4xf64>
  // CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[X]] : tensor<?x4xf32> to tensor<?x4xf16>
  // CHECK-NEXT: comm.reduce_scatter sum %[[NARROW]] dim 1 over @line["axis0"] : tensor<?x4xf16> -> tensor<?x1xf16>
  %1 = shard.reduce_scatter %x on @line grid_axes = [0] scatter_axis = 1 : tensor<?x4xf32> -> tensor<?x1xf16>
  return %0, %1 : tensor<?x4xf64>, tensor<?x1xf16>
}

// Slices are cut at the position of the device; sizes that are not known are those of the operand.
// CHECK-LABEL: func.func @slices
// CHECK-SAME:    (%[[X:.*]]: tensor<8x12xf32>, %[[Y:.*]]: tensor<?x12xf32>)
func.func @slices(%x: tensor<8x12xf32>, %y: tensor<?x12xf32>) -> (tensor<8x4xf32>, tensor<?x3xf32>) {
  // CHECK-DAG:  %[[PIECE:.*]] = arith.constant 4 : index
  // CHECK-DAG:  %[[POSITION:.*]] = comm.rank over @grid["axis1"] : index
  // CHECK:      %[[OFFSET:.*]] = arith.muli %[[POSITION]], %[[PIECE]] : index
  // CHECK-NEXT: tensor.extract_slice %[[X]][0, %[[OFFSET]]] [8, 4] [1, 1] : tensor<8x12xf32> to tensor<8x4xf32>
  %0 = shard.all_slice %x on @grid grid_axes = [1] slice_axis = 1 : tensor<8x12xf32> -> tensor<8x4xf32>
  // CHECK:      %[[OFFSET:.*]] = arith.muli
  // CHECK:      %[[SIZE:.*]] = tensor.dim %[[Y]], %{{.*}} : tensor<?x12xf32>
  // CHECK-NEXT: tensor.extract_slice %[[Y]][0, %[[OFFSET]]] [%[[SIZE]], 3] [1, 1] : tensor<?x12xf32> to tensor<?x3xf32>
  %1 = shard.all_slice %y on @line grid_axes = [0] slice_axis = 1 : tensor<?x12xf32> -> tensor<?x3xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<?x3xf32>
}
