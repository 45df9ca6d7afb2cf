// RUN: comm-opt %s -split-input-file -verify-diagnostics --comm-import-shard
// RUN: %mlir_opt_plugin %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(comm-import-shard)'

shard.grid @grid(shape = 2x2)
func.func @gather(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{'shard.gather' op moves data to or from one root, which no collective of comm does}}
  %0 = shard.gather %x on @grid grid_axes = [1] gather_axis = 0 root = [1] : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2x2)
func.func @scatter(%x: tensor<2xf32>) -> tensor<1xf32> {
  // expected-error @below {{'shard.scatter' op moves data to or from one root}}
  %0 = shard.scatter %x on @grid grid_axes = [0] scatter_axis = 0 root = [1] : (tensor<2xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

shard.grid @grid(shape = 2x2)
func.func @reduce(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{'shard.reduce' op moves data to or from one root}}
  %0 = shard.reduce %x on @grid grid_axes = [0] root = [1] : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Every refusal is reported.
shard.grid @grid(shape = 2x2)
func.func @point_to_point(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @below {{'shard.send' op is one side of a point-to-point transfer; a permutation (shard.shift) has both}}
  %0 = shard.send %x on @grid grid_axes = [0] destination = [1] : (tensor<2xf32>) -> tensor<2xf32>
  // expected-error @below {{'shard.recv' op is one side of a point-to-point transfer}}
  %1 = shard.recv %x on @grid grid_axes = [0] source = [1] : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

shard.grid @grid(shape = 4)
func.func @halo(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'shard.update_halo' op exchanges parts of shards in place}}
  %0 = shard.update_halo %x on @grid split_axes = [[0]] halo_sizes = [1, 1] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2x?)
func.func @dynamic_grid(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'shard.all_reduce' op is over a grid that has a dimension of unknown size; groups are formed at compile time}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2048x1024)
func.func @large_grid(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'shard.shift' op is over a grid that has more than 1048576 devices}}
  %0 = shard.shift %x on @grid grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @buffer(%x: memref<4xf32>) -> memref<4xf32> {
  // expected-error @below {{'shard.all_reduce' op is on memref<4xf32>; only tensors have collectives of comm}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : memref<4xf32> -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @unknown_reduction(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'shard.all_reduce' op has the reduction 'generic', of which nothing is known}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = generic : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @integer_conversion(%x: tensor<4xi8>) -> tensor<4xi32> {
  // expected-error @below {{'shard.all_reduce' op reduces i8 in i32; only floating-point types of different widths are converted}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xi8> -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

shard.grid @grid(shape = 2)
func.func @same_width(%x: tensor<4xf16>) -> tensor<4xbf16> {
  // expected-error @below {{'shard.all_reduce' op reduces f16 in bf16}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<4xf16> -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

shard.grid @grid(shape = 2)
func.func @no_axes(%x: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error @below {{'shard.all_reduce' op is over no axes of the grid, but yields another type than it takes}}
  %0 = shard.all_reduce %x on @grid : tensor<4xf32> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

shard.grid @grid(shape = 2)
func.func @computed_root(%x: tensor<4xf32>, %root: index) -> tensor<4xf32> {
  // expected-error @below {{'shard.broadcast' op has a root that is computed; a constant one is expected}}
  %0 = shard.broadcast %x on @grid grid_axes = [0] root = [%root] : (tensor<4xf32>, index) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @unknown_slice(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{'shard.all_slice' op slices dimension 0 to an unknown size; a static one is expected}}
  %0 = shard.all_slice %x on @grid grid_axes = [0] slice_axis = 0 : tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @average_of_integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{'shard.all_reduce' op takes the average of i32; floating-point numbers are expected}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = average : tensor<4xi32> -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

shard.grid @grid(shape = 2)
func.func @bits_of_floats(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  // expected-error @below {{'shard.all_reduce' op combines f32 bit by bit; integers are expected}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = bitwise_and : tensor<4xf32> -> tensor<4xf32>
  // expected-error @below {{'shard.reduce_scatter' op combines f32 bit by bit; integers are expected}}
  %1 = shard.reduce_scatter %x on @grid grid_axes = [0] reduction = bitwise_xor scatter_axis = 0 : tensor<4xf32> -> tensor<2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2xf32>
}

// -----

shard.grid @grid(shape = 0x2)
func.func @no_devices(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'shard.all_reduce' op is over a grid that has no devices}}
  %0 = shard.all_reduce %x on @grid grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  // expected-error @below {{'shard.shift' op is over a grid that has no devices}}
  %1 = shard.shift %0 on @grid grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// What only the dialect's verifier knows, at the place of the source.
shard.grid @grid(shape = 2)
func.func @least_complex_number(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @below {{'comm.all_reduce' op cannot combine operand #0 of element type 'complex<f32>' by 'min'}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = min : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
