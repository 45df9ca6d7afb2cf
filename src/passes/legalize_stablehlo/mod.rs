// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-legalize-stablehlo`: StableHLO computation, in generic form, becomes linalg, arith, math, tensor and scf.
//!
//! A function is translated into a new one, op by op, with a table from old values to new ones; the old function is erased
//! at the end. So every op is read with its old types, in which integers have signs, while the new ones have none.
//!
//! Before: a module after `comm-import-stablehlo`, on ranked tensors of static shape. Nothing of StableHLO has been
//! verified, so all that a translation relies on is checked, and its result types are compared with the old ones.
//! After: no op of StableHLO; no unsigned integer in any function that had either; `comm` ops as they were.
//!
//! Deliberately not done: fusion (each op is a loop nest of its own, for `linalg-fuse-elementwise-ops` to merge),
//! approximation of math functions, dynamic shapes, and anything whose meaning is not certain; what is not covered is an
//! error at the op.
//!
//! Complexity: linear in the ops read, of which each becomes a bounded number of new ones for each operand and dimension.

use std::collections::HashMap;

use crate::{
    diagnostics,
    mlir::{Attr, Block, Op, OpBuilder, PassResult, Ty, Value},
    op_facts,
};

mod attributes;
mod contraction;
mod control;
mod convert;
mod counted;
mod dynamic;
mod elementwise;
mod emit;
mod foreign;
mod gather;
mod integers;
mod maps;
mod padding;
mod reduction;
mod regions;
mod reshape;
mod scalars;
mod scatter;
mod shape;
mod sort;
mod types;

use emit::At;

/// Runs the pass on a module.
pub(super) fn run(module: Op) -> PassResult {
    let mut translator = Translator {
        values: HashMap::new(),
        started: HashMap::new(),
        processes: super::import_stablehlo::process_counts(module)?,
    };
    let functions: Vec<Op> = module
        .blocks()
        .flat_map(|block| block.ops())
        .filter(|op| op.name() == "func.func" && concerns(*op))
        .collect();
    for function in functions {
        translator.function(function)?;
    }
    match module.walk().into_iter().find(|op| is_ours(op.name())) {
        None => Ok(()),
        Some(op) => Err(diagnostics::op_error(
            op,
            "stands outside the functions of the module; expected StableHLO in functions only",
        )),
    }
}

/// Whether an op is of a dialect that is to be gone.
fn is_ours(name: &str) -> bool {
    ["stablehlo.", "chlo.", "mhlo.", "vhlo."]
        .iter()
        .any(|dialect| name.starts_with(dialect))
}

/// Whether anything in a function is to be changed.
fn concerns(function: Op) -> bool {
    let changes = |value: Value| types::converted(value.ty()) != value.ty();
    let signature = function.attr("function_type").and_then(Attr::as_type);
    signature.is_some_and(|ty| types::converted_function(ty) != Some(ty))
        || function.walk().into_iter().any(|op| {
            is_ours(op.name())
                || op.name() == "sdy.sharding_constraint"
                || op.results().any(changes)
                || op.blocks().any(|block| block.arguments().any(changes))
        })
}

/// What translations share.
struct Translator {
    /// New values by old ones.
    values: HashMap<Value, Value>,
    /// Operands, old and new, of collectives that were started on turned integers, by their old futures.
    started: HashMap<Value, Vec<(Value, Value)>>,
    /// Replicas, and partitions of each, where the module says how many.
    processes: Option<(i64, i64)>,
}

impl Translator {
    fn function(&mut self, function: Op) -> PassResult {
        let signature = function
            .attr("function_type")
            .and_then(Attr::as_type)
            .and_then(types::converted_function)
            .ok_or_else(|| diagnostics::op_error(function, "has no function type"))?;
        let mut builder = OpBuilder::new("func.func", function.location())
            .named_attrs(function.attrs_except(&["function_type"]))
            .attr("function_type", Attr::of_type(signature));
        builder = match self.single_block(function, 0)? {
            None => builder.empty_region(),
            Some(body) => {
                let types: Vec<Ty> = body
                    .arguments()
                    .map(|value| types::converted(value.ty()))
                    .collect();
                builder.region(&types, |block| {
                    let at = At {
                        block,
                        location: function.location(),
                    };
                    let end = self.body(body, at)?;
                    foreign::copy(self, end, at.at(end)).map(drop)
                })?
            }
        };
        let new = builder.insert_before(function)?;
        function.erase();
        self.values.clear();
        self.started.clear();
        erase_unused(new);
        Ok(())
    }

    /// The block of a region, which has at most one.
    fn single_block(&self, op: Op, region: usize) -> PassResult<Option<Block>> {
        let mut blocks = op.region(region);
        let first = blocks.next();
        match blocks.next() {
            None => Ok(first),
            Some(_) => Err(diagnostics::op_error(
                op,
                "has a region of several blocks; expected structured control flow",
            )),
        }
    }

    /// Translates all but the last op of a block, whose arguments become those of the new block; gives the last one.
    fn body(&mut self, block: Block, at: At) -> PassResult<Op> {
        let arguments: Vec<Value> = at.block.arguments().collect();
        self.body_with(block, at, &arguments)
    }

    /// The same with other values for the arguments.
    fn body_with(&mut self, block: Block, at: At, arguments: &[Value]) -> PassResult<Op> {
        self.values
            .extend(block.arguments().zip(arguments.iter().copied()));
        let mut ops = block.ops().peekable();
        while let Some(op) = ops.next() {
            if ops.peek().is_none() {
                return Ok(op);
            }
            self.op(op, at.at(op))?;
        }
        Err(diagnostics::error(
            at.location,
            "expected a block with a terminator",
        ))
    }

    /// Translates the region of an op of StableHLO, whose last op is `stablehlo.return`; gives what it returns.
    fn returned(&mut self, block: Block, at: At, arguments: &[Value]) -> PassResult<Vec<Value>> {
        let end = self.body_with(block, at, arguments)?;
        if end.name() != "stablehlo.return" {
            return Err(diagnostics::op_error(
                end,
                "ends a region of StableHLO; expected stablehlo.return",
            ));
        }
        self.operands(end)
    }

    /// The new value of an old one.
    fn value(&self, user: Op, value: Value) -> PassResult<Value> {
        self.values.get(&value).copied().ok_or_else(|| {
            diagnostics::op_error(
                user,
                "uses a value before it is made, which this pass does not read",
            )
        })
    }

    /// New values of all operands.
    fn operands(&self, op: Op) -> PassResult<Vec<Value>> {
        op.operands().map(|value| self.value(op, value)).collect()
    }

    /// New value of one operand.
    fn operand(&self, op: Op, index: usize) -> PassResult<Value> {
        self.value(op, op.operand(index))
    }

    fn op(&mut self, op: Op, at: At) -> PassResult {
        let results = self.translate(op, at)?;
        let fits = results.len() == op.num_results()
            && results
                .iter()
                .zip(op.results())
                .all(|(new, old)| new.ty() == types::converted(old.ty()));
        if !fits {
            let names = |types: Vec<Ty>| types.into_iter().map(Ty::to_text).collect::<Vec<_>>().join(", ");
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "has results of type {}; expected {}, by its operands and attributes",
                    names(op.results().map(|value| types::converted(value.ty())).collect()),
                    names(results.iter().map(|value| value.ty()).collect()),
                ),
            ));
        }
        self.values.extend(op.results().zip(results));
        Ok(())
    }

    fn translate(&mut self, op: Op, at: At) -> PassResult<Vec<Value>> {
        let Some(name) = op.name().strip_prefix("stablehlo.") else {
            return foreign::translate(self, op, at);
        };
        if let Some(translated) = control::translate(self, op, name, at) {
            return translated;
        }
        if scalars::arity(name).is_some() {
            scalars::check(op, name)?;
            return elementwise::lower(self, op, name, at);
        }
        let lower = COMPUTATIONS
            .iter()
            .find(|entry| entry.0 == name)
            .ok_or_else(|| refused(op, name))?;
        let (_, operands, regions, lower) = lower;
        if !operands.contains(&op.num_operands()) || op.num_regions() != *regions || op.num_results() == 0 {
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "has {} operand(s), {} result(s) and {} region(s), which is not the form of the op",
                    op.num_operands(),
                    op.num_results(),
                    op.num_regions()
                ),
            ));
        }
        types::check(op)?;
        // Nothing is to be computed for results without elements.
        if op.results().all(|result| types::shape(result).contains(&0)) {
            return op
                .results()
                .map(|result| at.empty(types::converted(result.ty())))
                .collect();
        }
        lower(self, op, at)
    }
}

/// How an op is translated: its new results.
type Lower = fn(&mut Translator, Op, At) -> PassResult<Vec<Value>>;

/// Any number of operands, but one at least.
const SOME: std::ops::RangeInclusive<usize> = 1..=usize::MAX;

/// Ops that are neither elementwise nor control flow: their numbers of operands and regions, and how they are translated.
const COMPUTATIONS: &[(&str, std::ops::RangeInclusive<usize>, usize, Lower)] = &[
    ("broadcast_in_dim", 1..=1, 0, shape::broadcast_in_dim),
    ("concatenate", SOME, 0, shape::concatenate),
    ("constant", 0..=0, 0, shape::constant),
    ("dot", 2..=2, 0, contraction::dot),
    ("dot_general", 2..=2, 0, contraction::dot_general),
    ("dynamic_slice", SOME, 0, dynamic::dynamic_slice),
    (
        "dynamic_update_slice",
        2..=usize::MAX,
        0,
        dynamic::dynamic_update_slice,
    ),
    ("gather", 2..=2, 0, gather::gather),
    ("iota", 0..=0, 0, shape::iota),
    ("map", SOME, 1, elementwise::map),
    ("pad", 2..=2, 0, padding::pad),
    ("partition_id", 0..=0, 0, foreign::partition_id),
    ("reduce", 2..=usize::MAX, 1, reduction::reduce),
    ("reduce_window", 2..=usize::MAX, 1, reduction::reduce_window),
    ("replica_id", 0..=0, 0, foreign::replica_id),
    ("reshape", 1..=1, 0, reshape::reshape),
    ("reverse", 1..=1, 0, shape::reverse),
    ("scatter", 3..=usize::MAX, 1, scatter::scatter),
    ("slice", 1..=1, 0, shape::slice),
    ("sort", SOME, 1, sort::sort),
    ("transpose", 1..=1, 0, shape::transpose),
];

/// Why an op is not translated.
fn refused(op: Op, name: &str) -> crate::mlir::Failed {
    if super::import_stablehlo::is_collective(op) || name.starts_with("async_") {
        return diagnostics::op_error(
            op,
            "communicates between devices; expected a comm op, as comm-import-stablehlo makes of it",
        );
    }
    diagnostics::op_error(
        op,
        "is not covered by comm-legalize-stablehlo; expected an op of tensors of numbers that the pass's documentation \
         lists",
    )
}

/// Erases what nothing uses and has no effect, users before what they use.
fn erase_unused(root: Op) {
    for op in root.walk().into_iter().rev() {
        if op.num_results() > 0 && op.is_unused() && op_facts::is_pure(op) {
            op.erase();
        }
    }
}

impl At {
    /// The same block, at the location of an old op.
    fn at(self, op: Op) -> Self {
        Self {
            location: op.location(),
            ..self
        }
    }
}
