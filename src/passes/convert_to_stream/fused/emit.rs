// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Makes the ops that fused ops become: index arithmetic, views of buffers, and ops of `comm_stream`.
//!
//! Ops are made before an anchor. Constants are made once, at the head of the function. What is known when it is emitted
//! is computed here, so that a group's first member or a chunk at offset 0 leaves no arithmetic behind.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use crate::mlir::{Attr, BufferShape, Failed, Op, OpBuilder, PassResult, Ty, Value};

/// An index, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Known(i64),
    Value(Value),
}

/// See the [module](self) documentation.
#[derive(Clone)]
pub(super) struct Emit {
    /// New ops stand before it.
    pub(super) anchor: Op,
    /// Stands after the constants, at the head of the function.
    head: Op,
    constants: Rc<RefCell<BTreeMap<i64, Value>>>,
}

impl Emit {
    /// For a function whose head ends with `head`.
    pub(super) fn new(head: Op) -> Self {
        Self {
            anchor: head,
            head,
            constants: Rc::default(),
        }
    }

    /// The same before another op.
    pub(super) fn before(&self, anchor: Op) -> Self {
        Self {
            anchor,
            ..self.clone()
        }
    }

    pub(super) fn builder(&self, name: &str) -> OpBuilder {
        OpBuilder::new(name, self.anchor.location())
    }

    pub(super) fn insert(&self, builder: OpBuilder) -> PassResult<Op> {
        builder.insert_before(self.anchor)
    }

    /// Makes an op with one result.
    pub(super) fn value(&self, builder: OpBuilder) -> PassResult<Value> {
        Ok(self.insert(builder)?.result(0))
    }

    //===--- Indices ---===//

    pub(super) fn index(&self, number: Number) -> PassResult<Value> {
        match number {
            Number::Value(value) => Ok(value),
            Number::Known(known) => self.constant(known),
        }
    }

    fn constant(&self, known: i64) -> PassResult<Value> {
        if let Some(&value) = self.constants.borrow().get(&known) {
            return Ok(value);
        }
        let context = self.head.context();
        let value = OpBuilder::new("arith.constant", self.head.location())
            .attr("value", Attr::index(context, known))
            .results([Ty::index(context)])
            .insert_before(self.head)?
            .result(0);
        self.constants.borrow_mut().insert(known, value);
        Ok(value)
    }

    fn binary(&self, name: &str, left: Number, right: Number) -> PassResult<Number> {
        let operands = [self.index(left)?, self.index(right)?];
        let builder = self.builder(name).operands(operands);
        let ty = Ty::index(self.anchor.context());
        Ok(Number::Value(self.value(builder.results([ty]))?))
    }

    pub(super) fn add(&self, left: Number, right: Number) -> PassResult<Number> {
        match (left, right) {
            (Number::Known(0), other) | (other, Number::Known(0)) => Ok(other),
            (Number::Known(left), Number::Known(right)) => Ok(Number::Known(left + right)),
            _ => self.binary("arith.addi", left, right),
        }
    }

    pub(super) fn subtract(&self, left: Number, right: i64) -> PassResult<Number> {
        match left {
            _ if right == 0 => Ok(left),
            Number::Known(left) => Ok(Number::Known(left - right)),
            Number::Value(_) => self.binary("arith.subi", left, Number::Known(right)),
        }
    }

    pub(super) fn multiply(&self, left: Number, right: i64) -> PassResult<Number> {
        match left {
            Number::Known(left) => Ok(Number::Known(left * right)),
            Number::Value(_) if right == 1 => Ok(left),
            Number::Value(_) => self.binary("arith.muli", left, Number::Known(right)),
        }
    }

    /// The quotient of a number that is not negative.
    pub(super) fn divide(&self, left: Number, right: i64) -> PassResult<Number> {
        match left {
            Number::Known(left) => Ok(Number::Known(left / right)),
            Number::Value(_) if right == 1 => Ok(left),
            Number::Value(_) => self.binary("arith.divui", left, Number::Known(right)),
        }
    }

    /// The remainder of a number that is not negative.
    pub(super) fn remainder(&self, left: Number, right: i64) -> PassResult<Number> {
        match left {
            _ if right == 1 => Ok(Number::Known(0)),
            Number::Known(left) => Ok(Number::Known(left % right)),
            Number::Value(_) => self.binary("arith.remui", left, Number::Known(right)),
        }
    }

    //===--- Buffers ---===//

    pub(super) fn alloc(&self, shape: &[i64], element: Ty) -> PassResult<Value> {
        let ty = Ty::buffer(shape, element).ok_or(Failed)?;
        let context = self.anchor.context();
        self.value(
            self.builder("memref.alloc")
                .results([ty])
                .attr("alignment", Attr::i64(context, 64))
                .attr("operandSegmentSizes", Attr::i32_array(context, &[0, 0])),
        )
    }

    /// The `len` elements of a dimension that begin at `offset`.
    pub(super) fn slice(&self, buffer: Value, dim: usize, offset: Number, len: i64) -> PassResult<Value> {
        let shape = BufferShape::of(buffer.ty()).ok_or(Failed)?;
        let mut sizes = sizes(buffer)?;
        if matches!(offset, Number::Known(0)) && sizes[dim] == len {
            return Ok(buffer);
        }
        let dynamic = i64::MIN;
        let mut offsets = vec![0; sizes.len()];
        let mut operands = vec![buffer];
        let begin = match offset {
            Number::Known(known) => {
                offsets[dim] = known;
                shape
                    .offset
                    .zip(shape.strides[dim])
                    .map(|(base, stride)| base + known * stride)
            }
            Number::Value(value) => {
                offsets[dim] = dynamic;
                operands.push(value);
                None
            }
        };
        sizes[dim] = len;
        let ty = Ty::strided_buffer(&sizes, buffer.ty().element(), &shape.strides, begin).ok_or(Failed)?;
        let context = self.anchor.context();
        let segments = [1, operands.len() as i32 - 1, 0, 0];
        self.value(
            self.builder("memref.subview")
                .operands(operands)
                .results([ty])
                .attr("static_offsets", Attr::i64_array(context, &offsets))
                .attr("static_sizes", Attr::i64_array(context, &sizes))
                .attr("static_strides", Attr::i64_array(context, &vec![1; sizes.len()]))
                .attr("operandSegmentSizes", Attr::i32_array(context, &segments)),
        )
    }

    /// A buffer of a shape that lies in bytes from `begin` on.
    pub(super) fn view(&self, bytes: Value, begin: Number, shape: &[i64], element: Ty) -> PassResult<Value> {
        let ty = Ty::buffer(shape, element).ok_or(Failed)?;
        let operands = [bytes, self.index(begin)?];
        self.value(self.builder("memref.view").operands(operands).results([ty]))
    }
}

/// Sizes of a buffer, which are known.
pub(super) fn sizes(buffer: Value) -> PassResult<Vec<i64>> {
    let dims = buffer.ty().dims().ok_or(Failed)?;
    dims.into_iter().collect::<Option<_>>().ok_or(Failed)
}

/// Bytes of so many elements, of which each begins a byte.
pub(super) fn bytes(shape: &[i64], element: Ty) -> i64 {
    let width = element.element_bits().unwrap_or(0).div_ceil(8) as i64;
    shape.iter().product::<i64>() * width
}

/// The next multiple of what symmetric memory is aligned to.
pub(super) fn aligned(bytes: i64) -> i64 {
    const ALIGNMENT: i64 = 64;
    (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT
}
