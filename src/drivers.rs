// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The command lines of `comm-opt` and `comm-lsp-server`: MLIR's own drivers with this dialect and these passes.

use std::{
    ffi::{CString, OsString, c_char, c_int},
    os::unix::ffi::OsStringExt,
    process::ExitCode,
};

use crate::ffi;

/// Runs `comm-opt` with these arguments, the first of which is the program's name.
pub fn opt_main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    run(arguments, ffi::commOptMain)
}

/// Runs `comm-lsp-server` with these arguments, the first of which is the program's name.
pub fn lsp_server_main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    run(arguments, ffi::commLspServerMain)
}

fn run(
    arguments: impl Iterator<Item = OsString>,
    main: unsafe extern "C" fn(c_int, *mut *mut c_char) -> c_int,
) -> ExitCode {
    // The operating system hands over arguments as C strings, so none holds a NUL.
    let owned: Vec<CString> = arguments
        .filter_map(|argument| CString::new(argument.into_vec()).ok())
        .collect();
    let mut pointers: Vec<*mut c_char> = owned
        .iter()
        .map(|argument| argument.as_ptr().cast_mut())
        .collect();
    pointers.push(std::ptr::null_mut());
    // SAFETY: a conventional argc and argv, alive for the call; the drivers do not write to the strings.
    let code = unsafe { main(owned.len() as c_int, pointers.as_mut_ptr()) };
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
