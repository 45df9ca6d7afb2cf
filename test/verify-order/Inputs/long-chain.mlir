func.func @long_chain(%x: tensor<4xf32>) {
  %rank = comm.rank over [[0, 1]] : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 60000 : index
  %p = arith.cmpi eq, %rank, %c0 : index
  scf.for %i = %c0 to %many step %c1 {
    scf.if %p {
      %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    } else {
      %r = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
    }
  }
  return
}
