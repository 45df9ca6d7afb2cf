// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Declarations of `dialect/CApi.h`: what MLIR's own C API lacks.

use std::ffi::{c_char, c_int, c_void};

use mlir_sys::{
    MlirAttribute, MlirContext, MlirDialectRegistry, MlirLocation, MlirOperation, MlirPass, MlirStringRef,
    MlirType, MlirValue,
};

use crate::passes::options::{
    RawBucketOptions, RawImportStablehloOptions, RawImportTorchOptions, RawScheduleOptions, RawSortOptions,
    RawStreamToRuntimeOptions, RawVerifyScheduleOptions, RawVerifyStreamOptions,
};
use crate::passes::{RawConvertToStreamOptions, RawFuseMatmulOptions, RawSimplifyOptions};

/// Bits of `commGetEffects`.
pub(crate) mod effect {
    pub(crate) const READ: u32 = 1;
    pub(crate) const WRITE: u32 = 2;
    pub(crate) const ALLOCATE: u32 = 4;
    pub(crate) const FREE: u32 = 8;
    pub(crate) const UNKNOWN: u32 = 16;
}

#[allow(non_snake_case)]
unsafe extern "C" {
    pub(crate) fn commRegisterDialect(registry: MlirDialectRegistry);
    pub(crate) fn commRegisterDialectRaw(registry: *mut c_void);
    pub(crate) fn commRegisterPasses();

    pub(crate) fn commCreateImportStablehlo(options: *const RawImportStablehloOptions) -> MlirPass;
    pub(crate) fn commCreateImportTorch(options: *const RawImportTorchOptions) -> MlirPass;
    pub(crate) fn commCreateImportShard() -> MlirPass;
    pub(crate) fn commCreateConvertToStream(options: *const RawConvertToStreamOptions) -> MlirPass;
    pub(crate) fn commCreateLegalizeStablehlo() -> MlirPass;
    pub(crate) fn commCreateAsyncify() -> MlirPass;
    pub(crate) fn commCreateSort(options: *const RawSortOptions) -> MlirPass;
    pub(crate) fn commCreateSimplify(options: *const RawSimplifyOptions) -> MlirPass;
    pub(crate) fn commCreateBucket(options: *const RawBucketOptions) -> MlirPass;
    pub(crate) fn commCreateFuseMatmul(options: *const RawFuseMatmulOptions) -> MlirPass;
    pub(crate) fn commCreateSchedule(options: *const RawScheduleOptions) -> MlirPass;
    pub(crate) fn commCreateStreamToRuntime(options: *const RawStreamToRuntimeOptions) -> MlirPass;
    pub(crate) fn commCreateVerifyFutures() -> MlirPass;
    pub(crate) fn commCreateVerifyOrder() -> MlirPass;
    pub(crate) fn commCreateVerifySchedule(options: *const RawVerifyScheduleOptions) -> MlirPass;
    pub(crate) fn commCreateVerifyStream(options: *const RawVerifyStreamOptions) -> MlirPass;

    pub(crate) fn commOptMain(argc: c_int, argv: *mut *mut c_char) -> c_int;
    pub(crate) fn commLspServerMain(argc: c_int, argv: *mut *mut c_char) -> c_int;

    pub(crate) fn commIsRegistered(op: MlirOperation) -> bool;
    pub(crate) fn commGetEffects(op: MlirOperation) -> u32;
    pub(crate) fn commGetOwnEffects(op: MlirOperation) -> u32;
    pub(crate) fn commForEachOwnEffect(
        op: MlirOperation,
        callback: extern "C" fn(u32, MlirValue, *mut c_void),
        data: *mut c_void,
    );

    pub(crate) fn commEmitDiagnostic(location: MlirLocation, severity: u32, message: MlirStringRef);
    pub(crate) fn commEmitErrorWithNotes(
        location: MlirLocation,
        message: MlirStringRef,
        num_notes: usize,
        note_locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
    pub(crate) fn commEmitRemark(
        location: MlirLocation,
        kind: u32,
        pass: MlirStringRef,
        name: MlirStringRef,
        function: MlirStringRef,
        message: MlirStringRef,
    );
    pub(crate) fn commRemarksEnabled(context: MlirContext, pass: MlirStringRef) -> bool;

    pub(crate) fn commTypeIsFuture(r#type: MlirType) -> bool;
    pub(crate) fn commFutureTypeGet(
        context: MlirContext,
        num_types: usize,
        types: *const MlirType,
    ) -> MlirType;
    pub(crate) fn commFutureTypeGetNumTypes(r#type: MlirType) -> usize;
    pub(crate) fn commFutureTypeGetType(r#type: MlirType, index: usize) -> MlirType;

    pub(crate) fn commSymmetricTypeGetMemref(r#type: MlirType) -> MlirType;

    pub(crate) fn commGroupsAttrGet(
        location: MlirLocation,
        group_size: i64,
        num_ranks: usize,
        ranks: *const i64,
    ) -> MlirAttribute;
    pub(crate) fn commAxesAttrGet(
        context: MlirContext,
        mesh: MlirStringRef,
        num_axes: usize,
        axes: *const MlirStringRef,
    ) -> MlirAttribute;
    pub(crate) fn commAxesAttrGetNumAxes(attribute: MlirAttribute) -> i64;
    pub(crate) fn commAxesAttrGetAxis(attribute: MlirAttribute, index: i64) -> MlirStringRef;
    pub(crate) fn commReductionAttrGet(context: MlirContext, kind: u32) -> MlirAttribute;
    pub(crate) fn commResolveGroups(
        op: MlirOperation,
        groups: MlirAttribute,
        group_size: *mut i64,
        callback: extern "C" fn(*const i64, usize, *mut c_void),
        data: *mut c_void,
    ) -> bool;

    pub(crate) fn commGetProperties(op: MlirOperation) -> MlirAttribute;
    pub(crate) fn commForEachSymbolReference(
        root: MlirOperation,
        callback: extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    );

    pub(crate) fn commInlineCall(call: MlirOperation, callee: MlirOperation);
}
