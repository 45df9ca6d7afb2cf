// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Streams and events.

use std::{
    alloc::{Layout, alloc, dealloc},
    ffi::{c_char, c_void},
};

use super::{TensorDescriptor, at, refuse, tensor, text, with};
use crate::{
    error::Error,
    handles::{Event, Stream},
    rank::Rank,
};

unsafe fn put(
    rank: &Rank,
    place: *mut u64,
    what: &str,
    handle: impl FnOnce() -> Result<u64, Error>,
) -> Result<(), Error> {
    // SAFETY: null or valid.
    let place = unsafe { place.as_mut() };
    let place = place.ok_or_else(|| refuse(rank, what, "", format!("nowhere to put the {what}")))?;
    *place = handle()?;
    Ok(())
}

/// The stream of this name, made at its first use; `NULL` is the stream `current`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_stream(rank: *const Rank, name: *const c_char, stream: *mut u64) -> i32 {
    // SAFETY: null or a text.
    let named = unsafe { text(name) };
    with(rank, "stream", |rank| {
        let find = || match name.is_null() {
            true => rank.current_stream().map(|stream| stream.0),
            false => rank.stream(&named).map(|stream| stream.0),
        };
        // SAFETY: as promised for all functions.
        unsafe { put(rank, stream, "stream", find) }
    })
}

/// A new stream; `name` is for traces, and may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_stream_create(
    rank: *const Rank,
    name: *const c_char,
    stream: *mut u64,
) -> i32 {
    // SAFETY: null or a text.
    let name = unsafe { text(name) };
    with(rank, "stream", |rank| {
        // SAFETY: as promised for all functions.
        unsafe {
            put(rank, stream, "stream", || {
                rank.create_stream(&name).map(|stream| stream.0)
            })
        }
    })
}

/// Ends a stream, after what was issued on it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_stream_destroy(rank: *const Rank, stream: u64) -> i32 {
    with(rank, "destroy_stream", |rank| rank.destroy_stream(Stream(stream)))
}

/// Waits until all that was issued on a stream has ended; its first error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_stream_synchronize(
    rank: *const Rank,
    stream: u64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "synchronize", |rank| {
        rank.synchronize(Stream(stream), at(&location, 0))
    })
}

/// Waits until all that was issued on any stream has ended; the first error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_synchronize(rank: *const Rank, location: *const c_char) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "synchronize_all", |rank| {
        rank.synchronize_all(at(&location, 0))
    })
}

/// An event that happens when all that was issued on a stream so far has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_event_record(rank: *const Rank, stream: u64, event: *mut u64) -> i32 {
    with(rank, "record", |rank| {
        // SAFETY: as promised for all functions.
        unsafe {
            put(rank, event, "event", || {
                rank.record(Stream(stream)).map(|event| event.0)
            })
        }
    })
}

/// Lets a stream wait for an event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_event_wait(
    rank: *const Rank,
    stream: u64,
    event: u64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "wait_event", |rank| {
        rank.wait_event(Stream(stream), Event(event), at(&location, 0))
    })
}

/// Waits here for an event; the error of its stream, if that failed before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_event_synchronize(
    rank: *const Rank,
    event: u64,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "synchronize_event", |rank| {
        rank.synchronize_event(Event(event), at(&location, 0))
    })
}

/// Forgets an event; streams that wait for it still do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_event_release(rank: *const Rank, event: u64) -> i32 {
    with(rank, "release_event", |rank| rank.release_event(Event(event)))
}

/// A function to run on a stream: returns 0, or anything else for a failure.
pub type Work = Option<unsafe extern "C" fn(arguments: *mut c_void) -> i32>;

/// A copy of a launched function's arguments, aligned for any of them.
struct Arguments {
    data: *mut u8,
    layout: Layout,
}

// SAFETY: the arguments belong to the one op that they were copied for; what they point to is the program's affair.
unsafe impl Send for Arguments {}

impl Arguments {
    unsafe fn copy(from: *const c_void, bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), 64).ok()?;
        // SAFETY: the size is not zero.
        let data = unsafe { alloc(layout) };
        if data.is_null() {
            return None;
        }
        if bytes > 0 {
            // SAFETY: as large as the caller says, and as large as it was made.
            unsafe { std::ptr::copy_nonoverlapping(from.cast(), data, bytes) };
        }
        Some(Self { data, layout })
    }

    fn data(&self) -> *mut c_void {
        self.data.cast()
    }
}

impl Drop for Arguments {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and dropped once.
        unsafe { dealloc(self.data, self.layout) };
    }
}

/// Runs `work` on a stream with a copy of `bytes` bytes of arguments, which ends with the op. `name` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_launch(
    rank: *const Rank,
    stream: u64,
    work: Work,
    arguments: *const c_void,
    bytes: usize,
    name: *const c_char,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or texts.
    let (name, location) = unsafe { (text(name), text(location)) };
    let name = if name.is_empty() { "launch" } else { &name };
    with(rank, name, |rank| {
        let work = work.ok_or_else(|| refuse(rank, name, &location, "nothing to run"))?;
        if bytes > 0 && arguments.is_null() {
            return Err(refuse(
                rank,
                name,
                &location,
                format!("{bytes} bytes of arguments at a null pointer"),
            ));
        }
        // SAFETY: not null, and as large as the caller says.
        let arguments = unsafe { Arguments::copy(arguments, bytes) };
        let arguments = arguments.ok_or_else(|| {
            refuse(
                rank,
                name,
                &location,
                format!("no memory for {bytes} bytes of arguments"),
            )
        })?;
        rank.launch(Stream(stream), name, at(&location, 0), move || {
            // SAFETY: the caller answers for its function.
            match unsafe { work(arguments.data()) } {
                0 => Ok(()),
                code => Err(format!("returned {code}")),
            }
        })
    })
}

/// Copies a tensor on a stream, to one of the same shape and element type; either may be a peer's symmetric memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_copy(
    rank: *const Rank,
    stream: u64,
    target: *const TensorDescriptor,
    source: *const TensorDescriptor,
    location: *const c_char,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, "copy", |rank| {
        let refuse = |message: String| refuse(rank, "copy", &location, message);
        // SAFETY: null or valid.
        let (Some(target), Some(source)) = (unsafe { target.as_ref() }, unsafe { source.as_ref() }) else {
            return Err(refuse("a tensor is missing".to_owned()));
        };
        // SAFETY: as promised for all functions.
        let (target, source) = unsafe { (tensor(target), tensor(source)) };
        let (target, source) = (target.map_err(refuse)?, source.map_err(refuse)?);
        // SAFETY: as promised for all functions.
        unsafe { rank.copy(Stream(stream), &target, &source, at(&location, 0)) }
    })
}
