// RUN: comm-opt %s --allow-unregistered-dialect --comm-simplify=fp=reassociate | FileCheck %s

// What is rewritten together, and what is not.

// A fence between two collectives: nothing crosses it, so each is a piece of its own.
// CHECK-LABEL: func.func @fence
// CHECK:         comm.all_reduce sum %arg0
// CHECK-NEXT:    call @unknown
// CHECK-NEXT:    comm.reduce_scatter
func.func private @unknown()
func.func @fence(%x: tensor<1024x512xf32>) -> tensor<256x512xf32> {
  %0 = comm.all_reduce sum %x over [[0, 4], [1, 5], [2, 6], [3, 7]] : tensor<1024x512xf32> -> tensor<1024x512xf32>
  func.call @unknown() : () -> ()
  %1 = comm.reduce_scatter sum %0 dim 0 over [[0, 1, 2, 3], [4, 5, 6, 7]] : tensor<1024x512xf32> -> tensor<256x512xf32>
  return %1 : tensor<256x512xf32>
}

// An op that nobody knows reads the sum: it is still computed.
// CHECK-LABEL: func.func @opaque_user
// CHECK:         %[[SUM:.*]] = comm.all_reduce sum %arg0
// CHECK:         "other.reads"(%[[SUM]])
func.func @opaque_user(%x: tensor<1024x512xf32>) -> tensor<256x512xf32> {
  %0 = comm.all_reduce sum %x over [[0, 4], [1, 5], [2, 6], [3, 7]] : tensor<1024x512xf32> -> tensor<1024x512xf32>
  %1 = comm.reduce_scatter sum %0 dim 0 over [[0, 1, 2, 3], [4, 5, 6, 7]] : tensor<1024x512xf32> -> tensor<256x512xf32>
  "other.reads"(%0) {comm.pure} : (tensor<1024x512xf32>) -> ()
  return %1 : tensor<256x512xf32>
}

// A started collective that is awaited stays started and awaited.
// CHECK-LABEL: func.func @started
// CHECK-NEXT:    %[[F:.*]] = comm.reduce_scatter sum %arg0 {{.*}} -> !comm.future<tensor<256x512xf32>>
// CHECK-NEXT:    %[[OWN:.*]] = comm.wait %[[F]] keeping(%arg0
// CHECK-NEXT:    %[[G:.*]] = comm.all_reduce sum %[[OWN]] {{.*}} -> !comm.future<tensor<256x512xf32>>
// CHECK-NEXT:    %[[SUM:.*]] = comm.wait %[[G]] keeping(%[[OWN]]
// CHECK-NEXT:    return %[[SUM]]
func.func @started(%x: tensor<1024x512xf32>) -> tensor<256x512xf32> {
  %f = comm.all_reduce sum %x over [[0, 4], [1, 5], [2, 6], [3, 7]] : tensor<1024x512xf32> -> !comm.future<tensor<1024x512xf32>>
  %0 = comm.wait %f keeping(%x : tensor<1024x512xf32>) : !comm.future<tensor<1024x512xf32>>
  %g = comm.reduce_scatter sum %0 dim 0 over [[0, 1, 2, 3], [4, 5, 6, 7]] : tensor<1024x512xf32> -> !comm.future<tensor<256x512xf32>>
  %1 = comm.wait %g keeping(%0 : tensor<1024x512xf32>) : !comm.future<tensor<256x512xf32>>
  return %1 : tensor<256x512xf32>
}

// Means stay means.
// CHECK-LABEL: func.func @means
// CHECK-NEXT:    comm.reduce_scatter avg %arg0
// CHECK-NEXT:    comm.all_reduce avg
// CHECK-NEXT:    return
func.func @means(%x: tensor<16384x4096xf32>) -> tensor<4096x4096xf32> {
  %0 = comm.all_reduce avg %x over [[0, 4], [1, 5], [2, 6], [3, 7]] : tensor<16384x4096xf32> -> tensor<16384x4096xf32>
  %1 = comm.reduce_scatter avg %0 dim 0 over [[0, 1, 2, 3], [4, 5, 6, 7]] : tensor<16384x4096xf32> -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// In the body of a loop.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK-NEXT:      %[[OWN:.*]] = comm.reduce_scatter
// CHECK-NEXT:      %[[SUM:.*]] = comm.all_reduce sum %[[OWN]]
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      scf.yield
func.func @loop(%x: tensor<1024x512xf32>, %init: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (tensor<256x512xf32>) {
    %0 = comm.all_reduce sum %x over [[0, 4], [1, 5], [2, 6], [3, 7]] : tensor<1024x512xf32> -> tensor<1024x512xf32>
    %1 = comm.reduce_scatter sum %0 dim 0 over [[0, 1, 2, 3], [4, 5, 6, 7]] : tensor<1024x512xf32> -> tensor<256x512xf32>
    %2 = arith.addf %acc, %1 : tensor<256x512xf32>
    scf.yield %2 : tensor<256x512xf32>
  }
  return %r : tensor<256x512xf32>
}

// Two gathers of one value stay two, unless they say that they may be merged.
// CHECK-LABEL: func.func @gathered_again
// CHECK-COUNT-2: comm.all_gather
func.func @gathered_again(%w: tensor<256x512xf32>) -> (tensor<1024x512xbf16>, tensor<1024x512xbf16>) {
  %0 = comm.all_gather %w dim 0 over [[0, 1, 2, 3]] : tensor<256x512xf32> -> tensor<1024x512xf32>
  %1 = arith.truncf %0 : tensor<1024x512xf32> to tensor<1024x512xbf16>
  %2 = comm.all_gather %w dim 0 over [[0, 1, 2, 3]] {regather} : tensor<256x512xf32> -> tensor<1024x512xf32>
  %3 = arith.truncf %2 : tensor<1024x512xf32> to tensor<1024x512xbf16>
  return %1, %3 : tensor<1024x512xbf16>, tensor<1024x512xbf16>
}

// CHECK-LABEL: func.func @mergeable
// CHECK-COUNT-1: comm.all_gather
// CHECK-NOT:     comm.all_gather
func.func @mergeable(%w: tensor<256x512xf32>) -> tensor<1024x512xf32> {
  %0 = comm.all_gather %w dim 0 over [[0, 1, 2, 3]] {mergeable} : tensor<256x512xf32> -> tensor<1024x512xf32>
  %1 = comm.all_gather %w dim 0 over [[0, 1, 2, 3]] {mergeable} : tensor<256x512xf32> -> tensor<1024x512xf32>
  %2 = arith.addf %0, %1 : tensor<1024x512xf32>
  return %2 : tensor<1024x512xf32>
}

// Nothing is known of a dynamic shape, of several tensors, or of a collective that is awaited elsewhere.
// CHECK-LABEL: func.func @left_alone
// CHECK:         comm.all_gather %arg0
// CHECK-NEXT:    arith.truncf
// CHECK-NEXT:    comm.all_gather %arg1, %arg1
// CHECK-NEXT:    arith.truncf
func.func @left_alone(%d: tensor<?x512xf32>, %w: tensor<256x512xf32>) -> (tensor<?x512xbf16>, tensor<1024x512xbf16>) {
  %0 = comm.all_gather %d dim 0 over [[0, 1, 2, 3]] : tensor<?x512xf32> -> tensor<?x512xf32>
  %1 = arith.truncf %0 : tensor<?x512xf32> to tensor<?x512xbf16>
  %2:2 = comm.all_gather %w, %w dim 0 over [[0, 1, 2, 3]] : tensor<256x512xf32>, tensor<256x512xf32> -> tensor<1024x512xf32>, tensor<1024x512xf32>
  %3 = arith.truncf %2#0 : tensor<1024x512xf32> to tensor<1024x512xbf16>
  return %1, %3 : tensor<?x512xbf16>, tensor<1024x512xbf16>
}

// Nothing to do.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT:    return
func.func @empty() {
  return
}

// A group of one device: what is gathered is what there was.
// CHECK-LABEL: func.func @alone
// CHECK-NEXT:    return %arg0
func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = comm.all_gather %x dim 0 over [[0]] : tensor<4xf32> -> tensor<4xf32>
  %1 = comm.all_reduce sum %0 over [[0]] : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Three devices.
// CHECK-LABEL: func.func @three
// CHECK:         %[[OWN:.*]] = comm.reduce_scatter sum %arg0 dim 0
// CHECK-NEXT:    return %[[OWN]]
func.func @three(%x: tensor<384x512xf32>) -> tensor<128x512xf32> {
  %c128 = arith.constant 128 : index
  %0 = comm.all_reduce sum %x over [[0, 1, 2]] : tensor<384x512xf32> -> tensor<384x512xf32>
  %rank = comm.rank over [[0, 1, 2]] : index
  %offset = arith.muli %rank, %c128 : index
  %1 = tensor.extract_slice %0[%offset, 0] [128, 512] [1, 1] : tensor<384x512xf32> to tensor<128x512xf32>
  return %1 : tensor<128x512xf32>
}
