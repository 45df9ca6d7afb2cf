func.func @f(%x: tensor<3xf32>) {
  %r = comm.reduce_scatter sum %x dim 0 over [[0, 1]] : tensor<3xf32> -> tensor<2xf32>
  return
}
