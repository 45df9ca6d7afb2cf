// What keeps collectives from overlapping is a remark, and so is what was done.
// RUN: comm-opt %s --allow-unregistered-dialect --comm-sort --remarks-filter='comm-sort' -o /dev/null 2>&1 | FileCheck %s

func.func @remarks(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %f = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<8xf32>>
  %g = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<8xf32>>
  "my.print"() : () -> ()
  %h = comm.all_gather %y dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  return %g, %h : tensor<8xf32>, tensor<8xf32>
}

// CHECK: [Passed] sorted {{.*}}placed 2 all-gather(s), 0 reduction(s) and 0 other collective(s) around 2 anchor(s)
// CHECK: [Missed] fence {{.*}}no collective moves across 'my.print', which is not known to be free of side effects; comm.pure on it says that it is
// CHECK: [Missed] blocking {{.*}}blocks, so nothing can overlap it; comm-asyncify splits it into a start and a wait
