// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tensor types of MLIR as those of the algebra, and back.
//!
//! Floats of 64, 32 and 16 bits, signless integers and `i1` have names in the algebra. All other element types whose width
//! is known are numbered; no rule computes with those. Deliberately not known: encodings, dynamic and empty extents.

use comm_algebra::{Element, Type};
use mlir_sys::MlirContext;
use rustc_hash::FxHashMap;

use super::shapes::extents;
use crate::mlir::{Ty, Value};

/// Element types without a name in the algebra, by number.
#[derive(Debug, Default)]
pub(super) struct Elements {
    types: Vec<Ty>,
    numbers: FxHashMap<usize, u16>,
}

impl Elements {
    pub(super) fn type_of(&mut self, ty: Ty) -> Option<Type> {
        if ty.has_encoding() {
            return None;
        }
        let extent = |extent: Option<i64>| usize::try_from(extent?).ok().filter(|&extent| extent > 0);
        let shape: Option<Vec<usize>> = ty.shape()?.into_iter().map(extent).collect();
        Some(Type {
            element: self.element(ty.element())?,
            shape: shape?,
        })
    }

    fn element(&mut self, ty: Ty) -> Option<Element> {
        let named = self.named_element(ty);
        if named.is_some() {
            return named;
        }
        let bits = u16::try_from(ty.element_bits()?).ok()?;
        let number = u16::try_from(self.types.len()).ok()?;
        self.types.push(ty);
        self.numbers.insert(ty.id(), number);
        Some(Element::Other { bits, number })
    }

    /// As [`Self::type_of`] names it, for an element type that has a name or a number.
    pub(super) fn named_element(&self, ty: Ty) -> Option<Element> {
        known(ty).or_else(|| {
            let number = *self.numbers.get(&ty.id())?;
            let bits = u16::try_from(ty.element_bits()?).ok()?;
            Some(Element::Other { bits, number })
        })
    }

    pub(super) fn ty(&self, ty: &Type, context: MlirContext) -> Ty {
        let shape: Vec<Option<i64>> = ty.shape.iter().map(|&extent| Some(extent as i64)).collect();
        self.element_ty(ty.element, context).with_shape(&shape)
    }

    pub(super) fn element_ty(&self, element: Element, context: MlirContext) -> Ty {
        match element {
            Element::F64 => Ty::f64(context),
            Element::F32 => Ty::f32(context),
            Element::F16 => Ty::f16(context),
            Element::Bf16 => Ty::bf16(context),
            Element::Other { number, .. } => self.types[usize::from(number)],
            _ => Ty::integer(context, element.bits() as u32),
        }
    }
}

/// The name that the algebra has for an element type.
pub(super) fn known(ty: Ty) -> Option<Element> {
    if ty.is_signless_integer() {
        return match ty.integer_width()? {
            1 => Some(Element::Bool),
            8 => Some(Element::I8),
            16 => Some(Element::I16),
            32 => Some(Element::I32),
            64 => Some(Element::I64),
            _ => None,
        };
    }
    // No other floats have these widths.
    match ty.float_width()? {
        16 if ty.is_bf16() => Some(Element::Bf16),
        16 => Some(Element::F16),
        32 => Some(Element::F32),
        64 => Some(Element::F64),
        _ => None,
    }
}

/// The type of a value of static shape whose element type the algebra has a name for.
pub(super) fn known_type(value: Value) -> Option<Type> {
    Some(Type {
        element: known(value.ty().element())?,
        shape: extents(value)?,
    })
}

/// Whether a conversion is one that all dialects agree on: floats become integers in ways that differ out of range.
pub(super) fn is_exact_convert(from: Element, to: Element) -> bool {
    let is_number = |element| !matches!(element, Element::Other { .. });
    is_number(from) && is_number(to) && !(from.is_float() && to.is_integer())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_back() {
        let context = crate::context();
        let raw = context.to_raw();
        let mut elements = Elements::default();
        for text in [
            "tensor<2x3xf32>",
            "tensor<f64>",
            "tensor<7xf16>",
            "tensor<7xbf16>",
            "tensor<1xi1>",
            "tensor<4xi8>",
            "tensor<4xi16>",
            "tensor<4xi32>",
            "tensor<4xi64>",
            "tensor<4xui8>",
            "tensor<4xsi8>",
            "tensor<4xi4>",
            "tensor<4xf8E5M2>",
            "tensor<4xcomplex<f32>>",
            "tensor<4xindex>",
        ] {
            let ty = Ty::parse(raw, text).expect(text);
            let read = elements.type_of(ty).expect(text);
            assert!(elements.ty(&read, raw) == ty, "{text}");
        }
        let other = |text| elements.type_of(Ty::parse(raw, text).expect(text));
        let refused: Vec<_> = [
            "tensor<?xf32>",
            "tensor<0xf32>",
            "tensor<*xf32>",
            "f32",
            "tensor<2xf32, 1 : i64>",
        ]
        .into_iter()
        .filter_map(other)
        .collect();
        assert_eq!(refused, []);
    }

    #[test]
    fn other_elements_are_told_apart() {
        let context = crate::context();
        let mut elements = Elements::default();
        let mut element = |text| {
            let ty = Ty::parse(context.to_raw(), text).expect(text);
            elements.type_of(ty).expect(text).element
        };
        let unsigned = element("tensor<4xui8>");
        assert_ne!(unsigned, element("tensor<4xsi8>"));
        assert_eq!(unsigned, element("tensor<2xui8>"));
        assert_eq!(element("tensor<4xi8>"), Element::I8);
    }
}
