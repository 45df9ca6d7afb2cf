// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Compiled programs, and runs of them: one engine, a thread for each rank.

use std::{
    ffi::c_void,
    time::{Duration, Instant},
};

#[cfg(feature = "mpi")]
use comm_runtime::{Element, Tensor};
use comm_runtime::{Error, Options, Rank, RankTrace, World};
use mel::{Context, ir::Module};
use mlir_sys::*;

use super::{Array, RunnerError, Signature, diagnostics::collect, frame::Frame, support};
use crate::mlir::{Op, string_ref};

/// A program that was compiled for this process. It may run any number of times.
pub struct Program {
    /// Holds the machine code of the entry.
    _engine: Engine,
    entry: unsafe extern "C" fn(*mut *mut c_void),
    signature: Signature,
}

struct Engine(MlirExecutionEngine);

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: made by `mlirExecutionEngineCreate`, and destroyed once.
        unsafe { mlirExecutionEngineDestroy(self.0) }
    }
}

/// What ranks are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Threads of this process.
    #[default]
    Threads,
    /// The processes of an MPI job, of which this one is one (feature `mpi`). Each of them compiles the program.
    Mpi,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Run {
    /// The rank of this process; 0 where all ranks are threads of it.
    pub rank: usize,
    /// Results of each rank.
    pub results: Vec<Vec<Array>>,
    /// What happened when, where the world's options ask for it.
    pub traces: Vec<RankTrace>,
    /// How long the slowest rank took.
    pub time: Duration,
}

/// Ops of a function up to which it is optimised. LLVM takes more than linear time for the straight line of thousands of
/// loops that a training step is: 40 s for what takes 9 s without, and ran no faster (2 layers, 8 ranks).
const OPTIMIZED_OPS: usize = 5_000;

/// LLVM's optimisation level for a module: 2, or 0 where a function is long.
fn level(module: Op) -> u32 {
    let functions = module.walk().into_iter().filter(|op| op.name() == "llvm.func");
    let longest = functions.map(|function| function.walk().len()).max();
    if longest.is_none_or(|ops| ops <= OPTIMIZED_OPS) {
        2
    } else {
        0
    }
}

impl Program {
    /// Compiles a module that is lowered to LLVM. Long functions are not optimised, since that would take longer than
    /// running them.
    ///
    /// # Errors
    /// Ops of another dialect are left, or LLVM refuses the module.
    pub fn compile(
        context: &Context,
        module: &Module<'_>,
        signature: Signature,
    ) -> Result<Self, RunnerError> {
        let root = Op::new(module.as_operation().to_raw());
        let mut rest: Vec<&str> = root
            .walk()
            .into_iter()
            .skip(1)
            .map(|op| op.name())
            .filter(|name| !name.starts_with("llvm."))
            .collect();
        rest.sort_unstable();
        rest.dedup();
        if !rest.is_empty() {
            return Err(RunnerError::NotLowered(rest.join(", ")));
        }
        // SAFETY: the module is alive; the engine takes a translation of it.
        let (raw, said) = collect(context, || unsafe {
            mlirExecutionEngineCreate(
                module.to_raw(),
                level(root) as i32,
                0,
                std::ptr::null(),
                false,
                false,
            )
        });
        if raw.ptr.is_null() {
            return Err(RunnerError::Engine(said.join("\n")));
        }
        let engine = Engine(raw);
        let runtime = comm_runtime::ffi::symbols().into_iter();
        let runtime = runtime.map(|(name, address)| (name, address.cast::<c_void>()));
        for (name, address) in runtime.chain(support::symbols()) {
            // SAFETY: the engine is alive, and so are functions of this process.
            unsafe { mlirExecutionEngineRegisterSymbol(engine.0, string_ref(name), address.cast_mut()) };
        }
        let name = format!("_mlir_ciface_{}", signature.entry);
        // SAFETY: the engine is alive.
        let address = unsafe { mlirExecutionEngineLookupPacked(engine.0, string_ref(&name)) };
        if address.is_null() {
            return Err(RunnerError::Engine(format!("no function '{name}' was compiled")));
        }
        Ok(Self {
            _engine: engine,
            // SAFETY: a packed function takes an array of pointers to arguments and results.
            entry: unsafe {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut *mut c_void)>(address)
            },
            signature,
        })
    }

    /// What it takes and returns.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Runs the program on as many ranks as there are lists of inputs.
    ///
    /// # Errors
    /// Inputs do not fit; or an op failed on a rank: the first such failure.
    pub fn run(&self, inputs: &[Vec<Array>], options: &Options) -> Result<Run, RunnerError> {
        self.signature.check(inputs)?;
        let entry = self.entry();
        let mut outcome = World::new(options.clone()).run(inputs.len(), |rank| entry.run(rank, inputs));
        let traces = std::mem::take(&mut outcome.traces);
        let ended = match outcome.all() {
            Ok(ended) => ended,
            Err(error) => {
                return Err(RunnerError::Fault {
                    error: Box::new(error),
                    traces,
                });
            }
        };
        let time = ended.iter().map(|(_, time)| *time).max().unwrap_or_default();
        Ok(Run {
            rank: 0,
            results: ended.into_iter().map(|(results, _)| results).collect(),
            traces,
            time,
        })
    }

    /// Runs the program as one rank of an MPI job of as many processes as there are lists of inputs; all of them call this.
    /// Each gets the results of all ranks; traces are with rank 0. The time is that of this rank.
    ///
    /// # Errors
    /// As of [`Program::run`]; and the job is another one, or MPI refuses.
    #[cfg(feature = "mpi")]
    pub fn run_mpi(&self, inputs: &[Vec<Array>], options: &Options) -> Result<Run, RunnerError> {
        self.signature.check(inputs)?;
        let entry = self.entry();
        let program = |rank: &Rank| {
            let (own, time) = entry.run(rank, inputs)?;
            Ok((rank.index(), gathered(rank, own)?, time))
        };
        let mut outcome = World::new(options.clone()).run_mpi(inputs.len(), program);
        let traces = std::mem::take(&mut outcome.traces);
        match outcome.all() {
            Ok(ended) => {
                let own = ended.into_iter().flatten().next();
                let (rank, results, time) =
                    own.unwrap_or_else(|| unreachable!("this process is one of the ranks"));
                Ok(Run {
                    rank,
                    results,
                    traces,
                    time,
                })
            }
            Err(error) => Err(RunnerError::Fault {
                error: Box::new(error),
                traces,
            }),
        }
    }

    fn entry(&self) -> Entry<'_> {
        Entry {
            function: self.entry,
            signature: &self.signature,
        }
    }
}

/// What the threads of ranks call.
#[derive(Clone, Copy)]
struct Entry<'a> {
    function: unsafe extern "C" fn(*mut *mut c_void),
    signature: &'a Signature,
}

impl Entry<'_> {
    /// Runs the program as one rank, and says how long that took.
    fn run(self, rank: &Rank, inputs: &[Vec<Array>]) -> Result<(Vec<Array>, Duration), Error> {
        let mut frame = Frame::new(self.signature, &inputs[rank.index()]);
        let begin = Instant::now();
        // SAFETY: the frame has what the signature says.
        unsafe { (self.function)(frame.arguments()) };
        let time = begin.elapsed();
        // SAFETY: the program has ended, with results that it owns.
        Ok((unsafe { frame.results() }, time))
    }
}

/// The results of all ranks, from each rank's own.
#[cfg(feature = "mpi")]
fn gathered(rank: &Rank, own: Vec<Array>) -> Result<Vec<Vec<Array>>, Error> {
    let ranks: Vec<usize> = (0..rank.ranks()).collect();
    let group = rank.group(&ranks)?;
    let stream = rank.stream("results")?;
    let mut all: Vec<Vec<Array>> = vec![Vec::new(); ranks.len()];
    for array in own {
        let bytes = array.bytes().len();
        let mut parts = vec![0u8; bytes * ranks.len()];
        if bytes > 0 {
            let input = Tensor::contiguous(array.bytes().as_ptr().cast_mut(), Element::U8, &[bytes]);
            let output = Tensor::contiguous(parts.as_mut_ptr(), Element::U8, &[parts.len()]);
            // SAFETY: both live until the stream has ended it, below.
            unsafe { rank.all_gather(stream, group, &[input], &[output], &[0], "the results".into())? };
            rank.synchronize(stream, "the results".into())?;
        }
        for (index, results) in all.iter_mut().enumerate() {
            let part = parts[index * bytes..(index + 1) * bytes].to_vec();
            results.extend(Array::new(array.element(), array.shape().to_vec(), part));
        }
    }
    Ok(all)
}
