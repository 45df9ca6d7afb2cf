// RUN: comm-opt %s --allow-unregistered-dialect --comm-legalize-stablehlo -split-input-file -verify-diagnostics
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect --pass-pipeline='builtin.module(comm-legalize-stablehlo)' -split-input-file -verify-diagnostics

func.func @f(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{communicates between devices; expected a comm op, as comm-import-stablehlo makes of it}}
  %y = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64}> : (tensor<2xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.fft' op is not covered by comm-legalize-stablehlo}}
  %y = "stablehlo.fft"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'chlo.erf' op is not covered}}
  %y = "chlo.erf"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{has operand of type tensor<?xf32>; expected a ranked tensor of static shape}}
  %y = "stablehlo.negate"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // expected-error@+1 {{has operand of type tensor<2xcomplex<f32>>}}
  %y = "stablehlo.negate"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %y : tensor<2xcomplex<f32>>
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{has operand 1 of shape [3]; expected [2], as its result has}}
  %z = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xi32>) -> tensor<2xf32> {
  // expected-error@+1 {{has element types that do not go together}}
  %z = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not defined for elements of type f32}}
  %z = "stablehlo.and"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xi32>) -> tensor<2xi1> {
  // expected-error@+1 {{'stablehlo.is_finite' op is not defined for elements of type i32}}
  %z = "stablehlo.is_finite"(%x) : (tensor<2xi32>) -> tensor<2xi1>
  return %z : tensor<2xi1>
}

// -----

func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error@+1 {{is not defined for elements of type i32}}
  %z = "stablehlo.tanh"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %z : tensor<2xi32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{expects 2 operand(s), one result and no region}}
  %z = "stablehlo.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xi1> {
  // expected-error@+1 {{compares by 'NEAR'; expected EQ, NE, LT, LE, GT or GE}}
  %z = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction NEAR>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %z : tensor<2xi1>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<4xi16> {
  // expected-error@+1 {{changes the width of elements, which is not supported}}
  %z = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<4xi16>
  return %z : tensor<4xi16>
}

// -----

func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{has results of type tensor<2x3xf32>; expected tensor<3x2xf32>, by its operands and attributes}}
  %z = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}

// -----

func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{has 1 in 'permutation'; expected distinct dimensions of a tensor of 2 dimension(s)}}
  %z = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %z : tensor<3x2xf32>
}

// -----

func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{has no attribute 'permutation'}}
  %z = "stablehlo.transpose"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %z : tensor<3x2xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{takes [1:6:2] of dimension 0, which has 4 element(s)}}
  %z = "stablehlo.slice"(%x) <{start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = array<i64: 2>}> : (tensor<4xf32>) -> tensor<2xf32>
  return %z : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{cannot give [4] the shape [3]: the numbers of elements differ}}
  %z = "stablehlo.reshape"(%x) : (tensor<4xf32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{cannot pad shape [4] in this way}}
  %z = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %z : tensor<3xf32>
}

// -----

func.func @f(%x: tensor<4x8xf32>, %y: tensor<7x2xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{cannot contract shapes [4, 8] and [7, 2]: paired dimensions differ in size}}
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<7x2xf32>) -> tensor<4x2xf32>
  return %z : tensor<4x2xf32>
}

// -----

func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{has 'lhs_contracting_dimensions' in #stablehlo.dot<lhs_contracting_dimensions = [one]>, which cannot be read}}
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [one]>}> : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %z : tensor<4x2xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %z = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{stands in a region that is applied to single elements; expected elementwise ops and constants}}
    %c = "stablehlo.reverse"(%b) <{dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

func.func @f(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{expects a region of 2 argument(s) that returns 1 value(s)}}
  %z = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}

// -----

func.func @f(%x: tensor<10x4xf32>, %i: tensor<3x2xi32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{has 'dimension_numbers' that do not fit indices of shape [3, 2]}}
  %y = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<3x2xi32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

func.func @f() -> tensor<ui32> {
  // expected-error@+1 {{asks for a device in a module that does not say how many there are}}
  %y = "stablehlo.partition_id"() : () -> tensor<ui32>
  return %y : tensor<ui32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{calls 'cholesky_lapack', whose meaning is not known here}}
  %y = "stablehlo.custom_call"(%x) <{call_target_name = "cholesky_lapack"}> : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @f(%x: tensor<2xf32>, %p: tensor<2xi1>) -> tensor<2xf32> {
  // expected-error@+1 {{expects a condition of type tensor<i1> and two regions}}
  %r = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<2xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<2xi1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-error@+1 {{has a region of several blocks; expected structured control flow}}
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "stablehlo.negate"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  cf.br ^bb1
^bb1:
  return %y : tensor<2xf32>
}

// -----

// expected-error@+1 {{'stablehlo.constant' op stands outside the functions of the module}}
%c = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>

// -----

func.func @f(%x: tensor<4611686018427387904x2xf32>) -> tensor<4611686018427387904x2xf32> {
  // expected-error@+1 {{has operand of type tensor<4611686018427387904x2xf32>, which no memory holds}}
  %y = "stablehlo.negate"(%x) : (tensor<4611686018427387904x2xf32>) -> tensor<4611686018427387904x2xf32>
  return %y : tensor<4611686018427387904x2xf32>
}

// -----

func.func @f(%y: tensor<f32>) {
  // expected-error@+1 {{ends a block of another dialect; expected its terminator}}
  "stablehlo.negate"(%y) : (tensor<f32>) -> ()
}
