// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Elementwise ops on tensors as steps on scalars, which go into the regions of fused ops.
//!
//! Known are floats of StableHLO, `arith` and `math` on tensors, and `linalg.generic` with parallel loops only. Broadcasts
//! become maps, constants of one value scalars. What is not known is a tensor that is read. Nothing is changed but the
//! block that the steps are written to.

use mlir_sys::{mlirBlockAppendOwnedOperation, mlirOperationClone};
use rustc_hash::FxHashMap;

use crate::{
    mlir::{Attr, Block, Op, OpBuilder, PassResult, Ty, Value, indexing_maps, is_contraction},
    op_facts::is_pure,
};

/// By what a tensor is read in one of its dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// A dimension of what the region goes over.
    Dim(usize),
    /// Always its first.
    Zero,
}

/// The indices that read a tensor of `rank` dimensions as it is.
pub(super) fn identity(rank: usize) -> Vec<Index> {
    (0..rank).map(Index::Dim).collect()
}

/// The map from `dims` dimensions by which a tensor is read.
pub(super) fn map_attr(op: Op, dims: usize, indices: &[Index]) -> Option<Attr> {
    let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
    let from = list(&mut (0..dims).map(|dim| format!("d{dim}")));
    let to = list(&mut indices.iter().map(|index| match index {
        Index::Dim(dim) => format!("d{dim}"),
        Index::Zero => "0".to_owned(),
    }));
    Attr::parse(op.context(), &format!("affine_map<({from}) -> ({to})>"))
}

/// One step.
#[derive(Clone, Debug)]
enum Step {
    /// One of the elements that come first.
    First(usize),
    /// An element of one of the tensors.
    Operand(usize),
    /// A constant of one value throughout.
    Constant(Op),
    /// An op, on the results of these steps.
    Apply(Op, Vec<usize>),
}

/// What is computed for one element.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointwise {
    /// Tensors that are read, and by what.
    pub(super) operands: Vec<(Value, Vec<Index>)>,
    steps: Vec<Step>,
    /// Rounding at the end, where the last step yields another type.
    rounds_to: Option<Ty>,
    /// The operand that says where the result stands, and the constant that is in its place elsewhere.
    masked: Option<(usize, Op)>,
}

impl Pointwise {
    /// Nothing is computed.
    pub(super) fn is_empty(&self) -> bool {
        self.rounds_to.is_none()
            && self.masked.is_none()
            && !self.steps.iter().any(|step| matches!(step, Step::Apply(..)))
    }

    /// Only a rounding to `ty`.
    pub(super) fn rounding(ty: Ty) -> Self {
        Self {
            operands: Vec::new(),
            steps: vec![Step::First(0)],
            rounds_to: Some(ty),
            masked: None,
        }
    }

    /// With a constant in the place of the result where `mask`, read along a dimension, is false.
    pub(super) fn masked(mut self, mask: Value, dim: usize, number: Op) -> Self {
        self.masked = Some((self.operands.len(), number));
        self.operands.push((mask, vec![Index::Dim(dim)]));
        self
    }

    /// Whether any operand is read along a dimension.
    pub(super) fn reads_along(&self, dim: usize) -> bool {
        let mut indices = self.operands.iter().map(|(_, indices)| indices);
        indices.any(|indices| indices.contains(&Index::Dim(dim)))
    }

    /// Adds a region for it to an op. `first` are the types of the elements that come first; `begins_as` is the type that
    /// the first of them has in the steps.
    pub(super) fn region(
        &self,
        builder: OpBuilder,
        op: Op,
        first: &[Ty],
        begins_as: Ty,
    ) -> PassResult<OpBuilder> {
        let mut arguments = first.to_vec();
        arguments.extend(self.operands.iter().map(|(value, _)| value.ty().element()));
        let count = first.len();
        builder.region(&arguments, |block| {
            let arguments: Vec<Value> = block.arguments().collect();
            let mut values: Vec<Value> = Vec::with_capacity(self.steps.len());
            for step in &self.steps {
                values.push(match step {
                    Step::First(0) => convert(block, op, arguments[0], begins_as)?,
                    Step::First(index) => arguments[*index],
                    Step::Operand(index) => arguments[count + index],
                    Step::Constant(constant) => scalar_constant(block, *constant)?,
                    Step::Apply(op, inputs) => {
                        let inputs: Vec<Value> = inputs.iter().map(|&input| values[input]).collect();
                        apply(block, *op, &inputs)?
                    }
                });
            }
            let last = values.last().copied().unwrap_or(arguments[0]);
            let last = match self.rounds_to {
                Some(ty) => convert(block, op, last, ty)?,
                None => last,
            };
            let last = match self.masked {
                Some((mask, number)) => {
                    let other = scalar_constant(block, number)?;
                    let made = OpBuilder::new("arith.select", op.location())
                        .operands([arguments[count + mask], last, other])
                        .results([last.ty()])
                        .append_to(block)?;
                    made.result(0)
                }
                None => last,
            };
            OpBuilder::new("comm.yield", op.location())
                .operands([last])
                .append_to(block)
                .map(drop)
        })
    }
}

/// Reads a tree of elementwise ops.
pub(super) struct Tracer<'a> {
    /// Whether an op is part of the tree, rather than what makes a tensor that it reads.
    pub(super) is_inside: &'a dyn Fn(Op) -> bool,
    /// The number of the element that comes first which a tensor read by these indices is, if it is one.
    pub(super) first: &'a dyn Fn(Value, &[Index]) -> Option<usize>,
    pub(super) result: Pointwise,
    seen: FxHashMap<usize, usize>,
}

impl<'a> Tracer<'a> {
    pub(super) fn new(
        is_inside: &'a dyn Fn(Op) -> bool,
        first: &'a dyn Fn(Value, &[Index]) -> Option<usize>,
    ) -> Self {
        Self {
            is_inside,
            first,
            result: Pointwise::default(),
            seen: FxHashMap::default(),
        }
    }

    /// What computes `value`, read by `indices`; nothing where it reads what is no tensor.
    pub(super) fn trace(mut self, value: Value, indices: &[Index]) -> Option<Pointwise> {
        self.step(value, indices)?;
        Some(self.result)
    }

    fn push(&mut self, step: Step) -> usize {
        self.result.steps.push(step);
        self.result.steps.len() - 1
    }

    fn step(&mut self, value: Value, indices: &[Index]) -> Option<usize> {
        if let Some(first) = (self.first)(value, indices) {
            return Some(self.push(Step::First(first)));
        }
        let op = value.defining_op();
        if let Some(op) = op {
            if splat_number(op).is_some() {
                return Some(self.push(Step::Constant(op)));
            }
            if let Some((source, indices)) = broadcast(op, indices) {
                return self.step(source, &indices);
            }
            if is_elementwise(op) && (self.is_inside)(op) {
                let whole = identity(value.ty().shape()?.len()) == indices;
                if let Some(&step) = self.seen.get(&(op.raw().ptr as usize)).filter(|_| whole) {
                    return Some(step);
                }
                let inputs = inputs(op, indices)
                    .into_iter()
                    .map(|(input, indices)| self.step(input, &indices))
                    .collect::<Option<Vec<_>>>()?;
                let step = self.push(Step::Apply(op, inputs));
                if whole {
                    self.seen.insert(op.raw().ptr as usize, step);
                }
                return Some(step);
            }
        }
        if !value.ty().is_ranked_tensor() {
            return None;
        }
        let operand = (value, indices.to_vec());
        let known = self.result.operands.iter().position(|other| *other == operand);
        let index = known.unwrap_or_else(|| {
            self.result.operands.push(operand);
            self.result.operands.len() - 1
        });
        Some(self.push(Step::Operand(index)))
    }
}

/// Operands of an elementwise op and by what they are read where its result is read by `indices`.
fn inputs(op: Op, indices: &[Index]) -> Vec<(Value, Vec<Index>)> {
    if op.name() != "linalg.generic" {
        return op.operands().map(|operand| (operand, indices.to_vec())).collect();
    }
    let maps = indexing_maps(op).unwrap_or_default();
    op.operands()
        .take(op.num_operands() - 1)
        .zip(maps)
        .map(|(operand, (_, map))| (operand, map.iter().map(|&dim| indices[dim]).collect()))
        .collect()
}

/// What a broadcast reads, and by what.
fn broadcast(op: Op, indices: &[Index]) -> Option<(Value, Vec<Index>)> {
    if op.name() != "stablehlo.broadcast_in_dim" {
        return None;
    }
    let dims = op.attr("broadcast_dimensions")?.as_i64_array()?;
    let [from, to] = [op.operand(0).ty().shape()?, op.result(0).ty().shape()?];
    let read = dims.iter().zip(from).map(|(&dim, size)| {
        let dim = usize::try_from(dim).ok()?;
        let stretched = size == Some(1) && *to.get(dim)? != Some(1);
        if stretched {
            Some(Index::Zero)
        } else {
            indices.get(dim).copied()
        }
    });
    Some((op.operand(0), read.collect::<Option<_>>()?))
}

/// The number that a constant tensor or scalar is throughout.
pub(super) fn splat_number(op: Op) -> Option<Attr> {
    if !matches!(op.name(), "stablehlo.constant" | "arith.constant") {
        return None;
    }
    let value = op.attr("value")?;
    let number = if op.result(0).ty().is_ranked_tensor() {
        value.splat_element()?
    } else {
        value
    };
    let ty = op.result(0).ty().element();
    (ty.float_width().is_some() || ty.is_signless_integer()).then_some(number)
}

/// StableHLO ops on floats and what they are on scalars.
const STABLEHLO: &[(&str, &str)] = &[
    ("stablehlo.add", "arith.addf"),
    ("stablehlo.divide", "arith.divf"),
    ("stablehlo.exponential", "math.exp"),
    ("stablehlo.log", "math.log"),
    ("stablehlo.logistic", "logistic"),
    ("stablehlo.maximum", "arith.maximumf"),
    ("stablehlo.minimum", "arith.minimumf"),
    ("stablehlo.multiply", "arith.mulf"),
    ("stablehlo.negate", "arith.negf"),
    ("stablehlo.rsqrt", "math.rsqrt"),
    ("stablehlo.sqrt", "math.sqrt"),
    ("stablehlo.subtract", "arith.subf"),
    ("stablehlo.tanh", "math.tanh"),
];

fn scalar_name(op: Op) -> Option<&'static str> {
    STABLEHLO
        .iter()
        .find(|(name, _)| *name == op.name())
        .map(|(_, scalar)| *scalar)
}

/// Whether an op computes each element of its result of elements of its operands, in a way that is known here.
pub(super) fn is_elementwise(op: Op) -> bool {
    if op.num_results() != 1 || op.num_operands() == 0 {
        return false;
    }
    let ty = op.result(0).ty();
    if !ty.is_ranked_tensor() || ty.has_encoding() {
        return false;
    }
    let name = op.name();
    let same_shape = || op.operands().all(|operand| operand.ty().shape() == ty.shape());
    let floats = || {
        ty.element().float_width().is_some()
            && op
                .operands()
                .all(|operand| operand.ty().element().float_width().is_some())
    };
    if scalar_name(op).is_some() || name == "stablehlo.convert" {
        return same_shape() && floats();
    }
    if name.starts_with("arith.") || name.starts_with("math.") {
        return same_shape() && is_pure(op);
    }
    name == "linalg.generic" && is_elementwise_generic(op)
}

/// Parallel loops of which each is one dimension of the only result, and a body that needs nothing of outside but constants
/// and does not look at the result's old elements.
fn is_elementwise_generic(op: Op) -> bool {
    let Some(maps) = indexing_maps(op) else {
        return false;
    };
    let Some((loops, output)) = maps.last() else {
        return false;
    };
    if is_contraction(op) || op.num_operands() != maps.len() || !output.iter().copied().eq(0..*loops) {
        return false;
    }
    let Some(body) = op.region(0).next() else {
        return false;
    };
    let Some(old) = body.arguments().last() else {
        return false;
    };
    let is_known = |value: Value| {
        value.argument_of() == Some(body)
            || value
                .defining_op()
                .is_some_and(|op| op.parent_block() == Some(body) || splat_number(op).is_some())
    };
    old.uses().next().is_none()
        && body.ops().all(|nested| {
            let is_yield = nested.name() == "linalg.yield";
            (is_yield || (is_pure(nested) && nested.name() != "linalg.index"))
                && nested.num_regions() == 0
                && nested.operands().all(is_known)
                && nested.results().all(|result| result.ty().dims().is_none())
        })
}

fn unary(block: Block, op: Op, name: &str, operand: Value, ty: Ty) -> PassResult<Value> {
    let made = OpBuilder::new(name, op.location())
        .operands([operand])
        .results([ty])
        .append_to(block)?;
    Ok(made.result(0))
}

/// A number as another type of its kind, wider or narrower.
fn convert(block: Block, op: Op, value: Value, ty: Ty) -> PassResult<Value> {
    let from = value.ty();
    if from == ty {
        return Ok(value);
    }
    let name = match (from.float_width(), ty.float_width()) {
        (Some(from), Some(to)) if from < to => "arith.extf",
        (Some(from), Some(to)) if from > to => "arith.truncf",
        (Some(_), Some(_)) => {
            // Two formats of one width: by way of one that holds both.
            let wide = unary(block, op, "arith.extf", value, Ty::f32(op.context()))?;
            return unary(block, op, "arith.truncf", wide, ty);
        }
        _ if from.element_bits() < ty.element_bits() => "arith.extsi",
        _ => "arith.trunci",
    };
    unary(block, op, name, value, ty)
}

fn scalar_constant(block: Block, op: Op) -> PassResult<Value> {
    let ty = op.result(0).ty().element();
    let number = splat_number(op).ok_or(crate::mlir::Failed)?;
    let made = OpBuilder::new("arith.constant", op.location())
        .attr("value", number)
        .results([ty])
        .append_to(block)?;
    Ok(made.result(0))
}

/// What an elementwise op does to one element.
fn apply(block: Block, op: Op, inputs: &[Value]) -> PassResult<Value> {
    let ty = op.result(0).ty().element();
    match (op.name(), scalar_name(op)) {
        ("stablehlo.convert", _) => convert(block, op, inputs[0], ty),
        ("linalg.generic", _) => replay(block, op, inputs),
        (_, Some("logistic")) => {
            let one = Attr::float(ty, 1.0).ok_or(crate::mlir::Failed)?;
            let one = OpBuilder::new("arith.constant", op.location())
                .attr("value", one)
                .results([ty])
                .append_to(block)?
                .result(0);
            let negated = unary(block, op, "arith.negf", inputs[0], ty)?;
            let power = unary(block, op, "math.exp", negated, ty)?;
            let sum = OpBuilder::new("arith.addf", op.location())
                .operands([one, power])
                .results([ty])
                .append_to(block)?;
            let quotient = OpBuilder::new("arith.divf", op.location())
                .operands([one, sum.result(0)])
                .results([ty])
                .append_to(block)?;
            Ok(quotient.result(0))
        }
        (name, scalar) => {
            let attributes = if scalar.is_some() {
                Vec::new()
            } else {
                op.attrs_except(&[])
            };
            let made = OpBuilder::new(scalar.unwrap_or(name), op.location())
                .operands(inputs.iter().copied())
                .named_attrs(attributes)
                .results([ty])
                .append_to(block)?;
            Ok(made.result(0))
        }
    }
}

/// The body of a `linalg.generic` on these elements.
fn replay(block: Block, op: Op, inputs: &[Value]) -> PassResult<Value> {
    let body = op.region(0).next().ok_or(crate::mlir::Failed)?;
    let mut values: Vec<(Value, Value)> = body.arguments().zip(inputs.iter().copied()).collect();
    for nested in body.ops() {
        let mut operands = Vec::with_capacity(nested.num_operands());
        for operand in nested.operands() {
            let known = values.iter().find(|(old, _)| *old == operand);
            operands.push(match (known, operand.defining_op()) {
                (Some((_, new)), _) => *new,
                (None, Some(constant)) => scalar_constant(block, constant)?,
                (None, None) => return Err(crate::mlir::Failed),
            });
        }
        if nested.name() == "linalg.yield" {
            return operands.first().copied().ok_or(crate::mlir::Failed);
        }
        // SAFETY: the op is alive; the copy is handed to the block at once.
        let copy = unsafe {
            let copy = mlirOperationClone(nested.raw());
            mlirBlockAppendOwnedOperation(block.raw(), copy);
            Op::new(copy)
        };
        for (index, operand) in operands.into_iter().enumerate() {
            copy.set_operand(index, operand);
        }
        values.extend(nested.results().zip(copy.results()));
    }
    Err(crate::mlir::Failed)
}
