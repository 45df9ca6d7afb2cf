// RUN: comm-opt %s --convert-comm-to-stream --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{works on tensors; convert-comm-to-stream expects buffers, so run one-shot-bufferize before it}}
  %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @dynamic(%x: memref<?xf32>) -> memref<?xf32> {
  // expected-error @below {{yields a buffer of unknown size; static sizes are expected}}
  %r = comm.all_reduce sum %x over [[0, 1]] : memref<?xf32> -> memref<?xf32>
  return %r : memref<?xf32>
}

// -----

func.func @blocks(%x: memref<4xf32>) -> memref<4xf32> {
  // expected-error @below {{is awaited in another block; a start and its wait in one block are expected}}
  %f = comm.all_reduce sum %x over [[0, 1]] : memref<4xf32> -> !comm.future<memref<4xf32>>
  cf.br ^next
^next:
  // expected-note @below {{awaited here}}
  %r = comm.wait %f keeping(%x : memref<4xf32>) : !comm.future<memref<4xf32>>
  return %r : memref<4xf32>
}
