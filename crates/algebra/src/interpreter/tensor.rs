// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tensors of one device, with rounding to the element type after every operation.
//!
//! Floats are held as doubles that are values of their element type. One operation on such values, computed in double and
//! rounded once more, is the correctly rounded operation of the narrower type: a double has more than twice the digits
//! (Figueroa, "When is double rounding innocuous?", 1995). Integers wrap.

use crate::types::{Element, Type};

/// Elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Values of a floating-point element type.
    Float(Vec<f64>),
    /// All others.
    Integer(Vec<i64>),
}

/// A value on one device.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its type.
    pub ty: Type,
    /// Its elements, as many as the type says.
    pub data: Data,
}

/// A double, rounded to nearest in this element type.
pub fn round(value: f64, element: Element) -> f64 {
    match element {
        Element::F32 => f64::from(value as f32),
        Element::F16 => half::f16::from_f64(value).to_f64(),
        Element::Bf16 => half::bf16::from_f64(value).to_f64(),
        _ => value,
    }
}

/// An integer modulo the width of this element type, sign extended.
pub fn wrap(value: i64, element: Element) -> i64 {
    match element {
        Element::I32 => i64::from(value as i32),
        Element::I16 => i64::from(value as i16),
        Element::I8 => i64::from(value as i8),
        Element::Bool => value & 1,
        _ => value,
    }
}

impl Tensor {
    /// The tensor whose element at each index is `value(index)`, rounded. O(elements).
    pub fn float(ty: Type, value: impl FnMut(usize) -> f64) -> Self {
        let element = ty.element;
        let mut value = value;
        let data = (0..ty.count() as usize)
            .map(|index| round(value(index), element))
            .collect();
        Self {
            ty,
            data: Data::Float(data),
        }
    }

    /// The tensor whose element at each index is `value(index)`, wrapped. O(elements).
    pub fn integer(ty: Type, value: impl FnMut(usize) -> i64) -> Self {
        let element = ty.element;
        let mut value = value;
        let data = (0..ty.count() as usize)
            .map(|index| wrap(value(index), element))
            .collect();
        Self {
            ty,
            data: Data::Integer(data),
        }
    }

    /// All elements zero.
    pub fn zero(ty: Type) -> Self {
        if ty.element.is_float() {
            Self::float(ty, |_| 0.0)
        } else {
            Self::integer(ty, |_| 0)
        }
    }

    /// The tensor of another shape whose element at each index is element `source(index)` of this one. Moves bits.
    pub(crate) fn pick(&self, shape: &[usize], source: impl Fn(&[usize]) -> Vec<usize>) -> Self {
        let ty = Type::new(self.ty.element, shape);
        let sources = indices(shape).map(|index| flat(&source(&index), &self.ty.shape));
        let data = match &self.data {
            Data::Float(data) => Data::Float(sources.map(|source| data[source]).collect()),
            Data::Integer(data) => Data::Integer(sources.map(|source| data[source]).collect()),
        };
        Self { ty, data }
    }

    /// Bits of the elements, by which equality is exact.
    pub fn bits(&self) -> Vec<u64> {
        match &self.data {
            Data::Float(data) => data.iter().map(|value| value.to_bits()).collect(),
            Data::Integer(data) => data.iter().map(|&value| value as u64).collect(),
        }
    }

    /// The elements as doubles.
    pub fn values(&self) -> Vec<f64> {
        match &self.data {
            Data::Float(data) => data.clone(),
            Data::Integer(data) => data.iter().map(|&value| value as f64).collect(),
        }
    }
}

/// All indices of a shape in row-major order.
pub(crate) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let count: usize = shape.iter().product();
    (0..count).map(|flat| {
        let mut rest = flat;
        let mut index: Vec<usize> = shape
            .iter()
            .rev()
            .map(|&extent| {
                let position = rest % extent;
                rest /= extent;
                position
            })
            .collect();
        index.reverse();
        index
    })
}

/// The place of an index in row-major order.
pub(crate) fn flat(index: &[usize], shape: &[usize]) -> usize {
    index
        .iter()
        .zip(shape)
        .fold(0, |flat, (&position, &extent)| flat * extent + position)
}
