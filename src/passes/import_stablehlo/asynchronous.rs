// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `stablehlo.async_start` and `async_done`: a start and a `comm.wait`.
//!
//! The start's region holds one collective, whose results it returns; operands come in as the region's arguments.
//! That is what `comm` has, too: a collective that yields a future. Its rules are stricter: a future has at most one
//! wait, in the region of its start, and is passed on nowhere. An async_start of anything but a collective (a slice)
//! is left as it is.

use super::{
    Importer, check_not_last,
    collectives::{self, kept_attributes},
};
use crate::{
    collective::Kind,
    diagnostics,
    mlir::{Block, Op, OpBuilder, PassResult, Ty, Value},
};

/// The kind of a StableHLO collective.
fn kind_of(op: Op) -> Option<Kind> {
    collectives::kind_of(op.name().strip_prefix("stablehlo.")?)
}

/// Whether the region of an async_start has a collective in it, however deep.
pub(super) fn holds_collective(start: Op) -> bool {
    start.walk().into_iter().any(|op| kind_of(op).is_some())
}

/// Replaces a start and its done.
pub(super) fn convert(importer: &mut Importer, start: Op) -> PassResult {
    let Some((block, collective, kind)) = body(start) else {
        return Err(diagnostics::op_error(
            start,
            "expects one collective in its region and a return of all its results, in their order",
        ));
    };
    if !start.is_closed() {
        return Err(diagnostics::op_error(
            start,
            "has a region whose values are used outside of it",
        ));
    }
    check_not_last(start)?;
    let operands = outer_operands(start, block, collective)?;
    let done = done_of(start)?;
    if let Some(done) = done {
        check_not_last(done)?;
    }
    let description = collectives::describe(importer, collective, kind)?;
    let kept = kept_attributes(start, &[])?;
    let types: Vec<Ty> = collective.results().map(Value::ty).collect();
    if let Some(done) = done
        && done.results().map(Value::ty).ne(types.iter().copied())
    {
        return Err(diagnostics::op_error_with_notes(
            done,
            "yields other types than the collective that it awaits",
            &[(collective, "collective")],
        ));
    }
    if types.is_empty() || types.iter().any(|ty| !ty.is_ranked_tensor()) {
        return Err(diagnostics::op_error(
            collective,
            "yields something else than ranked tensors",
        ));
    }
    let future = Ty::future(start.context(), &types);
    let new = description.build(importer, start, start, &operands, &[future])?;
    for (name, attr) in kept {
        new.set_discardable_attr(&name, attr);
    }
    if let Some(done) = done {
        let kept = kept_attributes(done, &[])?;
        let wait = OpBuilder::new("comm.wait", done.location())
            .operands([new.result(0)])
            .operands(operands)
            .results(done.results().map(Value::ty))
            .insert_before(done)?;
        for (name, attr) in kept {
            wait.set_discardable_attr(&name, attr);
        }
        wait.verify()?;
        for (old, new) in done.results().zip(wait.results()) {
            old.replace_uses_with(new);
        }
        done.erase();
    }
    start.erase();
    Ok(())
}

/// The block of a start that is one collective and a return of its results, and that collective.
fn body(start: Op) -> Option<(Block, Op, Kind)> {
    let mut blocks = start.blocks();
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return None;
    };
    let mut ops = block.ops();
    let (collective, end) = (ops.next()?, ops.next()?);
    let fits = ops.next().is_none()
        && end.name() == "stablehlo.return"
        && end.operands().eq(collective.results())
        && start.num_results() == 1;
    fits.then_some((block, collective, kind_of(collective)?))
}

/// The collective's operands as they are outside the region.
fn outer_operands(start: Op, block: Block, collective: Op) -> PassResult<Vec<Value>> {
    if block
        .arguments()
        .map(Value::ty)
        .ne(start.operands().map(Value::ty))
    {
        return Err(diagnostics::op_error(
            start,
            "has operands that differ in type from its region's arguments",
        ));
    }
    Ok(collective
        .operands()
        .map(|value| {
            if value.argument_of() == Some(block) {
                start.operand(value.index())
            } else {
                value
            }
        })
        .collect())
}

/// The done that awaits the start's future, if anything does.
fn done_of(start: Op) -> PassResult<Option<Op>> {
    let mut uses = start.result(0).uses();
    let Some(done) = uses.next().map(|r#use| r#use.op()) else {
        return Ok(None);
    };
    if done.name() != "stablehlo.async_done" || done.num_operands() != 1 || done.num_regions() > 0 {
        return Err(diagnostics::op_error_with_notes(
            start,
            "yields a future that goes elsewhere than to stablehlo.async_done",
            &[(done, "used here")],
        ));
    }
    if let Some(other) = uses.next() {
        return Err(diagnostics::op_error_with_notes(
            start,
            "yields a future that is used more than once",
            &[(done, "used here"), (other.op(), "used here")],
        ));
    }
    let region = |op: Op| op.parent_block().map(Block::region_id);
    if region(done) != region(start) {
        return Err(diagnostics::op_error_with_notes(
            start,
            "yields a future that is awaited in another region",
            &[(done, "awaited here")],
        ));
    }
    Ok(Some(done))
}
