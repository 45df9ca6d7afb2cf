// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is written as several ops, and what cannot be written.

use comm_algebra::{Dot, Element, Function, Kind, Op as AlgebraOp, Type, infer::infer};

use super::{super::Style, Vocabulary, with_last};
use crate::mlir::Op;

/// Names of the ops that are written for `op` of a value of `text`'s type, which verify and whose last has the type that
/// the algebra infers; nothing where nothing is written, and then nothing is left behind.
fn written(op: &AlgebraOp, texts: &[&str], style: Style) -> Option<Vec<String>> {
    let context = crate::context();
    let arguments: Vec<String> = (0..texts.len()).map(|n| format!("%a{n}: {}", texts[n])).collect();
    with_last(
        &context,
        &arguments.join(", "),
        "%e = tensor.empty() : tensor<1xf32>",
        |module, before| {
            let mut vocabulary = Vocabulary::new();
            let block = before.parent_block().expect("a block");
            let operands: Vec<_> = block.arguments().collect();
            let types: Vec<Type> = operands
                .iter()
                .map(|value| vocabulary.type_of(value.ty()).expect("a type"))
                .collect();
            let groups = comm_algebra::Groups::new(1).expect("groups");
            let ty = infer(op, &types.iter().collect::<Vec<_>>(), &groups).expect("a legal op");
            let value = vocabulary.write(op, &operands, &ty, style, before.location(), before);
            let names: Vec<String> = block
                .ops()
                .take_while(|op| *op != before)
                .map(|op: Op| op.name().to_owned())
                .collect();
            let Ok(value) = value else {
                assert_eq!(names, Vec::<String>::new());
                return None;
            };
            assert!(module.verify().is_ok(), "{op}");
            assert!(value.ty() == vocabulary.ty(&ty, before.context()), "{op}");
            Some(names)
        },
    )
}

fn names(op: &AlgebraOp, types: &[&str], style: Style) -> String {
    written(op, types, style)
        .unwrap_or_else(|| panic!("not written: {op}"))
        .join(" ")
}

#[test]
fn reshapes_go_through_one_dimension() {
    let reshape =
        |from: &str, shape: &[usize]| names(&AlgebraOp::Reshape(shape.to_vec()), &[from], Style::Upstream);
    assert_eq!(
        reshape("tensor<4x6xf32>", &[3, 8]),
        "tensor.collapse_shape tensor.expand_shape"
    );
    assert_eq!(reshape("tensor<4x6xf32>", &[24]), "tensor.collapse_shape");
    assert_eq!(reshape("tensor<4x6xf32>", &[1, 4, 6]), "tensor.expand_shape");
    assert_eq!(reshape("tensor<1x1xf32>", &[]), "tensor.collapse_shape");
    assert_eq!(reshape("tensor<4x6xf32>", &[4, 6]), "");
}

#[test]
fn conversions_are_composed() {
    let convert = |from: &str, to| names(&AlgebraOp::Convert(to), &[from], Style::Upstream);
    assert_eq!(convert("tensor<4xf16>", Element::Bf16), "arith.extf arith.truncf");
    assert_eq!(
        convert("tensor<4xf32>", Element::Bool),
        "arith.constant arith.cmpf"
    );
    assert_eq!(
        convert("tensor<4xi32>", Element::Bool),
        "arith.constant arith.cmpi"
    );
    assert_eq!(convert("tensor<4xf32>", Element::F32), "");
}

#[test]
fn the_logistic_function_is_written_out() {
    assert_eq!(
        names(
            &AlgebraOp::Map(Function::Logistic),
            &["tensor<4xf32>"],
            Style::Upstream
        ),
        "arith.negf math.exp arith.constant arith.addf arith.divf"
    );
}

#[test]
fn tosa_composes_products_reductions_and_broadcasts() {
    let matmul = AlgebraOp::Dot(Dot::matmul(Element::F32));
    assert_eq!(
        names(&matmul, &["tensor<4x6xf32>", "tensor<6x5xf32>"], Style::Tosa),
        "tosa.const_shape tosa.reshape tosa.const_shape tosa.reshape tosa.const tosa.const tosa.matmul \
         tosa.const_shape tosa.reshape"
    );
    let product = AlgebraOp::Dot(Dot {
        batch: vec![(1, 0)],
        contract: vec![(0, 2), (3, 1)],
        element: Element::F32,
    });
    assert_eq!(
        names(
            &product,
            &["tensor<4x3x5x6xf32>", "tensor<3x6x4xf32>"],
            Style::Tosa
        ),
        "tosa.transpose tosa.const_shape tosa.reshape tosa.transpose tosa.const_shape tosa.reshape tosa.const tosa.const \
         tosa.matmul tosa.const_shape tosa.reshape"
    );
    let sum = AlgebraOp::Reduce {
        kind: Kind::Sum,
        dim: 0,
    };
    assert_eq!(
        names(&sum, &["tensor<4x6xf32>"], Style::Tosa),
        "tosa.reduce_sum tosa.const_shape tosa.reshape"
    );
    let broadcast = AlgebraOp::BroadcastInDim {
        shape: vec![2, 4, 6],
        dims: vec![1],
    };
    assert_eq!(
        names(&broadcast, &["tensor<4xf32>"], Style::Tosa),
        "tosa.const_shape tosa.reshape tosa.const_shape tosa.tile"
    );
}

#[test]
fn products_of_any_form_are_contractions() {
    let product = AlgebraOp::Dot(Dot {
        batch: vec![(1, 0)],
        contract: vec![(0, 2), (3, 1)],
        element: Element::F32,
    });
    assert_eq!(
        names(
            &product,
            &["tensor<4x3x5x6xbf16>", "tensor<3x6x4xbf16>"],
            Style::Upstream
        ),
        "arith.constant linalg.contract"
    );
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    for (op, types, style) in [
        (
            AlgebraOp::Map(Function::Divide),
            &["tensor<4xf32>"; 2][..],
            Style::Tosa,
        ),
        (AlgebraOp::Map(Function::Sqrt), &["tensor<4xf32>"], Style::Tosa),
        (AlgebraOp::Convert(Element::I32), &["tensor<4xf32>"], Style::Tosa),
        (
            AlgebraOp::Convert(Element::I32),
            &["tensor<4xf32>"],
            Style::Upstream,
        ),
        (
            AlgebraOp::Convert(Element::I32),
            &["tensor<4xf32>"],
            Style::StableHlo,
        ),
        // Sums narrower than the factors.
        (
            AlgebraOp::Dot(Dot::matmul(Element::Bf16)),
            &["tensor<4x4xf32>"; 2],
            Style::Upstream,
        ),
        (
            AlgebraOp::Map(Function::Named {
                number: 7,
                operands: 1,
                element: Element::F32,
            }),
            &["tensor<4xf32>"],
            Style::StableHlo,
        ),
    ] {
        assert_eq!(written(&op, types, style), None, "{op}");
    }
}
