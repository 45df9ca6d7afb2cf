// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Options of the passes, typed for users and as `dialect/Passes.h` lays them out.

use std::path::PathBuf;

use mlir_sys::MlirStringRef;

use crate::mlir::string_ref;

/// Options of [`import_stablehlo`](super::import_stablehlo).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportStablehloOptions {
    /// Take views of arguments out of optimization barriers and mark what is gathered from them `regather`.
    pub split_barriers: bool,
    /// Inline private functions that are called directly.
    pub inline: bool,
}

impl Default for ImportStablehloOptions {
    fn default() -> Self {
        Self {
            split_barriers: false,
            inline: true,
        }
    }
}

impl ImportStablehloOptions {
    pub(super) fn raw(&self) -> RawImportStablehloOptions {
        RawImportStablehloOptions {
            split_barriers: self.split_barriers,
            inline: self.inline,
        }
    }
}

/// Options of [`import_torch`](super::import_torch).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportTorchOptions {
    /// Who is in a process group, as `NAME=0.1.2.3/4.5.6.7`: groups separated by slashes, ranks by dots.
    pub groups: Vec<String>,
}

impl ImportTorchOptions {
    pub(super) fn from_raw(raw: &RawImportTorchOptions) -> Self {
        // SAFETY: C++ passes an array of this length, alive for the call.
        let groups = unsafe { raw_slice(raw.groups, raw.num_groups) };
        Self {
            // SAFETY: as above, for the bytes of each string.
            groups: groups.iter().map(|group| unsafe { owned(group) }).collect(),
        }
    }

    /// Hands the options over in C++'s layout, which borrows from them.
    pub(super) fn with_raw<T>(&self, receive: impl FnOnce(&RawImportTorchOptions) -> T) -> T {
        let groups: Vec<MlirStringRef> = self.groups.iter().map(|group| string_ref(group)).collect();
        receive(&RawImportTorchOptions {
            groups: groups.as_ptr(),
            num_groups: groups.len(),
        })
    }
}

/// A slice of an array that may be null where it is empty.
///
/// # Safety
///
/// `data` points to `length` items, alive for `'a`.
unsafe fn raw_slice<'a, T>(data: *const T, length: usize) -> &'a [T] {
    // SAFETY: by the caller's promise.
    if length == 0 {
        &[]
    } else {
        unsafe { std::slice::from_raw_parts(data, length) }
    }
}

/// A copy of a string of C++.
///
/// # Safety
///
/// The string is alive for the call.
pub(super) unsafe fn owned(text: &MlirStringRef) -> String {
    // SAFETY: by the caller's promise.
    String::from_utf8_lossy(unsafe { raw_slice(text.data.cast::<u8>(), text.length) }).into_owned()
}

/// A limit as C++ hands it over: -1 for none.
pub(super) fn raw_limit(limit: Option<u64>) -> i64 {
    limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}

/// The way back. Where the limit is negative and does not stand for none, gives it back.
pub(super) fn memory_limit(raw: i64) -> Result<Option<u64>, i64> {
    match raw {
        -1 => Ok(None),
        limit => u64::try_from(limit).map(Some).map_err(|_| limit),
    }
}

/// Where all-gathers start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum GatherPlacement {
    /// As late as the limit in flight allows.
    #[default]
    Late,
    /// As early as the limit in flight allows.
    First,
    /// Untouched.
    Keep,
}

/// Where reduce-scatters and all-reduces start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum ReductionPlacement {
    /// Right after their producer.
    #[default]
    Early,
    /// Untouched.
    Keep,
}

/// How topologically equal collectives are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum TieBreak {
    /// By least peak memory, found by equality saturation.
    #[default]
    EGraph,
    /// As in the source.
    Source,
}

/// Options of [`sort`](super::sort).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortOptions {
    /// Where all-gathers start.
    pub all_gather: GatherPlacement,
    /// Where reductions start.
    pub reduce_scatter: ReductionPlacement,
    /// Most all-gathers in flight on a communication stream; 0 is no limit.
    pub max_in_flight: u32,
    /// Most reductions in flight on a communication stream; 0 is no limit.
    pub max_in_flight_reductions: u32,
    /// How topologically equal collectives are ordered.
    pub ties: TieBreak,
    /// Check the new order against the dependence graph, which debug builds always do.
    pub verify: bool,
}

impl Default for SortOptions {
    fn default() -> Self {
        Self {
            all_gather: GatherPlacement::default(),
            reduce_scatter: ReductionPlacement::default(),
            max_in_flight: 3,
            max_in_flight_reductions: 3,
            ties: TieBreak::default(),
            verify: false,
        }
    }
}

impl SortOptions {
    pub(super) fn raw(&self) -> RawSortOptions {
        RawSortOptions {
            all_gather: self.all_gather as u32,
            reduce_scatter: self.reduce_scatter as u32,
            max_in_flight: self.max_in_flight,
            max_in_flight_reductions: self.max_in_flight_reductions,
            ties: self.ties as u32,
            verify: self.verify,
        }
    }

    pub(super) fn from_raw(raw: &RawSortOptions) -> Self {
        Self {
            all_gather: match raw.all_gather {
                1 => GatherPlacement::First,
                2 => GatherPlacement::Keep,
                _ => GatherPlacement::Late,
            },
            reduce_scatter: if raw.reduce_scatter == 1 {
                ReductionPlacement::Keep
            } else {
                ReductionPlacement::Early
            },
            max_in_flight: raw.max_in_flight,
            max_in_flight_reductions: raw.max_in_flight_reductions,
            ties: if raw.ties == 1 {
                TieBreak::Source
            } else {
                TieBreak::EGraph
            },
            verify: raw.verify,
        }
    }
}

/// What decides which collectives are sent as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum BucketMode {
    /// The step time by the timing model.
    #[default]
    Cost,
    /// A number of bytes.
    Bytes,
    /// Names of layers or blocks.
    Name,
}

/// What the names of buckets tell apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum BucketLevel {
    /// Blocks of layers: the name up to its first number.
    #[default]
    Block,
    /// Layers: the name without its last component.
    Layer,
}

/// Options of [`bucket`](super::bucket()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketOptions {
    /// What decides.
    pub mode: BucketMode,
    /// Bytes that a bucket is filled up to in mode `Bytes`.
    pub bytes: u64,
    /// What names tell apart in mode `Name`.
    pub level: BucketLevel,
    /// The machine: the name of a preset, or the path of a TOML file.
    pub machine: String,
    /// A file of measured durations, by op name or location.
    pub profile: Option<PathBuf>,
    /// Most bytes that a bucket yields; 0 is no limit.
    pub max_bytes: u64,
    /// Most bytes that a bucket and either neighbour yield together; 0 is no limit.
    pub max_live_bytes: u64,
    /// Most bytes live at once, arguments apart, in mode `Cost`; none is no limit.
    pub memory_limit: Option<u64>,
}

impl Default for BucketOptions {
    fn default() -> Self {
        Self {
            mode: BucketMode::default(),
            bytes: 25_000_000,
            level: BucketLevel::default(),
            machine: "h100-8".to_owned(),
            profile: None,
            max_bytes: 0,
            max_live_bytes: 0,
            memory_limit: None,
        }
    }
}

impl BucketOptions {
    /// Hands the options over in C++'s layout, which borrows from them.
    pub(super) fn with_raw<T>(&self, receive: impl FnOnce(&RawBucketOptions) -> T) -> T {
        let profile = self.profile.as_ref().map(|path| path.to_string_lossy());
        receive(&RawBucketOptions {
            machine: string_ref(&self.machine),
            profile: string_ref(profile.as_deref().unwrap_or_default()),
            bytes: self.bytes,
            max_bytes: self.max_bytes,
            max_live_bytes: self.max_live_bytes,
            memory_limit: raw_limit(self.memory_limit),
            mode: self.mode as u32,
            level: self.level as u32,
        })
    }

    /// Where the memory limit is negative and does not stand for none, gives it back.
    pub(super) fn from_raw(raw: &RawBucketOptions) -> Result<Self, i64> {
        let memory_limit = memory_limit(raw.memory_limit)?;
        // SAFETY: C++ passes strings that are alive for the call.
        let (machine, profile) = unsafe { (owned(&raw.machine), owned(&raw.profile)) };
        Ok(Self {
            mode: match raw.mode {
                1 => BucketMode::Bytes,
                2 => BucketMode::Name,
                _ => BucketMode::Cost,
            },
            bytes: raw.bytes,
            level: if raw.level == 1 {
                BucketLevel::Layer
            } else {
                BucketLevel::Block
            },
            machine,
            profile: (!profile.is_empty()).then(|| profile.into()),
            max_bytes: raw.max_bytes,
            max_live_bytes: raw.max_live_bytes,
            memory_limit,
        })
    }
}

/// How much work the search for a schedule does. The work is counted in steps, so that the result does not depend on the
/// computer it is made on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Effort {
    /// List orders alone; near-linear in the number of ops.
    Fast,
    /// List orders, then local search; the exact method on small blocks.
    #[default]
    Default,
    /// As `Default` with far more steps.
    Exact,
}

/// Options of [`schedule`](super::schedule).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleOptions {
    /// The machine: the name of a preset, or the path of a TOML file.
    pub machine: String,
    /// How much work the search does.
    pub effort: Effort,
    /// Most bytes live at once, arguments apart; none is no limit. Zero is a limit like any other.
    pub memory_limit: Option<u64>,
    /// Most collectives in flight on a communication stream; 0 is no limit.
    pub max_in_flight: u32,
    /// Most bytes that the collectives in flight yield, all streams together; 0 is no limit.
    pub max_in_flight_bytes: u64,
    /// A file of measured durations, by op name or location.
    pub profile: Option<PathBuf>,
    /// Check the new order against the dependence graph, which debug builds always do.
    pub verify: bool,
}

impl Default for ScheduleOptions {
    fn default() -> Self {
        Self {
            machine: "h100-8".to_owned(),
            effort: Effort::default(),
            memory_limit: None,
            max_in_flight: 0,
            max_in_flight_bytes: 0,
            profile: None,
            verify: false,
        }
    }
}

impl ScheduleOptions {
    /// Hands the options over in C++'s layout, which borrows from them.
    pub(super) fn with_raw<T>(&self, receive: impl FnOnce(&RawScheduleOptions) -> T) -> T {
        let profile = self.profile.as_ref().map(|path| path.to_string_lossy());
        receive(&RawScheduleOptions {
            machine: string_ref(&self.machine),
            profile: string_ref(profile.as_deref().unwrap_or_default()),
            memory_limit: raw_limit(self.memory_limit),
            max_in_flight_bytes: self.max_in_flight_bytes,
            max_in_flight: self.max_in_flight,
            effort: self.effort as u32,
            verify: self.verify,
        })
    }

    /// Where the memory limit is negative and does not stand for none, gives it back.
    pub(super) fn from_raw(raw: &RawScheduleOptions) -> Result<Self, i64> {
        let memory_limit = memory_limit(raw.memory_limit)?;
        // SAFETY: C++ passes strings that are alive for the call.
        let (machine, profile) = unsafe { (owned(&raw.machine), owned(&raw.profile)) };
        Ok(Self {
            machine,
            effort: match raw.effort {
                0 => Effort::Fast,
                2 => Effort::Exact,
                _ => Effort::Default,
            },
            memory_limit,
            max_in_flight: raw.max_in_flight,
            max_in_flight_bytes: raw.max_in_flight_bytes,
            profile: (!profile.is_empty()).then(|| profile.into()),
            verify: raw.verify,
        })
    }
}

/// What [`verify_schedule`](super::verify_schedule) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum VerifyMode {
    /// Number the ops of every block.
    Record,
    /// Compare the order with the numbers and remove them.
    Check,
}

/// Options of [`verify_stream`](super::verify_stream).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyStreamOptions {
    /// Most ops and accesses that are followed, on all ranks together.
    pub max_events: u64,
    /// Warn of what cannot be followed, which may be right, instead of refusing it.
    pub warn_unproved: bool,
}

impl Default for VerifyStreamOptions {
    fn default() -> Self {
        Self {
            max_events: 4_000_000,
            warn_unproved: false,
        }
    }
}

/// `CommRsImportStablehloOptions`.
#[repr(C)]
pub(crate) struct RawImportStablehloOptions {
    pub(super) split_barriers: bool,
    pub(super) inline: bool,
}

/// `CommRsImportTorchOptions`.
#[repr(C)]
pub(crate) struct RawImportTorchOptions {
    pub(super) groups: *const MlirStringRef,
    pub(super) num_groups: usize,
}

/// `CommRsSortOptions`.
#[repr(C)]
pub(crate) struct RawSortOptions {
    pub(super) all_gather: u32,
    pub(super) reduce_scatter: u32,
    pub(super) max_in_flight: u32,
    pub(super) max_in_flight_reductions: u32,
    pub(super) ties: u32,
    pub(super) verify: bool,
}

/// `CommRsBucketOptions`.
#[repr(C)]
pub(crate) struct RawBucketOptions {
    pub(super) machine: MlirStringRef,
    pub(super) profile: MlirStringRef,
    pub(super) bytes: u64,
    pub(super) max_bytes: u64,
    pub(super) max_live_bytes: u64,
    pub(super) memory_limit: i64,
    pub(super) mode: u32,
    pub(super) level: u32,
}

/// `CommRsScheduleOptions`.
#[repr(C)]
pub(crate) struct RawScheduleOptions {
    pub(super) machine: MlirStringRef,
    pub(super) profile: MlirStringRef,
    pub(super) memory_limit: i64,
    pub(super) max_in_flight_bytes: u64,
    pub(super) max_in_flight: u32,
    pub(super) effort: u32,
    pub(super) verify: bool,
}

/// `CommRsStreamToRuntimeOptions`.
#[repr(C)]
pub(crate) struct RawStreamToRuntimeOptions {
    pub(super) trace: bool,
}

/// `CommRsVerifyScheduleOptions`.
#[repr(C)]
pub(crate) struct RawVerifyScheduleOptions {
    pub(super) mode: u32,
}

/// `CommRsVerifyStreamOptions`.
#[repr(C)]
pub(crate) struct RawVerifyStreamOptions {
    pub(super) max_events: u64,
    pub(super) warn_unproved: bool,
}
