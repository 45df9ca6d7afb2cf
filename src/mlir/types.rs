// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Types, as far as passes look into them.

use mlir_sys::*;

use super::printed;

/// A type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ty(MlirType);

impl PartialEq for Ty {
    fn eq(&self, other: &Self) -> bool {
        unsafe { mlirTypeEqual(self.0, other.0) }
    }
}
impl Eq for Ty {}

// SAFETY of all calls below: types live as long as their context; casts follow the check of the kind.
impl Ty {
    pub(crate) fn new(raw: MlirType) -> Self {
        Self(raw)
    }

    /// The type that a text spells; nothing where it spells none.
    pub(crate) fn parse(context: MlirContext, text: &str) -> Option<Self> {
        let raw = unsafe { mlirTypeParseGet(context, super::string_ref(text)) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    pub(crate) fn index(context: MlirContext) -> Self {
        Self(unsafe { mlirIndexTypeGet(context) })
    }

    /// A signless integer type.
    pub(crate) fn integer(context: MlirContext, width: u32) -> Self {
        Self(unsafe { mlirIntegerTypeGet(context, width) })
    }

    pub(crate) fn f64(context: MlirContext) -> Self {
        Self(unsafe { mlirF64TypeGet(context) })
    }

    pub(crate) fn f32(context: MlirContext) -> Self {
        Self(unsafe { mlirF32TypeGet(context) })
    }

    pub(crate) fn f16(context: MlirContext) -> Self {
        Self(unsafe { mlirF16TypeGet(context) })
    }

    pub(crate) fn bf16(context: MlirContext) -> Self {
        Self(unsafe { mlirBF16TypeGet(context) })
    }

    /// Identity, the same for equal types of a context.
    pub(crate) fn id(self) -> usize {
        self.0.ptr as usize
    }

    pub(crate) fn raw(self) -> MlirType {
        self.0
    }

    pub(crate) fn context(self) -> MlirContext {
        unsafe { mlirTypeGetContext(self.0) }
    }

    /// The text of a type of a dialect that is not loaded, without the dialect's name.
    pub(crate) fn opaque_text<'a>(self) -> Option<&'a str> {
        // SAFETY: the text lives as long as the context.
        unsafe { mlirTypeIsAOpaque(self.0).then(|| super::from_string_ref(mlirOpaqueTypeGetData(self.0))) }
    }

    pub(crate) fn is_ranked_tensor(self) -> bool {
        unsafe { mlirTypeIsARankedTensor(self.0) }
    }

    fn is_shaped(self) -> bool {
        unsafe { mlirTypeIsAShaped(self.0) }
    }

    /// Dimensions of a ranked tensor; a dynamic one is nothing.
    pub(crate) fn shape(self) -> Option<Vec<Option<i64>>> {
        if !self.is_ranked_tensor() {
            return None;
        }
        let rank = unsafe { mlirShapedTypeGetRank(self.0) };
        Some(
            (0..rank as isize)
                .map(|dim| unsafe {
                    (!mlirShapedTypeIsDynamicDim(self.0, dim)).then(|| mlirShapedTypeGetDimSize(self.0, dim))
                })
                .collect(),
        )
    }

    /// Whether this is a memref, ranked or not.
    pub(crate) fn is_buffer(self) -> bool {
        unsafe { mlirTypeIsAMemRef(self.0) || mlirTypeIsAUnrankedMemRef(self.0) }
    }

    /// Whether this is an integer type of any width.
    pub(crate) fn is_integer(self) -> bool {
        unsafe { mlirTypeIsAInteger(self.0) }
    }

    /// Whether this is an integer type of any width that is neither signed nor unsigned.
    pub(crate) fn is_signless_integer(self) -> bool {
        unsafe { mlirTypeIsAInteger(self.0) && mlirIntegerTypeIsSignless(self.0) }
    }

    /// Whether this is a ranked tensor with an encoding.
    pub(crate) fn has_encoding(self) -> bool {
        self.is_ranked_tensor() && unsafe { !mlirRankedTensorTypeGetEncoding(self.0).ptr.is_null() }
    }

    /// Dimensions of any ranked shaped type, tensor or buffer or vector; a dynamic one is nothing.
    pub(crate) fn dims(self) -> Option<Vec<Option<i64>>> {
        unsafe {
            (mlirTypeIsAShaped(self.0) && mlirShapedTypeHasRank(self.0)).then(|| {
                (0..mlirShapedTypeGetRank(self.0) as isize)
                    .map(|dim| {
                        (!mlirShapedTypeIsDynamicDim(self.0, dim))
                            .then(|| mlirShapedTypeGetDimSize(self.0, dim))
                    })
                    .collect()
            })
        }
    }

    /// Eight bits with a mantissa of three, of which all but NaN are finite numbers.
    pub(crate) fn f8_e4m3fn(context: MlirContext) -> Self {
        Self(unsafe { mlirFloat8E4M3FNTypeGet(context) })
    }

    /// Eight bits with a mantissa of two, as IEEE would have them.
    pub(crate) fn f8_e5m2(context: MlirContext) -> Self {
        Self(unsafe { mlirFloat8E5M2TypeGet(context) })
    }

    /// Whether this is `bf16`, which has the width of `f16`.
    pub(crate) fn is_bf16(self) -> bool {
        unsafe { mlirTypeIsABF16(self.0) }
    }

    /// The type of the parts of a complex number; nothing for another type.
    pub(crate) fn complex_part(self) -> Option<Ty> {
        unsafe { mlirTypeIsAComplex(self.0).then(|| Self(mlirComplexTypeGetElementType(self.0))) }
    }

    /// Number of dimensions of a ranked tensor.
    pub(crate) fn rank(self) -> Option<i64> {
        self.is_ranked_tensor()
            .then(|| unsafe { mlirShapedTypeGetRank(self.0) })
    }

    /// Element type of a shaped type; any other type is its own.
    pub(crate) fn element(self) -> Ty {
        if self.is_shaped() {
            Self(unsafe { mlirShapedTypeGetElementType(self.0) })
        } else {
            self
        }
    }

    /// A ranked tensor of this type's elements and encoding in another shape.
    pub(crate) fn with_shape(self, shape: &[Option<i64>]) -> Ty {
        let dynamic = unsafe { mlirShapedTypeGetDynamicSize() };
        let shape: Vec<i64> = shape.iter().map(|size| size.unwrap_or(dynamic)).collect();
        unsafe {
            let encoding = if self.is_ranked_tensor() {
                mlirRankedTensorTypeGetEncoding(self.0)
            } else {
                mlirAttributeGetNull()
            };
            Ty(mlirRankedTensorTypeGet(
                shape.len() as isize,
                shape.as_ptr(),
                self.element().0,
                encoding,
            ))
        }
    }

    /// What a function type takes and returns.
    pub(crate) fn function_types(self) -> Option<Vec<Ty>> {
        unsafe {
            mlirTypeIsAFunction(self.0).then(|| {
                let inputs =
                    (0..mlirFunctionTypeGetNumInputs(self.0)).map(|i| mlirFunctionTypeGetInput(self.0, i));
                let results =
                    (0..mlirFunctionTypeGetNumResults(self.0)).map(|i| mlirFunctionTypeGetResult(self.0, i));
                inputs.chain(results).map(Self).collect()
            })
        }
    }

    /// The same function type with its parts changed; nothing for a type of another kind.
    pub(crate) fn with_function_types(self, change: impl Fn(Ty) -> Ty) -> Option<Ty> {
        unsafe {
            mlirTypeIsAFunction(self.0).then(|| {
                let inputs: Vec<MlirType> = (0..mlirFunctionTypeGetNumInputs(self.0))
                    .map(|i| change(Self(mlirFunctionTypeGetInput(self.0, i))).0)
                    .collect();
                let results: Vec<MlirType> = (0..mlirFunctionTypeGetNumResults(self.0))
                    .map(|i| change(Self(mlirFunctionTypeGetResult(self.0, i))).0)
                    .collect();
                let context = self.context();
                Self(mlirFunctionTypeGet(
                    context,
                    inputs.len() as isize,
                    inputs.as_ptr(),
                    results.len() as isize,
                    results.as_ptr(),
                ))
            })
        }
    }

    pub(crate) fn is_future(self) -> bool {
        unsafe { crate::ffi::commTypeIsFuture(self.0) }
    }

    /// `!comm.future<types...>`; `types` is not empty.
    pub(crate) fn future(context: MlirContext, types: &[Ty]) -> Ty {
        let raw: Vec<MlirType> = types.iter().map(|ty| ty.0).collect();
        Ty(unsafe { crate::ffi::commFutureTypeGet(context, raw.len(), raw.as_ptr()) })
    }

    /// The tensors that a future yields; nothing for another type.
    pub(crate) fn future_types(self) -> Option<Vec<Ty>> {
        self.is_future().then(|| unsafe {
            (0..crate::ffi::commFutureTypeGetNumTypes(self.0))
                .map(|index| Ty(crate::ffi::commFutureTypeGetType(self.0, index)))
                .collect()
        })
    }

    /// Whether this is a type of the dialect `comm_stream`: a stream, an event or a symmetric buffer.
    pub(crate) fn is_of_streams(self) -> bool {
        // SAFETY: names of dialects live as long as their context.
        unsafe {
            super::from_string_ref(mlirDialectGetNamespace(mlirTypeGetDialect(self.0))) == "comm_stream"
        }
    }

    /// The memref that a part of a `!comm_stream.symmetric` is; nothing for another type.
    pub(crate) fn symmetric_part(self) -> Option<Ty> {
        let raw = unsafe { crate::ffi::commSymmetricTypeGetMemref(self.0) };
        (!raw.ptr.is_null()).then_some(Self(raw))
    }

    pub(crate) fn is_index(self) -> bool {
        unsafe { mlirTypeIsAIndex(self.0) }
    }

    /// Whether this is an integer type whose values have no sign.
    pub(crate) fn is_unsigned_integer(self) -> bool {
        unsafe { mlirTypeIsAInteger(self.0) && mlirIntegerTypeIsUnsigned(self.0) }
    }

    /// Width of an integer type, and 64 for index; nothing for others.
    pub(crate) fn integer_width(self) -> Option<u32> {
        unsafe {
            if mlirTypeIsAIndex(self.0) {
                return Some(64);
            }
            mlirTypeIsAInteger(self.0).then(|| mlirIntegerTypeGetWidth(self.0))
        }
    }

    /// Bits of one element: integers and floats by their width, index as 64, complex as two; nothing where unknown.
    pub(crate) fn element_bits(self) -> Option<u64> {
        unsafe {
            if mlirTypeIsAInteger(self.0) {
                Some(u64::from(mlirIntegerTypeGetWidth(self.0)))
            } else if mlirTypeIsAFloat(self.0) {
                Some(u64::from(mlirFloatTypeGetWidth(self.0)))
            } else if mlirTypeIsAIndex(self.0) {
                Some(64)
            } else if mlirTypeIsAComplex(self.0) {
                Ty(mlirComplexTypeGetElementType(self.0))
                    .element_bits()
                    .map(|bits| 2 * bits)
            } else {
                None
            }
        }
    }

    /// Width of a floating-point type; nothing for another type.
    pub(crate) fn float_width(self) -> Option<u32> {
        unsafe { mlirTypeIsAFloat(self.0).then(|| mlirFloatTypeGetWidth(self.0)) }
    }

    /// Exponent bits and mantissa bits of the eight-bit floats that can be computed with once they are converted: f8E4M3FN and
    /// f8E5M2.
    pub(crate) fn eight_bit_format(self) -> Option<(u32, u32)> {
        unsafe {
            match self.0 {
                ty if mlirTypeIsAFloat8E4M3FN(ty) => Some((4, 3)),
                ty if mlirTypeIsAFloat8E5M2(ty) => Some((5, 2)),
                _ => None,
            }
        }
    }

    /// Size in memory: a statically shaped tensor's elements, a future's tensors, and nothing (0) where a dimension is
    /// dynamic or the type is opaque. Elements narrower than a byte take a byte, as in bufferized MLIR.
    pub(crate) fn bytes(self) -> u64 {
        if let Some(types) = self.future_types() {
            return types.iter().map(|ty| ty.bytes()).fold(0, u64::saturating_add);
        }
        let Some(shape) = self.shape() else { return 0 };
        let Some(bits) = self.element().element_bits() else {
            return 0;
        };
        shape
            .iter()
            .try_fold(bits.div_ceil(8), |bytes, size| {
                Some(bytes.saturating_mul(u64::try_from((*size)?).unwrap_or(0)))
            })
            .unwrap_or(0)
    }

    pub(crate) fn to_text(self) -> String {
        printed(|callback, data| unsafe { mlirTypePrint(self.0, callback, data) })
    }
}
