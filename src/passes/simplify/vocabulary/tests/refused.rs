// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is not read: nothing that the algebra would say wrongly or in several ops.

use super::reading;

const ARGUMENTS: &str = "%a: tensor<4x6xf32>, %b: tensor<4x6xf32>, %o: tensor<4xf32>, %v: tensor<6xf32>, %w: tensor<1x6xf32>, \
                         %d: tensor<?x6xf32>, %i: tensor<4x6xi32>, %p: tensor<i1>, %s: tensor<f32>, %k: tensor<6x5xf32>, \
                         %z: tensor<4x5xf32>, %x: tensor<3x4x6xf32>, %c: i1, %zi: tensor<1xi8>, %zf: tensor<1xf32>, \
                         %y: tensor<3x6x5xf32>, %l: tensor<4x6xi64>";

fn refuses(bodies: &[&str]) {
    let context = crate::context();
    for body in bodies {
        assert_eq!(reading(&context, ARGUMENTS, body), None, "{body}");
    }
}

#[test]
fn of_stablehlo() {
    refuses(&[
        // A stride, two cut dimensions, a dimension of extent one repeated, dimensions out of order.
        r#"%r = "stablehlo.slice"(%a) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<4x3xf32>"#,
        r#"%r = "stablehlo.slice"(%a) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<2x3xf32>"#,
        r#"%r = "stablehlo.broadcast_in_dim"(%w) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>"#,
        // Dynamic shapes, scalar predicates and bounds.
        r#"%r = "stablehlo.negate"(%d) : (tensor<?x6xf32>) -> tensor<?x6xf32>"#,
        r#"%r = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.clamp"(%s, %a, %s) : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>"#,
        // Precision and algorithm.
        r#"%r = "stablehlo.dot_general"(%a, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>"#,
        r#"%r = "stablehlo.dot_general"(%a, %k) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>"#,
        // Not what its operands make it.
        r#"%r = "stablehlo.reshape"(%a) : (tensor<4x6xf32>) -> tensor<5x5xf32>"#,
        r#"%r = "stablehlo.dot_general"(%a, %k) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [9], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>"#,
        r#"%r = "stablehlo.transpose"(%a) <{permutation = array<i64: 0, -1>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>"#,
        r#"%r = "stablehlo.constant"() <{value = dense<9223372036854775807> : tensor<2xi64>}> : () -> tensor<2xi64>"#,
        r#"%r = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xbf16>"#,
        // The smallest number of 32 bits, said to be one of 64.
        r#"%n = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i64>
           %r = "stablehlo.reduce"(%l, %n) <{dimensions = array<i64: 1>}> ({
           ^bb0(%x0: tensor<i64>, %x1: tensor<i64>):
             %x2 = "stablehlo.maximum"(%x0, %x1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
             "stablehlo.return"(%x2) : (tensor<i64>) -> ()
           }) : (tensor<4x6xi64>, tensor<i64>) -> tensor<4xi64>"#,
        // Not functions of elements, or with effects.
        r#"%r = "stablehlo.reverse"(%a) <{dimensions = array<i64: 0>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.custom_call"(%a) <{call_target_name = "f"}> : (tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.rng"(%a, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.partition_id"() : () -> tensor<ui32>"#,
        r#"%r = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x6xf32>"#,
        r#"%r = "stablehlo.optimization_barrier"(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)"#,
    ]);
}

#[test]
fn of_upstream_dialects() {
    refuses(&[
        "%r = arith.select %c, %a, %b : tensor<4x6xf32>",
        "%r = arith.negf %d : tensor<?x6xf32>",
        "%r = tensor.extract_slice %a[0, 0] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>",
        "%r = tensor.extract_slice %a[0, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>",
        "%r = tensor.extract_slice %a[0, 0] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>",
        "%r = tensor.empty() : tensor<4xf32>",
        // The destination is added to: it must be zero.
        "%r = linalg.matmul ins(%a, %k : tensor<4x6xf32>, tensor<6x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>",
        "%n = arith.constant dense<1.0> : tensor<4xf32>
         %r = linalg.reduce { arith.addf } ins(%a : tensor<4x6xf32>) outs(%n : tensor<4xf32>) dimensions = [1]",
        "%r = linalg.reduce { arith.addf } ins(%a : tensor<4x6xf32>) outs(%o : tensor<4xf32>) dimensions = [1]",
        "%n = arith.constant dense<0.0> : tensor<4xf32>
         %r = linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} } ins(%a : tensor<4x6xf32>) outs(%n : tensor<4xf32>) dimensions = [1]",
        "%n = arith.constant dense<0.0> : tensor<3xf32>
         %r = linalg.reduce { arith.addf } ins(%x : tensor<3x4x6xf32>) outs(%n : tensor<3xf32>) dimensions = [1, 2]",
        // An operand repeated along a loop, a destination that is read, two ops in the body.
        "%r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                iterator_types = [\"parallel\", \"parallel\"]} ins(%a, %v : tensor<4x6xf32>, tensor<6xf32>) outs(%b : tensor<4x6xf32>) {
         ^bb0(%x0: f32, %x1: f32, %x2: f32):
           %x3 = arith.addf %x0, %x1 : f32
           linalg.yield %x3 : f32
         } -> tensor<4x6xf32>",
        "%r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) {
         ^bb0(%x0: f32, %x1: f32):
           %x3 = arith.addf %x0, %x1 : f32
           linalg.yield %x3 : f32
         } -> tensor<4x6xf32>",
        "%r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) {
         ^bb0(%x0: f32, %x1: f32):
           %x3 = math.exp %x0 : f32
           %x4 = arith.addf %x3, %x0 : f32
           linalg.yield %x4 : f32
         } -> tensor<4x6xf32>",
        // A scalar from outside that is no constant.
        "%n = tensor.extract %s[] : tensor<f32>
         %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) {
         ^bb0(%x0: f32, %x1: f32):
           %x3 = arith.mulf %x0, %n : f32
           linalg.yield %x3 : f32
         } -> tensor<4x6xf32>",
        "%r = linalg.softmax dimension(1) ins(%a : tensor<4x6xf32>) outs(%b : tensor<4x6xf32>) -> tensor<4x6xf32>",
    ]);
}

#[test]
fn of_tosa() {
    refuses(&[
        "%r = tosa.add %a, %w : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>",
        "%r = tosa.mul %i, %i, %zi : (tensor<4x6xi32>, tensor<4x6xi32>, tensor<1xi8>) -> tensor<4x6xi32>",
        "%r = tosa.negate %a, %zf, %zf : (tensor<4x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x6xf32>",
        "%r = tosa.matmul %x, %y, %zf, %zf : (tensor<3x4x6xf32>, tensor<3x6x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x4x5xf32>",
        "%r = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x1xf32>",
        "%r = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>",
    ]);
}

#[test]
fn of_other_dialects() {
    refuses(&[
        r#"%r = "other.add"(%a, %b) {comm.pure} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
        r#"%r = "plain"(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>"#,
    ]);
}
