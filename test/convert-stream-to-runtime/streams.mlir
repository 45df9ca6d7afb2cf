// RUN: comm-opt %s --convert-comm-stream-to-runtime | FileCheck %s
// RUN: comm-opt %s --convert-comm-stream-to-runtime --canonicalize | FileCheck %s --check-prefix=NONE --implicit-check-not=comm_stream. --implicit-check-not='comm.'

// NONE: module

// An event of another stream is waited for on the spot, released after its last wait; one of the device's own thread has
// happened.
// CHECK-LABEL: func.func @events
// CHECK: %[[RANK:.*]] = call @comm_rt_rank_current() : () -> !llvm.ptr
// CHECK: call @comm_rt_stream(%[[RANK]],
// CHECK: %[[S:.*]] = llvm.load
// CHECK-NOT: comm_rt_event_wait
// CHECK: call @comm_rt_event_record(%[[RANK]], %[[S]],
// CHECK: %[[E:.*]] = llvm.load
// CHECK: scf.if
// CHECK: call @comm_rt_event_synchronize(%[[RANK]], %[[E]],
// CHECK: }
// CHECK-NEXT: call @comm_rt_event_release(%[[RANK]], %[[E]])
func.func @events(%flag: i1) {
  %current = comm_stream.current
  %s = comm_stream.stream "side"
  %now = comm_stream.record on %current
  comm_stream.wait_event %now on %s
  %e = comm_stream.record on %s
  scf.if %flag {
    comm_stream.wait_event %e on %current
  }
  return
}

// An event that a loop hands on may be one of the device's own thread, which is 0.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} iter_args(%[[E:.*]] = %{{.*}}) -> (i64)
// CHECK: call @comm_lowered_wait_event(%{{.*}}, %{{.*}}, %[[E]], %{{.*}})
// CHECK: call @comm_rt_event_record
// CHECK: call @comm_lowered_synchronize_event
// CHECK-NOT: comm_rt_event_release
func.func @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %current = comm_stream.current
  %s = comm_stream.stream "side"
  %first = comm_stream.record on %current
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%e = %first) -> (!comm_stream.event) {
    comm_stream.wait_event %e on %s
    %next = comm_stream.record on %s
    scf.yield %next : !comm_stream.event
  }
  comm_stream.wait_event %last on %current
  return
}

// Handles in types of functions and calls are numbers.
// CHECK-LABEL: func.func private @release(%{{.*}}: i64)
// CHECK: call @comm_rt_symmetric_free
func.func private @release(%w: !comm_stream.symmetric<memref<4xf32>>) {
  comm_stream.symmetric_free %w {timeout_ms = 7 : i64} : !comm_stream.symmetric<memref<4xf32>>
  return
}

// CHECK-LABEL: func.func @memory
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 16 : i64
// CHECK: call @comm_rt_symmetric_alloc(%{{.*}}, %{{.*}}, %[[BYTES]],
// CHECK: %[[W:.*]] = llvm.load
// CHECK: %[[PEER:.*]] = call @comm_rt_symmetric_member(%{{.*}}, %[[W]],
// CHECK: %[[AT:.*]] = call @comm_lowered_view(%{{.*}}, %[[W]], %[[PEER]],
// CHECK: %[[D:.*]] = llvm.insertvalue %[[AT]], %{{.*}}[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xf32>
// CHECK: call @release(%[[W]]) : (i64) -> ()
// CHECK: call @comm_lowered_free_spare
// CHECK-NEXT: return
func.func @memory(%x: memref<4xf32>, %i: index) {
  %s = comm_stream.current
  %w = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<4xf32>>
  %p = comm_stream.peer %w at %i : !comm_stream.symmetric<memref<4xf32>>
  comm_stream.copy %p to %x on %s : memref<4xf32> to memref<4xf32>
  func.call @release(%w) : (!comm_stream.symmetric<memref<4xf32>>) -> ()
  return
}

// The second buffer of a strided view: strides are written, sizes that are not known are read off the buffer.
// CHECK-LABEL: func.func @strided
// CHECK: memref.extract_strided_metadata
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: call @comm_rt_all_reduce
// CHECK: call @comm_rt_stream_synchronize
func.func @strided(%x: memref<?xf64, strided<[2], offset: ?>>, %y: memref<?xf64, strided<[2], offset: ?>>) {
  %s = comm_stream.current
  comm_stream.all_reduce avg %x into %y over [[0, 1]] on %s
    : memref<?xf64, strided<[2], offset: ?>> into memref<?xf64, strided<[2], offset: ?>>
  return
}

// CHECK-LABEL: func.func @loop
// CHECK: %[[GO:.*]] = arith.cmpi
// CHECK: %[[WELL:.*]] = func.call @comm_lowered_may_go_on
// CHECK: %[[BOTH:.*]] = arith.andi %[[GO]], %[[WELL]] : i1
// CHECK: scf.condition(%[[BOTH]])
func.func @loop(%x: memref<i64>) {
  %zero = arith.constant 0 : i64
  scf.while : () -> () {
    %v = memref.load %x[] : memref<i64>
    %go_on = arith.cmpi eq, %v, %zero : i64
    scf.condition(%go_on)
  } do {
    scf.yield
  }
  return
}

// CHECK: llvm.mlir.global internal constant @{{.*}}("{{.*}}streams.mlir:[[#]]:3\00")
