// RUN: comm-opt %s --convert-comm-to-stream --split-input-file --verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @tensors(%x: tensor<2x16xf32>, %w: tensor<16x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{works on tensors; convert-comm-to-stream expects buffers, so run one-shot-bufferize before it}}
  %y = comm.all_gather_matmul gather(%x : tensor<2x16xf32>) dim 0 over [[0, 1]]
    product(%w : tensor<16x4xf32>) maps [#mk, #kn, #mn] -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @sizes(%x: memref<?x16xf32>, %w: memref<16x4xf32>) -> memref<?x4xf32> {
  // expected-error @below {{has a buffer of type memref<?x16xf32> of unknown size; static sizes are expected}}
  %y = comm.all_gather_matmul gather(%x : memref<?x16xf32>) dim 0 over [[0, 1]]
    product(%w : memref<16x4xf32>) maps [#mk, #kn, #mn] -> memref<?x4xf32>
  return %y : memref<?x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
// expected-note @below {{in this op}}
func.func @blocks(%x: memref<2x16xf32>, %w: memref<16x4xf32>, %p: i1) {
  cf.cond_br %p, ^one, ^two
^one:
  // expected-error @below {{stands between branches of blocks; loops and branches of scf are expected around it}}
  %y = comm.all_gather_matmul gather(%x : memref<2x16xf32>) dim 0 over [[0, 1]]
    product(%w : memref<16x4xf32>) maps [#mk, #kn, #mn] -> memref<4x4xf32>
  cf.br ^two
^two:
  return
}
