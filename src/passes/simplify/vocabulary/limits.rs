// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which ops of the algebra each style can spell: asked before anything is decided, so that no program is chosen that cannot
//! be written.

use comm_algebra::{Element, Function, Op as AlgebraOp, Type};

use super::{Style, stablehlo_write, tosa_write, types::is_exact_convert, upstream_write};

/// Whether [`write`](super::Vocabulary::write) succeeds for an op of operands of these types.
pub(super) fn can_write(op: &AlgebraOp, operands: &[&Type], ty: &Type, style: Style) -> bool {
    match op {
        AlgebraOp::Map(Function::Named { .. })
        | AlgebraOp::Constant { .. }
        | AlgebraOp::Transpose(_)
        | AlgebraOp::Reshape(_)
        | AlgebraOp::BroadcastInDim { .. }
        | AlgebraOp::Concat(_)
        | AlgebraOp::Slice { .. } => true,
        AlgebraOp::Map(function) => has_function(*function, ty.element, style),
        AlgebraOp::Convert(to) => operands
            .first()
            .is_some_and(|from| converts(from.element, *to, style)),
        AlgebraOp::Reduce { kind, .. } => match style {
            Style::Tosa => tosa_write::reduction(*kind, ty.element).is_some(),
            _ => has_function(kind.function(), ty.element, style) && kind.accepts(ty.element),
        },
        AlgebraOp::Dot(dot) => {
            style != Style::Upstream
                || upstream_write::can_write_product(dot, operands.iter().map(|ty| ty.element))
        }
        _ => false,
    }
}

fn has_function(function: Function, element: Element, style: Style) -> bool {
    match style {
        Style::StableHlo => stablehlo_write::name(function).is_some(),
        // Composed of others.
        Style::Upstream if function == Function::Logistic => true,
        Style::Upstream => upstream_write::name(function, element).is_some(),
        Style::Tosa => tosa_write::name(function, element).is_some(),
    }
}

fn converts(from: Element, to: Element, style: Style) -> bool {
    from == to
        || match style {
            Style::StableHlo | Style::Upstream => is_exact_convert(from, to),
            Style::Tosa => from.is_float() && to.is_float(),
        }
}
