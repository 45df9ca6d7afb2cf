// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collects what MLIR says while something runs, so that it can be part of an error.

use std::{
    ffi::c_void,
    sync::{Mutex, PoisonError},
};

use mel::Context;
use mlir_sys::*;

use crate::mlir::{printed, text_of_location};

/// An error or a warning, with its notes.
pub(super) struct Said {
    pub(super) is_warning: bool,
    pub(super) text: String,
}

/// All that was said, in order.
pub(super) fn text(said: &[Said]) -> String {
    let texts: Vec<&str> = said.iter().map(|one| one.text.as_str()).collect();
    texts.join("\n")
}

/// Runs `action` and gives, with its result, the errors and warnings that were emitted meanwhile.
pub(super) fn collect<T>(context: &Context, action: impl FnOnce() -> T) -> (T, Vec<Said>) {
    let said: Mutex<Vec<Said>> = Mutex::default();
    // SAFETY: the handler is detached before `said` ends; passes may call it from several threads, one at a time or not.
    let id = unsafe {
        mlirContextAttachDiagnosticHandler(
            context.to_raw(),
            Some(handle),
            std::ptr::from_ref(&said).cast_mut().cast(),
            None,
        )
    };
    let result = action();
    // SAFETY: attached above.
    unsafe { mlirContextDetachDiagnosticHandler(context.to_raw(), id) };
    (result, said.into_inner().unwrap_or_else(PoisonError::into_inner))
}

unsafe extern "C" fn handle(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `data` is the list of `collect`; the diagnostic is alive during the call.
    unsafe {
        let said = &*data.cast::<Mutex<Vec<Said>>>();
        let severity = mlirDiagnosticGetSeverity(diagnostic);
        if severity != MlirDiagnosticSeverity_MlirDiagnosticRemark {
            let mut text = line(diagnostic);
            for note in 0..mlirDiagnosticGetNumNotes(diagnostic) {
                text.push('\n');
                text.push_str(&line(mlirDiagnosticGetNote(diagnostic, note)));
            }
            let is_warning = severity == MlirDiagnosticSeverity_MlirDiagnosticWarning;
            said.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(Said { is_warning, text });
        }
        MlirLogicalResult { value: 1 }
    }
}

/// `place: error: message`.
unsafe fn line(diagnostic: MlirDiagnostic) -> String {
    // SAFETY: as above.
    unsafe {
        let place = text_of_location(mlirDiagnosticGetLocation(diagnostic));
        let severity = mlirDiagnosticGetSeverity(diagnostic);
        let severity = match () {
            () if severity == MlirDiagnosticSeverity_MlirDiagnosticError => "error",
            () if severity == MlirDiagnosticSeverity_MlirDiagnosticWarning => "warning",
            () => "note",
        };
        let message = printed(|callback, data| mlirDiagnosticPrint(diagnostic, callback, data));
        match place.is_empty() {
            true => format!("{severity}: {message}"),
            false => format!("{place}: {severity}: {message}"),
        }
    }
}
