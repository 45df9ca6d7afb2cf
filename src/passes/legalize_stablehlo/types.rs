// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Types before and after: what StableHLO's element types mean, and how they are spelt without signs.
//!
//! Before: `ui32` and the like beside signless integers, which StableHLO reads as signed, and `i1`, which it reads as a
//! truth value. After: signless integers only. So the meaning of an op is read from its old types, and only there.

use mlir_sys::*;

use crate::{
    diagnostics,
    mlir::{Op, PassResult, Ty, Value},
};

/// What an element type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// A truth value, `i1`.
    Bool,
    /// An integer in two's complement, of this width.
    Signed(u32),
    /// An integer that is not negative, of this width.
    Unsigned(u32),
    Float(Format),
}

/// An IEEE-like binary format: a sign bit, exponent bits and stored mantissa bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) exponent: u32,
    pub(super) mantissa: u32,
}

impl Format {
    pub(super) fn width(self) -> u32 {
        1 + self.exponent + self.mantissa
    }
}

impl Number {
    /// What the elements of a type are; nothing for those that are not supported.
    pub(super) fn of(ty: Ty) -> Option<Self> {
        let ty = ty.element();
        if let Some(width) = ty.float_width() {
            let format = |exponent, mantissa| Some(Number::Float(Format { exponent, mantissa }));
            return match width {
                16 if ty.is_bf16() => format(8, 7),
                16 => format(5, 10),
                32 => format(8, 23),
                64 => format(11, 52),
                8 => {
                    let (exponent, mantissa) = ty.eight_bit_format()?;
                    format(exponent, mantissa)
                }
                _ => None,
            };
        }
        if !ty.is_integer() {
            return None;
        }
        let width = ty.integer_width()?;
        if is_unsigned(ty) {
            return matches!(width, 8 | 16 | 32 | 64).then_some(Number::Unsigned(width));
        }
        if !ty.is_signless_integer() {
            return None;
        }
        match width {
            1 => Some(Number::Bool),
            8 | 16 | 32 | 64 => Some(Number::Signed(width)),
            _ => None,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Number::Float(_))
    }

    /// Bits of an element.
    pub(super) fn width(self) -> u32 {
        match self {
            Number::Bool => 1,
            Number::Signed(width) | Number::Unsigned(width) => width,
            Number::Float(format) => format.width(),
        }
    }

    /// The type of such an element after the pass.
    pub(super) fn ty(self, context: MlirContext) -> Ty {
        match self {
            Number::Float(Format { mantissa: 2, .. }) => Ty::f8_e5m2(context),
            Number::Float(Format { mantissa: 3, .. }) => Ty::f8_e4m3fn(context),
            Number::Float(Format { mantissa: 7, .. }) => Ty::bf16(context),
            Number::Float(Format { mantissa: 10, .. }) => Ty::f16(context),
            Number::Float(Format { mantissa: 23, .. }) => Ty::f32(context),
            Number::Float(_) => Ty::f64(context),
            _ => Ty::integer(context, self.width()),
        }
    }

    /// The format that arithmetic is carried out in: f32 for narrower ones. A sum, product, quotient or square root that
    /// is rounded to f32 and then to 16 bits is what one rounding would give, since 24 bits are at least 2 * 11 + 2
    /// (Figueroa, "When is double rounding innocuous?", 1995).
    pub(super) fn computed(self) -> Self {
        match self {
            Number::Float(format) if format.width() <= 16 => SINGLE,
            other => other,
        }
    }
}

/// f32.
pub(super) const SINGLE: Number = Number::Float(Format {
    exponent: 8,
    mantissa: 23,
});

/// f64.
pub(super) const DOUBLE: Number = Number::Float(Format {
    exponent: 11,
    mantissa: 52,
});

/// Whether a type is an unsigned integer type.
pub(super) fn is_unsigned(ty: Ty) -> bool {
    // SAFETY: types live as long as their context; the second question follows the first.
    unsafe { mlirTypeIsAInteger(ty.raw()) && mlirIntegerTypeIsUnsigned(ty.raw()) }
}

/// A ranked tensor of static shape without encoding.
pub(super) fn tensor(element: Ty, shape: &[i64]) -> Ty {
    // SAFETY: the array is alive during the call and copied; a null encoding is none.
    Ty::new(unsafe {
        mlirRankedTensorTypeGet(
            shape.len() as isize,
            shape.as_ptr(),
            element.raw(),
            mlirAttributeGetNull(),
        )
    })
}

/// The type after the pass: integers lose their sign in tensors, futures and function types. Others stay.
pub(super) fn converted(ty: Ty) -> Ty {
    if let Some(types) = ty.future_types() {
        let types: Vec<Ty> = types.into_iter().map(converted).collect();
        return Ty::future(ty.context(), &types);
    }
    if !ty.is_ranked_tensor() || !is_unsigned(ty.element()) {
        return ty;
    }
    let width = ty.element().integer_width().unwrap_or_default();
    // SAFETY: the type is a ranked tensor; sizes are alive during the call.
    unsafe {
        let sizes: Vec<i64> = (0..mlirShapedTypeGetRank(ty.raw()) as isize)
            .map(|dim| mlirShapedTypeGetDimSize(ty.raw(), dim))
            .collect();
        Ty::new(mlirRankedTensorTypeGet(
            sizes.len() as isize,
            sizes.as_ptr(),
            Ty::integer(ty.context(), width).raw(),
            mlirRankedTensorTypeGetEncoding(ty.raw()),
        ))
    }
}

/// The function type after the pass; nothing for another type.
pub(super) fn converted_function(ty: Ty) -> Option<Ty> {
    // SAFETY: the questions follow the check of the kind; the arrays are alive during the call.
    unsafe {
        if !mlirTypeIsAFunction(ty.raw()) {
            return None;
        }
        let inputs = (0..mlirFunctionTypeGetNumInputs(ty.raw()))
            .map(|index| converted(Ty::new(mlirFunctionTypeGetInput(ty.raw(), index))).raw());
        let inputs: Vec<MlirType> = inputs.collect();
        let results = (0..mlirFunctionTypeGetNumResults(ty.raw()))
            .map(|index| converted(Ty::new(mlirFunctionTypeGetResult(ty.raw(), index))).raw());
        let results: Vec<MlirType> = results.collect();
        Some(Ty::new(mlirFunctionTypeGet(
            ty.context(),
            inputs.len() as isize,
            inputs.as_ptr(),
            results.len() as isize,
            results.as_ptr(),
        )))
    }
}

/// Sizes of a ranked tensor of static shape; nothing for another type.
pub(super) fn static_shape(ty: Ty) -> Option<Vec<i64>> {
    ty.shape()?.into_iter().collect()
}

/// Sizes of a value that [`check`] has accepted.
pub(super) fn shape(value: Value) -> Vec<i64> {
    static_shape(value.ty()).unwrap_or_default()
}

/// What the elements of a value are that [`check`] has accepted. Its default is never met.
pub(super) fn number(value: Value) -> Number {
    Number::of(value.ty()).unwrap_or(Number::Bool)
}

/// Whether sizes, or what they make together, are so large that sums of them might overflow.
fn is_too_large(shape: &[i64]) -> bool {
    let most = 1 << 48;
    shape.iter().any(|&size| size > most)
        || shape
            .iter()
            .fold(1_i64, |count, &size| count.saturating_mul(size))
            > most
}

/// Fails unless all operands and results are ranked tensors of static shape and of numbers.
pub(super) fn check(op: Op) -> PassResult {
    for (kind, value) in op
        .operands()
        .map(|value| ("operand", value))
        .chain(op.results().map(|value| ("result", value)))
    {
        let ty = value.ty();
        let shape = static_shape(ty);
        if shape.as_deref().is_some_and(is_too_large) {
            return Err(diagnostics::op_error(
                op,
                &format!("has {kind} of type {}, which no memory holds", ty.to_text()),
            ));
        }
        if shape.is_none() || Number::of(ty).is_none() || ty.has_encoding() {
            return Err(diagnostics::op_error(
                op,
                &format!(
                    "has {kind} of type {}; expected a ranked tensor of static shape, without encoding, of i1, integers \
                     of 8, 16, 32 or 64 bits, f16, bf16, f32 or f64",
                    ty.to_text()
                ),
            ));
        }
    }
    Ok(())
}
