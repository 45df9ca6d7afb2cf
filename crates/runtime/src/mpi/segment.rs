// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Memory that processes of one machine share: files without a name (`memfd_create`), which the others open through the
//! file system `proc`.
//!
//! Invariant: the kernel frees a segment when the last process that maps it unmaps it or ends, however it ends. No name
//! is left behind in any file system, not even by a process that was killed.

use std::{
    fs::{File, OpenOptions},
    io,
    ops::Deref,
    os::fd::{AsRawFd, FromRawFd},
    process,
    ptr::null_mut,
    sync::atomic::AtomicU64,
};

/// A mapping of this process.
#[derive(Debug)]
pub(super) struct Segment {
    data: *mut u8,
    bytes: usize,
}

// SAFETY: a segment is an address range that it owns; who reads and writes it is the users' affair.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped by `map`, and unmapped once.
        unsafe { libc::munmap(self.data.cast(), self.bytes) };
    }
}

/// A new segment, and where other processes find it for as long as the file is open.
pub(super) struct Made {
    pub(super) segment: Segment,
    pub(super) path: String,
    pub(super) file: File,
}

impl Segment {
    /// Makes one, zeroed.
    pub(super) fn make(bytes: usize) -> io::Result<Made> {
        if bytes as u64 > memory() {
            // The kernel would accept it, and end the process that touches one page too many.
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        // SAFETY: a text, and flags.
        let number = unsafe { libc::memfd_create(c"comm_rt".as_ptr(), libc::MFD_CLOEXEC) };
        if number < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a file that was just made, and that nobody else has.
        let file = unsafe { File::from_raw_fd(number) };
        let bytes = bytes.max(1);
        file.set_len(bytes as u64)?;
        Ok(Made {
            segment: Self::map(&file, bytes)?,
            path: format!("/proc/{}/fd/{}", process::id(), file.as_raw_fd()),
            file,
        })
    }

    /// Maps what another process made.
    pub(super) fn open(path: &str, bytes: usize) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        Self::map(&file, bytes.max(1))
    }

    fn map(file: &File, bytes: usize) -> io::Result<Self> {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
        // SAFETY: a new mapping anywhere.
        let data = unsafe { libc::mmap(null_mut(), bytes, access, flags, file.as_raw_fd(), 0) };
        if data == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let data = data.cast();
        Ok(Self { data, bytes })
    }

    pub(super) fn data(&self) -> *mut u8 {
        self.data
    }

    /// Whether an address is in it.
    pub(super) fn has(&self, address: *mut u8) -> bool {
        (self.data.addr()..self.data.addr() + self.bytes).contains(&address.addr())
    }
}

/// A segment of counters.
#[derive(Debug)]
pub(super) struct Counters(pub(super) Segment);

impl Deref for Counters {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        let count = self.0.bytes / size_of::<AtomicU64>();
        // SAFETY: mapped at a page, so aligned; zeroed at first, and any bits are a number.
        unsafe { std::slice::from_raw_parts(self.0.data.cast(), count) }
    }
}

/// What must be the same for two processes to find each other's segments: the running system, the space of process
/// numbers, and the user.
pub(super) fn node() -> String {
    let system = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let processes = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    // SAFETY: has no preconditions.
    let user = unsafe { libc::geteuid() };
    format!("{} {} {user}", system.trim(), processes.display())
}

/// Bytes of memory that the machine has.
fn memory() -> u64 {
    // SAFETY: of integers, for which zeros are valid.
    let mut info: libc::sysinfo = unsafe { std::mem::zeroed() };
    // SAFETY: a place for the result.
    unsafe { libc::sysinfo(&mut info) };
    info.totalram.saturating_mul(u64::from(info.mem_unit))
}

/// Nanoseconds of the monotonic clock, which all processes of a machine see alike.
pub(super) fn clock() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for the result. This clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_are_one_memory() {
        let made = Segment::make(16).unwrap();
        let other = Segment::open(&made.path, 16).unwrap();
        drop(made.file);
        assert!(other.has(other.data().wrapping_add(15)) && !other.has(made.segment.data()));
        let (a, b) = (Counters(made.segment), Counters(other));
        a[1].store(7, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(b[1].load(std::sync::atomic::Ordering::Relaxed), 7);
        assert_eq!(b.len(), 2);
    }

    #[test]
    fn memory_that_is_not_to_be_had_is_an_error() {
        assert!(Segment::make(isize::MAX as usize - 4096).is_err());
        assert!(Segment::open("/proc/self/fd/99999", 1).is_err());
    }
}
