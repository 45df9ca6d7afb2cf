// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Options of a world.

use std::time::Duration;

/// Emulated interconnect: transfers between ranks take time, and no processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Time from the beginning of a transfer to its first byte.
    pub latency: Duration,
    /// Bytes per second; infinite or not positive means that size costs nothing.
    pub bandwidth: f64,
}

/// Options of a [`World`](crate::World).
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How long an op waits for other ranks, unless it says otherwise.
    pub timeout: Duration,
    /// Emulated interconnect; none by default.
    pub link: Option<Link>,
    /// Whether ops are recorded. Default: not.
    pub trace: bool,
    /// Whether members of a collective must have issued it from the same source location. Default: not, since the
    /// arms of a divergent branch may issue equal sequences of collectives.
    pub same_location: bool,
    /// Bytes of stack of each rank's own thread.
    pub stack_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            link: None,
            trace: false,
            same_location: false,
            stack_bytes: 8 << 20,
        }
    }
}
