// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Entry points of `libmlir_comm.so` for the stock `mlir-opt` (`--load-pass-plugin`, `--load-dialect-plugin`), as
//! declared in `mlir/Tools/Plugins/{PassPlugin,DialectPlugin}.h`.

use std::ffi::{c_char, c_void};

use crate::ffi;

/// `MLIR_PLUGIN_API_VERSION` of both headers.
const API_VERSION: u32 = 1;

/// `PassPluginLibraryInfo` and `DialectPluginLibraryInfo`, which differ in the type of the last field.
#[repr(C)]
pub struct PluginInfo<F> {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: F,
}

impl<F> PluginInfo<F> {
    fn new(register: F) -> Self {
        const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
        Self {
            api_version: API_VERSION,
            name: c"mlir-comm".as_ptr(),
            version: VERSION.as_ptr().cast(),
            register,
        }
    }
}

extern "C" fn register_passes() {
    crate::passes::register();
}

extern "C" fn register_dialect(registry: *mut c_void) {
    // SAFETY: mlir-opt passes its DialectRegistry.
    unsafe { ffi::commRegisterDialectRaw(registry) }
}

#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn mlirGetPassPluginInfo() -> PluginInfo<extern "C" fn()> {
    PluginInfo::new(register_passes)
}

#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn mlirGetDialectPluginInfo() -> PluginInfo<extern "C" fn(*mut c_void)> {
    PluginInfo::new(register_dialect)
}
