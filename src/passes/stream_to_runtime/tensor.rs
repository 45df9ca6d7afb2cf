// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A memref as a `comm_rt_tensor` in the frame.
//!
//! ```text
//! 0  data      address of the element at index 0
//! 8  element   number of the element type
//! 12 rank
//! 16 sizes     address of as many numbers as there are dimensions
//! 24 strides   the same; null for row-major elements without gaps
//! ```

use crate::{
    diagnostics,
    mlir::{BufferShape, Failed, Op, PassResult, Ty, Value, runtime_element},
};

use super::{
    emit::Emit,
    frame::{ARGUMENTS, Frame},
};

/// Bytes of a `comm_rt_tensor`.
const BYTES: i64 = 32;

/// A number that is known now, or a value of 64 bits.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Known(i64),
    Value(Value),
}

impl Number {
    pub(super) fn emit(self, emit: &Emit) -> PassResult<Value> {
        match self {
            Self::Known(number) => emit.i64(number),
            Self::Value(value) => Ok(value),
        }
    }
}

/// What the run-time is to know of a buffer.
pub(super) struct Tensor {
    data: Value,
    element: i32,
    sizes: Vec<Number>,
    /// Nothing for row-major elements without gaps.
    strides: Option<Vec<Number>>,
}

/// A buffer taken apart: the address of its first element, sizes and strides.
pub(super) struct Parts {
    /// As a number.
    pub(super) address: Value,
    pub(super) element_bytes: i64,
    pub(super) element: i32,
    pub(super) sizes: Vec<Number>,
    pub(super) strides: Vec<Number>,
    is_row_major: bool,
}

/// Number of an element type in the run-time's interface, and bytes of an element. Fails, after an error at `op`, for types
/// that the run-time does not have.
pub(super) fn element(op: Op, ty: Ty) -> PassResult<(i32, i64)> {
    runtime_element(ty).ok_or_else(|| {
        diagnostics::op_error(
            op,
            &format!(
                "works on elements of type {}, which the run-time does not have: expected f64, f32, f16, bf16, f8E4M3FN, f8E5M2, index, \
                 or integers of 1, 8, 16, 32 or 64 bits",
                ty.to_text()
            ),
        )
    })
}

/// Takes a memref apart.
pub(super) fn parts(emit: &mut Emit, op: Op, buffer: Value) -> PassResult<Parts> {
    let ty = buffer.ty();
    let Some(shape) = BufferShape::of(ty) else {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "has the operand type {}; expected a ranked memref with strides",
                ty.to_text()
            ),
        ));
    };
    let (number, bytes) = element(op, ty.element())?;
    let index = Ty::index(emit.context());
    let rank = shape.sizes.len();
    let is_known = shape.offset.is_some() && shape.sizes.iter().chain(&shape.strides).all(Option::is_some);
    let metadata = if is_known {
        None
    } else {
        let base = Ty::parse(emit.context(), &format!("memref<{}>", ty.element().to_text())).ok_or(Failed)?;
        let types = [base].into_iter().chain(std::iter::repeat_n(index, 1 + 2 * rank));
        Some(
            emit.builder("memref.extract_strided_metadata")
                .operands([buffer])
                .results(types)
                .insert_before(emit.before)?,
        )
    };
    let number_at = |known: Option<i64>, position: usize| match (known, metadata) {
        (Some(number), _) => Ok(Number::Known(number)),
        (None, Some(metadata)) => Ok(Number::Value(emit.index_to_i64(metadata.result(position))?)),
        (None, None) => Err(Failed),
    };
    let offset = number_at(shape.offset, 1)?;
    let sizes: PassResult<Vec<Number>> = (0..rank)
        .map(|dim| number_at(shape.sizes[dim], 2 + dim))
        .collect();
    let strides: PassResult<Vec<Number>> = (0..rank)
        .map(|dim| number_at(shape.strides[dim], 2 + rank + dim))
        .collect();
    let aligned = emit.value(
        emit.builder("memref.extract_aligned_pointer_as_index")
            .operands([buffer]),
        index,
    )?;
    let mut address = emit.index_to_i64(aligned)?;
    if !matches!(offset, Number::Known(0)) {
        address = moved(emit, address, offset, bytes)?;
    }
    Ok(Parts {
        address,
        element_bytes: bytes,
        element: number,
        sizes: sizes?,
        strides: strides?,
        is_row_major: shape.is_row_major(),
    })
}

/// The address so many elements further on.
pub(super) fn moved(emit: &Emit, address: Value, elements: Number, bytes: i64) -> PassResult<Value> {
    let distance = match elements {
        Number::Known(elements) => emit.i64(elements * bytes)?,
        Number::Value(elements) => emit.binary("arith.muli", elements, emit.i64(bytes)?)?,
    };
    emit.binary("arith.addi", address, distance)
}

impl Tensor {
    /// The whole of a memref.
    pub(super) fn of(emit: &mut Emit, op: Op, buffer: Value) -> PassResult<Self> {
        let Parts {
            address,
            element,
            sizes,
            strides,
            is_row_major,
            ..
        } = parts(emit, op, buffer)?;
        Self::new(emit, address, element, sizes, (!is_row_major).then_some(strides))
    }

    /// Elements at an address, which is a number.
    pub(super) fn new(
        emit: &Emit,
        address: Value,
        element: i32,
        sizes: Vec<Number>,
        strides: Option<Vec<Number>>,
    ) -> PassResult<Self> {
        let data = emit.value(emit.builder("llvm.inttoptr").operands([address]), emit.pointer()?)?;
        Ok(Self {
            data,
            element,
            sizes,
            strides,
        })
    }
}

/// Writes tensors into the frame, one after the other, and gives their addresses.
pub(super) fn write(emit: &mut Emit, frame: &mut Frame, tensors: &[Tensor]) -> PassResult<Vec<Value>> {
    let arrays: i64 = tensors
        .iter()
        .map(|tensor| 8 * (tensor.sizes.len() + tensor.strides.as_ref().map_or(0, Vec::len)) as i64)
        .sum();
    let mut array = ARGUMENTS + BYTES * tensors.len() as i64;
    let memory = frame.memory(emit.lowering, array + arrays)?;
    let mut addresses = Vec::with_capacity(tensors.len());
    for (place, tensor) in (0..).map(|index| ARGUMENTS + BYTES * index).zip(tensors) {
        emit.store(tensor.data, memory, place)?;
        emit.store(emit.i32(tensor.element)?, memory, place + 8)?;
        emit.store(emit.i32(tensor.sizes.len() as i32)?, memory, place + 12)?;
        for (numbers, pointer) in [(Some(&tensor.sizes), 16), (tensor.strides.as_ref(), 24)] {
            let Some(numbers) = numbers else {
                emit.store(emit.null()?, memory, place + pointer)?;
                continue;
            };
            emit.store(emit.address(memory, array)?, memory, place + pointer)?;
            for &number in numbers {
                emit.store(number.emit(emit)?, memory, array)?;
                array += 8;
            }
        }
        addresses.push(emit.address(memory, place)?);
    }
    Ok(addresses)
}
