// Which torch ops are known to have no side effect: what nothing else orders, comm-sort moves across them. Here that is the
// start of a gather, which is to stand directly before its wait.
//
// RUN: comm-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch,func.func(comm-sort{max-in-flight=1}))' | FileCheck %s
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-import-torch,func.func(comm-sort{max-in-flight=1}))' | FileCheck %s
// RUN: comm-opt %s --allow-unregistered-dialect --comm-import-torch | FileCheck %s --check-prefix=UNMARKED

// Purity is known to the passes that ask for it; the program is not marked.
// UNMARKED-NOT: comm.pure

// Arithmetic, views, reads of lists, and attention that drops nothing.
// CHECK-LABEL: func.func @pure
// CHECK-NOT:     comm.all_gather
// CHECK:         "torch.aten.scaled_dot_product_attention"
// CHECK-NEXT:    comm.all_gather
// CHECK-NEXT:    comm.wait
func.func @pure(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %none = "torch.constant.none"() : () -> !torch.none
  %zero = "torch.constant.float"() <{value = 0.0 : f64}> : () -> !torch.float
  %0 = "torch.aten.mm"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0, %x) <{name = "torch.aten.silu_backward"}> : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %2 = "torch.aten.split_with_sizes"(%1) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %3 = "torch.aten.cat"(%2) : (!torch.list<vtensor>) -> !torch.vtensor<[4,8],f32>
  %4 = "torch.prims.convert_element_type"(%3, %none) : (!torch.vtensor<[4,8],f32>, !torch.none) -> !torch.vtensor<[4,8],bf16>
  %5 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %zero) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.float) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Random numbers.
// CHECK-LABEL: func.func @random_numbers
// CHECK:         comm.all_gather
// CHECK:         torch.aten.rand_like
// CHECK-NEXT:    comm.wait
func.func @random_numbers(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.rand_like"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @rrelu
// CHECK:         comm.all_gather
// CHECK:         torch.aten.rrelu
// CHECK-NEXT:    comm.wait
func.func @rrelu(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.rrelu"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @recurrent_network
// CHECK:         comm.all_gather
// CHECK:         torch.aten.lstm.input
// CHECK-NEXT:    comm.wait
func.func @recurrent_network(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.lstm.input"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Attention that drops something, or may.
// CHECK-LABEL: func.func @dropout_of_attention
// CHECK:         comm.all_gather
// CHECK:         torch.aten.scaled_dot_product_attention
// CHECK-NEXT:    comm.wait
func.func @dropout_of_attention(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %some = "torch.constant.float"() <{value = 0.1 : f64}> : () -> !torch.float
  %0 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %some) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.float) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @computed_dropout
// CHECK:         comm.all_gather
// CHECK:         torch.aten.scaled_dot_product_attention
// CHECK-NEXT:    comm.wait
func.func @computed_dropout(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %p) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.float) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Running statistics, assertions, text.
// CHECK-LABEL: func.func @running_statistics
// CHECK:         comm.all_gather
// CHECK:         torch.aten.batch_norm
// CHECK-NEXT:    comm.wait
func.func @running_statistics(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.batch_norm"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @assertion
// CHECK:         comm.all_gather
// CHECK:         torch.aten._assert_async
// CHECK-NEXT:    comm.wait
func.func @assertion(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  "torch.aten._assert_async"(%x) : (!torch.vtensor<[4,8],f32>) -> ()
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @text
// CHECK:         comm.all_gather
// CHECK:         torch.prim.Print
// CHECK-NEXT:    comm.wait
func.func @text(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  "torch.prim.Print"(%x) : (!torch.vtensor<[4,8],f32>) -> ()
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Writes to an operand.
// CHECK-LABEL: func.func @in_place
// CHECK:         comm.all_gather
// CHECK:         torch.aten.add_.Tensor
// CHECK-NEXT:    comm.wait
func.func @in_place(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.add_.Tensor"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @out
// CHECK:         comm.all_gather
// CHECK:         torch.aten.add.out
// CHECK-NEXT:    comm.wait
func.func @out(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.add.out"(%x, %x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Tensors that may be aliases.
// CHECK-LABEL: func.func @mutable
// CHECK:         comm.all_gather
// CHECK:         torch.aten.mul.Tensor
// CHECK-NEXT:    comm.wait
func.func @mutable(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.mul.Tensor"(%m, %m) : (!torch.tensor<[4,8],f32>, !torch.tensor<[4,8],f32>) -> !torch.tensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Ops of which nothing is known.
// CHECK-LABEL: func.func @unknown_op
// CHECK:         comm.all_gather
// CHECK:         torch.mylib.custom
// CHECK-NEXT:    comm.wait
func.func @unknown_op(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.operator"(%x) <{name = "torch.mylib.custom"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// A list that grows is read where it was.
// CHECK-LABEL: func.func @growing_list
// CHECK:         comm.all_gather
// CHECK:         "torch.aten.cat"
// CHECK:         "torch.aten.append.t"
func.func @growing_list(%g: tensor<2xf32>, %x: !torch.vtensor<[4,8],f32>, %m: !torch.tensor<[4,8],f32>, %p: !torch.float) -> tensor<4xf32> {
  %list = "torch.prim.ListConstruct"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %f = comm.all_gather %g dim 0 over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<4xf32>>
  %0 = "torch.aten.cat"(%list) : (!torch.list<vtensor>) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.aten.append.t"(%list, %x) : (!torch.list<vtensor>, !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %w = comm.wait %f keeping(%g : tensor<2xf32>) : !comm.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}
