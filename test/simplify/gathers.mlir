// RUN: comm-opt %s --comm-simplify="gathers=choose memory-limit=100000000" --remarks-filter=comm-simplify -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=KEPT --input-file %t
// RUN: FileCheck %s --check-prefix=REMARKS --input-file %t.remarks
// RUN: comm-opt %s --comm-simplify="gathers=choose memory-limit=1400000" | FileCheck %s --check-prefix=AGAIN
// RUN: comm-opt %s --comm-simplify | FileCheck %s --check-prefix=GIVEN
// RUN: comm-opt %s --pass-pipeline='builtin.module(func.func(comm-simplify{gathers=choose memory-limit=1400000},comm-verify-futures),comm-verify-order)' -o /dev/null

// A weight is read at the beginning and at the end, and in between a value is computed that takes as much memory as four of
// it. Gathering takes long here, so it is kept where there is memory for it, and gathered again where there is not.

// Gathered twice in the program.
// KEPT-LABEL:  func.func @twice
// KEPT-COUNT-1:  comm.all_gather
// KEPT-NOT:      comm.all_gather
// KEPT:          return
// AGAIN-LABEL: func.func @twice
// AGAIN-COUNT-2: comm.all_gather
// AGAIN:         return
// GIVEN-LABEL: func.func @twice
// GIVEN-COUNT-2: comm.all_gather
// GIVEN:         return
func.func @twice(%w: tensor<32x256xf32>, %x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %f = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] {comm.duration_ns = 500000 : i64} : tensor<32x256xf32> -> !comm.future<tensor<256x256xf32>>
  %g = comm.wait %f keeping(%w : tensor<32x256xf32>) : !comm.future<tensor<256x256xf32>>
  %a = arith.mulf %x, %g : tensor<256x256xf32>
  %b = tensor.concat dim(0) %a, %a, %a, %a : (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<1024x256xf32>
  %s = tensor.extract_slice %b[256, 0] [256, 256] [1, 1] : tensor<1024x256xf32> to tensor<256x256xf32>
  %c = math.exp %s : tensor<256x256xf32>
  %f2 = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] {regather, comm.duration_ns = 500000 : i64} : tensor<32x256xf32> -> !comm.future<tensor<256x256xf32>>
  %g2 = comm.wait %f2 keeping(%w : tensor<32x256xf32>) : !comm.future<tensor<256x256xf32>>
  %d = arith.mulf %c, %g2 : tensor<256x256xf32>
  return %d : tensor<256x256xf32>
}

// Gathered once in the program.
// KEPT-LABEL:  func.func @once
// KEPT-COUNT-1:  comm.all_gather
// KEPT-NOT:      comm.all_gather
// KEPT:          return
// AGAIN-LABEL: func.func @once
// AGAIN:         comm.all_gather
// AGAIN:         comm.all_gather {{.*}} regather
// AGAIN:         return
func.func @once(%w: tensor<32x256xf32>, %x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %f = comm.all_gather %w dim 0 over [[0, 1, 2, 3, 4, 5, 6, 7]] {comm.duration_ns = 500000 : i64} : tensor<32x256xf32> -> !comm.future<tensor<256x256xf32>>
  %g = comm.wait %f keeping(%w : tensor<32x256xf32>) : !comm.future<tensor<256x256xf32>>
  %a = arith.mulf %x, %g : tensor<256x256xf32>
  %b = tensor.concat dim(0) %a, %a, %a, %a : (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<1024x256xf32>
  %s = tensor.extract_slice %b[256, 0] [256, 256] [1, 1] : tensor<1024x256xf32> to tensor<256x256xf32>
  %c = math.exp %s : tensor<256x256xf32>
  %d = arith.mulf %c, %g : tensor<256x256xf32>
  return %d : tensor<256x256xf32>
}

// REMARKS: [Passed] gathers {{.*}}1 value(s) gathered 2 time(s): 1 gather(s) dropped for an earlier one, 0 issued again
