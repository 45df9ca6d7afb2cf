// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Regions of one op, which say what is done to elements.

use comm_algebra::Kind;

use crate::mlir::{Op, Value};

/// The only op of the only block of an op, where its result is the only thing that the block yields.
pub(super) fn single(op: Op) -> Option<Op> {
    let mut blocks = op.blocks();
    let (block, None) = (blocks.next()?, blocks.next()) else {
        return None;
    };
    let mut ops = block.ops();
    let (inner, end) = (ops.next()?, ops.next()?);
    let yields = ops.next().is_none()
        && inner.num_regions() == 0
        && inner.num_results() == 1
        && crate::op_facts::is_terminator(end.name())
        && end.num_operands() == 1
        && end.operand(0) == inner.result(0);
    yields.then_some(inner)
}

/// The op by which the block of a reduction combines its two arguments, in either order and without converting them.
pub(super) fn combining(op: Op) -> Option<Op> {
    let inner = single(op)?;
    let arguments: Vec<Value> = inner.parent_block()?.arguments().collect();
    let operands: Vec<Value> = inner.operands().collect();
    let takes_both = arguments.len() == 2
        && (operands == arguments || operands.iter().eq(arguments.iter().rev()))
        && arguments
            .iter()
            .all(|argument| argument.ty() == inner.result(0).ty());
    takes_both.then_some(inner)
}

/// The kind of reduction that combines by a function.
pub(super) fn kind_of(function: comm_algebra::Function) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.function() == function)
}
