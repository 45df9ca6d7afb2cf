// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the table of arith, math, tensor and linalg.

use super::round_trips;

const ARGUMENTS: &str = "%a: tensor<4x6xf32>, %b: tensor<4x6xf32>, %h: tensor<4x6xbf16>, %d: tensor<4x6xf64>, \
                         %i: tensor<4x6xi32>, %j: tensor<4x6xi32>, %p: tensor<4x6xi1>, %q: tensor<4x6xi1>, \
                         %s: tensor<f32>, %v: tensor<6xf32>, %k: tensor<6x5xf32>, %l: tensor<4x6xi64>, \
                         %x: tensor<3x4x6xf32>, %y: tensor<3x6x5xf32>, %o: tensor<4x6xf32>, %g: tensor<6x5xbf16>";

#[test]
fn functions_of_elements() {
    let mut rows = Vec::new();
    for (name, operands, element, expected) in [
        ("arith.addf", "%a, %b", "f32", "add"),
        ("arith.subf", "%a, %b", "f32", "subtract"),
        ("arith.mulf", "%a, %b", "f32", "multiply"),
        ("arith.divf", "%a, %b", "f32", "divide"),
        ("arith.maximumf", "%a, %b", "f32", "maximum"),
        ("arith.minimumf", "%a, %b", "f32", "minimum"),
        ("arith.maxnumf", "%a, %b", "f32", "named 0 f32"),
        ("arith.negf", "%a", "f32", "negate"),
        ("arith.addi", "%i, %j", "i32", "add"),
        ("arith.addi", "%p, %q", "i1", "named 0 i1"),
        ("arith.subi", "%i, %j", "i32", "subtract"),
        ("arith.muli", "%i, %j", "i32", "multiply"),
        ("arith.divsi", "%i, %j", "i32", "divide"),
        ("arith.divui", "%i, %j", "i32", "named 0 i32"),
        ("arith.maxsi", "%i, %j", "i32", "maximum"),
        ("arith.minsi", "%i, %j", "i32", "minimum"),
        ("arith.maxui", "%i, %j", "i32", "named 0 i32"),
        ("arith.andi", "%i, %j", "i32", "and"),
        ("arith.ori", "%p, %q", "i1", "or"),
        ("arith.xori", "%i, %j", "i32", "xor"),
        ("math.absf", "%a", "f32", "abs"),
        ("math.absi", "%i", "i32", "abs"),
        ("math.exp", "%a", "f32", "exp"),
        ("math.floor", "%a", "f32", "floor"),
        ("math.log", "%a", "f32", "log"),
        ("math.sqrt", "%a", "f32", "sqrt"),
        ("math.tanh", "%a", "f32", "tanh"),
        ("math.rsqrt", "%a", "f32", "named 0 f32"),
        ("math.powf", "%a, %b", "f32", "named 0 f32"),
        ("arith.addf", "%a, %b fastmath<reassoc>", "f32", "named 0 f32"),
        ("arith.mulf", "%a, %b fastmath<none>", "f32", "multiply"),
    ] {
        rows.push((
            format!("%r = {name} {operands} : tensor<4x6x{element}>"),
            expected,
        ));
    }
    for (name, from, to, expected) in [
        ("arith.extf %h", "bf16", "f32", "convert f32"),
        ("arith.truncf %a", "f32", "bf16", "convert bf16"),
        ("arith.truncf %a downward", "f32", "bf16", "named 0 bf16"),
        ("arith.extsi %i", "i32", "i64", "convert i64"),
        ("arith.trunci %i", "i32", "i8", "convert i8"),
        ("arith.trunci %i", "i32", "i1", "named 0 i1"),
        ("arith.extui %i", "i32", "i64", "named 0 i64"),
        ("arith.extui %p", "i1", "i32", "convert i32"),
        ("arith.extsi %p", "i1", "i32", "named 0 i32"),
        ("arith.sitofp %i", "i32", "f32", "convert f32"),
        ("arith.uitofp %i", "i32", "f32", "named 0 f32"),
        ("arith.uitofp %p", "i1", "f32", "convert f32"),
        ("arith.fptosi %a", "f32", "i32", "named 0 i32"),
        ("arith.bitcast %a", "f32", "i32", "named 0 i32"),
    ] {
        rows.push((
            format!("%r = {name} : tensor<4x6x{from}> to tensor<4x6x{to}>"),
            expected,
        ));
    }
    rows.push((
        "%r = arith.select %p, %a, %b : tensor<4x6xi1>, tensor<4x6xf32>".to_owned(),
        "select",
    ));
    rows.push((
        "%r = arith.cmpf olt, %a, %b : tensor<4x6xf32>".to_owned(),
        "named 0 i1",
    ));
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
            ("%r = arith.constant dense<2> : tensor<4xi64>", "constant 2 4xi64"),
            (
                "%c = arith.constant 0.25 : f16
                 %e = tensor.empty() : tensor<2xf16>
                 %r = linalg.fill ins(%c : f16) outs(%e : tensor<2xf16>) -> tensor<2xf16>",
                "constant 0.25 2xf16",
            ),
            (
                "%c = arith.constant true
                 %r = tensor.splat %c : tensor<3xi1>",
                "constant 1 3xi1",
            ),
            (
                "%c = arith.constant dense<0.1> : tensor<4x6xf64>
                 %r = arith.mulf %c, %d : tensor<4x6xf64>",
                "scale 0.1",
            ),
            (
                "%c = arith.constant 4.0 : f32
                 %e = tensor.empty() : tensor<4x6xf32>
                 %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                        iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
                 ^bb0(%x0: f32, %x1: f32):
                   %x2 = arith.divf %x0, %c : f32
                   linalg.yield %x2 : f32
                 } -> tensor<4x6xf32>",
                "scale 0.25",
            ),
            (
                "%c = arith.constant dense<0> : tensor<4x6xi32>
                 %r = arith.subi %c, %i : tensor<4x6xi32>",
                "negate",
            ),
            (
                "%c = arith.constant dense<0> : tensor<4x6xi32>
                 %r = arith.maxsi %i, %c : tensor<4x6xi32>",
                "relu",
            ),
        ],
    );
}

#[test]
fn linalg_by_maps_and_bodies() {
    round_trips(
        ARGUMENTS,
        &[
            (
                "%r = linalg.add ins(%a, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "add",
            ),
            (
                "%r = linalg.exp ins(%a : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "exp",
            ),
            (
                "%r = linalg.max ins(%a, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "maximum",
            ),
            (
                "%r = linalg.negf ins(%a : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "negate",
            ),
            (
                "%r = linalg.square ins(%a : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "multiply",
            ),
            (
                "%r = linalg.select ins(%p, %a, %b : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "select",
            ),
            (
                "%r = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%a, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "subtract",
            ),
            (
                "%r = linalg.map { arith.mulf } ins(%a, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>)",
                "multiply",
            ),
            (
                "%e = tensor.empty() : tensor<4x6xf32>
                 %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                        iterator_types = [\"parallel\", \"parallel\"]} ins(%h : tensor<4x6xbf16>) outs(%e : tensor<4x6xf32>) {
                 ^bb0(%x0: bf16, %x1: f32):
                   %x2 = arith.extf %x0 : bf16 to f32
                   linalg.yield %x2 : f32
                 } -> tensor<4x6xf32>",
                "convert f32",
            ),
            (
                "%r = linalg.rsqrt ins(%a : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>",
                "named 0 f32",
            ),
            (
                "%e = tensor.empty() : tensor<6x4x3xf32>
                 %r = linalg.transpose ins(%x : tensor<3x4x6xf32>) outs(%e : tensor<6x4x3xf32>) permutation = [2, 1, 0]",
                "transpose [2, 1, 0]",
            ),
            (
                "%e = tensor.empty() : tensor<4x6x2xf32>
                 %r = linalg.broadcast ins(%v : tensor<6xf32>) outs(%e : tensor<4x6x2xf32>) dimensions = [0, 2]",
                "broadcast_in_dim [4, 6, 2] dims=[1]",
            ),
            (
                "%e = tensor.empty() : tensor<4xf32>
                 %r = linalg.broadcast ins(%s : tensor<f32>) outs(%e : tensor<4xf32>) dimensions = [0]",
                "broadcast_in_dim [4] dims=[]",
            ),
        ],
    );
}

#[test]
fn products() {
    let zero = "%c = arith.constant 0.0 : f32
                %e = tensor.empty() : tensor<4x5xf32>
                %z = linalg.fill ins(%c : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>\n";
    let rows = [
        (
            format!("{zero} %r = linalg.matmul ins(%a, %k : tensor<4x6xf32>, tensor<6x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>"),
            "dot batch=[] contract=[(1, 0)]",
        ),
        (
            format!("{zero} %r = linalg.matmul ins(%h, %g : tensor<4x6xbf16>, tensor<6x5xbf16>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>"),
            "dot batch=[] contract=[(1, 0)]",
        ),
        (
            "%z = arith.constant dense<0.0> : tensor<4x4xf32>
             %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
               ins(%a, %b : tensor<4x6xf32>, tensor<4x6xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>".to_owned(),
            "dot batch=[] contract=[(1, 1)]",
        ),
        (
            "%z = arith.constant dense<0.0> : tensor<3x4x5xf32>
             %r = linalg.batch_matmul ins(%x, %y : tensor<3x4x6xf32>, tensor<3x6x5xf32>) outs(%z : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>".to_owned(),
            "dot batch=[(0, 0)] contract=[(2, 1)]",
        ),
        (
            "%z = arith.constant dense<0.0> : tensor<4xf32>
             %r = linalg.matvec ins(%a, %v : tensor<4x6xf32>, tensor<6xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>".to_owned(),
            "dot batch=[] contract=[(1, 0)]",
        ),
        (
            "%z = arith.constant dense<0.0> : tensor<4x3xf32>
             %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, n, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>]
               ins(%x, %a : tensor<3x4x6xf32>, tensor<4x6xf32>) outs(%z : tensor<4x3xf32>) -> tensor<4x3xf32>".to_owned(),
            "dot batch=[(1, 0)] contract=[(2, 1)]",
        ),
        (
            format!("{zero} %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%a, %k : tensor<4x6xf32>, tensor<6x5xf32>) outs(%z : tensor<4x5xf32>) {{
                 ^bb0(%x0: f32, %x1: f32, %x2: f32):
                   %x3 = arith.mulf %x0, %x1 : f32
                   %x4 = arith.addf %x2, %x3 : f32
                   linalg.yield %x4 : f32
                 }} -> tensor<4x5xf32>"),
            "dot batch=[] contract=[(1, 0)]",
        ),
    ];
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(body, expected)| (body.as_str(), *expected))
        .collect();
    round_trips(ARGUMENTS, &rows);
}

#[test]
fn reductions_and_tensors() {
    let reduce = |value: &str, element: &str, by: &str, neutral: &str| {
        format!(
            "%c = arith.constant dense<{neutral}> : tensor<4x{element}>
             %r = linalg.reduce {{ {by} }} ins({value} : tensor<4x6x{element}>) outs(%c : tensor<4x{element}>) dimensions = [1]"
        )
    };
    let rows = [
        (reduce("%a", "f32", "arith.addf", "0.0"), "reduce sum dim=1"),
        (reduce("%a", "f32", "arith.mulf", "1.0"), "reduce product dim=1"),
        (reduce("%a", "f32", "arith.maximumf", "0xFF800000"), "reduce max dim=1"),
        (reduce("%a", "f32", "arith.minimumf", "0x7F800000"), "reduce min dim=1"),
        (reduce("%i", "i32", "arith.minsi", "2147483647"), "reduce min dim=1"),
        (reduce("%l", "i64", "arith.maxsi", "-9223372036854775808"), "reduce max dim=1"),
        (reduce("%p", "i1", "arith.andi", "true"), "reduce and dim=1"),
        (reduce("%i", "i32", "arith.xori", "0"), "reduce xor dim=1"),
        (
            "%r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x4x6xf32> into tensor<12x6xf32>".to_owned(),
            "reshape [12, 6]",
        ),
        (
            "%r = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>".to_owned(),
            "reshape [2, 2, 6]",
        ),
        (
            "%r = tensor.expand_shape %s [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>".to_owned(),
            "reshape [1, 1]",
        ),
        (
            "%r = tensor.extract_slice %a[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>".to_owned(),
            "slice dim=0 1..3",
        ),
        (
            "%r = tensor.concat dim(0) %a, %b : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>".to_owned(),
            "concat dim=0",
        ),
    ];
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(body, expected)| (body.as_str(), *expected))
        .collect();
    round_trips(ARGUMENTS, &rows);
}
