// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Options of `convert-comm-to-stream`.

/// Where the stream `current` waits for a collective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    /// Where a buffer of the collective is next touched, at the latest at the end of the block.
    #[default]
    Needed,
    /// Where `comm.wait` stands, and right after a blocking collective: what the timing model assumes.
    Placed,
}

/// Options of `convert-comm-to-stream`.
#[derive(Clone, Debug, Default)]
pub struct ConvertToStreamOptions {
    /// Where `current` waits.
    pub waits: Waits,
    /// How long each op waits for other devices, in milliseconds; `None` for what the run-time is told.
    pub timeout_ms: Option<u32>,
}

/// The same as C++ hands them over (`dialect/Passes.h`).
#[repr(C)]
pub(crate) struct RawConvertToStreamOptions {
    pub(crate) waits: u32,
    pub(crate) timeout_ms: u32,
}

impl ConvertToStreamOptions {
    pub(crate) fn raw(&self) -> RawConvertToStreamOptions {
        RawConvertToStreamOptions {
            waits: self.waits as u32,
            timeout_ms: self.timeout_ms.unwrap_or(0),
        }
    }

    pub(crate) fn from_raw(raw: &RawConvertToStreamOptions) -> Self {
        Self {
            waits: if raw.waits == Waits::Placed as u32 {
                Waits::Placed
            } else {
                Waits::Needed
            },
            timeout_ms: (raw.timeout_ms != 0).then_some(raw.timeout_ms),
        }
    }
}
