// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Options of `comm-simplify`, for Rust and in the layout that C++ hands over.

use std::path::PathBuf;

use comm_algebra::Fp;
use mlir_sys::MlirStringRef;

use crate::{
    mlir::string_ref,
    passes::options::{memory_limit, owned, raw_limit},
};

/// What a rewrite may do to floating-point numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum FloatingPoint {
    /// Nothing: results are the same bit by bit.
    #[default]
    Exact,
    /// Add the same terms in another order.
    Reassociate,
    /// Also compute and send in another precision.
    Precision,
}

impl FloatingPoint {
    pub(super) fn class(self) -> Fp {
        match self {
            Self::Exact => Fp::Exact,
            Self::Reassociate => Fp::Reassociate,
            Self::Precision => Fp::Precision,
        }
    }
}

/// What becomes of values that are gathered several times, or used far apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Gathers {
    /// They are gathered as the program says.
    #[default]
    Keep,
    /// Each is kept or gathered again, as the step gets fastest within the memory limit.
    Choose,
}

/// Options of [`simplify`](crate::passes::simplify()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimplifyOptions {
    /// What rewrites may do to floating-point numbers.
    pub fp: FloatingPoint,
    /// The machine: the name of a preset, or the path of a TOML file.
    pub machine: String,
    /// A file of measured durations, by op name or location.
    pub profile: Option<PathBuf>,
    /// Most bytes live at once, arguments apart, up to which memory is no price; none: as many as before.
    pub memory_limit: Option<u64>,
    /// Whether gathers may be dropped for earlier ones, and issued again.
    pub gathers: Gathers,
    /// Nodes of an e-graph at most.
    pub nodes: u32,
    /// Alternatives of a piece that are timed, at most.
    pub alternatives: u32,
    /// A directory that the e-graphs are written to, as Graphviz files.
    pub egraphs: Option<PathBuf>,
}

impl Default for SimplifyOptions {
    fn default() -> Self {
        Self {
            fp: FloatingPoint::default(),
            machine: "h100-8".to_owned(),
            profile: None,
            memory_limit: None,
            gathers: Gathers::default(),
            nodes: 2_000,
            alternatives: 4,
            egraphs: None,
        }
    }
}

impl SimplifyOptions {
    /// Hands the options over in C++'s layout, which borrows from them.
    pub(crate) fn with_raw<T>(&self, receive: impl FnOnce(&RawSimplifyOptions) -> T) -> T {
        let text = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let (profile, egraphs) = (text(&self.profile), text(&self.egraphs));
        receive(&RawSimplifyOptions {
            machine: string_ref(&self.machine),
            profile: string_ref(profile.as_deref().unwrap_or_default()),
            egraphs: string_ref(egraphs.as_deref().unwrap_or_default()),
            memory_limit: raw_limit(self.memory_limit),
            fp: self.fp as u32,
            gathers: self.gathers as u32,
            nodes: self.nodes,
            alternatives: self.alternatives,
        })
    }

    /// Where the memory limit is negative and does not stand for none, gives it back.
    pub(crate) fn from_raw(raw: &RawSimplifyOptions) -> Result<Self, i64> {
        let memory_limit = memory_limit(raw.memory_limit)?;
        // SAFETY: C++ passes strings that are alive for the call.
        let [machine, profile, egraphs] =
            [&raw.machine, &raw.profile, &raw.egraphs].map(|text| unsafe { owned(text) });
        let path = |text: String| (!text.is_empty()).then(|| text.into());
        Ok(Self {
            fp: match raw.fp {
                1 => FloatingPoint::Reassociate,
                2 => FloatingPoint::Precision,
                _ => FloatingPoint::Exact,
            },
            machine,
            profile: path(profile),
            memory_limit,
            gathers: if raw.gathers == 1 {
                Gathers::Choose
            } else {
                Gathers::Keep
            },
            nodes: raw.nodes,
            alternatives: raw.alternatives,
            egraphs: path(egraphs),
        })
    }
}

/// `CommRsSimplifyOptions`.
#[repr(C)]
pub(crate) struct RawSimplifyOptions {
    machine: MlirStringRef,
    profile: MlirStringRef,
    egraphs: MlirStringRef,
    pub(crate) memory_limit: i64,
    fp: u32,
    gathers: u32,
    nodes: u32,
    alternatives: u32,
}
