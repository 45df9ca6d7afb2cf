// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which reduction the region of an all_reduce or reduce_scatter computes.
//!
//! Known is a region of one op that combines its two arguments, in either order, and returns the result. On `i1`
//! StableHLO's add and maximum are or, and its multiply and minimum are and. Everything else is a computation of the
//! program's own, which `comm` has no kind for, and so is a region that accumulates in another element type than the
//! operands'.

use crate::{
    diagnostics,
    dialect::Reduction,
    ffi,
    mlir::{Attr, Block, Op, PassResult},
};

/// Reads the reduction of a collective.
pub(super) fn read(op: Op) -> PassResult<Attr> {
    let reduction = recognise(op).map_err(|reason| {
        diagnostics::op_error(
            op,
            &format!(
                "has a reducer that {reason}; expected one of add, multiply, maximum, minimum, and, or, xor of its two \
                 arguments"
            ),
        )
    })?;
    // SAFETY: the kinds have the numbers of the C++ enumeration; the attribute is not null.
    let raw = unsafe { ffi::commReductionAttrGet(op.context(), reduction as u32) };
    Attr::from_nullable(raw).ok_or(crate::mlir::Failed)
}

fn recognise(op: Op) -> Result<Reduction, String> {
    let mut blocks = op.blocks();
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return Err("is not a region of one block".to_owned());
    };
    let combine = combining_op(block).ok_or("does not combine its two arguments by one op")?;
    let element = combine.result(0).ty().element();
    if let Some(other) = op
        .operands()
        .map(|operand| operand.ty().element())
        .find(|other| *other != element)
    {
        return Err(format!(
            "accumulates {} in {}",
            other.to_text(),
            element.to_text()
        ));
    }
    let boolean = element.to_text() == "i1";
    Ok(match combine.name() {
        "stablehlo.add" if boolean => Reduction::Or,
        "stablehlo.add" => Reduction::Sum,
        "stablehlo.multiply" if boolean => Reduction::And,
        "stablehlo.multiply" => Reduction::Prod,
        "stablehlo.maximum" if boolean => Reduction::Or,
        "stablehlo.maximum" => Reduction::Max,
        "stablehlo.minimum" if boolean => Reduction::And,
        "stablehlo.minimum" => Reduction::Min,
        "stablehlo.and" => Reduction::And,
        "stablehlo.or" => Reduction::Or,
        "stablehlo.xor" => Reduction::Xor,
        name => return Err(format!("computes '{name}'")),
    })
}

/// The op whose result the block returns, where it is the block's only op, takes both arguments, and all types agree.
fn combining_op(block: Block) -> Option<Op> {
    let mut ops = block.ops();
    let (combine, end) = (ops.next()?, ops.next()?);
    let arguments: Vec<_> = block.arguments().collect();
    let operands: Vec<_> = combine.operands().collect();
    let fits = ops.next().is_none()
        && combine.num_regions() + end.num_regions() == 0
        && end.name() == "stablehlo.return"
        && end.num_operands() == 1
        && combine.num_results() == 1
        && end.operand(0) == combine.result(0)
        && arguments.len() == 2
        && operands.len() == 2
        && (operands == arguments || operands.iter().eq(arguments.iter().rev()))
        && arguments
            .iter()
            .all(|argument| argument.ty() == combine.result(0).ty());
    fits.then_some(combine)
}
