// RUN: comm-opt %s --convert-comm-stream-to-runtime | FileCheck %s
// RUN: comm-opt %s --convert-comm-stream-to-runtime=trace=true | FileCheck %s --check-prefix=TRACE

// What a launch uses of outside is stored in the frame and copied when it is issued; constants are not.
// CHECK-LABEL: func.func @main
// CHECK: arith.index_cast %{{.*}} : index to i64
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK: %[[F:.*]] = constant @main_launch_0 : (!llvm.ptr) -> i32
// CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %[[F]] : (!llvm.ptr) -> i32 to !llvm.ptr
// CHECK: %[[BYTES:.*]] = arith.constant 56 : i64
// CHECK: call @comm_rt_launch(%{{.*}}, %{{.*}}, %[[P]], %{{.*}}, %[[BYTES]],
func.func @main(%x: memref<4xf32>, %i: index, %v: f32) {
  %s = comm_stream.stream "side"
  %c1 = arith.constant 1 : index
  comm_stream.launch "store" on %s {
    %j = arith.addi %i, %c1 : index
    memref.store %v, %x[%j] : memref<4xf32>
  }
  return
}

// A rank is asked for before the launch, and a launch on the device's own thread is what stands in it.
// CHECK-LABEL: func.func @inlined
// CHECK: call @comm_rt_group_position
// CHECK-NOT: comm_rt_launch
// CHECK: memref.store
// CHECK: return
func.func @inlined(%x: memref<4xindex>) {
  %s = comm_stream.current
  comm_stream.launch on %s {
    %r = comm.rank over [[0, 1]] : index
    memref.store %r, %x[%r] : memref<4xindex>
  }
  return
}

// TRACE-LABEL: func.func @products
// TRACE: call @comm_rt_span_begin
// TRACE: call @comm_lowered_matmul
// TRACE: call @comm_rt_span_end

// Integers stay, and so does what is no product.
// CHECK-LABEL: func.func @products
// CHECK-NOT: comm_rt_span_begin
// CHECK: call @comm_lowered_matmul
// CHECK: linalg.matmul ins(%{{.*}} : memref<4x4xi32>, memref<4x4xi32>)
// CHECK: scf.for
// CHECK: func.call @comm_lowered_matmul
// CHECK: linalg.add
func.func @products(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>, %i: memref<4x4xi32>,
                    %j: memref<4x4xi32>, %t: memref<2x4x4xf16>, %u: memref<2x4x4xf16>, %v: memref<2x4x4xf16>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%i, %i : memref<4x4xi32>, memref<4x4xi32>) outs(%j : memref<4x4xi32>)
  linalg.batch_matmul ins(%t, %u : memref<2x4x4xf16>, memref<2x4x4xf16>) outs(%v : memref<2x4x4xf16>)
  linalg.add ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// A product on a stream tells its refusal by what the launch returns.
// CHECK-LABEL: func.func @launched_product
func.func @launched_product(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  %s = comm_stream.stream "side"
  comm_stream.launch on %s {
    linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  }
  return
}

// CHECK-LABEL: func.func private @main_launch_0(%arg0: !llvm.ptr) -> i32
// CHECK: llvm.load %arg0
// CHECK: %[[C:.*]] = arith.constant 1 : index
// CHECK: arith.addi %{{.*}}, %[[C]] : index
// CHECK: return %{{.*}} : i32
// CHECK-LABEL: func.func private @launched_product_launch_0
// CHECK: call @comm_lowered_launched_matmul(
// CHECK: %[[STATUS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: return %[[STATUS]] : i32
