// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the table of StableHLO.

use super::{reading, round_trips};

const ARGUMENTS: &str = "%a: tensor<4x6xf32>, %b: tensor<4x6xf32>, %h: tensor<4x6xbf16>, %i: tensor<4x6xi32>, \
                         %j: tensor<4x6xi32>, %p: tensor<4x6xi1>, %q: tensor<4x6xi1>, %s: tensor<f32>, \
                         %x: tensor<3x5x4x6xf32>, %y: tensor<3x6x7x4xf32>, %v: tensor<6xf32>, %u: tensor<4x6xui8>";

/// A generic op on tensors of shape 4x6.
fn op(name: &str, operands: &[(&str, &str)], result: &str) -> String {
    let (values, types): (Vec<&str>, Vec<String>) = operands
        .iter()
        .map(|&(value, element)| (value, format!("tensor<4x6x{element}>")))
        .unzip();
    format!(
        "%r = \"{name}\"({}) : ({}) -> tensor<4x6x{result}>",
        values.join(", "),
        types.join(", ")
    )
}

#[test]
fn functions_of_elements() {
    let a = ("%a", "f32");
    let (i, j) = (("%i", "i32"), ("%j", "i32"));
    let (p, q) = (("%p", "i1"), ("%q", "i1"));
    let mut rows = Vec::new();
    for (name, function) in [
        ("abs", "abs"),
        ("exponential", "exp"),
        ("floor", "floor"),
        ("log", "log"),
        ("logistic", "logistic"),
        ("negate", "negate"),
        ("sqrt", "sqrt"),
        ("tanh", "tanh"),
        ("rsqrt", "named 0 f32"),
        ("cosine", "named 0 f32"),
        ("exponential_minus_one", "named 0 f32"),
    ] {
        rows.push((op(&format!("stablehlo.{name}"), &[a], "f32"), function));
    }
    for (name, float, integer, boolean) in [
        ("add", Some("add"), Some("add"), Some("or")),
        ("subtract", Some("subtract"), Some("subtract"), None),
        ("multiply", Some("multiply"), Some("multiply"), Some("and")),
        ("divide", Some("divide"), Some("divide"), None),
        ("maximum", Some("maximum"), Some("maximum"), Some("or")),
        ("minimum", Some("minimum"), Some("minimum"), Some("and")),
        ("and", None, Some("and"), Some("and")),
        ("or", None, Some("or"), Some("or")),
        ("xor", None, Some("xor"), Some("xor")),
        ("power", Some("named 0 f32"), Some("named 0 i32"), None),
        ("shift_right_arithmetic", None, Some("named 0 i32"), None),
    ] {
        let name = format!("stablehlo.{name}");
        let operands = [
            (float, [a, ("%b", "f32")], "f32"),
            (integer, [i, j], "i32"),
            (boolean, [p, q], "i1"),
        ];
        for (function, operands, result) in operands {
            rows.extend(function.map(|function| (op(&name, &operands, result), function)));
        }
    }
    rows.push((op("stablehlo.select", &[p, a, ("%b", "f32")], "f32"), "select"));
    rows.push((
        op("stablehlo.clamp", &[a, a, ("%b", "f32")], "f32"),
        "named 0 f32",
    ));
    for (mode, function) in [("DEFAULT", "exp"), ("HIGHEST", "named 0 f32")] {
        let accuracy = format!("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<{mode}>>");
        let exponential = op("stablehlo.exponential", &[a], "f32");
        let exponential = exponential.replace(" : (", &format!(" <{{result_accuracy = {accuracy}}}> : ("));
        rows.push((exponential, function));
    }
    rows.push((op("chlo.erf", &[a], "f32"), "named 0 f32"));
    // Elements that the algebra does not compute with.
    rows.push((
        op("stablehlo.add", &[("%u", "ui8"), ("%u", "ui8")], "ui8"),
        "named 0 other0x8",
    ));
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(body, function)| (body.as_str(), *function))
        .collect();
    round_trips(ARGUMENTS, &rows);
}

#[test]
fn conversions() {
    let rows = [
        (op("stablehlo.convert", &[("%a", "f32")], "bf16"), "convert bf16"),
        (op("stablehlo.convert", &[("%h", "bf16")], "f32"), "convert f32"),
        (op("stablehlo.convert", &[("%i", "i32")], "f32"), "convert f32"),
        (op("stablehlo.convert", &[("%i", "i32")], "i8"), "convert i8"),
        (op("stablehlo.convert", &[("%i", "i32")], "i1"), "convert i1"),
        (op("stablehlo.convert", &[("%p", "i1")], "f32"), "convert f32"),
        // Out of range, integers of floats differ.
        (op("stablehlo.convert", &[("%a", "f32")], "i32"), "named 0 i32"),
        (op("stablehlo.convert", &[("%u", "ui8")], "f32"), "named 0 f32"),
    ];
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(body, function)| (body.as_str(), *function))
        .collect();
    round_trips(ARGUMENTS, &rows);
}

#[test]
fn constants_and_scalings() {
    round_trips(
        ARGUMENTS,
        &[
            (
                r#"%r = "stablehlo.constant"() <{value = dense<0.1> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>"#,
                "constant 0.10000000149011612 4x6xf32",
            ),
            (
                r#"%r = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>"#,
                "constant 1 i1",
            ),
            (
                r#"%r = "stablehlo.constant"() <{value = dense<0xFF80> : tensor<2xbf16>}> : () -> tensor<2xbf16>"#,
                "constant -inf 2xbf16",
            ),
            (
                r#"%c = "stablehlo.constant"() <{value = dense<-3> : tensor<4x6xi32>}> : () -> tensor<4x6xi32>
                   %r = "stablehlo.multiply"(%c, %i) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>"#,
                "scale -3",
            ),
            (
                r#"%c = "stablehlo.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
                   %d = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
                   %r = "stablehlo.multiply"(%a, %d) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
                "scale 0.5",
            ),
            (
                r#"%c = "stablehlo.constant"() <{value = dense<8.0> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
                   %r = "stablehlo.divide"(%a, %c) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
                "scale 0.125",
            ),
            (
                r#"%c = "stablehlo.constant"() <{value = dense<3.0> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
                   %r = "stablehlo.divide"(%a, %c) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
                "divide",
            ),
            (
                r#"%c = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
                   %r = "stablehlo.multiply"(%a, %c) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
                "multiply",
            ),
            (
                r#"%c = "stablehlo.constant"() <{value = dense<0.0> : tensor<4x6xf32>}> : () -> tensor<4x6xf32>
                   %r = "stablehlo.maximum"(%c, %a) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"#,
                "relu",
            ),
        ],
    );
}

#[test]
fn shapes() {
    round_trips(
        ARGUMENTS,
        &[
            (
                r#"%r = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<3x5x4x6xf32>) -> tensor<5x6x3x4xf32>"#,
                "transpose [1, 3, 0, 2]",
            ),
            (
                r#"%r = "stablehlo.reshape"(%a) : (tensor<4x6xf32>) -> tensor<3x8xf32>"#,
                "reshape [3, 8]",
            ),
            (
                r#"%r = "stablehlo.broadcast_in_dim"(%v) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> tensor<4x6x2xf32>"#,
                "broadcast_in_dim [4, 6, 2] dims=[1]",
            ),
            (
                r#"%r = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>"#,
                "broadcast_in_dim [4] dims=[]",
            ),
            (
                r#"%r = "stablehlo.concatenate"(%a, %b, %a) <{dimension = 1 : i64}> : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x18xf32>"#,
                "concat dim=1",
            ),
            (
                r#"%r = "stablehlo.slice"(%a) <{limit_indices = array<i64: 4, 5>, start_indices = array<i64: 0, 2>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<4x3xf32>"#,
                "slice dim=1 2..5",
            ),
            (
                r#"%r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x5x4x6xf32>, tensor<3x6x7x4xf32>) -> tensor<3x5x7xf32>"#,
                "dot batch=[(0, 0)] contract=[(3, 1), (2, 3)]",
            ),
            (
                r#"%r = "stablehlo.dot"(%a, %v) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>"#,
                "dot batch=[] contract=[(1, 0)]",
            ),
        ],
    );
}

/// A reduction over dimension 1 of one argument.
fn reduce(value: &str, element: &str, by: &str, neutral: &str) -> String {
    format!(
        "%c = \"stablehlo.constant\"() <{{value = dense<{neutral}> : tensor<{element}>}}> : () -> tensor<{element}>
         %r = \"stablehlo.reduce\"({value}, %c) <{{dimensions = array<i64: 1>}}> ({{
         ^bb0(%l: tensor<{element}>, %m: tensor<{element}>):
           %n = \"stablehlo.{by}\"(%m, %l) : (tensor<{element}>, tensor<{element}>) -> tensor<{element}>
           \"stablehlo.return\"(%n) : (tensor<{element}>) -> ()
         }}) : (tensor<4x6x{element}>, tensor<{element}>) -> tensor<4x{element}>"
    )
}

#[test]
fn reductions() {
    let rows = [
        (reduce("%a", "f32", "add", "0.0"), "reduce sum dim=1"),
        (reduce("%a", "f32", "add", "-0.0"), "reduce sum dim=1"),
        (reduce("%a", "f32", "multiply", "1.0"), "reduce product dim=1"),
        (reduce("%a", "f32", "maximum", "0xFF800000"), "reduce max dim=1"),
        (reduce("%a", "f32", "minimum", "0x7F800000"), "reduce min dim=1"),
        (reduce("%i", "i32", "maximum", "-2147483648"), "reduce max dim=1"),
        (reduce("%i", "i32", "and", "-1"), "reduce and dim=1"),
        (reduce("%p", "i1", "or", "false"), "reduce or dim=1"),
        (reduce("%p", "i1", "minimum", "true"), "reduce and dim=1"),
    ];
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(body, expected)| (body.as_str(), *expected))
        .collect();
    round_trips(ARGUMENTS, &rows);
    let context = crate::context();
    for body in [
        reduce("%a", "f32", "add", "1.0"),
        reduce("%a", "f32", "maximum", "0.0"),
        reduce("%i", "i32", "maximum", "-2147483647"),
        reduce("%p", "i1", "and", "false"),
        reduce("%a", "f32", "subtract", "0.0"),
    ] {
        assert_eq!(reading(&context, ARGUMENTS, &body), None, "{body}");
    }
}

#[test]
fn named_functions_are_told_apart_by_attributes() {
    let context = crate::context();
    let text = r#"func.func @f(%a: tensor<4xf32>, %i: tensor<4xi32>) {
      %0 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %1 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %2 = "stablehlo.compare"(%a, %a) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      %3 = "stablehlo.compare"(%i, %i) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %4 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
      return
    }"#;
    let module = mel::ir::Module::parse(&context, text).expect("the module parses");
    let mut vocabulary = super::Vocabulary::new();
    let read: Vec<String> = super::ops(&module)
        .into_iter()
        .map(|op| vocabulary.read(op).expect("a function").op.to_string())
        .collect();
    assert_eq!(
        read,
        [
            "named 0 i1",
            "named 1 i1",
            "named 0 i1",
            "named 2 i1",
            "named 3 f32"
        ]
    );
}
