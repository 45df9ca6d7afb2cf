// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Compiled programs, and runs of them: one engine, a thread for each rank.

use std::{
    ffi::{CString, c_void},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::{Duration, Instant},
};

#[cfg(feature = "mpi")]
use comm_runtime::{Element, Rank, Tensor};
use comm_runtime::{Error, Fault, Options, RankTrace, Site, World};
use mel::{Context, ir::Module};
use mlir_sys::*;

use super::{
    Array, RunnerError, Signature,
    diagnostics::{collect, text},
    frame::Frame,
    support,
    watch::{INTERVAL, Stuck, Watch},
};
use crate::mlir::{Attr, Op, location_text, string_ref};

/// A program that was compiled for this process. It may run any number of times.
pub struct Program {
    code: Arc<Code>,
    signature: Signature,
}

/// Machine code, which lives as long as a thread may be in it.
struct Code {
    _engine: Engine,
    entry: unsafe extern "C" fn(*mut *mut c_void),
}

struct Engine(MlirExecutionEngine);

// SAFETY: nothing but its end is asked of an engine once it has compiled.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

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
        let runtime = comm_runtime::ffi::symbols().into_iter();
        let runtime = runtime.map(|(name, address)| (name, address.cast::<c_void>()));
        let symbols: Vec<(&str, *const c_void)> = runtime.chain(support::symbols()).collect();
        defined(root, &symbols)?;
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
            return Err(RunnerError::Engine(text(&said)));
        }
        let engine = Engine(raw);
        for (name, address) in symbols {
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
            code: Arc::new(Code {
                _engine: engine,
                // SAFETY: a packed function takes an array of pointers to arguments and results.
                entry: unsafe {
                    std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut *mut c_void)>(address)
                },
            }),
            signature,
        })
    }

    /// What it takes and returns.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Runs the program on as many ranks as there are lists of inputs.
    ///
    /// A rank that computes on 5 s after a failure elsewhere (less where the timeout of ops is less: 1 s at least), and one
    /// whose program asks for memory that is not there, cannot be ended. The error is returned all the same; threads of the
    /// run, with the memory that they use, stay behind.
    ///
    /// # Errors
    /// Inputs do not fit; the program speaks of other ranks; there is no memory; or an op failed on a rank: the first such
    /// failure.
    pub fn run(&self, inputs: &[Vec<Array>], options: &Options) -> Result<Run, RunnerError> {
        self.check(inputs, options)?;
        // Each rank takes its own.
        let frame = |(rank, inputs): (usize, &Vec<Array>)| {
            Frame::new(&self.signature, rank, inputs).map(|frame| Mutex::new(Some(frame)))
        };
        let frames: Vec<Mutex<Option<Frame>>> =
            inputs.iter().enumerate().map(frame).collect::<Result<_, _>>()?;
        let watch = Arc::new(Watch::new(options.timeout));
        let (sender, receiver) = channel();
        let run = {
            let (code, watch, world) = (self.code.clone(), watch.clone(), World::new(options.clone()));
            move || {
                let outcome = world.run(frames.len(), |rank| {
                    let own = frames[rank.index()]
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .take();
                    let frame = own.unwrap_or_else(|| unreachable!("each rank runs once"));
                    Ok(watch.during(rank, || code.run(frame)))
                });
                // Nobody waits for a run that was abandoned.
                let _ = sender.send(outcome);
            }
        };
        let started = thread::Builder::new().name("world".to_owned()).spawn(run);
        let started =
            started.map_err(|error| RunnerError::Engine(format!("no thread for the run: {error}")))?;
        let mut outcome = loop {
            match receiver.recv_timeout(INTERVAL) {
                Ok(outcome) => break outcome,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(stuck) = watch.look() {
                        return Err(self.stuck(stuck));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let fault = Fault::Panic("the run ended without a result".to_owned());
                    return Err(self.fault(Error::new(Site::new(0, "program", ""), fault), Vec::new()));
                }
            }
        };
        // It still lets go of the machine code, which is not to happen while the process ends.
        drop(started.join());
        let traces = std::mem::take(&mut outcome.traces);
        let ended = match outcome.all() {
            Ok(ended) => ended,
            Err(error) => return Err(self.fault(error, traces)),
        };
        let time = ended.iter().map(|(_, time)| *time).max().unwrap_or_default();
        let results: Result<Vec<Vec<Array>>, RunnerError> =
            ended.iter().map(|(frame, _)| frame.results()).collect();
        Ok(Run {
            rank: 0,
            results: results?,
            traces,
            time,
        })
    }

    /// Runs the program as one rank of an MPI job of as many processes as there are lists of inputs; all of them call this.
    /// Each gets the results of all ranks; traces are with rank 0. The time is that of this rank.
    ///
    /// Where [`Program::run`] would leave threads behind, this prints the error and ends the process, and so the job.
    ///
    /// # Errors
    /// As of [`Program::run`]; and the job is another one, or MPI refuses.
    #[cfg(feature = "mpi")]
    pub fn run_mpi(&self, inputs: &[Vec<Array>], options: &Options) -> Result<Run, RunnerError> {
        self.check(inputs, options)?;
        let watch = Watch::new(options.timeout);
        let program = |rank: &Rank| {
            watch.during(rank, || {
                let fail = |error: RunnerError| rank.fail(&error.to_string(), "");
                let inputs = &inputs[rank.index()];
                let frame = Frame::new(&self.signature, rank.index(), inputs).map_err(fail)?;
                let (frame, time) = self.code.run(frame);
                let own = frame.results().map_err(fail)?;
                // The frame goes along, since streams may be at work.
                Ok((rank.index(), gathered(rank, own)?, time, frame))
            })
        };
        let (sender, receiver) = channel::<()>();
        let mut outcome = thread::scope(|scope| {
            let (compiled, watch) = (self, &watch);
            scope.spawn(move || {
                while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(INTERVAL) {
                    if let Some(stuck) = watch.look() {
                        eprintln!("{}", compiled.stuck(stuck));
                        std::process::exit(1);
                    }
                }
            });
            let outcome = World::new(options.clone()).run_mpi(inputs.len(), program);
            drop(sender);
            outcome
        });
        let traces = std::mem::take(&mut outcome.traces);
        match outcome.all() {
            Ok(ended) => {
                let own = ended.into_iter().flatten().next();
                let (rank, results, time, _) =
                    own.unwrap_or_else(|| unreachable!("this process is one of the ranks"));
                Ok(Run {
                    rank,
                    results,
                    traces,
                    time,
                })
            }
            Err(error) => Err(self.fault(error, traces)),
        }
    }

    fn check(&self, inputs: &[Vec<Array>], options: &Options) -> Result<(), RunnerError> {
        self.signature.check(inputs)?;
        self.signature.sites.check(inputs.len(), options)
    }

    fn fault(&self, error: Error, traces: Vec<RankTrace>) -> RunnerError {
        RunnerError::Fault {
            places: self.signature.sites.named(&error),
            error: Box::new(error),
            traces,
        }
    }

    fn stuck(&self, stuck: Stuck) -> RunnerError {
        match stuck {
            Stuck::Memory(bytes) => RunnerError::Memory {
                what: self.signature.sites.allocation(bytes),
                bytes: bytes as u128,
            },
            Stuck::Failed { error, ranks, waited } => RunnerError::Abandoned {
                fault: Box::new(self.fault(error, Vec::new())),
                ranks,
                waited,
            },
        }
    }
}

impl Code {
    /// Runs the program as one rank, and says how long that took.
    fn run(&self, mut frame: Frame) -> (Frame, Duration) {
        let begin = Instant::now();
        // SAFETY: the frame is of the signature with which the program was compiled.
        unsafe { frame.call(self.entry) };
        (frame, begin.elapsed())
    }
}

/// Refuses calls of functions that are nowhere: neither in the module nor among `symbols` nor in this process.
fn defined(root: Op, symbols: &[(&str, *const c_void)]) -> Result<(), RunnerError> {
    for function in root.walk().into_iter().filter(|op| op.name() == "llvm.func") {
        let is_declared = function.blocks().next().is_none();
        let Some(name) = function.symbol_name().filter(|_| is_declared) else {
            continue;
        };
        let is_known = name.starts_with("llvm.")
            || symbols.iter().any(|(known, _)| *known == name)
            || CString::new(name.as_str()).is_ok_and(|name| support::is_loaded(&name));
        if is_known {
            continue;
        }
        let calls = |op: &Op| op.attr("callee").and_then(Attr::as_symbol) == Some(name.as_str());
        if let Some(call) = root.walk().into_iter().find(calls) {
            return Err(RunnerError::NoBody {
                function: name,
                place: location_text(call),
            });
        }
    }
    Ok(())
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
