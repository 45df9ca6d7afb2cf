// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Attributes that hold numbers and affine maps: what constants and structured ops are made of.

use mlir_sys::*;

use super::{Attr, Ty, string_ref};

// SAFETY of all calls below: attributes and types live as long as their context; casts follow the check of the kind. The
// arrays are alive during the call and copied.
impl Attr {
    /// The attribute that a text spells; nothing where it spells none.
    pub(crate) fn parse(context: MlirContext, text: &str) -> Option<Self> {
        Self::from_nullable(unsafe { mlirAttributeParseGet(context, string_ref(text)) })
    }

    /// A number of a floating-point type, rounded to it.
    pub(crate) fn float(ty: Ty, value: f64) -> Option<Self> {
        (ty.float_width().is_some())
            .then(|| unsafe { mlirFloatAttrDoubleGet(ty.context(), ty.raw(), value) })
            .and_then(Self::from_nullable)
    }

    /// A number of an integer type.
    pub(crate) fn integer(ty: Ty, value: i64) -> Option<Self> {
        (ty.integer_width().is_some())
            .then(|| unsafe { mlirIntegerAttrGet(ty.raw(), value) })
            .and_then(Self::from_nullable)
    }

    /// `dense<...>` of one number, for a ranked tensor of static shape and of the number's type.
    pub(crate) fn splat(tensor: Ty, number: Attr) -> Option<Self> {
        Self::from_nullable(unsafe { mlirDenseElementsAttrSplatGet(tensor.raw(), number.raw()) })
    }

    /// `dense<[...]> : tensor<...xindex>`.
    pub(crate) fn dense_indices(context: MlirContext, values: &[i64]) -> Option<Self> {
        let tensor = Ty::index(context).with_shape(&[Some(values.len() as i64)]);
        let numbers: Vec<MlirAttribute> = values
            .iter()
            .map(|&value| Self::index(context, value).raw())
            .collect();
        Self::from_nullable(unsafe {
            mlirDenseElementsAttrGet(tensor.raw(), numbers.len() as isize, numbers.as_ptr())
        })
    }

    /// The value of a floating-point number, which loses digits in types wider than a double.
    pub(crate) fn as_f64(self) -> Option<f64> {
        unsafe { mlirAttributeIsAFloat(self.raw()).then(|| mlirFloatAttrGetValueDouble(self.raw())) }
    }

    /// The type of the number that the attribute is.
    pub(crate) fn number_type(self) -> Ty {
        Ty::new(unsafe { mlirAttributeGetType(self.raw()) })
    }

    /// The affine map whose results are dimensions: of `dims` ones those in `results`, in this order.
    pub(crate) fn projection(context: MlirContext, dims: usize, results: &[usize]) -> Self {
        let mut results: Vec<MlirAffineExpr> = results
            .iter()
            .map(|&dim| unsafe { mlirAffineDimExprGet(context, dim as isize) })
            .collect();
        let map = unsafe {
            mlirAffineMapGet(
                context,
                dims as isize,
                0,
                results.len() as isize,
                results.as_mut_ptr(),
            )
        };
        Self::new(unsafe { mlirAffineMapAttrGet(map) })
    }

    /// An affine map.
    pub(crate) fn of_map(map: MlirAffineMap) -> Self {
        Self::new(unsafe { mlirAffineMapAttrGet(map) })
    }

    /// `dense<...>` of the same bytes in another type, whose elements have the width of this one's; nothing where the
    /// elements are not in memory, as those of a resource.
    pub(crate) fn with_elements_of(self, ty: Ty) -> Option<Self> {
        unsafe {
            if !mlirAttributeIsADenseElements(self.raw()) {
                return None;
            }
            let width = ty.element().element_bits().filter(|bits| bits % 8 == 0)? as usize / 8;
            let count = if mlirDenseElementsAttrIsSplat(self.raw()) {
                1
            } else {
                mlirElementsAttrGetNumElements(self.raw()) as usize
            };
            Self::from_nullable(mlirDenseElementsAttrRawBufferGet(
                ty.raw(),
                width * count,
                mlirDenseElementsAttrGetRawData(self.raw()),
            ))
        }
    }

    /// An affine map of which every result is a dimension: how many it has, and which the results are.
    pub(crate) fn as_projection(self) -> Option<(usize, Vec<usize>)> {
        unsafe {
            if !mlirAttributeIsAAffineMap(self.raw()) {
                return None;
            }
            let map = mlirAffineMapAttrGetValue(self.raw());
            let results = (0..mlirAffineMapGetNumResults(map)).map(|index| {
                let result = mlirAffineMapGetResult(map, index);
                mlirAffineExprIsADim(result).then(|| mlirAffineDimExprGetPosition(result) as usize)
            });
            let results: Option<Vec<usize>> = results.collect();
            Some((mlirAffineMapGetNumDims(map) as usize, results?))
        }
    }
}
