// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Attributes, as far as passes look into them.

use mlir_sys::*;

use super::{from_string_ref, printed, string_ref};

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attr(MlirAttribute);

impl PartialEq for Attr {
    fn eq(&self, other: &Self) -> bool {
        unsafe { mlirAttributeEqual(self.0, other.0) }
    }
}
impl Eq for Attr {}

// SAFETY of all calls below: attributes live as long as their context; casts follow the check of the kind.
impl Attr {
    pub(super) fn new(raw: MlirAttribute) -> Self {
        Self(raw)
    }

    pub(crate) fn from_nullable(raw: MlirAttribute) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    pub(crate) fn raw(self) -> MlirAttribute {
        self.0
    }

    /// Identity, the same for equal attributes of a context.
    pub(crate) fn id(self) -> usize {
        self.0.ptr as usize
    }

    pub(crate) fn i64(context: MlirContext, value: i64) -> Self {
        Self(unsafe { mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value) })
    }

    pub(crate) fn index(context: MlirContext, value: i64) -> Self {
        Self(unsafe { mlirIntegerAttrGet(mlirIndexTypeGet(context), value) })
    }

    pub(crate) fn i32_array(context: MlirContext, values: &[i32]) -> Self {
        Self(unsafe { mlirDenseI32ArrayGet(context, values.len() as isize, values.as_ptr()) })
    }

    pub(crate) fn i64_array(context: MlirContext, values: &[i64]) -> Self {
        Self(unsafe { mlirDenseI64ArrayGet(context, values.len() as isize, values.as_ptr()) })
    }

    pub(crate) fn unit(context: MlirContext) -> Self {
        Self(unsafe { mlirUnitAttrGet(context) })
    }

    pub(crate) fn string(context: MlirContext, text: &str) -> Self {
        Self(unsafe { mlirStringAttrGet(context, string_ref(text)) })
    }

    pub(crate) fn array(context: MlirContext, items: &[Attr]) -> Self {
        let raw: Vec<MlirAttribute> = items.iter().map(|item| item.0).collect();
        Self(unsafe { mlirArrayAttrGet(context, raw.len() as isize, raw.as_ptr()) })
    }

    /// An attribute that is a type.
    pub(crate) fn of_type(ty: super::Ty) -> Self {
        Self(unsafe { mlirTypeAttrGet(ty.raw()) })
    }

    pub(crate) fn as_type(self) -> Option<super::Ty> {
        unsafe { mlirAttributeIsAType(self.0).then(|| super::Ty::new(mlirTypeAttrGetValue(self.0))) }
    }

    pub(crate) fn as_str<'a>(self) -> Option<&'a str> {
        unsafe { mlirAttributeIsAString(self.0).then(|| from_string_ref(mlirStringAttrGetValue(self.0))) }
    }

    /// Name that a flat symbol reference refers to.
    pub(crate) fn as_symbol<'a>(self) -> Option<&'a str> {
        unsafe {
            mlirAttributeIsAFlatSymbolRef(self.0)
                .then(|| from_string_ref(mlirFlatSymbolRefAttrGetValue(self.0)))
        }
    }

    /// A signless or signed integer of up to 64 bits.
    pub(crate) fn as_i64(self) -> Option<i64> {
        unsafe {
            if !mlirAttributeIsAInteger(self.0) {
                return None;
            }
            let ty = mlirAttributeGetType(self.0);
            if mlirTypeIsAIndex(ty) {
                return Some(mlirIntegerAttrGetValueInt(self.0));
            }
            if !mlirTypeIsAInteger(ty) || mlirIntegerTypeGetWidth(ty) > 64 || mlirIntegerTypeIsUnsigned(ty) {
                return None;
            }
            Some(if mlirIntegerTypeIsSigned(ty) {
                mlirIntegerAttrGetValueSInt(self.0)
            } else {
                mlirIntegerAttrGetValueInt(self.0)
            })
        }
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        unsafe { mlirAttributeIsABool(self.0).then(|| mlirBoolAttrGetValue(self.0)) }
    }

    pub(crate) fn as_array(self) -> Option<Vec<Attr>> {
        unsafe {
            mlirAttributeIsAArray(self.0).then(|| {
                (0..mlirArrayAttrGetNumElements(self.0))
                    .map(|index| Self(mlirArrayAttrGetElement(self.0, index)))
                    .collect()
            })
        }
    }

    /// Names and values of a dictionary, in the order of the names.
    pub(crate) fn as_dictionary<'a>(self) -> Option<Vec<(&'a str, Attr)>> {
        unsafe {
            mlirAttributeIsADictionary(self.0).then(|| {
                (0..mlirDictionaryAttrGetNumElements(self.0))
                    .map(|index| mlirDictionaryAttrGetElement(self.0, index))
                    .map(|entry| {
                        (
                            from_string_ref(mlirIdentifierStr(entry.name)),
                            Self(entry.attribute),
                        )
                    })
                    .collect()
            })
        }
    }

    /// How many elements a `dense<...>` spells out, splats included.
    pub(crate) fn element_count(self) -> Option<i64> {
        unsafe { mlirAttributeIsAElements(self.0).then(|| mlirElementsAttrGetNumElements(self.0)) }
    }

    /// `array<i64: ...>`.
    pub(crate) fn as_i64_array(self) -> Option<Vec<i64>> {
        unsafe {
            mlirAttributeIsADenseI64Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0))
                    .map(|index| mlirDenseI64ArrayGetElement(self.0, index))
                    .collect()
            })
        }
    }

    /// `array<i16: ...>`.
    pub(crate) fn as_i16_array(self) -> Option<Vec<i16>> {
        unsafe {
            mlirAttributeIsADenseI16Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0))
                    .map(|index| mlirDenseI16ArrayGetElement(self.0, index))
                    .collect()
            })
        }
    }

    /// `dense<...> : tensor<...xi64>` as its shape and its elements, splats spelled out.
    pub(crate) fn as_dense_i64(self) -> Option<(Vec<i64>, Vec<i64>)> {
        unsafe {
            if !mlirAttributeIsADenseIntElements(self.0) {
                return None;
            }
            let ty = mlirAttributeGetType(self.0);
            let element = mlirShapedTypeGetElementType(ty);
            if !mlirTypeIsAInteger(element) || mlirIntegerTypeGetWidth(element) != 64 {
                return None;
            }
            let shape: Vec<i64> = (0..mlirShapedTypeGetRank(ty) as isize)
                .map(|dim| mlirShapedTypeGetDimSize(ty, dim))
                .collect();
            let count = mlirElementsAttrGetNumElements(self.0);
            let splat = count > 0 && mlirDenseElementsAttrIsSplat(self.0);
            let elements = (0..count as isize)
                .map(|index| {
                    if splat {
                        mlirDenseElementsAttrGetInt64SplatValue(self.0)
                    } else {
                        mlirDenseElementsAttrGetInt64Value(self.0, index)
                    }
                })
                .collect();
            Some((shape, elements))
        }
    }

    /// The one element of a splat.
    pub(crate) fn splat_element(self) -> Option<Attr> {
        self.is_splat()
            .then(|| Self(unsafe { mlirDenseElementsAttrGetSplatValue(self.0) }))
    }

    /// An entry of a dictionary.
    pub(crate) fn entry(self, name: &str) -> Option<Attr> {
        unsafe {
            mlirAttributeIsADictionary(self.0)
                .then(|| mlirDictionaryAttrGetElementByName(self.0, string_ref(name)))
                .and_then(Self::from_nullable)
        }
    }

    /// Elements of `dense<...>` of rank 0 or 1 over integers of up to 64 bits, splats spelled out.
    pub(crate) fn as_dense_integers(self) -> Option<Vec<i64>> {
        unsafe {
            if !mlirAttributeIsADenseIntElements(self.0) {
                return None;
            }
            let rank = mlirShapedTypeGetRank(mlirAttributeGetType(self.0)) as isize;
            if rank > 1 {
                return None;
            }
            (0..mlirElementsAttrGetNumElements(self.0) as u64)
                .map(|index| {
                    let mut path = [index];
                    Self(mlirElementsAttrGetValue(self.0, rank, path.as_mut_ptr())).as_integer_bits()
                })
                .collect()
        }
    }

    /// `array<i32: ...>`.
    pub(crate) fn as_i32_array(self) -> Option<Vec<i32>> {
        unsafe {
            mlirAttributeIsADenseI32Array(self.0).then(|| {
                (0..mlirDenseArrayGetNumElements(self.0))
                    .map(|index| mlirDenseI32ArrayGetElement(self.0, index))
                    .collect()
            })
        }
    }

    /// The bits of an integer of up to 64 bits, of any signedness; those above its width are the sign's, or zero where
    /// it is unsigned.
    pub(crate) fn as_integer_bits(self) -> Option<i64> {
        unsafe {
            if !mlirAttributeIsAInteger(self.0) {
                return None;
            }
            let ty = mlirAttributeGetType(self.0);
            if !mlirTypeIsAInteger(ty) || mlirIntegerTypeGetWidth(ty) > 64 || !mlirIntegerTypeIsUnsigned(ty) {
                return self.as_i64();
            }
            Some(mlirIntegerAttrGetValueUInt(self.0) as i64)
        }
    }

    pub(crate) fn is_splat(self) -> bool {
        unsafe { mlirAttributeIsADenseElements(self.0) && mlirDenseElementsAttrIsSplat(self.0) }
    }

    pub(crate) fn to_text(self) -> String {
        printed(|callback, data| unsafe { mlirAttributePrint(self.0, callback, data) })
    }
}
