// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-runner` does: lower a program, run it, compare it, and say how it went.

use std::{
    collections::BTreeMap,
    fmt::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use comm_runtime::{Options, RankTrace, chrome_trace};
use mel::{Context, ir::Module};
use thiserror::Error;

use super::{
    Array, Backend, Difference, FileError, LowerOptions, Program, Progress, RunnerError, Signature,
    Tolerance, lower, lower::VERIFICATION, memory, random, read, read_npy, read_npz, write_npz,
};

/// Where inputs come from.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// Made up, from a seed.
    Random(u64),
    /// An archive: `in{i}_r{rank}` is input `i` of a rank, `in{i}` that of all ranks for which there is none.
    Archive(PathBuf),
    /// A file for each input, the same on all ranks.
    Files(Vec<PathBuf>),
}

/// What to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// The program.
    pub program: PathBuf,
    /// How it is lowered, and how far.
    pub lower: LowerOptions,
    /// Whether to print the program, lowered so far, instead of running it.
    pub emit: bool,
    /// Number of ranks.
    pub ranks: usize,
    /// What it is given.
    pub inputs: Inputs,
    /// The world that it runs in.
    pub world: Options,
    /// What ranks are.
    pub backend: Backend,
    /// How often it runs, at least once; results are those of the last time.
    pub repeat: u32,
    /// A program that has to give the same, lowered without the passes of the first.
    pub check: Option<PathBuf>,
    /// An archive of results that it has to give: `out{i}_r{rank}`.
    pub expect: Option<PathBuf>,
    /// How much results may differ.
    pub tolerance: Tolerance,
    /// Where to write results, named as above.
    pub results: Option<PathBuf>,
    /// Where to write the trace.
    pub trace: Option<PathBuf>,
    /// Whether the report shows results.
    pub print: bool,
}

/// How it went.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The rank of this process; 0 where all ranks are threads of it.
    pub rank: usize,
    /// For the output stream.
    pub report: String,
    /// Whether all results that were compared are within the tolerance.
    pub is_well: bool,
}

/// Why nothing can be said of the results.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A program.
    #[error("{}{}", located(.path, &.error.to_string()), hint(.error))]
    Program {
        /// Its file.
        path: PathBuf,
        /// What went wrong.
        error: Box<RunnerError>,
    },
    /// A file of arrays, or a trace.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// An array that an archive does not have.
    #[error("{}: no array '{name}'; there are: {found}", .path.display())]
    Missing {
        /// The archive.
        path: PathBuf,
        /// The array.
        name: String,
        /// Names of those that it has.
        found: String,
    },
    /// Arrays of an archive that stand for nothing.
    #[error("{}: {} {expected}", .path.display(), unused(.names))]
    Unused {
        /// The archive.
        path: PathBuf,
        /// Names of the arrays.
        names: Vec<String>,
        /// Which are expected.
        expected: String,
    },
    /// Inputs that are larger than memory.
    #[error(
        "input {index} is {ty}: {bytes} bytes on each of {ranks} ranks, twice (as made up and as the program may change it), \
         are with the inputs before it more than the {available} bytes of memory that are free"
    )]
    Memory {
        /// Which.
        index: usize,
        /// Its type.
        ty: String,
        /// Its bytes.
        bytes: u128,
        /// How many ranks there are.
        ranks: usize,
        /// Bytes that are free.
        available: u128,
    },
    /// An input of dynamic size, for which no number was given.
    #[error("input {index} is {ty}: sizes that are not known cannot be made up; expected a file of inputs")]
    Dynamic {
        /// Which.
        index: usize,
        /// Its type.
        ty: String,
    },
    /// Results that cannot be compared.
    #[error("result {index} of rank {rank} is {found}, and {expected} is expected of it")]
    Shape {
        /// Which.
        index: usize,
        /// Of which rank.
        rank: usize,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// A message with the file that it is about, where it does not begin with that itself.
fn located(path: &Path, message: &str) -> String {
    let path = path.display().to_string();
    match message.contains(&path) {
        true => message.to_owned(),
        false => format!("{path}: {message}"),
    }
}

/// What else may help.
fn hint(error: &RunnerError) -> String {
    let diagnostics = match error {
        RunnerError::Stage { name, diagnostics } if name == VERIFICATION => diagnostics,
        _ => return String::new(),
    };
    let mut hint = "\nhint: '--no-verify' leaves this proof out, and with '--emit stream' shows the program that it is about"
        .to_owned();
    if diagnostics.contains("race on") {
        hint += "; a race goes away where the stream of the later access waits (comm_stream.wait_event) for an event that the \
                 other one records (comm_stream.record)";
    }
    hint
}

/// Names at the beginning of a message.
fn unused(names: &[String]) -> String {
    let (noun, verb) = if names.len() == 1 {
        ("array", "is")
    } else {
        ("arrays", "are")
    };
    format!("{noun} '{}' {verb} not used;", names.join("', '"))
}

/// Does what is asked for. `progress` is told what begins, and of warnings.
///
/// # Errors
/// A file cannot be read or written, a program does not compile, or an op fails while it runs.
pub fn execute(request: &Request, mut progress: impl FnMut(Progress<'_>)) -> Result<Outcome, CommandError> {
    let context = crate::context();
    let begin = Instant::now();
    let (module, signature) = lowered(&context, &request.program, &request.lower, &mut progress)?;
    if request.emit {
        let report = module.as_operation().to_string();
        return Ok(Outcome {
            report,
            is_well: true,
            ..Outcome::default()
        });
    }
    let program = compiled(&context, &module, signature, &request.program, &mut progress)?;
    let compile_time = begin.elapsed();
    let inputs = inputs(request, program.signature())?;
    let mut outcome = Outcome {
        report: String::new(),
        is_well: true,
        ..Outcome::default()
    };
    let mut times = Vec::new();
    let mut last = None;
    for turn in 0..request.repeat.max(1) {
        progress(Progress::Step(&format!(
            "run {} of {}",
            turn + 1,
            request.repeat.max(1)
        )));
        let run = run(&program, &inputs, request, &request.program)?;
        times.push(run.time);
        last = Some(run);
    }
    let run = last.unwrap_or_else(|| unreachable!("there is at least one turn"));
    // Of several processes one writes.
    let is_first = run.rank == 0;
    outcome.rank = run.rank;
    if is_first {
        write_trace(request, &run.traces)?;
    }
    let _ = writeln!(
        outcome.report,
        "compiled in {}; {} ranks ran in {}",
        time(compile_time),
        request.ranks,
        times_text(&times)
    );
    if request.print {
        summary(&mut outcome.report, &run.results);
    }
    if let Some(path) = request.results.as_ref().filter(|_| is_first) {
        let arrays = named("out", &run.results);
        write_npz(path, &arrays).map_err(|error| file(path, error))?;
    }
    if let Some(path) = &request.expect {
        let expected = expected(path, &run.results)?;
        compare(&mut outcome, &run.results, &expected, request.tolerance, path)?;
    }
    if let Some(path) = &request.check {
        let options = LowerOptions {
            passes: Vec::new(),
            ..request.lower.clone()
        };
        let (module, signature) = lowered(&context, path, &options, &mut progress)?;
        let other = compiled(&context, &module, signature, path, &mut progress)?;
        progress(Progress::Step("run of the other program"));
        let other = self::run(&other, &inputs, request, path)?;
        compare(
            &mut outcome,
            &run.results,
            &other.results,
            request.tolerance,
            path,
        )?;
    }
    Ok(outcome)
}

fn program_error(path: &Path, error: RunnerError) -> CommandError {
    CommandError::Program {
        path: path.to_owned(),
        error: Box::new(error),
    }
}

fn file(path: &Path, error: FileError) -> CommandError {
    CommandError::File {
        path: path.to_owned(),
        error,
    }
}

fn lowered<'c>(
    context: &'c Context,
    path: &Path,
    options: &LowerOptions,
    progress: &mut impl FnMut(Progress<'_>),
) -> Result<(Module<'c>, Signature), CommandError> {
    let mut module = read(context, path).map_err(|error| program_error(path, error))?;
    let signature = lower(context, &mut module, options, progress);
    Ok((module, signature.map_err(|error| program_error(path, error))?))
}

fn compiled(
    context: &Context,
    module: &Module<'_>,
    signature: Signature,
    path: &Path,
    progress: &mut impl FnMut(Progress<'_>),
) -> Result<Program, CommandError> {
    progress(Progress::Step("compilation"));
    Program::compile(context, module, signature).map_err(|error| program_error(path, error))
}

fn run(
    program: &Program,
    inputs: &[Vec<Array>],
    request: &Request,
    path: &Path,
) -> Result<super::Run, CommandError> {
    let ran = match request.backend {
        Backend::Threads => program.run(inputs, &request.world),
        #[cfg(feature = "mpi")]
        Backend::Mpi => program.run_mpi(inputs, &request.world),
        #[cfg(not(feature = "mpi"))]
        Backend::Mpi => Err(RunnerError::NoMpi),
    };
    ran.map_err(|error| {
        if let RunnerError::Fault { traces, .. } = &error {
            // The fault is what the user wants to know; a trace that cannot be written is not worth hiding it.
            let _ = write_trace(request, traces);
        }
        program_error(path, error)
    })
}

fn write_trace(request: &Request, traces: &[RankTrace]) -> Result<(), CommandError> {
    let Some(path) = &request.trace else { return Ok(()) };
    std::fs::write(path, chrome_trace(traces)).map_err(|error| file(path, error.into()))
}

/// Inputs of all ranks.
fn inputs(request: &Request, signature: &Signature) -> Result<Vec<Vec<Array>>, CommandError> {
    let slots = signature.inputs.iter().enumerate();
    match &request.inputs {
        Inputs::Random(seed) => {
            fits(signature, request.ranks)?;
            let make = |rank: usize| {
                let one = |(index, slot): (usize, &super::Slot)| {
                    let sizes = slot.sizes.as_deref().unwrap_or_default();
                    let shape: Option<Vec<usize>> = sizes.iter().copied().collect();
                    let shape = shape.ok_or_else(|| CommandError::Dynamic {
                        index,
                        ty: slot.describe(),
                    })?;
                    random(slot.element, &shape, *seed, rank, index).ok_or_else(|| {
                        let error = RunnerError::Memory {
                            what: format!("input {index} of rank {rank}, of type {}", slot.describe()),
                            bytes: slot.bytes().unwrap_or_default(),
                        };
                        program_error(&request.program, error)
                    })
                };
                slots.clone().map(one).collect()
            };
            (0..request.ranks).map(make).collect()
        }
        Inputs::Archive(path) => {
            let arrays = read_npz(path).map_err(|error| file(path, error))?;
            let count = signature.inputs.len();
            // Expected results may be in the same file.
            let expected = |name: &str| {
                name.starts_with("out")
                    || (0..count).any(|index| {
                        let own = |rank: usize| name == format!("in{index}_r{rank}");
                        name == format!("in{index}") || (0..request.ranks).any(own)
                    })
            };
            all_used(path, &arrays, expected, || match count {
                0 => format!("'{}' takes no inputs", signature.entry),
                _ => format!(
                    "expected in0 to in{}, as in0 for all ranks or as in0_r0 to in0_r{}",
                    count - 1,
                    request.ranks - 1
                ),
            })?;
            let make = |rank: usize| {
                let one = |(index, _)| {
                    let own = arrays.get(&format!("in{index}_r{rank}"));
                    let array = own.or_else(|| arrays.get(&format!("in{index}")));
                    array
                        .cloned()
                        .ok_or_else(|| missing(path, format!("in{index}_r{rank}"), &arrays))
                };
                slots.clone().map(one).collect()
            };
            (0..request.ranks).map(make).collect()
        }
        Inputs::Files(paths) => {
            let arrays: Result<Vec<Array>, _> = paths
                .iter()
                .map(|path| read_npy(path).map_err(|error| file(path, error)))
                .collect();
            Ok(vec![arrays?; request.ranks])
        }
    }
}

/// Whether memory holds made-up inputs of a known size.
fn fits(signature: &Signature, ranks: usize) -> Result<(), CommandError> {
    let Some(available) = memory::available() else {
        return Ok(());
    };
    let mut total = 0u128;
    for (index, slot) in signature.inputs.iter().enumerate() {
        let bytes = slot.bytes().unwrap_or_default();
        total = total.saturating_add(bytes.saturating_mul(2 * ranks as u128));
        if total > available {
            return Err(CommandError::Memory {
                index,
                ty: slot.describe(),
                bytes,
                ranks,
                available,
            });
        }
    }
    Ok(())
}

/// Refuses arrays of an archive that stand for nothing.
fn all_used(
    path: &Path,
    arrays: &BTreeMap<String, Array>,
    is_expected: impl Fn(&str) -> bool,
    expected: impl FnOnce() -> String,
) -> Result<(), CommandError> {
    let names: Vec<String> = arrays.keys().filter(|name| !is_expected(name)).cloned().collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(CommandError::Unused {
        path: path.to_owned(),
        names,
        expected: expected(),
    })
}

fn missing(path: &Path, name: String, arrays: &BTreeMap<String, Array>) -> CommandError {
    let found: Vec<&str> = arrays.keys().map(String::as_str).collect();
    CommandError::Missing {
        path: path.to_owned(),
        name,
        found: found.join(", "),
    }
}

/// Arrays by name, in order of numbers.
fn named(stem: &str, results: &[Vec<Array>]) -> Vec<(String, Array)> {
    let mut arrays = Vec::new();
    for (rank, results) in results.iter().enumerate() {
        let one = |(index, array): (usize, &Array)| (format!("{stem}{index}_r{rank}"), array.clone());
        arrays.extend(results.iter().enumerate().map(one));
    }
    arrays
}

/// Results that an archive has, in the order of those that were found.
fn expected(path: &Path, results: &[Vec<Array>]) -> Result<Vec<Vec<Array>>, CommandError> {
    let arrays = read_npz(path).map_err(|error| file(path, error))?;
    let count = results.first().map_or(0, Vec::len);
    // Inputs may be in the same file.
    let is_expected = |name: &str| {
        name.starts_with("in")
            || (0..count).any(|index| (0..results.len()).any(|rank| name == format!("out{index}_r{rank}")))
    };
    all_used(path, &arrays, is_expected, || {
        format!(
            "the program gives {count} results on each of {} ranks, as out0_r0",
            results.len()
        )
    })?;
    let one = |rank: usize, index: usize| {
        let name = format!("out{index}_r{rank}");
        arrays
            .get(&name)
            .cloned()
            .ok_or_else(|| missing(path, name, &arrays))
    };
    let ranks = results.iter().enumerate();
    ranks
        .map(|(rank, results)| (0..results.len()).map(|index| one(rank, index)).collect())
        .collect()
}

/// Compares results of all ranks, and reports each result with its largest differences.
fn compare(
    outcome: &mut Outcome,
    found: &[Vec<Array>],
    expected: &[Vec<Array>],
    tolerance: Tolerance,
    other: &Path,
) -> Result<(), CommandError> {
    let count = found
        .first()
        .map_or(0, Vec::len)
        .max(expected.first().map_or(0, Vec::len));
    for index in 0..count {
        let mut total: Option<Difference> = None;
        let mut first = None;
        for (rank, (found, expected)) in found.iter().zip(expected).enumerate() {
            let describe = |array: Option<&Array>| array.map_or("nothing".to_owned(), Array::describe);
            let shape = || CommandError::Shape {
                index,
                rank,
                found: describe(found.get(index)),
                expected: describe(expected.get(index)),
            };
            let (Some(found), Some(expected)) = (found.get(index), expected.get(index)) else {
                return Err(shape());
            };
            // Signs of integers are no part of MLIR's types, and may have been lost on one side.
            let expected = match expected.element().is_float() || found.element().is_float() {
                true => Some(expected.clone()),
                false => expected.clone().reinterpreted(found.element()),
            };
            let expected = expected.ok_or_else(shape)?;
            let difference = Difference::of(found, &expected, tolerance).ok_or_else(shape)?;
            if let (None, Some(position)) = (&first, difference.first) {
                first = Some(format!(
                    "first at {:?} of rank {rank}: {} instead of {}",
                    found.index_of(position),
                    found.get(position),
                    expected.get(position)
                ));
            }
            total = Some(match total {
                None => difference,
                Some(total) => total.joined(&difference),
            });
        }
        let Some(total) = total else { continue };
        outcome.is_well &= total.is_well();
        let verdict = match (total.ulps == 0 && total.is_well(), total.is_well()) {
            (true, _) => "equal",
            (_, true) => "within the tolerance",
            _ => "DIFFERENT",
        };
        let _ = write!(
            outcome.report,
            "result {index} and {}: {verdict}",
            other.display()
        );
        if verdict != "equal" {
            let ulps = match total.ulps {
                u64::MAX => "NaN on one side".to_owned(),
                ulps => format!("{ulps} ulp"),
            };
            let _ = write!(
                outcome.report,
                "; largest difference {:e} absolute, {:e} relative, {ulps}",
                total.absolute, total.relative
            );
        }
        if let Some(first) = first {
            let _ = write!(outcome.report, "; {} elements outside, {first}", total.outside);
        }
        outcome.report.push('\n');
    }
    Ok(())
}

/// Each result with its first elements.
fn summary(report: &mut String, results: &[Vec<Array>]) {
    const SHOWN: usize = 8;
    for (rank, results) in results.iter().enumerate() {
        for (index, array) in results.iter().enumerate() {
            let shown: Vec<String> = (0..array.len().min(SHOWN))
                .map(|position| array.get(position).to_string())
                .collect();
            let more = if array.len() > SHOWN { ", ..." } else { "" };
            let _ = writeln!(
                report,
                "rank {rank} result {index} {}: [{}{more}]",
                array.describe(),
                shown.join(", ")
            );
        }
    }
}

fn times_text(times: &[Duration]) -> String {
    let best = times.iter().min().copied().unwrap_or_default();
    match times.len() {
        0 | 1 => time(best),
        count => {
            let mut sorted = times.to_vec();
            sorted.sort_unstable();
            format!(
                "{} at best and {} in the middle of {count} runs",
                time(best),
                time(sorted[count / 2])
            )
        }
    }
}

/// A duration with four digits.
fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        _ if seconds >= 1.0 => format!("{seconds:.3} s"),
        _ if seconds >= 1e-3 => format!("{:.3} ms", seconds * 1e3),
        _ => format!("{:.3} us", seconds * 1e6),
    }
}
