// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Making upstream ops at the end of a block.
//!
//! Tensors of one value throughout are made by `linalg.fill`, of one element by `tensor.from_elements`: [`splat`] finds
//! the scalar again, so that ops on such tensors work on scalars, and constants stand inside the loops that use them.

use mlir_sys::{MlirContext, MlirLocation, mlirLocationGetContext};

use super::{
    maps::Map,
    types::{self, Number},
};
use crate::{
    diagnostics,
    mlir::{Attr, Block, Failed, OpBuilder, PassResult, Ty, Value},
};

/// Where ops are made, and with which location.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) block: Block,
    pub(super) location: MlirLocation,
}

/// Predicates of `arith.cmpi`.
#[derive(Clone, Copy)]
pub(super) enum Integers {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
    Ule = 7,
    Ugt = 8,
    Uge = 9,
}

/// Predicates of `arith.cmpf`: `O` is false and `U` true of a NaN.
#[derive(Clone, Copy)]
pub(super) enum Floats {
    Oeq = 1,
    Ogt = 2,
    Oge = 3,
    Olt = 4,
    Ole = 5,
    Ueq = 8,
    Une = 13,
}

/// Whether a loop of `linalg.generic` is one of a reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Iterator {
    Parallel,
    Reduction,
}

impl At {
    pub(super) fn context(self) -> MlirContext {
        // SAFETY: locations live as long as their context.
        unsafe { mlirLocationGetContext(self.location) }
    }

    /// The same location in another block.
    pub(super) fn inside(self, block: Block) -> Self {
        Self { block, ..self }
    }

    pub(super) fn index_ty(self) -> Ty {
        Ty::index(self.context())
    }

    pub(super) fn bool_ty(self) -> Ty {
        Ty::integer(self.context(), 1)
    }

    pub(super) fn builder(self, name: &str) -> OpBuilder {
        OpBuilder::new(name, self.location)
    }

    fn impossible(self, what: &str) -> Failed {
        diagnostics::error(self.location, &format!("cannot make {what}"))
    }

    /// An op of one result.
    pub(super) fn make(self, name: &str, operands: &[Value], ty: Ty) -> PassResult<Value> {
        self.make_with(name, operands, ty, &[])
    }

    /// An op of one result, with attributes.
    pub(super) fn make_with(
        self,
        name: &str,
        operands: &[Value],
        ty: Ty,
        attrs: &[(&str, Attr)],
    ) -> PassResult<Value> {
        let builder = self
            .builder(name)
            .operands(operands.iter().copied())
            .results([ty]);
        let builder = attrs
            .iter()
            .fold(builder, |builder, (name, attr)| builder.attr(name, *attr));
        Ok(builder.append_to(self.block)?.result(0))
    }

    /// A terminator.
    pub(super) fn end(self, name: &str, operands: &[Value]) -> PassResult {
        self.builder(name)
            .operands(operands.iter().copied())
            .append_to(self.block)
            .map(drop)
    }

    pub(super) fn constant(self, attr: Attr, ty: Ty) -> PassResult<Value> {
        self.make_with("arith.constant", &[], ty, &[("value", attr)])
    }

    pub(super) fn index(self, value: i64) -> PassResult<Value> {
        self.constant(Attr::index(self.context(), value), self.index_ty())
    }

    /// A constant integer of a type: the low bits of `value`.
    pub(super) fn integer(self, ty: Ty, value: i64) -> PassResult<Value> {
        // MLIR wants the sign in the bits above the width.
        let above = 64 - ty.integer_width().unwrap_or(64);
        let attr = Attr::integer(ty, value << above >> above)
            .ok_or_else(|| self.impossible("an integer constant"))?;
        self.constant(attr, ty)
    }

    pub(super) fn float(self, ty: Ty, value: f64) -> PassResult<Value> {
        let attr = Attr::float(ty, value).ok_or_else(|| self.impossible("a floating-point constant"))?;
        self.constant(attr, ty)
    }

    pub(super) fn compare(self, predicate: Integers, left: Value, right: Value) -> PassResult<Value> {
        let predicate = Attr::i64(self.context(), predicate as i64);
        self.make_with(
            "arith.cmpi",
            &[left, right],
            self.bool_ty(),
            &[("predicate", predicate)],
        )
    }

    pub(super) fn compare_floats(self, predicate: Floats, left: Value, right: Value) -> PassResult<Value> {
        let predicate = Attr::i64(self.context(), predicate as i64);
        self.make_with(
            "arith.cmpf",
            &[left, right],
            self.bool_ty(),
            &[("predicate", predicate)],
        )
    }

    /// An op whose result has the type of its first operand.
    pub(super) fn same(self, name: &str, operands: &[Value]) -> PassResult<Value> {
        self.make(name, operands, operands[0].ty())
    }

    pub(super) fn select(self, condition: Value, then: Value, other: Value) -> PassResult<Value> {
        self.make("arith.select", &[condition, then, other], then.ty())
    }

    /// An integer as an index, by its sign or as an unsigned number.
    pub(super) fn to_index(self, value: Value, number: Number) -> PassResult<Value> {
        let name = match number {
            Number::Signed(_) => "arith.index_cast",
            _ => "arith.index_castui",
        };
        self.make(name, &[value], self.index_ty())
    }

    /// An element of a tensor.
    pub(super) fn extract(self, tensor: Value, indices: &[Value]) -> PassResult<Value> {
        if let Some(scalar) = splat(tensor) {
            return Ok(scalar);
        }
        let operands: Vec<Value> = std::iter::once(tensor).chain(indices.iter().copied()).collect();
        self.make("tensor.extract", &operands, tensor.ty().element())
    }

    /// The element of a tensor of rank 0.
    pub(super) fn scalar(self, tensor: Value) -> PassResult<Value> {
        self.extract(tensor, &[])
    }

    /// A tensor with one element changed.
    pub(super) fn insert(self, scalar: Value, tensor: Value, indices: &[Value]) -> PassResult<Value> {
        let operands: Vec<Value> = [scalar, tensor]
            .into_iter()
            .chain(indices.iter().copied())
            .collect();
        self.make("tensor.insert", &operands, tensor.ty())
    }

    pub(super) fn empty(self, ty: Ty) -> PassResult<Value> {
        self.make("tensor.empty", &[], ty)
    }

    /// A tensor of one value throughout.
    pub(super) fn fill(self, scalar: Value, ty: Ty) -> PassResult<Value> {
        if ty.rank() == Some(0) {
            return self.make("tensor.from_elements", &[scalar], ty);
        }
        let init = self.empty(ty)?;
        let builder = self
            .builder("linalg.fill")
            .operands([scalar, init])
            .results([ty])
            .attr("operandSegmentSizes", Attr::i32_array(self.context(), &[1, 1]))
            .region(&[scalar.ty(), ty.element()], |block| {
                let arguments: Vec<Value> = block.arguments().collect();
                self.inside(block).end("linalg.yield", &arguments[..1])
            })?;
        Ok(builder.append_to(self.block)?.result(0))
    }

    /// `linalg.generic`: `body` gets the elements of `inputs`, then those of `outputs`, and gives the new elements of the
    /// outputs.
    pub(super) fn generic(
        self,
        inputs: &[(Value, Map)],
        outputs: &[(Value, Map)],
        iterators: &[Iterator],
        body: impl FnOnce(At, &[Value]) -> PassResult<Vec<Value>>,
    ) -> PassResult<Vec<Value>> {
        let context = self.context();
        let all = || inputs.iter().chain(outputs);
        let maps: Vec<Attr> = all().map(|(_, map)| map.attr(context)).collect();
        let iterators = iterators.iter().map(|iterator| match iterator {
            Iterator::Parallel => "#linalg.iterator_type<parallel>",
            Iterator::Reduction => "#linalg.iterator_type<reduction>",
        });
        let iterators: Vec<Attr> = iterators
            .map(|text| Attr::parse(context, text).ok_or_else(|| self.impossible("an iterator type")))
            .collect::<PassResult<_>>()?;
        let elements: Vec<Ty> = all().map(|(value, _)| value.ty().element()).collect();
        let op = self
            .builder("linalg.generic")
            .operands(all().map(|(value, _)| *value))
            .results(outputs.iter().map(|(value, _)| value.ty()))
            .attr("indexing_maps", Attr::array(context, &maps))
            .attr("iterator_types", Attr::array(context, &iterators))
            .attr(
                "operandSegmentSizes",
                Attr::i32_array(context, &[inputs.len() as i32, outputs.len() as i32]),
            )
            .region(&elements, |block| {
                let at = self.inside(block);
                let arguments: Vec<Value> = block.arguments().collect();
                at.end("linalg.yield", &body(at, &arguments)?)
            })?
            .append_to(self.block)?;
        Ok(op.results().collect())
    }

    /// The number of a loop around, in the body of `linalg.generic`.
    pub(super) fn loop_index(self, dim: usize) -> PassResult<Value> {
        let dim = Attr::i64(self.context(), dim as i64);
        self.make_with("linalg.index", &[], self.index_ty(), &[("dim", dim)])
    }

    /// `scf.for`: `body` gets the counter and what is carried, and gives what to carry on.
    pub(super) fn count(
        self,
        [lower, upper, step]: [Value; 3],
        carried: &[Value],
        body: impl FnOnce(At, Value, &[Value]) -> PassResult<Vec<Value>>,
    ) -> PassResult<Vec<Value>> {
        let types: Vec<Ty> = carried.iter().map(|value| value.ty()).collect();
        let arguments: Vec<Ty> = std::iter::once(self.index_ty())
            .chain(types.iter().copied())
            .collect();
        let op = self
            .builder("scf.for")
            .operands([lower, upper, step])
            .operands(carried.iter().copied())
            .results(types)
            .region(&arguments, |block| {
                let at = self.inside(block);
                let arguments: Vec<Value> = block.arguments().collect();
                at.end("scf.yield", &body(at, arguments[0], &arguments[1..])?)
            })?
            .append_to(self.block)?;
        Ok(op.results().collect())
    }

    /// `scf.for` from 0 to a constant, by one.
    pub(super) fn repeat(
        self,
        count: i64,
        carried: &[Value],
        body: impl FnOnce(At, Value, &[Value]) -> PassResult<Vec<Value>>,
    ) -> PassResult<Vec<Value>> {
        let bounds = [self.index(0)?, self.index(count)?, self.index(1)?];
        self.count(bounds, carried, body)
    }

    /// A view of a part of a tensor, of the same rank. Offsets are given where they are not constant.
    pub(super) fn extract_slice(self, tensor: Value, slice: &Slice) -> PassResult<Value> {
        let ty = types::tensor(tensor.ty().element(), &slice.sizes);
        self.slice_op("tensor.extract_slice", &[tensor], slice, ty)
    }

    /// A tensor with a part replaced.
    pub(super) fn insert_slice(self, part: Value, tensor: Value, slice: &Slice) -> PassResult<Value> {
        self.slice_op("tensor.insert_slice", &[part, tensor], slice, tensor.ty())
    }

    pub(super) fn slice_op(self, name: &str, tensors: &[Value], slice: &Slice, ty: Ty) -> PassResult<Value> {
        let context = self.context();
        let mut offsets = Vec::with_capacity(slice.offsets.len());
        let mut dynamic = Vec::new();
        for offset in &slice.offsets {
            match offset {
                Offset::Constant(value) => offsets.push(*value),
                Offset::Value(value) => {
                    // MLIR's mark for a number that is an operand.
                    offsets.push(i64::MIN);
                    dynamic.push(*value);
                }
            }
        }
        let mut segments = vec![1; tensors.len()];
        segments.extend([dynamic.len() as i32, 0, 0]);
        let operands: Vec<Value> = tensors.iter().copied().chain(dynamic).collect();
        self.make_with(
            name,
            &operands,
            ty,
            &[
                ("static_offsets", Attr::i64_array(context, &offsets)),
                ("static_sizes", Attr::i64_array(context, &slice.sizes)),
                ("static_strides", Attr::i64_array(context, &slice.strides)),
                ("operandSegmentSizes", Attr::i32_array(context, &segments)),
            ],
        )
    }

    /// A tensor copied to new memory.
    pub(super) fn copy(self, tensor: Value) -> PassResult<Value> {
        let segments = Attr::i32_array(self.context(), &[0, 1, 0]);
        self.make_with(
            "bufferization.alloc_tensor",
            &[tensor],
            tensor.ty(),
            &[("operandSegmentSizes", segments)],
        )
    }

    /// A tensor copied into the memory of another.
    pub(super) fn copy_into(self, tensor: Value, target: Value) -> PassResult<Value> {
        self.make(
            "bufferization.materialize_in_destination",
            &[tensor, target],
            target.ty(),
        )
    }
}

/// An offset of a slice.
#[derive(Clone, Copy)]
pub(super) enum Offset {
    Constant(i64),
    Value(Value),
}

/// Part of a tensor, by dimension.
pub(super) struct Slice {
    pub(super) offsets: Vec<Offset>,
    pub(super) sizes: Vec<i64>,
    pub(super) strides: Vec<i64>,
}

impl Slice {
    /// A part at constant offsets.
    pub(super) fn constant(offsets: &[i64], sizes: &[i64], strides: &[i64]) -> Self {
        Self {
            offsets: offsets.iter().map(|&offset| Offset::Constant(offset)).collect(),
            sizes: sizes.to_vec(),
            strides: strides.to_vec(),
        }
    }
}

/// The scalar that all elements of a new tensor are, where the op that makes it says so.
pub(super) fn splat(tensor: Value) -> Option<Value> {
    let op = tensor.defining_op()?;
    match op.name() {
        "linalg.fill" => Some(op.operand(0)),
        "tensor.from_elements" if op.num_operands() == 1 => Some(op.operand(0)),
        _ => None,
    }
}
