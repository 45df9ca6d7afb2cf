// RUN: comm-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

func.func @empty_group(%x: tensor<4xf32>) {
  // expected-error @below {{expected at least one rank in each group}}
  %0 = comm.all_gather %x dim 0 over [[]] : tensor<4xf32> -> tensor<4xf32>
}

// -----

func.func @no_group(%x: tensor<4xf32>) {
  // expected-error @below {{expected at least one group of ranks}}
  %0 = comm.all_gather %x dim 0 over [] : tensor<4xf32> -> tensor<4xf32>
}

// -----

func.func @ragged_groups(%x: tensor<4xf32>) {
  // expected-error @below {{expected groups of one size, but found one of 2 and one of 1 ranks}}
  %0 = comm.all_gather %x dim 0 over [[0, 1], [2]] : tensor<4xf32> -> tensor<8xf32>
}

// -----

func.func @rank_twice(%x: tensor<4xf32>) {
  // expected-error @below {{rank 1 is in the groups twice}}
  %0 = comm.all_gather %x dim 0 over [[0, 1], [1, 2]] : tensor<4xf32> -> tensor<8xf32>
}

// -----

func.func @padded_group(%x: tensor<4xf32>) {
  // expected-error @below {{rank -1 is negative; all groups need the same number of ranks}}
  %0 = comm.all_gather %x dim 0 over [[0, 1], [2, -1]] : tensor<4xf32> -> tensor<8xf32>
}

// -----

func.func @axis_twice(%x: tensor<4xf32>) {
  // expected-error @below {{axis "tp" is named twice}}
  %0 = comm.all_gather %x dim 0 over @mesh["tp", "tp"] : tensor<4xf32> -> tensor<8xf32>
}

// -----

func.func @no_pairs(%x: tensor<4xf32>) {
  // expected-error @below {{expected pairs of a source and a target rank, but found lists of 3}}
  %0 = comm.permute %x pairs [[0, 1, 2]] : tensor<4xf32> -> tensor<4xf32>
}

// -----

func.func @no_reduction(%x: tensor<4xf32>) {
  // expected-error @below {{expected a reduction (sum, avg, min, max, prod, and, or, xor), but found 'mean'}}
  %0 = comm.all_reduce mean %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
}

// -----

// expected-error @+2 {{expected non-function type}}
// expected-error @below {{failed to parse Comm_FutureType parameter 'types'}}
func.func private @empty_future(!comm.future<>)

// -----

// expected-error @below {{a future yields ranked tensors or buffers, not 'vector<2xf32>'}}
func.func private @future_of_vector(!comm.future<vector<2xf32>>)

// -----

// expected-error @below {{a future yields either tensors or buffers, not both}}
func.func private @future_of_both(!comm.future<memref<2xf32>, tensor<2xf32>>)

// -----

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

// expected-error @below {{'comm.mesh' op names axis "a" twice}}
comm.mesh @mesh <["a" = 2, "a" = 2]>

// -----

// expected-error @below {{'comm.mesh' op has axis "a" of size 0; at least 1 is expected}}
comm.mesh @mesh <["a" = 0]>

// -----

// expected-error @below {{'comm.mesh' op has more than 1048576 devices}}
comm.mesh @mesh <["a" = 1048576, "b" = 2]>

// -----

// expected-error @below {{'comm.mesh' op has 1 axis name(s) for 2 size(s)}}
"comm.mesh"() <{sym_name = "mesh", axes = ["a"], shape = array<i64: 1, 2>}> : () -> ()

// -----

func.func @no_mesh(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_gather' op refers to @mesh, which is no comm.mesh in scope}}
  %0 = comm.all_gather %x dim 0 over @mesh["tp"] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @no_mesh_but_a_function() {
  // expected-error @below {{'comm.rank' op refers to @no_mesh_but_a_function, which is no comm.mesh in scope}}
  %0 = comm.rank over @no_mesh_but_a_function["tp"] : index
  return
}

// -----

// expected-note @below {{axes of the mesh: ["dp"]}}
comm.mesh @mesh <["dp" = 2]>
func.func @no_axis() {
  // expected-error @below {{'comm.rank' op names axis "tp", which mesh @mesh does not have}}
  %0 = comm.rank over @mesh["tp"] : index
  return
}

// -----

//===----------------------------------------------------------------------===//
// Shapes and elements
//===----------------------------------------------------------------------===//

func.func @gather_dimension(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_gather' op has gather dimension 1, but operand #0 of type 'tensor<4xf32>' has 1 dimension(s)}}
  %0 = comm.all_gather %x dim 1 over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @negative_dimension(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.reduce_scatter' op has scatter dimension -1, but operand #0}}
  %0 = comm.reduce_scatter sum %x dim -1 over [[0, 1]] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @split_dimension(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_to_all' op has split dimension 2, but operand #0}}
  %0 = comm.all_to_all %x split 2 concat 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @concatenation_dimension(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_to_all' op has concatenation dimension 1, but operand #0}}
  %0 = comm.all_to_all %x split 0 concat 1 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @not_divisible(%x: tensor<5xf32>) {
  // expected-error @below {{'comm.reduce_scatter' op splits dimension 0 of operand #0 of type 'tensor<5xf32>' over 2 devices, which do not divide it}}
  %0 = comm.reduce_scatter sum %x dim 0 over [[0, 1]] : tensor<5xf32> -> tensor<2xf32>
  return
}

// -----

func.func @all_to_all_not_divisible(%x: tensor<5x4xf32>) {
  // expected-error @below {{'comm.all_to_all' op splits dimension 0 of operand #0}}
  %0 = comm.all_to_all %x split 0 concat 1 over [[0, 1]] : tensor<5x4xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @result_shape(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_gather' op yields 'tensor<4xf32>' as result #0, but for groups of 2 'tensor<8xf32>' is expected}}
  %0 = comm.all_gather %x dim 0 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

comm.mesh @mesh <["dp" = 2, "tp" = 4]>
func.func @result_shape_over_a_mesh(%x: tensor<4xf32>) {
  // expected-error @below {{yields 'tensor<8xf32>' as result #0, but for groups of 8 'tensor<32xf32>' is expected}}
  %0 = comm.all_gather %x dim 0 over @mesh["dp", "tp"] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @result_element(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{yields 'tensor<4xf16>' as result #1, but for groups of 2 'tensor<4xf32>' is expected}}
  %0 = comm.all_reduce sum %x, %y over [[0, 1]] : tensor<4xf32>, tensor<4xf32> -> !comm.future<tensor<4xf32>, tensor<4xf16>>
  return
}

// -----

func.func @permute_keeps_the_shape(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.permute' op yields 'tensor<8xf32>' as result #0}}
  %0 = comm.permute %x pairs [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @number_of_dimensions(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_gather' op has 2 dimensions for 1 tensor(s); one for all or one for each is expected}}
  %0 = comm.all_gather %x dim [0, 0] over [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @scatter_number_of_dimensions(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.reduce_scatter' op has 0 dimensions for 1 tensor(s)}}
  %0 = comm.reduce_scatter sum %x dim [] over [[0, 1]] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @bitwise_on_floats(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_reduce' op cannot combine operand #0 of element type 'f32' by 'xor'}}
  %0 = comm.all_reduce xor %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @order_of_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{'comm.reduce_scatter' op cannot combine operand #0 of element type 'complex<f32>' by 'max'}}
  %0 = comm.reduce_scatter max %x dim 0 over [[0, 1]] : tensor<4xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @average_of_integers(%x: tensor<4xi32>) {
  // expected-error @below {{cannot combine operand #0 of element type 'i32' by 'avg'}}
  %0 = comm.all_reduce avg %x over [[0, 1]] : tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

func.func @root(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.broadcast' op has root 2, but its groups have positions 0 to 1}}
  %0 = comm.broadcast %x root 2 over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

comm.mesh @mesh <["dp" = 2]>
func.func @root_over_a_mesh(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.broadcast' op has root -1, but its groups have positions 0 to 1}}
  %0 = comm.broadcast %x root -1 over @mesh["dp"] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @source_twice(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.permute' op has rank 0 twice as a source}}
  %0 = comm.permute %x pairs [[0, 1], [0, 2]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @target_twice(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.permute' op has rank 1 twice as a target}}
  %0 = comm.permute %x pairs [[0, 1], [2, 1]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @negative_rank(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.permute' op has the negative rank -3 in its pairs}}
  %0 = comm.permute %x pairs [[0, -3]] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @odd_pairs(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.permute' op has an odd number of ranks in its pairs}}
  %0 = "comm.permute"(%x) <{pairs = array<i64: 0, 1, 2>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Forms and futures
//===----------------------------------------------------------------------===//

func.func @no_tensor() {
  // expected-error @below {{'comm.all_reduce' op expects at least one tensor}}
  "comm.all_reduce"() <{kind = #comm.reduction<sum>, groups = #comm.groups<[[0, 1]]>}> : () -> ()
  return
}

// -----

func.func @too_few_results(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_reduce' op carries 2 tensor(s) but yields 1}}
  %0 = comm.all_reduce sum %x, %x over [[0, 1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @mixed_results(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_reduce' op yields either one future or 2 tensor(s), but has 2 results of which one is a future}}
  %0:2 = comm.all_reduce sum %x, %x over [[0, 1]] : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>, !comm.future<tensor<4xf32>>
  return
}

// -----

func.func @mergeable_start(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_reduce' op is 'mergeable' but asynchronous; a future has one wait, so only blocking collectives can be merged}}
  %0 = comm.all_reduce sum %x over [[0, 1]] {mergeable} : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  return
}

// -----

func.func @future_used_by_another_op(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_reduce' op yields a future that is used by 'test.use'; a future may only be awaited by comm.wait}}
  %0 = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  // expected-note @below {{used here}}
  "test.use"(%0) : (!comm.future<tensor<4xf32>>) -> ()
  return
}

// -----

func.func @future_returned(%x: tensor<4xf32>) -> !comm.future<tensor<4xf32>> {
  // expected-error @below {{yields a future that is used by 'func.return'}}
  %0 = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  // expected-note @below {{used here}}
  return %0 : !comm.future<tensor<4xf32>>
}

// -----

func.func @two_waits(%x: tensor<4xf32>) {
  // expected-error @below {{'comm.all_reduce' op yields a future with more than one comm.wait}}
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  // expected-note @below {{awaited here}}
  %0 = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  // expected-note @below {{awaited here}}
  %1 = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
}

// -----

func.func @wait_in_another_region(%x: tensor<4xf32>, %p: i1) {
  // expected-error @below {{'comm.all_reduce' op yields a future that is awaited in another region}}
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  scf.if %p {
    // expected-note @below {{awaited here}}
    %0 = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  }
  return
}

// -----

func.func @wait_for_an_argument(%f: !comm.future<tensor<4xf32>>, %x: tensor<4xf32>) {
  // expected-error @below {{'comm.wait' op waits for a future that no collective of this region has started; a future is no argument and no result of other ops}}
  %0 = comm.wait %f keeping(%x : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
}

// -----

func.func @number_of_kept(%x: tensor<4xf32>) {
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  // expected-error @below {{'comm.wait' op keeps 0 operand(s), but the start has 1}}
  %0 = comm.wait %f keeping() : !comm.future<tensor<4xf32>>
  return
}

// -----

func.func @other_kept(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-note @below {{started here}}
  %f = comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> !comm.future<tensor<4xf32>>
  // expected-error @below {{'comm.wait' op keeps something else than operand #0 of the start}}
  %0 = comm.wait %f keeping(%y : tensor<4xf32>) : !comm.future<tensor<4xf32>>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

// expected-error @below {{'comm.duration_ns' is expected to be a non-negative i64, but is -1 : i64}}
"test.op"() {comm.duration_ns = -1 : i64} : () -> ()

// -----

// expected-error @below {{'comm.duration_ns' is expected to be a non-negative i64, but is 5 : ui64}}
"test.op"() {comm.duration_ns = 5 : ui64} : () -> ()

// -----

// expected-error @below {{'comm.trip_count' is expected to be a non-negative i64, but is 5 : si64}}
"test.op"() {comm.trip_count = 5 : si64} : () -> ()

// -----

// expected-error @below {{'comm.trip_count' is expected to be a non-negative i64, but is 3 : i32}}
"test.op"() {comm.trip_count = 3 : i32} : () -> ()

// -----

// expected-error @below {{'comm.recorded' is expected to be a non-negative i64, but is "first"}}
"test.op"() {comm.recorded = "first"} : () -> ()

// -----

// expected-error @below {{'comm.channel_id' is expected to be an integer, but is "a"}}
"test.op"() {comm.channel_id = "a"} : () -> ()

// -----

// expected-error @below {{'comm.pure' is a unit attribute}}
"test.op"() {comm.pure = true} : () -> ()

// -----

// expected-error @below {{'comm.uniform' is an attribute of function arguments, not of ops}}
"test.op"() {comm.uniform} : () -> ()

// -----

// expected-error @below {{'comm.fast' is no attribute of the comm dialect}}
"test.op"() {comm.fast} : () -> ()

// -----

// expected-error @below {{argument #1 carries 'comm.pure'; the argument attributes of the comm dialect are the unit attribute 'comm.uniform' and the string 'comm.bucket'}}
func.func private @argument(tensor<2xf32>, i1 {comm.pure})
