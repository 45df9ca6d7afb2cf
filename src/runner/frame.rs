// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Arguments and results of one call of a compiled program, in memory.
//!
//! The program may write into the buffers of its arguments, which are copies. Buffers that it returns are its caller's to
//! free, unless they are those of an argument, or returned twice.
//!
//! A frame has to live until the streams of its rank have ended what was issued: a program that does not wait for them
//! returns before.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    collections::BTreeSet,
    ffi::c_void,
};

use super::{Array, RunnerError, Signature, signature::Slot};

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
    /// Nothing where there is no memory.
    fn zeroed(bytes: usize) -> Option<Self> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the size is not zero.
        let data = unsafe { alloc_zeroed(layout) };
        (!data.is_null()).then_some(Self { data, layout })
    }

    fn holding(bytes: &[u8]) -> Option<Self> {
        let memory = Self::zeroed(bytes.len())?;
        // SAFETY: as large as the source, and apart from it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.data, bytes.len()) };
        Some(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and dropped once.
        unsafe { dealloc(self.data, self.layout) };
    }
}

/// One call.
pub(super) struct Frame {
    /// Of each input, whether it is a buffer.
    is_buffer: Vec<bool>,
    outputs: Vec<Slot>,
    /// Elements of arguments, then their descriptors, and numbers.
    buffers: Vec<Memory>,
    descriptors: Vec<Memory>,
    /// All results, one after the other.
    record: Memory,
    /// Where each pointer that is passed lies.
    pointers: Vec<*mut c_void>,
    /// What the packed function gets: addresses of arguments, then of the result.
    arguments: Vec<*mut c_void>,
    /// The program has returned, with results.
    has_returned: bool,
}

// SAFETY: a frame owns what it points to.
unsafe impl Send for Frame {}

impl Frame {
    /// Of inputs of a rank that fit the signature.
    ///
    /// # Errors
    /// There is no memory for one of them.
    pub(super) fn new(signature: &Signature, rank: usize, inputs: &[Array]) -> Result<Self, RunnerError> {
        let refused = |what: String, bytes: usize| RunnerError::Memory {
            what,
            bytes: bytes as u128,
        };
        let record = places(&signature.outputs).1;
        let mut frame = Self {
            is_buffer: signature.inputs.iter().map(|slot| slot.sizes.is_some()).collect(),
            outputs: signature.outputs.clone(),
            buffers: Vec::with_capacity(inputs.len()),
            descriptors: Vec::with_capacity(inputs.len()),
            record: Memory::zeroed(record)
                .ok_or_else(|| refused(format!("the descriptors of the results of rank {rank}"), record))?,
            pointers: Vec::with_capacity(inputs.len() + 1),
            arguments: Vec::with_capacity(inputs.len() + 1),
            has_returned: false,
        };
        for (index, (input, slot)) in inputs.iter().zip(&signature.inputs).enumerate() {
            let refused = || {
                let what = format!("input {index} of rank {rank}, of type {}", input.describe());
                refused(what, input.bytes().len())
            };
            let buffer = Memory::holding(input.bytes()).ok_or_else(refused)?;
            if slot.sizes.is_some() {
                let descriptor = descriptor(buffer.data, input.shape());
                frame
                    .descriptors
                    .push(Memory::holding(&descriptor).ok_or_else(refused)?);
            }
            frame.buffers.push(buffer);
        }
        Ok(frame)
    }

    /// Calls the program.
    ///
    /// # Safety
    /// The function is that of the signature.
    pub(super) unsafe fn call(&mut self, function: unsafe extern "C" fn(*mut *mut c_void)) {
        // SAFETY: the frame has what the signature says.
        unsafe { function(self.arguments()) };
        self.has_returned = true;
    }

    /// Whether results stand in the record, a pointer to which comes first; else a number is returned, or nothing.
    fn has_record(&self) -> bool {
        match &self.outputs[..] {
            [] => false,
            [only] => only.sizes.is_some(),
            _ => true,
        }
    }

    /// What the packed function is called with. Valid while the frame lives.
    fn arguments(&mut self) -> *mut *mut c_void {
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
        for (is_buffer, buffer) in self.is_buffer.iter().zip(&self.buffers) {
            match is_buffer {
                true => self.arguments.extend(passed.next()),
                false => self.arguments.push(buffer.data.cast()),
            }
        }
        if !has_record && !self.outputs.is_empty() {
            self.arguments.push(self.record.data.cast());
        }
        self.arguments.as_mut_ptr()
    }

    /// Copies the results; none before the program has returned. O(bytes).
    ///
    /// # Errors
    /// There is no memory for one of them.
    pub(super) fn results(&self) -> Result<Vec<Array>, RunnerError> {
        let mut results = Vec::with_capacity(self.outputs.len());
        for (index, (slot, words)) in self.returned().into_iter().enumerate() {
            let width = slot.element.bytes();
            let (shape, bytes) = match &slot.sizes {
                // SAFETY: the place of a number holds all of it.
                None => (
                    Vec::new(),
                    Some(unsafe { std::slice::from_raw_parts(words.cast::<u8>(), width) }.to_vec()),
                ),
                Some(sizes) => {
                    // SAFETY: the place of a buffer holds its descriptor, and the buffer is alive.
                    let words = unsafe { std::slice::from_raw_parts(words, 3 + 2 * sizes.len()) };
                    // SAFETY: as above.
                    (words[3..3 + sizes.len()].to_vec(), unsafe {
                        gathered(words, width)
                    })
                }
            };
            let Some(bytes) = bytes else {
                let count = shape.iter().map(|&size| size as u128).product::<u128>();
                return Err(RunnerError::Memory {
                    what: format!("a copy of result {index}, of sizes {shape:?}"),
                    bytes: count * width as u128,
                });
            };
            results.extend(Array::new(slot.element, shape, bytes));
        }
        Ok(results)
    }

    /// Each result with its place in the record; none before the program has returned.
    fn returned(&self) -> Vec<(&Slot, *const usize)> {
        if !self.has_returned {
            return Vec::new();
        }
        let (places, _) = places(&self.outputs);
        let at = |place: usize| self.record.data.wrapping_add(place).cast_const().cast::<usize>();
        self.outputs.iter().zip(places.into_iter().map(at)).collect()
    }
}

impl Drop for Frame {
    /// Frees the buffers that the program has made for its results.
    fn drop(&mut self) {
        let mut freed: BTreeSet<*mut c_void> = self
            .buffers
            .iter()
            .map(|memory| memory.data.cast::<c_void>())
            .collect();
        for (_, place) in self.returned().iter().filter(|(slot, _)| slot.sizes.is_some()) {
            // SAFETY: a descriptor begins with what was allocated, which the program has made for its caller. It is freed
            // once.
            unsafe {
                let allocated = **place as *mut c_void;
                if freed.insert(allocated) {
                    free(allocated);
                }
            }
        }
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

/// The elements of a buffer by its descriptor, row by row; nothing where there is no memory for them.
///
/// # Safety
/// The descriptor is that of a buffer that is alive.
unsafe fn gathered(descriptor: &[usize], width: usize) -> Option<Vec<u8>> {
    let rank = (descriptor.len() - 3) / 2;
    let (sizes, strides) = descriptor[3..].split_at(rank);
    let count = sizes
        .iter()
        .try_fold(1usize, |count, &size| count.checked_mul(size))?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count.checked_mul(width)?).ok()?;
    // Elements of the last dimensions that follow each other are copied in one piece.
    let (mut piece, mut outer) = (1usize, rank);
    while outer > 0 && strides[outer - 1] == piece {
        piece *= sizes[outer - 1];
        outer -= 1;
    }
    if count == 0 {
        return Some(bytes);
    }
    for position in 0..count / piece {
        let (mut rest, mut element) = (position, descriptor[2] as isize);
        for (size, stride) in sizes[..outer].iter().zip(&strides[..outer]).rev() {
            element += (rest % size) as isize * *stride as isize;
            rest /= size;
        }
        // SAFETY: an index within the sizes.
        unsafe {
            let address = (descriptor[1] as *const u8).offset(element * width as isize);
            bytes.extend_from_slice(std::slice::from_raw_parts(address, piece * width));
        }
    }
    Some(bytes)
}
