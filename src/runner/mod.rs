// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Runs programs in this process: lowers them to machine code and lets each rank be a thread.
//!
//! ```
//! use comm_runtime::Options;
//! use melior::ir::Module;
//! use mlir_comm::runner::{Array, LowerOptions, Program, lower};
//!
//! let context = mlir_comm::context();
//! let mut module = Module::parse(&context, r#"
//!   func.func @main(%x: memref<2xf32>, %y: memref<4xf32>) {
//!     %here = comm_stream.current
//!     comm_stream.all_gather %x into %y dim 0 over [[0, 1]] on %here : memref<2xf32> into memref<4xf32>
//!     return
//!   }
//!   func.func @total(%x: memref<2xf32>) -> memref<2xf32> {
//!     %here = comm_stream.current
//!     %y = memref.alloc() : memref<2xf32>
//!     comm_stream.all_reduce sum %x into %y over [[0, 1]] on %here : memref<2xf32> into memref<2xf32>
//!     return %y : memref<2xf32>
//!   }"#).expect("the module parses");
//! let options = LowerOptions { entry: "total".to_owned(), ..Default::default() };
//! let signature = lower(&context, &mut module, &options, |_| {})?;
//! let program = Program::compile(&context, &module, signature)?;
//! let input = |numbers: &[f32]| vec![Array::from_f32(&[2], numbers).expect("two numbers")];
//! let run = program.run(&[input(&[1.0, 2.0]), input(&[10.0, 20.0])], &Options::default())?;
//! assert_eq!(run.results[1][0].get(1), 22.0);
//! # Ok::<(), mlir_comm::runner::RunnerError>(())
//! ```
//!
//! [`lower`] takes a program of any stage (StableHLO, `comm` on tensors, `comm_stream`, loops) to LLVM, [`Program`] compiles
//! and runs it, [`Difference`] compares results, [`read_npz`] and its like know numpy's files.
//!
//! What is not here: machines other than this one, and processes other than this one.

mod array;
mod command;
mod compare;
mod diagnostics;
mod files;
mod frame;
mod lower;
mod memory;
mod narrow_floats;
mod program;
mod random;
mod signature;
mod sites;
mod support;
mod watch;

pub use array::Array;
pub use command::{CommandError, Inputs, Outcome, Request, execute};
pub use compare::{Difference, Tolerance};
pub use files::{FileError, read_npy, read_npz, write_npz};
pub use lower::{LowerOptions, Progress, Stage, lower, split_passes};
pub use program::{Backend, Program, Run};
pub use random::random;
pub use signature::{Signature, Slot};

use std::{path::Path, time::Duration};

use comm_runtime::RankTrace;
use mel::{Context, ir::Module};
use mlir_sys::{MlirModule, mlirModuleCreateParse, mlirModuleCreateParseFromFile};
use thiserror::Error;

use crate::mlir::string_ref;

/// Why a program did not run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunnerError {
    /// The other backend.
    #[error("this program was built without MPI; build it with `--features mpi`")]
    NoMpi,
    /// The text of a program.
    #[error("{0}")]
    Parse(String),
    /// A step of the lowering.
    #[error("{name} failed:\n{diagnostics}")]
    Stage {
        /// Which.
        name: String,
        /// What its passes said.
        diagnostics: String,
    },
    /// A function that is not there.
    #[error("no function '{entry}' with a body; {functions}")]
    NoEntry {
        /// Its name.
        entry: String,
        /// Those that are there, in words.
        functions: String,
    },
    /// A function that would run and is declared only.
    #[error(
        "{}'{function}' has no body; expected a function of this module, or one that this process has loaded",
        prefix(place)
    )]
    NoBody {
        /// Its name.
        function: String,
        /// Where it is called, or declared; may be empty.
        place: String,
    },
    /// A buffer that computation on tensors would free, and the program frees itself.
    #[error(
        "{}'{op}' frees a buffer in a program that computes on tensors, whose buffers are freed when nothing uses them any \
         more; expected no such op (a buffer that is allocated here is freed too), or a program on buffers alone",
        prefix(place)
    )]
    Mixed {
        /// The op.
        op: String,
        /// Where; may be empty.
        place: String,
    },
    /// There is no memory.
    #[error("no memory for {what}: {bytes} bytes are asked for")]
    Memory {
        /// For what: a tensor, with its place.
        what: String,
        /// How large it is.
        bytes: u128,
    },
    /// Ranks of a group that do not run.
    #[error("{op}{place} is of a group with rank {rank}, and {ranks} ranks run, numbered from 0; expected at least {} of them", rank + 1)]
    TooFewRanks {
        /// The op.
        op: String,
        /// Where, as in ` at file.mlir:3:4`; may be empty.
        place: String,
        /// The highest rank that it names.
        rank: i64,
        /// How many run.
        ranks: usize,
    },
    /// A rank that runs an op and is in none of its groups.
    #[error(
        "{op}{place} is run by {ranks} ranks, and rank {rank} is in none of its groups {groups}; expected a group for each rank"
    )]
    NoGroup {
        /// The op.
        op: String,
        /// Where, as above.
        place: String,
        /// Its groups.
        groups: String,
        /// The first such rank.
        rank: usize,
        /// How many run.
        ranks: usize,
    },
    /// An emulated interconnect on which nothing arrives in time.
    #[error(
        "the link's latency of {latency:?} is not less than the timeout of {timeout:?}: no transfer would arrive in time"
    )]
    Latency {
        /// How long a transfer takes to begin.
        latency: Duration,
        /// How long an op waits.
        timeout: Duration,
    },
    /// An emulated interconnect on which an op takes too long.
    #[error(
        "{op}{place} moves at least {bytes} bytes, which takes {needed:?} on the link; expected less than the timeout of {timeout:?}"
    )]
    Bandwidth {
        /// The op.
        op: String,
        /// Where, as above.
        place: String,
        /// What reaches some rank, at least.
        bytes: u128,
        /// How long that takes.
        needed: Duration,
        /// How long an op waits.
        timeout: Duration,
    },
    /// A type that no array has.
    #[error(
        "{what} has type {ty}; expected a number, or a tensor or row-major memref of f64, f32, f16, bf16, index, or integers of \
         1, 8, 16, 32 or 64 bits"
    )]
    Type {
        /// Which argument or result.
        what: String,
        /// Its type.
        ty: String,
    },
    /// Too few or too many inputs.
    #[error("rank {rank} has {found} inputs; '{entry}' takes {expected}{types}")]
    InputCount {
        /// Of which rank.
        rank: usize,
        /// The function.
        entry: String,
        /// How many it takes.
        expected: usize,
        /// Of which types, in words.
        types: String,
        /// How many there are.
        found: usize,
    },
    /// An input of another type.
    #[error("input {index} of rank {rank} is {found}; expected {expected}")]
    Input {
        /// Which.
        index: usize,
        /// Of which rank.
        rank: usize,
        /// What the function takes.
        expected: String,
        /// What there is.
        found: String,
    },
    /// Ops that nothing has lowered.
    #[error("ops are left that LLVM does not have: {0}")]
    NotLowered(String),
    /// LLVM.
    #[error("cannot compile: {0}")]
    Engine(String),
    /// An op failed while the program ran.
    #[error("{}", located(error, places))]
    Fault {
        /// The first failure: rank, op, location.
        error: Box<comm_runtime::Error>,
        /// Ops that it may be of, where it does not say.
        places: Vec<String>,
        /// What happened until then, where traces were asked for.
        traces: Vec<RankTrace>,
    },
    /// After a failure ranks have gone on for too long. Their threads stay behind, with what they use.
    #[error(
        "{fault}; {} had not returned {waited:.1?} after that, and is given up",
        watch::Ranks(ranks)
    )]
    Abandoned {
        /// The failure.
        fault: Box<RunnerError>,
        /// Those ranks.
        ranks: Vec<usize>,
        /// How long they had.
        waited: Duration,
    },
}

/// A place before a message.
fn prefix(place: &str) -> String {
    match place.is_empty() {
        true => String::new(),
        false => format!("{place}: "),
    }
}

/// A failure, with the ops that it may be of where it names none.
fn located(error: &comm_runtime::Error, places: &[String]) -> String {
    match places.is_empty() {
        true => error.to_string(),
        false => format!(
            "rank {}: {}: {}",
            error.site().rank,
            places.join(", or "),
            error.fault()
        ),
    }
}

/// Parses the text of a program.
///
/// # Errors
/// The text is none; with MLIR's diagnostics.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, RunnerError> {
    // The lexer looks for a zero behind the text.
    let terminated = format!("{text}\0");
    parsed(context, || {
        // SAFETY: the text is alive during the call.
        unsafe { mlirModuleCreateParse(context.to_raw(), string_ref(&terminated[..text.len()])) }
    })
}

/// Reads a program, as text or bytecode, from a file; `-` is the input stream.
///
/// # Errors
/// There is no such file, or it holds no program; with MLIR's diagnostics.
pub fn read<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, RunnerError> {
    if path != Path::new("-")
        && let Err(error) = std::fs::File::open(path)
    {
        return Err(RunnerError::Parse(format!(
            "cannot read {}: {error}",
            path.display()
        )));
    }
    let name = path.to_string_lossy();
    parsed(context, || {
        // SAFETY: the name is alive during the call.
        unsafe { mlirModuleCreateParseFromFile(context.to_raw(), string_ref(&name)) }
    })
}

fn parsed<'c>(context: &'c Context, parse: impl FnOnce() -> MlirModule) -> Result<Module<'c>, RunnerError> {
    let (raw, said) = diagnostics::collect(context, parse);
    // SAFETY: null, or a module that nobody else owns.
    unsafe { Module::from_option_raw(raw) }.ok_or_else(|| RunnerError::Parse(diagnostics::text(&said)))
}
