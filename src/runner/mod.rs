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
mod narrow_floats;
mod program;
mod random;
mod signature;
mod support;

pub use array::Array;
pub use command::{CommandError, Inputs, Outcome, Request, execute};
pub use compare::{Difference, Tolerance};
pub use files::{FileError, read_npy, read_npz, write_npz};
pub use lower::{LowerOptions, Stage, lower, split_passes};
pub use program::{Backend, Program, Run};
pub use random::random;
pub use signature::{Signature, Slot};

use std::path::Path;

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
    #[error("no function '{entry}' with a body; there are: {functions}")]
    NoEntry {
        /// Its name.
        entry: String,
        /// Those that are there.
        functions: String,
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
    #[error("rank {rank} has {found} inputs; '{entry}' takes {expected}")]
    InputCount {
        /// Of which rank.
        rank: usize,
        /// The function.
        entry: String,
        /// How many it takes.
        expected: usize,
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
    #[error("{error}")]
    Fault {
        /// The first failure: rank, op, location.
        error: Box<comm_runtime::Error>,
        /// What happened until then, where traces were asked for.
        traces: Vec<RankTrace>,
    },
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
    unsafe { Module::from_option_raw(raw) }.ok_or_else(|| RunnerError::Parse(said.join("\n")))
}
