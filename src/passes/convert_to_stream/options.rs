// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Options of `convert-comm-to-stream`.

use mlir_sys::MlirStringRef;

use crate::mlir::{from_string_ref, string_ref};

/// Where the stream `current` waits for a collective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    /// Where a buffer of the collective is next touched, at the latest at the end of the block.
    #[default]
    Needed,
    /// Where `comm.wait` stands, and right after a blocking collective: what the timing model assumes.
    Placed,
}

/// How a fused op (`comm.all_gather_matmul`, `comm.matmul_reduce_scatter`) is put on streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The one with the least modelled time.
    #[default]
    Auto,
    /// Two streams and barriers; a gather offers its shard before it computes.
    TwoStream,
    /// Two streams and barriers; a gather offers its shard while it computes.
    TwoStreamEager,
    /// A stream for copies, and signals between two devices at a time.
    Signal,
}

impl Schedule {
    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::TwoStream => "two-stream",
            Self::TwoStreamEager => "two-stream-eager",
            Self::Signal => "signal",
        }
    }
}

/// In which order a device takes the chunks of its peers, where the op leaves that open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeerOrder {
    /// From the position behind its own on.
    #[default]
    Ascending,
    /// From the position before its own down.
    Descending,
}

/// Options of `convert-comm-to-stream`.
#[derive(Clone, Debug)]
pub struct ConvertToStreamOptions {
    /// Where `current` waits.
    pub waits: Waits,
    /// How long each op waits for other devices, in milliseconds; `None` for what the run-time is told.
    pub timeout_ms: Option<u32>,
    /// How fused ops are put on streams.
    pub schedule: Schedule,
    /// Landing chunks and slots of fused ops with the schedule `signal`; `None` for 2.
    pub depth: Option<u32>,
    /// Into how many parts the chunk of a peer is cut, at most; `None` for what the timing model finds best of 1, 2 and 4.
    pub sub_chunks: Option<u32>,
    /// Order of peers.
    pub order: PeerOrder,
    /// Preset or file of the machine model by which schedules are compared.
    pub machine: String,
}

impl Default for ConvertToStreamOptions {
    fn default() -> Self {
        Self {
            waits: Waits::default(),
            timeout_ms: None,
            schedule: Schedule::default(),
            depth: None,
            sub_chunks: None,
            order: PeerOrder::default(),
            machine: "h100-8".to_owned(),
        }
    }
}

/// The same as C++ hands them over (`dialect/Passes.h`).
#[repr(C)]
pub(crate) struct RawConvertToStreamOptions {
    pub(crate) machine: MlirStringRef,
    pub(crate) waits: u32,
    pub(crate) timeout_ms: u32,
    pub(crate) schedule: u32,
    pub(crate) depth: u32,
    pub(crate) sub_chunks: u32,
    pub(crate) order: u32,
}

impl ConvertToStreamOptions {
    /// Valid while the options are.
    pub(crate) fn raw(&self) -> RawConvertToStreamOptions {
        RawConvertToStreamOptions {
            machine: string_ref(&self.machine),
            waits: self.waits as u32,
            timeout_ms: self.timeout_ms.unwrap_or(0),
            schedule: self.schedule as u32,
            depth: self.depth.unwrap_or(0),
            sub_chunks: self.sub_chunks.unwrap_or(0),
            order: self.order as u32,
        }
    }

    pub(crate) fn from_raw(raw: &RawConvertToStreamOptions) -> Self {
        let given = |number: u32| (number != 0).then_some(number);
        let schedules = [
            Schedule::Auto,
            Schedule::TwoStream,
            Schedule::TwoStreamEager,
            Schedule::Signal,
        ];
        Self {
            waits: if raw.waits == Waits::Placed as u32 {
                Waits::Placed
            } else {
                Waits::Needed
            },
            timeout_ms: given(raw.timeout_ms),
            schedule: schedules.get(raw.schedule as usize).copied().unwrap_or_default(),
            depth: given(raw.depth),
            sub_chunks: given(raw.sub_chunks),
            order: if raw.order == PeerOrder::Descending as u32 {
                PeerOrder::Descending
            } else {
                PeerOrder::Ascending
            },
            // SAFETY: the string is alive while the pass runs, and is copied.
            machine: unsafe { from_string_ref(raw.machine) }.to_owned(),
        }
    }
}
