// Fused ops communicate: on all ranks or on none, and in one order.
// RUN: comm-opt %s --comm-verify-order --split-input-file --verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @all_ranks(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %g = comm.all_gather_matmul gather(%x : tensor<4x8xf32>) dim 0 over [[0, 1]]
    product(%w : tensor<8x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xf32>
  %s = comm.matmul_reduce_scatter sum product(%g, %w : tensor<8x8xf32>, tensor<8x8xf32>) maps [#mk, #kn, #mn]
    dim 0 over [[0, 1]] -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @one_arm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %p: i1) {
  // expected-error @below {{arms that issue different collectives}}
  // expected-note @below {{arm 1 issues no collective #0}}
  scf.if %p {
    // expected-note @below {{arm 0 issues this as its collective #0}}
    %g = comm.all_gather_matmul gather(%x : tensor<4x8xf32>) dim 0 over [[0, 1]]
      product(%w : tensor<8x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xf32>
  }
  return
}
