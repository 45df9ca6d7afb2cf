// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Runs a program on so many ranks, which are threads of this process.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use clap::{
    Parser, ValueEnum,
    builder::{NonEmptyStringValueParser, RangedU64ValueParser},
};
use comm_runtime::{Link, Options};
use indicatif::ProgressBar;
use mlir_comm::runner::{
    self, Backend, Inputs, LowerOptions, Progress, Request, Stage, Tolerance, split_passes,
};

/// Lowers a program to machine code, runs it on several ranks at once, and compares its results.
#[derive(Parser)]
#[command(name = "comm-runner", version)]
struct Arguments {
    /// MLIR, as text or bytecode, at any stage from StableHLO to loops; `-` is the input stream.
    program: PathBuf,
    /// How many ranks run it.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    ranks: usize,
    /// What ranks are; with `mpi` start it by `mpirun -n N`, built with the feature `mpi`.
    #[arg(long, value_name = "BACKEND", value_enum, default_value_t = Ranks::Threads)]
    backend: Ranks,
    /// The function to run.
    #[arg(long, value_name = "NAME", default_value = "main", value_parser = NonEmptyStringValueParser::new())]
    entry: String,
    /// An archive of inputs: `in0_r1` is input 0 of rank 1, `in0` that of all other ranks.
    #[arg(long, value_name = "FILE.npz", conflicts_with = "input")]
    inputs: Option<PathBuf>,
    /// The next input, the same on all ranks. May be given several times.
    #[arg(long, value_name = "FILE.npy")]
    input: Vec<PathBuf>,
    /// Where made-up inputs begin; they are made up where none are given.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Write the results: `out0_r1` is result 0 of rank 1.
    #[arg(long, value_name = "FILE.npz")]
    results: Option<PathBuf>,
    /// Show the first elements of each result.
    #[arg(long)]
    print: bool,
    /// Passes to run before the program is lowered, of functions or modules, with commas in between.
    #[arg(long, value_name = "PASSES", conflicts_with = "pass_pipeline", value_parser = passes)]
    passes: Option<Passes>,
    /// A pipeline to run before the program is lowered: `builtin.module(...)`.
    #[arg(long, value_name = "PIPELINE", value_parser = NonEmptyStringValueParser::new())]
    pass_pipeline: Option<String>,
    /// Options of `convert-comm-to-stream`, as 'waits=placed schedule=signal'.
    #[arg(long, value_name = "OPTIONS", default_value = "")]
    streams: String,
    /// Do not prove that conflicting accesses are ordered; for programs that `comm-verify-stream` cannot follow.
    #[arg(long)]
    no_verify: bool,
    /// Run another program on the same inputs, without the passes, and compare.
    #[arg(long, value_name = "OTHER.mlir")]
    check: Option<PathBuf>,
    /// Compare with results of an archive.
    #[arg(long, value_name = "FILE.npz")]
    expect: Option<PathBuf>,
    /// How much results may differ, relative to those expected. Without this and the next, not by a bit.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = tolerance)]
    rtol: f64,
    /// How much results may differ, absolutely.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = tolerance)]
    atol: f64,
    /// Write what happened when; Perfetto and `comm-timeline --measured` read it.
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
    /// Emulated interconnect: how long a transfer takes to begin, as in `5us`.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    link_latency: Option<Duration>,
    /// Emulated interconnect: how much arrives at a rank, as in `10GB/s`.
    #[arg(long, value_name = "RATE", value_parser = rate)]
    link_bandwidth: Option<f64>,
    /// How long an op waits for other ranks, unless it says otherwise.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = positive_duration)]
    timeout: Duration,
    /// How often to run.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Print the program at a stage of its lowering instead of running it.
    #[arg(long, value_name = "STAGE")]
    emit: Option<Emitted>,
}

/// What ranks are.
#[derive(Clone, Copy, ValueEnum)]
enum Ranks {
    /// Threads of this process.
    Threads,
    /// Processes of an MPI job.
    Mpi,
}

/// Stages that can be printed.
#[derive(Clone, Copy, ValueEnum)]
enum Emitted {
    /// Buffers and ops of `comm_stream`.
    Stream,
    /// Calls of the run-time.
    Runtime,
    /// The LLVM dialect.
    Llvm,
}

/// The elements of a list of passes.
#[derive(Clone)]
struct Passes(Vec<String>);

fn passes(text: &str) -> Result<Passes, String> {
    match split_passes(text) {
        passes if passes.is_empty() => Err(format!("'{text}' names no pass")),
        passes => Ok(Passes(passes)),
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    match number >= 0.0 && number.is_finite() {
        true => Ok(number),
        false => Err(format!("'{text}' is negative or not finite")),
    }
}

/// A number and its unit, as in `2.5ms`.
fn measured(text: &str, units: &[(&str, f64)]) -> Result<f64, String> {
    let text = text.trim();
    let end = text
        .find(|letter: char| letter.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number
        .trim()
        .parse()
        .map_err(|_| format!("'{text}' does not begin with a number"))?;
    let factor = units
        .iter()
        .find(|(name, _)| *name == unit.trim())
        .map(|(_, factor)| factor);
    let names = || units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let factor =
        factor.ok_or_else(|| format!("'{text}' has no unit that is known: expected one of {}", names()))?;
    match number * factor {
        product if product.is_finite() && product >= 0.0 => Ok(product),
        _ => Err(format!("'{text}' is negative or not finite")),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    Duration::try_from_secs_f64(measured(text, &units)?).map_err(|error| error.to_string())
}

fn positive_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err(format!("'{text}' is no time to wait; expected more than 0")),
        time => Ok(time),
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let units = [
        ("B/s", 1.0),
        ("kB/s", 1e3),
        ("MB/s", 1e6),
        ("GB/s", 1e9),
        ("TB/s", 1e12),
    ];
    match measured(text, &units)? {
        0.0 => Err(format!("at '{text}' nothing would arrive; expected more than 0")),
        rate => Ok(rate),
    }
}

impl Arguments {
    fn request(self) -> Request {
        let link = (self.link_latency.is_some() || self.link_bandwidth.is_some()).then(|| Link {
            latency: self.link_latency.unwrap_or_default(),
            bandwidth: self.link_bandwidth.unwrap_or(f64::INFINITY),
        });
        let passes = match (self.passes, self.pass_pipeline) {
            (Some(list), _) => list.0,
            (None, pipeline) => pipeline.into_iter().collect(),
        };
        let until = match self.emit {
            Some(Emitted::Stream) => Stage::Stream,
            Some(Emitted::Runtime) => Stage::Runtime,
            Some(Emitted::Llvm) | None => Stage::Llvm,
        };
        Request {
            program: self.program,
            lower: LowerOptions {
                entry: self.entry,
                passes,
                trace: self.trace.is_some(),
                streams: self.streams,
                verify: !self.no_verify,
                until,
            },
            emit: self.emit.is_some(),
            ranks: self.ranks,
            inputs: match (self.inputs, self.input.is_empty()) {
                (Some(archive), _) => Inputs::Archive(archive),
                (None, true) => Inputs::Random(self.seed),
                (None, false) => Inputs::Files(self.input),
            },
            world: Options {
                timeout: self.timeout,
                link,
                trace: self.trace.is_some(),
                ..Options::default()
            },
            backend: match self.backend {
                Ranks::Threads => Backend::Threads,
                Ranks::Mpi => Backend::Mpi,
            },
            repeat: self.repeat,
            check: self.check,
            expect: self.expect,
            tolerance: Tolerance {
                relative: self.rtol,
                absolute: self.atol,
            },
            results: self.results,
            trace: self.trace,
            print: self.print,
        }
    }
}

fn main() -> ExitCode {
    let request = Arguments::parse().request();
    // Drawn on a terminal alone.
    let bar = ProgressBar::new_spinner();
    if io::stderr().is_terminal() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    let outcome = runner::execute(&request, |progress| match progress {
        Progress::Step(step) => bar.set_message(step.to_owned()),
        Progress::Warning(warning) => bar.suspend(|| eprintln!("{warning}")),
    });
    bar.finish_and_clear();
    match outcome {
        Ok(outcome) => {
            // Of several processes one speaks, unless another one has seen a difference.
            let speaks = outcome.rank == 0 || !outcome.is_well;
            let report = if speaks { outcome.report.as_str() } else { "" };
            let mut stream = io::stdout();
            let written = stream.write_all(report.as_bytes()).and_then(|()| stream.flush());
            match written {
                // A reader such as `head` may close the output stream when it has seen enough.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    eprintln!("comm-runner: cannot write: {error}");
                    ExitCode::FAILURE
                }
                _ if outcome.is_well => ExitCode::SUCCESS,
                _ => ExitCode::FAILURE,
            }
        }
        Err(error) => {
            eprintln!("comm-runner: {error}");
            ExitCode::FAILURE
        }
    }
}
