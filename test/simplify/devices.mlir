// RUN: comm-opt %s --comm-simplify | FileCheck %s

// How many devices there are is more than a function says.

// Other devices than 0 and 1 get zeros from the first permute, so both stay: the caller may reduce over more devices.
// CHECK-LABEL: func.func @there_and_back
// CHECK-COUNT-2: comm.permute
func.func @there_and_back(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = comm.permute %x pairs [[0, 1], [1, 0]] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %1 = comm.permute %0 pairs [[0, 1], [1, 0]] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  return %1 : tensor<1024x1024xf32>
}

// No other device has a place in these groups, so none runs this.
// CHECK-LABEL: func.func @of_two
// CHECK-NOT:     comm.permute
// CHECK:         comm.all_reduce
func.func @of_two(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = comm.permute %x pairs [[0, 1], [1, 0]] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %1 = comm.permute %0 pairs [[0, 1], [1, 0]] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %2 = comm.all_reduce max %1 over [[0, 1]] : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  return %2 : tensor<1024x1024xf32>
}

// The algebra does not compute with these elements, nor count so many.
// CHECK-LABEL: func.func @no_meaning
// CHECK-NEXT:    comm.all_reduce
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    comm.all_gather
// CHECK-NEXT:    arith.truncf
func.func @no_meaning(%x: tensor<8xindex>, %h: tensor<281474976710656x1xf32>) -> (tensor<8xindex>, tensor<562949953421312x1xbf16>) {
  %0 = comm.all_reduce sum %x over [[0, 1]] : tensor<8xindex> -> tensor<8xindex>
  %1 = arith.addi %0, %0 : tensor<8xindex>
  %2 = comm.all_gather %h dim 0 over [[0, 1]] : tensor<281474976710656x1xf32> -> tensor<562949953421312x1xf32>
  %3 = arith.truncf %2 : tensor<562949953421312x1xf32> to tensor<562949953421312x1xbf16>
  return %1, %3 : tensor<8xindex>, tensor<562949953421312x1xbf16>
}

// What is noted of a collective stays with it.
// CHECK-LABEL: func.func @noted
// CHECK:         comm.all_gather {{.*}}comm.channel_id = 7
func.func @noted(%w: tensor<512x4096xf32>) -> tensor<4096x4096xbf16> {
  %0 = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] {comm.channel_id = 7 : i64} : tensor<512x4096xf32> -> tensor<4096x4096xf32>
  %1 = arith.truncf %0 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  return %1 : tensor<4096x4096xbf16>
}
