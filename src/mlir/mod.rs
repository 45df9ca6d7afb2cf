// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Handles of MLIR objects as the passes use them: copied freely, compared by identity, without lifetimes.
//!
//! melior's types stand at the border of this crate. Inside, passes keep ops and values in tables, move and erase
//! them, which its borrowed types do not allow; and some of its look-ups build an error string where the answer is no
//! (20 times slower on block arguments).
//!
//! Invariant: a handle is used only while its object is alive. Whoever erases an op drops the handles to it.

mod attribute;
mod buffer;
mod build;
mod comm;
mod constant;
mod division;
mod linalg;
mod location;
mod op;
mod types;
mod value;

pub(crate) use attribute::Attr;
pub(crate) use buffer::{BufferShape, runtime_element};
pub(crate) use build::{OpBuilder, append_parsed};
pub(crate) use comm::{axes, axis_names, groups, reduction, reduction_name};
pub(crate) use linalg::{indexing_maps, is_contraction, product_loops};
pub(crate) use location::{
    argument_name, fused_location, location_label, location_name, location_names, location_text,
    text_of_location,
};
pub(crate) use op::{Block, Op};
pub(crate) use types::Ty;
pub(crate) use value::{Use, Value};

use mlir_sys::MlirStringRef;

/// An error has been emitted as a diagnostic; there is nothing more to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed;

/// Outcome of a pass, or of a part of one.
pub(crate) type PassResult<T = ()> = Result<T, Failed>;

/// A string as MLIR takes it, valid while `text` is.
pub(crate) fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// A string of MLIR's. The caller names a lifetime in which the owner lives.
///
/// # Safety
///
/// The string is alive for `'a`.
pub(crate) unsafe fn from_string_ref<'a>(text: MlirStringRef) -> &'a str {
    if text.length == 0 {
        return "";
    }
    // SAFETY: by the caller's promise; MLIR's identifiers and attributes may hold any bytes, so what is not UTF-8 reads as empty.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    std::str::from_utf8(bytes).unwrap_or("")
}

/// The name of an attribute. Names live as long as the context.
pub(crate) fn name_of(attribute: &mlir_sys::MlirNamedAttribute) -> &str {
    // SAFETY: the attribute is of a live context, as all handles.
    unsafe { from_string_ref(mlir_sys::mlirIdentifierStr(attribute.name)) }
}

/// The text that one of MLIR's print functions writes.
pub(crate) fn printed(print: impl FnOnce(mlir_sys::MlirStringCallback, *mut std::ffi::c_void)) -> String {
    extern "C" fn append(part: MlirStringRef, data: *mut std::ffi::c_void) {
        // SAFETY: `data` is the buffer below; the part is alive during the call.
        unsafe {
            let buffer = &mut *data.cast::<Vec<u8>>();
            buffer.extend_from_slice(std::slice::from_raw_parts(part.data.cast::<u8>(), part.length));
        }
    }
    let mut buffer: Vec<u8> = Vec::new();
    print(Some(append), std::ptr::from_mut(&mut buffer).cast());
    String::from_utf8_lossy(&buffer).into_owned()
}
