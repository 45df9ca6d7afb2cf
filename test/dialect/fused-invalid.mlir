// What the verifiers of the fused ops say.
// RUN: comm-opt %s --split-input-file --verify-diagnostics

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @result_size(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{yields 'tensor<4x8xf32>' as result #0, but for groups of 2 'tensor<8x8xf32>' is expected}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] -> tensor<4x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @gather_dimension(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{has gather dimension 2, but operand #0 of type 'tensor<4x64xf32>' has 2 dimension(s)}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 2 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @no_product(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{gathers at least one tensor and has at least one product}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]   returning [0] -> tensor<8x64xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @results_missing(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{has 1 result(s) for 1 product(s) and 1 returned tensor(s)}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] returning [0] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @returned_twice(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{returns gathered tensor #0; each of 0 to 0 at most once is expected}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] returning [0, 0] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @factors_disagree(%x: tensor<4x64xf32>, %w: tensor<32x8xf32>) {
  // expected-error @below {{of which dimension d2 is 64 in the first and 32 in the second}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<32x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @no_permutation(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{a projected permutation is expected}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, affine_map<(m, n, k) -> (k, k)>, #mn] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @dimension_alone(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{has dimension d2 in 1 map(s) of product #0}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (l, n)>, affine_map<(m, n, k, l) -> (m, n)>] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @narrow_accumulator(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{accumulates product #0 of elements of type 'f32' in 'bf16'; the same type or a wider one of its kind is expected}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xbf16>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @epilogue_arguments(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{has 2 argument(s) of the epilogue of product #0; 1 are expected}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue() maps [] {
  ^bb0(%s: f32, %t: f32):
    comm.yield %s : f32
  } -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @epilogue_yields(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{yields 'f32' from its epilogue of product #0; 'bf16' is expected}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue() maps [] {
  ^bb0(%s: f32):
    comm.yield %s : f32
  } -> tensor<8x8xbf16>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @epilogue_size(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %b: tensor<9xf32>) {
  // expected-error @below {{reads dimension 0 of tensor #0 of the epilogue of product #0 by d1, which has 8 values, but its size is 9}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue(%b : tensor<9xf32>) maps [affine_map<(m, n) -> (n)>] {
  ^bb0(%s: f32, %t: f32):
    comm.yield %s : f32
  } -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @scales_elsewhere(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{does not read just that by dimension d0, along which tensor #0 is gathered}}
  %0 = comm.all_gather_matmul gather(%x, %b : tensor<4x64xf32>, tensor<4xf32>) dim 0 over [[0, 1]] prologue() maps [affine_map<(m, k) -> (0)>] {
  ^bb0(%s: f32, %t: f32):
    comm.yield %s : f32
  } product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @block_is_cut(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>, %b: tensor<1xf32>) {
  // expected-error @below {{cuts a block of tensor #0 of the epilogue of product #0: a chunk has 4 of d0 floordiv 8 in dimension 0}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue(%b : tensor<1xf32>) maps [affine_map<(m, n) -> (m floordiv 8)>] {
  ^bb0(%s: f32, %t: f32):
    comm.yield %s : f32
  } -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @mesh_is_missing(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{refers to @nowhere, which is no comm.mesh in scope}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over @nowhere["tp"]  product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] -> tensor<8x8xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @scatter_dimension(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  // expected-error @below {{has scatter dimension 2, but the product has 2 dimension(s)}}
  %0 = comm.matmul_reduce_scatter sum product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn]  dim 2 over [[0, 1]] -> tensor<4x16xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @indivisible(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  // expected-error @below {{scatters dimension 0 of size 8 over 3 devices, which do not divide it}}
  %0 = comm.matmul_reduce_scatter sum product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn]  dim 0 over [[0, 1, 2]] -> tensor<4x16xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @other_sizes(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  // expected-error @below {{adds product #1 to product #0, which has other sizes}}
  %0 = comm.matmul_reduce_scatter sum product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn] product(%b, %a : tensor<4x16xf32>, tensor<8x4xf32>) maps [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, #mn]  dim 0 over [[0, 1]] -> tensor<4x16xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @odd_factors(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  %0 = comm.matmul_reduce_scatter sum
    // expected-error @below {{expected two factors for a product, but found 1}}
    product(%a : tensor<8x4xf32>) maps [#mk, #kn, #mn]  dim 0 over [[0, 1]] -> tensor<4x16xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @cannot_combine(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  // expected-error @below {{cannot combine operand #0 of element type 'f32' by 'and'}}
  %0 = comm.matmul_reduce_scatter and product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn]  dim 0 over [[0, 1]] -> tensor<4x16xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @scattered_size(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  // expected-error @below {{yields 'tensor<8x16xf32>' as result #0, but for groups of 2 'tensor<4x16xf32>' is expected}}
  %0 = comm.matmul_reduce_scatter sum product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn]  dim 0 over [[0, 1]] -> tensor<8x16xf32>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @narrowed_reduction(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  // expected-error @below {{sends 'f32' and combines it in 'bf16'; the same type or a wider one of its kind is expected}}
  %0 = comm.matmul_reduce_scatter sum product(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>) maps [#mk, #kn, #mn] partial() maps [] {
  ^bb0(%s: f32):
    comm.yield %s : f32
  } dim 0 over [[0, 1]] -> tensor<4x16xbf16>
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @effects(%x: tensor<4x64xf32>, %w: tensor<64x8xf32>) {
  // expected-error @below {{has 'func.call' in its epilogue of product #0; only pure ops on scalars, without regions, are elementwise}}
  %0 = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]] product(%w : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue() maps [] {
  ^bb0(%s: f32):
    // expected-note @below {{here}}
    %r = func.call @f(%s) : (f32) -> f32
    comm.yield %r : f32
  } -> tensor<8x8xf32>
  return
}
func.func private @f(f32) -> f32
