// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Texts that C reads.

use std::ffi::c_char;

/// Writes as much of a text as fits, with a zero at the end, and returns the bytes that all of it needs, with the
/// zero.
pub(super) unsafe fn give(text: &str, buffer: *mut c_char, capacity: usize) -> usize {
    let needed = text.len() + 1;
    if !buffer.is_null() && capacity > 0 {
        let mut count = text.len().min(capacity - 1);
        while !text.is_char_boundary(count) {
            count -= 1;
        }
        // SAFETY: `count < capacity`, which the caller says the buffer has.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), count);
            *buffer.add(count) = 0;
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters() {
        let mut buffer = [1; 8];
        for (capacity, expected) in [(8, "a→bc"), (6, "a→b"), (4, "a"), (2, "a"), (1, "")] {
            // SAFETY: the buffer has as many bytes and more.
            let needed = unsafe { give("a→bc", buffer.as_mut_ptr(), capacity) };
            assert_eq!(needed, 7);
            // SAFETY: `give` has written a zero.
            let text = unsafe { std::ffi::CStr::from_ptr(buffer.as_ptr()) };
            assert_eq!(text.to_str(), Ok(expected));
        }
        // SAFETY: nothing is written.
        assert_eq!(unsafe { give("", std::ptr::null_mut(), 5) }, 1);
    }
}
