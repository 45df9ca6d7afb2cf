// RUN: comm-opt %s --split-input-file --verify-diagnostics

func.func @dynamic(%w: index) {
  // expected-error @below {{a symmetric buffer has a static shape and no strides, but 'memref<?xf32>' has not}}
  %0 = comm_stream.symmetric_alloc over [[0, 1]] : !comm_stream.symmetric<memref<?xf32>>
  return
}

// -----

func.func @no_mesh() {
  // expected-error @below {{refers to @mesh, which is no comm.mesh in scope}}
  %0 = comm_stream.symmetric_alloc over @mesh["tp"] : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

func.func @unnamed() {
  // expected-error @below {{has an empty name}}
  %0 = comm_stream.stream ""
  return
}

// -----

func.func @timeout(%w: !comm_stream.symmetric<memref<4xf32>>) {
  // expected-error @below {{has a timeout of 0 ms; more than 0 is expected}}
  comm_stream.symmetric_free %w {timeout_ms = 0 : i64} : !comm_stream.symmetric<memref<4xf32>>
  return
}

// -----

func.func @channel(%s: !comm_stream.stream) {
  // expected-error @below {{has channel -1; 0 or more is expected}}
  comm_stream.barrier over [[0, 1]] channel -1 on %s
  return
}

// -----

func.func @copy(%x: memref<4xf32>, %y: memref<5xf32>, %s: !comm_stream.stream) {
  // expected-error @below {{copies 'memref<4xf32>' to 'memref<5xf32>', but one shape and one element type are expected}}
  comm_stream.copy %x to %y on %s : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @nested(%s: !comm_stream.stream) {
  // expected-error @below {{issues 'comm_stream.record'; only the program of the device issues, not what runs on streams}}
  comm_stream.launch on %s {
    // expected-note @below {{issued here}}
    %e = comm_stream.record on %s
  }
  return
}

// -----

func.func @gathered(%x: memref<4xf32>, %y: memref<9xf32>, %s: !comm_stream.stream) {
  // expected-error @below {{writes 'memref<9xf32>' as output #0, but for groups of 2 'memref<8xf32>' is expected}}
  comm_stream.all_gather %x into %y dim 0 over [[0, 1]] on %s : memref<4xf32> into memref<9xf32>
  return
}

// -----

func.func @scattered(%x: memref<5xf32>, %y: memref<2xf32>, %s: !comm_stream.stream) {
  // expected-error @below {{splits dimension 0 of operand #0 of type 'memref<5xf32>' over 2 devices, which do not divide it}}
  comm_stream.reduce_scatter sum %x into %y dim 0 over [[0, 1]] on %s : memref<5xf32> into memref<2xf32>
  return
}

// -----

comm.mesh @mesh <["tp" = 2]>
func.func @over_mesh(%x: memref<4xf32>, %y: memref<4xf32>, %s: !comm_stream.stream) {
  // expected-error @below {{has root 2, but its groups have positions 0 to 1}}
  comm_stream.broadcast %x into %y root 2 over @mesh["tp"] on %s : memref<4xf32> into memref<4xf32>
  return
}

// -----

func.func @mixed(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{takes either tensors or buffers, not both}}
  %0:2 = comm.all_reduce sum %x, %y over [[0, 1]] : tensor<4xf32>, memref<4xf32> -> tensor<4xf32>, memref<4xf32>
  return
}

// -----

func.func @yields_tensor(%x: memref<4xf32>) {
  // expected-error @below {{yields 'tensor<8xf32>' as result #0, but for groups of 2 'memref<8xf32>' is expected}}
  %0 = comm.all_gather %x dim 0 over [[0, 1]] : memref<4xf32> -> tensor<8xf32>
  return
}
