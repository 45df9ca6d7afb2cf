// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The border between C++ and the passes in Rust: a panic becomes a diagnostic and a failed pass.
//!
//! After a panic the module is whatever the pass had made of it; MLIR stops the pipeline there and prints nothing
//! but the diagnostic, so nothing half done is ever written out as a result.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    diagnostics,
    mlir::{Op, PassResult},
};

/// Runs a pass on `op`; whether it succeeded. Where it did not, an error has been emitted.
pub(crate) fn run(pass: &str, op: Op, body: impl FnOnce() -> PassResult) -> bool {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result.is_ok(),
        Err(payload) => {
            diagnostics::error(
                op.location(),
                &format!("internal error in {pass}: {}", message(&*payload)),
            );
            false
        }
    }
}

/// What a panic said.
fn message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
}
