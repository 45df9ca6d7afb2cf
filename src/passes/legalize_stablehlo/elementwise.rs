// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Elementwise ops on tensors: `linalg.generic` around what is computed for one element.
//!
//! Operands that are one value throughout are that scalar inside the loops. Of tensors of rank 0, and where all operands are
//! such splats, one element is computed and no loop is made.

use super::{
    Translator,
    emit::{At, Iterator, splat},
    maps::Map,
    regions::ScalarRegion,
    scalars,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Op, PassResult, Value},
};

/// Translates an elementwise op that has passed [`scalars::check`].
pub(super) fn lower(translator: &mut Translator, op: Op, name: &str, at: At) -> PassResult<Vec<Value>> {
    let shape = types::shape(op.result(0));
    for (index, operand) in op.operands().enumerate() {
        // The predicate of a select, and the bounds of a clamp, may be scalars.
        let scalar = match name {
            "select" => index == 0,
            "clamp" => index != 1,
            _ => false,
        };
        let own = types::shape(operand);
        if own != shape && !(scalar && own.is_empty()) {
            return Err(diagnostics::op_error(
                op,
                &format!("has operand {index} of shape {own:?}; expected {shape:?}, as its result has"),
            ));
        }
    }
    let operands = translator.operands(op)?;
    let results = over_elements(at, &operands, &[op.result(0)], |at, scalars| {
        Ok(vec![scalars::apply(at, op, name, scalars)?])
    })?;
    Ok(results)
}

/// `stablehlo.map`: a region for each element.
pub(super) fn map(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let shape = types::shape(op.result(0));
    if op.num_results() != 1 || op.operands().any(|operand| types::shape(operand) != shape) {
        return Err(diagnostics::op_error(
            op,
            "expects one result, and operands of its shape",
        ));
    }
    let region = ScalarRegion::of(translator, op, op.num_operands(), 1)?;
    expect_results(op, &[op.result(0)], &region)?;
    let numbers: Vec<Number> = op.operands().map(types::number).collect();
    let operands = translator.operands(op)?;
    let translator = &*translator;
    over_elements(at, &operands, &[op.result(0)], |at, scalars| {
        region.apply(translator, at, scalars, &numbers)
    })
}

/// Fails unless a region returns the elements of these results.
pub(super) fn expect_results(op: Op, results: &[Value], region: &ScalarRegion) -> PassResult {
    let mut results = results.iter().enumerate();
    if results.all(|(index, result)| region.result(index) == types::number(*result)) {
        return Ok(());
    }
    Err(diagnostics::op_error(
        op,
        "has a region whose results are not of the element types of its own",
    ))
}

/// Makes tensors of the types of `old`, which have one shape, element by element.
fn over_elements(
    at: At,
    operands: &[Value],
    old: &[Value],
    body: impl FnOnce(At, &[Value]) -> PassResult<Vec<Value>>,
) -> PassResult<Vec<Value>> {
    let results: Vec<_> = old.iter().map(|value| types::converted(value.ty())).collect();
    let rank = types::shape(old[0]).len();
    // Each operand as a scalar, or as a place among the inputs of the loops.
    let mut inputs: Vec<Value> = Vec::new();
    let mut sources: Vec<Result<Value, usize>> = Vec::new();
    for &operand in operands {
        let is_scalar = operand.ty().rank() == Some(0);
        sources.push(match splat(operand) {
            Some(scalar) => Ok(scalar),
            None if is_scalar => Ok(at.scalar(operand)?),
            None => Err(inputs
                .iter()
                .position(|input| *input == operand)
                .unwrap_or_else(|| {
                    inputs.push(operand);
                    inputs.len() - 1
                })),
        });
    }
    let scalars = |elements: &[Value]| -> Vec<Value> {
        sources
            .iter()
            .map(|source| source.unwrap_or_else(|place| elements[place]))
            .collect()
    };
    if inputs.is_empty() {
        let elements = body(at, &scalars(&[]))?;
        let tensors = elements
            .into_iter()
            .zip(results)
            .map(|(scalar, ty)| at.fill(scalar, ty));
        return tensors.collect();
    }
    let map = Map::identity(rank);
    let inputs: Vec<(Value, Map)> = inputs.into_iter().map(|input| (input, map.clone())).collect();
    let outputs: Vec<(Value, Map)> = results
        .into_iter()
        .map(|ty| Ok((at.empty(ty)?, map.clone())))
        .collect::<PassResult<_>>()?;
    at.generic(
        &inputs,
        &outputs,
        &vec![Iterator::Parallel; rank],
        |at, elements| body(at, &scalars(elements)),
    )
}
