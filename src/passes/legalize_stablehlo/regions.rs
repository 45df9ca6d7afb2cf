// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Regions that say what is computed for one element: reducers, comparators, the body of a map.
//!
//! Their values are tensors of rank 0, which become scalars. They hold elementwise ops, constants, and ops that change
//! nothing of a tensor of rank 0; calls are not followed, since the import inlines them. They may use
//! tensors of rank 0 from outside.

use std::collections::HashMap;

use super::{
    Translator, convert,
    emit::At,
    scalars, shape,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Block, Op, PassResult, Value},
};

/// A region that has been checked.
pub(super) struct ScalarRegion {
    op: Op,
    block: Block,
}

impl ScalarRegion {
    /// The one region of an op, as one of `arguments` arguments.
    pub(super) fn of(translator: &Translator, op: Op, arguments: usize, results: usize) -> PassResult<Self> {
        let block = translator
            .single_block(op, 0)?
            .ok_or_else(|| diagnostics::op_error(op, "has an empty region"))?;
        let end = block.ops().last();
        let scalar = |value: Value| value.ty().rank() == Some(0) && Number::of(value.ty()).is_some();
        let fits = block.arguments().len() == arguments
            && block.arguments().all(scalar)
            && end.is_some_and(|end| {
                end.name() == "stablehlo.return"
                    && end.num_operands() == results
                    && end.operands().all(scalar)
            });
        if !fits {
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "expects a region of {arguments} argument(s) that returns {results} value(s), all of them tensors of \
                     rank 0 of numbers"
                ),
            ));
        }
        Ok(Self { op, block })
    }

    /// What an argument is.
    pub(super) fn argument(&self, index: usize) -> Number {
        self.block
            .arguments()
            .nth(index)
            .map_or(Number::Bool, types::number)
    }

    /// What a result is.
    pub(super) fn result(&self, index: usize) -> Number {
        let end = self.block.ops().last();
        end.map_or(Number::Bool, |end| types::number(end.operand(index)))
    }

    /// The region on scalars, which are of the old types of `numbers`; they are converted to the arguments' types.
    pub(super) fn apply(
        &self,
        translator: &Translator,
        at: At,
        scalars: &[Value],
        numbers: &[Number],
    ) -> PassResult<Vec<Value>> {
        let mut values = HashMap::new();
        for ((argument, &scalar), &number) in self.block.arguments().zip(scalars).zip(numbers) {
            let scalar = convert::convert(at, number, types::number(argument), scalar)?;
            values.insert(argument, scalar);
        }
        let mut region = Scope {
            translator,
            values,
            at,
        };
        for op in self.block.ops() {
            if op.name() == "stablehlo.return" && op.next().is_none() {
                return op.operands().map(|value| region.value(op, value)).collect();
            }
            let result = region.op(op)?;
            region.values.insert(op.result(0), result);
        }
        Err(diagnostics::op_error(
            self.op,
            "has a region without a terminator",
        ))
    }
}

/// A region that is being translated.
struct Scope<'a> {
    translator: &'a Translator,
    values: HashMap<Value, Value>,
    at: At,
}

impl Scope<'_> {
    fn value(&self, user: Op, value: Value) -> PassResult<Value> {
        if let Some(&scalar) = self.values.get(&value) {
            return Ok(scalar);
        }
        if value.ty().rank() != Some(0) {
            return Err(unfit(user));
        }
        self.at.scalar(self.translator.value(user, value)?)
    }

    fn op(&self, op: Op) -> PassResult<Value> {
        let name = op.name().strip_prefix("stablehlo.").ok_or_else(|| unfit(op))?;
        if op.num_results() != 1 || op.result(0).ty().rank() != Some(0) {
            return Err(unfit(op));
        }
        let at = self.at.at(op);
        if scalars::arity(name).is_some() {
            scalars::check(op, name)?;
            let args: Vec<Value> = op
                .operands()
                .map(|value| self.value(op, value))
                .collect::<PassResult<_>>()?;
            return scalars::apply(at, op, name, &args);
        }
        types::check(op)?;
        match name {
            "constant" => shape::scalar_constant(op, at),
            "broadcast_in_dim" | "reshape" | "transpose" | "optimization_barrier"
                if op.num_operands() == 1 && op.operand(0).ty() == op.result(0).ty() =>
            {
                self.value(op, op.operand(0))
            }
            _ => Err(unfit(op)),
        }
    }
}

fn unfit(op: Op) -> crate::mlir::Failed {
    diagnostics::op_error(
        op,
        "stands in a region that is applied to single elements; expected elementwise ops and constants on tensors of \
         rank 0",
    )
}
