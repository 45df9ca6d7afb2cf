// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Options of `comm-fuse-matmul`, for Rust and in the layout that C++ hands over.

use mlir_sys::MlirStringRef;

use crate::{mlir::string_ref, passes::options::owned};

/// Options of [`fuse_matmul`](crate::passes::fuse_matmul()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuseMatmulOptions {
    /// The machine: the name of a preset, or the path of a TOML file.
    pub machine: String,
    /// Least gain for which ops are fused, in percent of the modelled time before.
    pub min_gain: u32,
    /// Fuse whatever can be, gain or not.
    pub force: bool,
    /// Add in the order of positions in the group, as the program does, not in one that begins with the own chunk.
    pub ordered: bool,
}

impl Default for FuseMatmulOptions {
    fn default() -> Self {
        Self {
            machine: "h100-8".to_owned(),
            min_gain: 5,
            force: false,
            ordered: false,
        }
    }
}

impl FuseMatmulOptions {
    /// Hands the options over in C++'s layout, which borrows from them.
    pub(crate) fn with_raw<T>(&self, receive: impl FnOnce(&RawFuseMatmulOptions) -> T) -> T {
        receive(&RawFuseMatmulOptions {
            machine: string_ref(&self.machine),
            min_gain: self.min_gain,
            force: self.force,
            ordered: self.ordered,
        })
    }

    pub(crate) fn from_raw(raw: &RawFuseMatmulOptions) -> Self {
        Self {
            // SAFETY: C++ passes a string that is alive for the call.
            machine: unsafe { owned(&raw.machine) },
            min_gain: raw.min_gain,
            force: raw.force,
            ordered: raw.ordered,
        }
    }
}

/// `CommRsFuseMatmulOptions`.
#[repr(C)]
pub(crate) struct RawFuseMatmulOptions {
    machine: MlirStringRef,
    min_gain: u32,
    force: bool,
    ordered: bool,
}
