// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The C interface, `comm_rt_*`: what compiled programs call. `include/comm_rt.h` is made from these files by
//! cbindgen.
//!
//! Conventions:
//! - A function returns a status, 0 for success; results come through pointers, which are written on success only.
//! - An error is final: it is reported to all ranks, every later call that issues something returns an error, and so
//!   does the run. So a compiled program may check the statuses of those calls alone whose results it uses. A call
//!   that returns an error has waited until what was issued has ended, so the program may free its memory.
//! - Handles are numbers; 0 is none. A wrong one is an error.
//! - What is passed by pointer is copied before a function returns, except the elements of tensors, which must stay
//!   valid until the op has ended.
//! - `location` is where the op is in the source, in the words of the program; `NULL` where it is not known.
//!   `timeout_ms` of 0 or less is the world's.
//! - No panic crosses: a panic inside the run-time is an error like others.
//!
//! # Safety
//! Pointers are `NULL`, where that is allowed, or valid for what they are said to hold; a rank is used between the
//! beginning and the end of its program, by the thread that runs it.
#![allow(clippy::missing_safety_doc)] // Said once, above.

mod collectives;
mod memory;
mod product;
mod rank;
mod streams;
mod symbols;
mod text;
mod world;

use std::{
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

pub use self::{collectives::*, memory::*, product::*, rank::*, streams::*, symbols::symbols, world::*};
use crate::{
    element::Element,
    error::{Error, Fault, Site, panic_message},
    rank::{At, Rank, current::current},
    tensor::Tensor,
};

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A wrong argument; nothing was done.
    Invalid = 1,
    /// Members of a group issued different collectives.
    Mismatch = 2,
    /// Another rank did not come within the timeout.
    Late = 3,
    /// Another rank that was waited for has returned.
    Gone = 4,
    /// The first failure was on another rank, or in another op.
    Elsewhere = 5,
    /// A panic.
    Panic = 6,
    /// The program reported a failure.
    Program = 7,
    /// No memory, no thread, or no file to be had.
    Resources = 8,
}

impl Status {
    /// The status of an error.
    pub fn of(error: &Error) -> Self {
        match error.fault() {
            Fault::Invalid(_) => Self::Invalid,
            Fault::Mismatch { .. } => Self::Mismatch,
            Fault::Late { .. } => Self::Late,
            Fault::Gone(_) => Self::Gone,
            Fault::Elsewhere(_) => Self::Elsewhere,
            Fault::Panic(_) => Self::Panic,
            Fault::Program(_) => Self::Program,
            Fault::Resources(_) => Self::Resources,
        }
    }
}

/// A tensor in memory. A memref is one: `data` is its aligned pointer moved by its offset, `sizes` and `strides` are
/// those of its descriptor.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TensorDescriptor {
    /// Where the element at index 0 lies.
    pub data: *mut c_void,
    /// One of `comm_rt_element`.
    pub element: i32,
    /// Number of dimensions.
    pub rank: i32,
    /// Sizes of the dimensions.
    pub sizes: *const i64,
    /// Distances between neighbours, in elements; `NULL` for row-major elements without gaps.
    pub strides: *const i64,
}

/// Does something for a rank, in the thread of its program. Every error is final.
fn with(rank: *const Rank, what: &str, action: impl FnOnce(&Rank) -> Result<(), Error>) -> i32 {
    let is_here = rank == current();
    // SAFETY: as promised for all functions.
    let Some(rank) = (unsafe { rank.as_ref() }) else {
        return Status::Invalid as i32;
    };
    if !is_here {
        // Settling waits for the streams, and this may be one of them.
        rank.report(&refuse(
            rank,
            what,
            "",
            "called from a thread that does not run the rank's program",
        ));
        return Status::Invalid as i32;
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| action(rank))).unwrap_or_else(|panic| {
        let site = Site::new(rank.index(), what, "");
        Err(Error::new(site, Fault::Panic(panic_message(&*panic))))
    });
    match outcome.map_err(|error| rank.settle(error)) {
        Ok(()) => Status::Ok as i32,
        Err(error) => Status::of(&error) as i32,
    }
}

/// Why an argument is refused.
fn refuse(rank: &Rank, what: &str, location: &str, message: impl Into<String>) -> Error {
    Error::invalid(Site::new(rank.index(), what, location), message)
}

/// A text; empty for none, and with replacement characters for what is not UTF-8.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as promised for all functions: ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn at(location: &str, timeout_ms: i64) -> At<'_> {
    let timeout = u64::try_from(timeout_ms).ok().filter(|&ms| ms > 0);
    At {
        location,
        timeout: timeout.map(Duration::from_millis),
    }
}

/// An array; empty if its length is 0, whatever the pointer.
unsafe fn array<'a, T>(data: *const T, length: i64, what: &str) -> Result<&'a [T], String> {
    let count = usize::try_from(length).map_err(|_| format!("{length} {what}"))?;
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(format!("{count} {what} at a null pointer"));
    }
    // SAFETY: as promised for all functions.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// Numbers that count something.
unsafe fn naturals(data: *const i64, length: i64, what: &str) -> Result<Vec<usize>, String> {
    // SAFETY: as promised for all functions.
    let numbers = unsafe { array(data, length, what) }?;
    let natural = |&number: &i64| usize::try_from(number).map_err(|_| format!("{number} among the {what}"));
    numbers.iter().map(natural).collect()
}

fn natural(number: i64, what: &str) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{what} {number}"))
}

unsafe fn tensors(data: *const TensorDescriptor, length: i64) -> Result<Vec<Tensor>, String> {
    // SAFETY: as promised for all functions.
    let descriptors = unsafe { array(data, length, "tensors") }?;
    // SAFETY: as above.
    descriptors
        .iter()
        .map(|descriptor| unsafe { tensor(descriptor) })
        .collect()
}

unsafe fn tensor(descriptor: &TensorDescriptor) -> Result<Tensor, String> {
    let number = descriptor.element;
    let element = Element::from_number(number).ok_or_else(|| format!("element type {number} of a tensor"))?;
    let rank = i64::from(descriptor.rank);
    // SAFETY: as promised for all functions.
    let sizes = unsafe { naturals(descriptor.sizes, rank, "sizes of a tensor") }?;
    let count = sizes
        .iter()
        .try_fold(element.bytes(), |count, &size| count.checked_mul(size));
    let Some(count) = count.filter(|&bytes| bytes <= isize::MAX as usize) else {
        return Err(format!("a tensor of sizes {sizes:?} does not fit in memory"));
    };
    if count > 0 && descriptor.data.is_null() {
        return Err(format!("a tensor of sizes {sizes:?} at a null pointer"));
    }
    let data = descriptor.data.cast();
    if descriptor.strides.is_null() {
        return Ok(Tensor::contiguous(data, element, &sizes));
    }
    // SAFETY: as above.
    let strides = unsafe { array(descriptor.strides, rank, "strides of a tensor") }?;
    let strides: Vec<isize> = strides.iter().map(|&stride| stride as isize).collect();
    let tensor = Tensor::strided(data, element, &sizes, &strides);
    tensor.ok_or_else(|| "as many strides as sizes are expected".to_owned())
}
