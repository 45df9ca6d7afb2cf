
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}
