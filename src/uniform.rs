// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which values are the same on all devices. (Conservative stand-in while the analysis is being written.)

use crate::mlir::Op;

/// What is known of a function.
pub(crate) struct Uniformity;

impl Uniformity {
    pub(crate) fn of(_function: Op) -> Self {
        Self
    }

    pub(crate) fn is_divergent_control_flow(&self, op: Op) -> bool {
        matches!(
            op.name(),
            "scf.if"
                | "scf.for"
                | "scf.while"
                | "scf.index_switch"
                | "stablehlo.if"
                | "stablehlo.case"
                | "stablehlo.while"
        )
    }
}
