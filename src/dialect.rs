// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The dialect: registration, its types and its attributes.

use mel::{
    Context,
    dialect::DialectRegistry,
    ir::{Attribute, Location, Type, TypeLike},
    utility::register_all_dialects,
};
use mlir_sys::MlirType;

use crate::{ffi, mlir::string_ref};

/// What melior's macro names of the module `melior::dialect`.
#[doc(hidden)]
pub mod ods {
    #[doc(hidden)]
    pub mod __private {
        pub struct Set;
        pub struct Unset;
    }
}

/// How a reduction combines contributions (`#comm.reduction`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Reduction {
    /// Sum.
    Sum,
    /// Mean; of floating-point and complex elements only.
    Avg,
    /// Least.
    Min,
    /// Greatest.
    Max,
    /// Product.
    Prod,
    /// Bitwise and; of integers only.
    And,
    /// Bitwise or; of integers only.
    Or,
    /// Bitwise exclusive or; of integers only.
    Xor,
}

/// Makes the dialect known to a registry.
pub fn register(registry: &DialectRegistry) {
    // SAFETY: the registry is alive.
    unsafe { ffi::commRegisterDialect(registry.to_raw()) }
}

/// A context with `comm` and all upstream dialects loaded, which allows ops of dialects it does not know.
///
/// A compiler that has a context of its own calls [`register`] on its registry instead.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.set_allow_unregistered_dialects(true);
    context
}

/// `!comm.future<types...>`. The tensors are of one context; there is at least one.
///
/// # Panics
///
/// Where `types` is empty.
pub fn future_type<'c>(types: &[Type<'c>]) -> Type<'c> {
    let raw: Vec<MlirType> = types.iter().map(|r#type| r#type.to_raw()).collect();
    let first = *raw.first().expect("a future yields at least one tensor");
    // SAFETY: all types are of one context.
    unsafe {
        Type::from_raw(ffi::commFutureTypeGet(
            mlir_sys::mlirTypeGetContext(first),
            raw.len(),
            raw.as_ptr(),
        ))
    }
}

/// The tensors that a future yields, or nothing for another type.
pub fn future_types<'c>(r#type: Type<'c>) -> Option<Vec<Type<'c>>> {
    let raw = r#type.to_raw();
    // SAFETY: the type is alive and, past the first call, known to be a future.
    unsafe {
        ffi::commTypeIsFuture(raw).then(|| {
            (0..ffi::commFutureTypeGetNumTypes(raw))
                .map(|index| Type::from_raw(ffi::commFutureTypeGetType(raw, index)))
                .collect()
        })
    }
}

/// `#comm.groups<...>`: explicit groups of ranks. Nothing, after an error diagnostic at `location`, where the groups
/// differ in size or a rank is in them twice.
pub fn groups<'c>(location: Location<'c>, groups: &[&[i64]]) -> Option<Attribute<'c>> {
    let flat: Vec<i64> = groups.iter().flat_map(|group| group.iter().copied()).collect();
    let size = groups.first().map_or(0, |group| group.len());
    if groups.iter().any(|group| group.len() != size) {
        crate::diagnostics::error(location.to_raw(), "expected groups of one size");
        return None;
    }
    // SAFETY: the array is alive during the call; a null attribute stands for an error.
    unsafe {
        Attribute::from_option_raw(ffi::commGroupsAttrGet(
            location.to_raw(),
            size as i64,
            flat.len(),
            flat.as_ptr(),
        ))
    }
}

/// `#comm.axes<@mesh["axis", ...]>`: groups along axes of a mesh.
pub fn axes<'c>(context: &'c Context, mesh: &str, axes: &[&str]) -> Attribute<'c> {
    let names: Vec<_> = axes.iter().map(|axis| string_ref(axis)).collect();
    // SAFETY: the strings are copied.
    unsafe {
        Attribute::from_raw(ffi::commAxesAttrGet(
            context.to_raw(),
            string_ref(mesh),
            names.len(),
            names.as_ptr(),
        ))
    }
}

/// `#comm.reduction<kind>`.
pub fn reduction(context: &Context, kind: Reduction) -> Attribute<'_> {
    // SAFETY: the kinds have the numbers of the C++ enumeration.
    unsafe { Attribute::from_raw(ffi::commReductionAttrGet(context.to_raw(), kind as u32)) }
}
