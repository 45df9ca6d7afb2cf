// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the table of tosa.

use super::round_trips;

const ARGUMENTS: &str = "%a: tensor<4x6xf32>, %b: tensor<4x6xf32>, %h: tensor<4x6xbf16>, %i: tensor<4x6xi32>, \
                         %j: tensor<4x6xi32>, %p: tensor<4x6xi1>, %q: tensor<4x6xi1>, \
                         %x: tensor<3x4x6xf32>, %y: tensor<3x6x5xf32>";

#[test]
fn functions_of_elements() {
    let mut rows = Vec::new();
    for (name, values, element, expected) in [
        ("abs", &["%a"][..], "f32", "abs"),
        ("exp", &["%a"], "f32", "exp"),
        ("floor", &["%a"], "f32", "floor"),
        ("log", &["%a"], "f32", "log"),
        ("sigmoid", &["%a"], "f32", "logistic"),
        ("tanh", &["%a"], "f32", "tanh"),
        ("rsqrt", &["%a"], "f32", "named 0 f32"),
        ("reciprocal", &["%a"], "f32", "named 0 f32"),
        ("add", &["%a", "%b"], "f32", "add"),
        ("sub", &["%a", "%b"], "f32", "subtract"),
        ("maximum", &["%a", "%b"], "f32", "maximum"),
        ("minimum", &["%a", "%b"], "f32", "minimum"),
        ("pow", &["%a", "%b"], "f32", "named 0 f32"),
        ("add", &["%i", "%j"], "i32", "add"),
        ("intdiv", &["%i", "%j"], "i32", "divide"),
        ("bitwise_and", &["%i", "%j"], "i32", "and"),
        ("bitwise_or", &["%i", "%j"], "i32", "or"),
        ("bitwise_xor", &["%i", "%j"], "i32", "xor"),
        ("logical_and", &["%p", "%q"], "i1", "and"),
        ("logical_or", &["%p", "%q"], "i1", "or"),
        ("logical_xor", &["%p", "%q"], "i1", "xor"),
    ] {
        let types = vec![format!("tensor<4x6x{element}>"); values.len()];
        let (values, types) = (values.join(", "), types.join(", "));
        rows.push((
            format!("%r = tosa.{name} {values} : ({types}) -> tensor<4x6x{element}>"),
            expected,
        ));
    }
    for (body, expected) in [
        (
            "%r = tosa.maximum %a, %b {nan_mode = IGNORE} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>",
            "named 0 f32",
        ),
        (
            "%r = tosa.select %p, %a, %b : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>",
            "select",
        ),
        (
            "%r = tosa.greater %a, %b : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>",
            "named 0 i1",
        ),
        (
            "%r = tosa.cast %h : (tensor<4x6xbf16>) -> tensor<4x6xf32>",
            "convert f32",
        ),
        (
            "%r = tosa.cast %a : (tensor<4x6xf32>) -> tensor<4x6xi32>",
            "named 0 i32",
        ),
        (
            "%r = tosa.cast %i : (tensor<4x6xi32>) -> tensor<4x6xf32>",
            "named 0 f32",
        ),
        (
            r#"%s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
               %r = tosa.mul %a, %b, %s : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<1xi8>) -> tensor<4x6xf32>"#,
            "multiply",
        ),
        (
            r#"%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
               %r = tosa.negate %a, %z, %z : (tensor<4x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x6xf32>"#,
            "negate",
        ),
        (
            r#"%s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
               %c = "tosa.const"() <{values = dense<3.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
               %r = tosa.mul %a, %c, %s : (tensor<4x6xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x6xf32>"#,
            "scale 3",
        ),
        (
            r#"%c = "tosa.const"() <{values = dense<0.0> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
               %r = tosa.maximum %a, %c : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
            "relu",
        ),
        (
            r#"%r = "tosa.const"() <{values = dense<1.5> : tensor<4x6xbf16>}> : () -> tensor<4x6xbf16>"#,
            "constant 1.5 4x6xbf16",
        ),
    ] {
        rows.push((body.to_owned(), expected));
    }
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(body, expected)| (body.as_str(), *expected))
        .collect();
    round_trips(ARGUMENTS, &rows);
}

#[test]
fn shapes_and_products() {
    round_trips(
        ARGUMENTS,
        &[
            (
                "%s = tosa.const_shape {values = dense<[3, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
                 %r = tosa.reshape %a, %s : (tensor<4x6xf32>, !tosa.shape<2>) -> tensor<3x8xf32>",
                "reshape [3, 8]",
            ),
            (
                "%r = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<3x4x6xf32>) -> tensor<6x3x4xf32>",
                "transpose [2, 0, 1]",
            ),
            (
                "%r = tosa.concat %a, %b {axis = 1 : i32} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>",
                "concat dim=1",
            ),
            (
                "%s = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
                 %t = tosa.const_shape {values = dense<[4, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
                 %r = tosa.slice %a, %s, %t : (tensor<4x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<4x2xf32>",
                "slice dim=1 1..3",
            ),
            (
                r#"%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
                   %r = tosa.matmul %x, %y, %z, %z : (tensor<3x4x6xf32>, tensor<3x6x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x4x5xf32>"#,
                "dot batch=[(0, 0)] contract=[(2, 1)]",
            ),
        ],
    );
}
