// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Errors, warnings and optimization remarks at locations of the IR.

use mlir_sys::{MlirLocation, MlirStringRef};

use crate::{
    ffi,
    mlir::{Failed, Op, string_ref},
};

/// Emits an error and gives the value to return.
pub(crate) fn error(location: MlirLocation, message: &str) -> Failed {
    emit(location, 2, message)
}

fn emit(location: MlirLocation, severity: u32, message: &str) -> Failed {
    // SAFETY: the location is of a live context; the message is copied.
    unsafe { ffi::commEmitDiagnostic(location, severity, string_ref(message)) };
    Failed
}

/// Emits an error at an op, in MLIR's form `'name' op message`, and gives the value to return.
pub(crate) fn op_error(op: Op, message: &str) -> Failed {
    error(op.location(), &format!("'{}' op {message}", op.name()))
}

/// Emits a warning at an op, in the same form as [`op_error`].
pub(crate) fn op_warning(op: Op, message: &str) {
    emit(op.location(), 1, &format!("'{}' op {message}", op.name()));
}

/// An error at an op with notes at other ops.
pub(crate) fn op_error_with_notes(op: Op, message: &str, notes: &[(Op, &str)]) -> Failed {
    let locations: Vec<MlirLocation> = notes.iter().map(|(op, _)| op.location()).collect();
    let texts: Vec<MlirStringRef> = notes.iter().map(|(_, text)| string_ref(text)).collect();
    let message = format!("'{}' op {message}", op.name());
    // SAFETY: both arrays have `notes.len()` entries and all texts are copied.
    unsafe {
        ffi::commEmitErrorWithNotes(
            op.location(),
            string_ref(&message),
            notes.len(),
            locations.as_ptr(),
            texts.as_ptr(),
        );
    }
    Failed
}

/// Outcome that an optimization remark reports, as in `mlir/IR/Remarks.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    /// Something was done.
    Passed = 0,
    /// Something profitable was seen and not done.
    Missed = 1,
    /// Figures.
    Analysis = 3,
}

/// Whether anybody asks for remarks of a pass.
pub(crate) fn remarks_enabled(op: Op, pass: &str) -> bool {
    // SAFETY: the op's context is live; the text is not kept.
    unsafe { ffi::commRemarksEnabled(op.context(), string_ref(pass)) }
}

/// Emits a remark of a pass at an op, if remarks are asked for. `text` is only made then.
pub(crate) fn remark(op: Op, kind: Remark, pass: &str, name: &str, text: impl FnOnce() -> String) {
    if !remarks_enabled(op, pass) {
        return;
    }
    let function = op.enclosing_function_name().unwrap_or_default();
    // SAFETY: all handles are of a live context; texts are copied.
    unsafe {
        ffi::commEmitRemark(
            op.location(),
            kind as u32,
            string_ref(pass),
            string_ref(name),
            string_ref(&function),
            string_ref(&text()),
        );
    }
}
