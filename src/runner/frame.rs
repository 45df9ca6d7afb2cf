// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Arguments and results of one call of a compiled program, in memory.
//!
//! The program may write into the buffers of its arguments, which are copies. Buffers that it returns are its caller's to
//! free, unless they are those of an argument, or returned twice.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error},
    collections::BTreeSet,
    ffi::c_void,
};

use super::{Array, Signature, signature::Slot};

/// To what buffers are aligned: as `memref.alloc` and symmetric memory are.
const ALIGNMENT: usize = 64;

unsafe extern "C" {
    /// Of the C library, whose `malloc` compiled programs call.
    fn free(address: *mut c_void);
}

/// Memory of one buffer.
struct Memory {
    data: *mut u8,
    layout: Layout,
}

impl Memory {
    fn zeroed(bytes: usize) -> Self {
        let layout =
            Layout::from_size_align(bytes.max(1), ALIGNMENT).unwrap_or(Layout::new::<[u8; ALIGNMENT]>());
        // SAFETY: the size is not zero.
        let data = unsafe { alloc_zeroed(layout) };
        if data.is_null() {
            handle_alloc_error(layout);
        }
        Self { data, layout }
    }

    fn holding(bytes: &[u8]) -> Self {
        let memory = Self::zeroed(bytes.len());
        // SAFETY: as large as the source, and apart from it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.data, bytes.len()) };
        memory
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and dropped once.
        unsafe { dealloc(self.data, self.layout) };
    }
}

/// One call.
pub(super) struct Frame<'s> {
    signature: &'s Signature,
    /// Elements of arguments, then their descriptors, and numbers.
    buffers: Vec<Memory>,
    descriptors: Vec<Memory>,
    /// All results, one after the other.
    record: Memory,
    /// Where each pointer that is passed lies.
    pointers: Vec<*mut c_void>,
    /// What the packed function gets: addresses of arguments, then of the result.
    arguments: Vec<*mut c_void>,
}

impl<'s> Frame<'s> {
    /// Of inputs that fit the signature.
    pub(super) fn new(signature: &'s Signature, inputs: &[Array]) -> Self {
        let mut frame = Self {
            signature,
            buffers: inputs
                .iter()
                .map(|input| Memory::holding(input.bytes()))
                .collect(),
            descriptors: Vec::with_capacity(inputs.len()),
            record: Memory::zeroed(places(&signature.outputs).1),
            pointers: Vec::with_capacity(inputs.len() + 1),
            arguments: Vec::with_capacity(inputs.len() + 1),
        };
        for (input, (slot, buffer)) in inputs.iter().zip(signature.inputs.iter().zip(&frame.buffers)) {
            if slot.sizes.is_some() {
                frame
                    .descriptors
                    .push(Memory::holding(&descriptor(buffer.data, input.shape())));
            }
        }
        frame
    }

    /// Whether results stand in the record, a pointer to which comes first; else a number is returned, or nothing.
    fn has_record(&self) -> bool {
        match &self.signature.outputs[..] {
            [] => false,
            [only] => only.sizes.is_some(),
            _ => true,
        }
    }

    /// What the packed function is called with. Valid while the frame lives.
    pub(super) fn arguments(&mut self) -> *mut *mut c_void {
        self.pointers.clear();
        self.arguments.clear();
        let has_record = self.has_record();
        if has_record {
            self.pointers.push(self.record.data.cast());
        }
        self.pointers
            .extend(self.descriptors.iter().map(|memory| memory.data.cast::<c_void>()));
        // The vector grows no more: addresses of its elements stay.
        let mut passed = self
            .pointers
            .iter_mut()
            .map(|pointer| std::ptr::from_mut(pointer).cast());
        if has_record {
            self.arguments.extend(passed.next());
        }
        for (slot, buffer) in self.signature.inputs.iter().zip(&self.buffers) {
            match slot.sizes {
                Some(_) => self.arguments.extend(passed.next()),
                None => self.arguments.push(buffer.data.cast()),
            }
        }
        if !has_record && !self.signature.outputs.is_empty() {
            self.arguments.push(self.record.data.cast());
        }
        self.arguments.as_mut_ptr()
    }

    /// Copies the results, and frees the buffers that the program has made for them.
    ///
    /// # Safety
    /// The program was called with the arguments and has returned, and this was not called before.
    pub(super) unsafe fn results(&mut self) -> Vec<Array> {
        let (places, _) = places(&self.signature.outputs);
        let mut freed: BTreeSet<*mut c_void> = self
            .buffers
            .iter()
            .map(|memory| memory.data.cast::<c_void>())
            .collect();
        let mut owned = Vec::new();
        let mut results = Vec::with_capacity(places.len());
        for (slot, place) in self.signature.outputs.iter().zip(places) {
            // SAFETY: the record is as large as its places say, and the program has filled it.
            unsafe {
                let data = self.record.data.add(place);
                let (shape, bytes) = match &slot.sizes {
                    None => (
                        Vec::new(),
                        std::slice::from_raw_parts(data, slot.element.bytes()).to_vec(),
                    ),
                    Some(sizes) => {
                        let words = std::slice::from_raw_parts(data.cast::<usize>(), 3 + 2 * sizes.len());
                        let allocated = words[0] as *mut c_void;
                        if freed.insert(allocated) {
                            owned.push(allocated);
                        }
                        (
                            words[3..3 + sizes.len()].to_vec(),
                            gathered(words, slot.element.bytes()),
                        )
                    }
                };
                results.extend(Array::new(slot.element, shape, bytes));
            }
        }
        for allocated in owned {
            // SAFETY: made by the program for its caller, and freed once.
            unsafe { free(allocated) };
        }
        results
    }
}

/// Places of slots in a record, and its bytes.
fn places(slots: &[Slot]) -> (Vec<usize>, usize) {
    let mut end = 0usize;
    let places = slots
        .iter()
        .map(|slot| {
            let (bytes, alignment) = slot.layout();
            let place = end.next_multiple_of(alignment);
            end = place + bytes;
            place
        })
        .collect();
    (places, end)
}

/// The descriptor of a row-major buffer.
fn descriptor(data: *mut u8, shape: &[usize]) -> Vec<u8> {
    let mut strides = vec![1usize; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = strides[dim] * shape[dim];
    }
    let head = [data as usize, data as usize, 0];
    let words = head.iter().chain(shape).chain(&strides);
    words.flat_map(|word| word.to_ne_bytes()).collect()
}

/// The elements of a buffer by its descriptor, row by row.
///
/// # Safety
/// The descriptor is that of a buffer that is alive.
unsafe fn gathered(descriptor: &[usize], width: usize) -> Vec<u8> {
    let rank = (descriptor.len() - 3) / 2;
    let (sizes, strides) = descriptor[3..].split_at(rank);
    let count: usize = sizes.iter().product();
    let mut bytes = Vec::with_capacity(count * width);
    for position in 0..count {
        let (mut rest, mut element) = (position, descriptor[2] as isize);
        for (size, stride) in sizes.iter().zip(strides).rev() {
            element += (rest % size) as isize * *stride as isize;
            rest /= size;
        }
        // SAFETY: an index within the sizes.
        unsafe {
            let address = (descriptor[1] as *const u8).offset(element * width as isize);
            bytes.extend_from_slice(std::slice::from_raw_parts(address, width));
        }
    }
    bytes
}
