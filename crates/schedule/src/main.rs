// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-schedule`: schedules a plain problem and writes it back in its new order, with the figures of the schedule.
//!
//! No MLIR is linked. The format of a problem is that of [`comm_schedule::json`]. The program exits with 1, after a
//! message on the error stream, where the file is no problem or a limit is not met; the message names the least limit that is.

use clap::{Parser, ValueEnum};
use comm_schedule::json::Document;
use comm_schedule::{Effort, ScheduleOptions, ScheduleOutcome, schedule};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Schedules the computation and communication of a problem for the least step time, then the least memory.
#[derive(Parser)]
#[command(name = "comm-schedule", version)]
struct Arguments {
    /// The problem, as JSON; `-` reads it from the input stream
    problem: PathBuf,
    /// Where to write the problem in its new order; without it, it goes to the output stream and the figures to the error stream
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Most bytes that may be live at once, arguments not counted
    #[arg(long, value_name = "BYTES")]
    memory_limit: Option<u64>,
    /// Most collectives that may be in flight on one stream; 0: any number
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_in_flight: u32,
    /// Most bytes that the collectives in flight may carry; 0: any number
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    max_in_flight_bytes: u64,
    /// How much to search
    #[arg(long, value_enum, default_value_t = EffortName::Default)]
    effort: EffortName,
    /// Print the best step time found for each amount of memory too
    #[arg(long)]
    curve: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum EffortName {
    /// List orders alone
    Fast,
    /// List orders and local search; exact on small problems
    Default,
    /// The same with a far larger number of steps
    Exact,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nobody is left to be told where this fails.
            let _ = writeln!(io::stderr(), "comm-schedule: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", arguments.problem.display());
    let text = read(&arguments.problem).map_err(|error| at(&error))?;
    let document = Document::parse(&text).map_err(|error| at(&error))?;
    document.check().map_err(|error| at(&error))?;
    for key in document.unknown_keys() {
        // As with errors.
        let _ = writeln!(io::stderr(), "comm-schedule: warning: {}", at(&key));
    }
    let options = ScheduleOptions {
        effort: match arguments.effort {
            EffortName::Fast => Effort::Fast,
            EffortName::Default => Effort::Default,
            EffortName::Exact => Effort::Exact,
        },
        memory_limit: arguments.memory_limit,
        max_in_flight: Some(arguments.max_in_flight).filter(|limit| *limit > 0),
        max_in_flight_bytes: Some(arguments.max_in_flight_bytes).filter(|limit| *limit > 0),
    };
    let outcome = schedule(document.problem(), &options).map_err(|error| at(&error))?;
    let mut reordered = document.reordered(&outcome.order);
    reordered.set_extra("result", result(&outcome));
    let json = reordered.to_json().map_err(|error| at(&error))?;
    let mut figures = outcome.to_string();
    if arguments.curve {
        for point in &outcome.front {
            figures.push_str(&format!("\n{point}"));
        }
    }
    match &arguments.output {
        Some(path) => {
            std::fs::write(path, json + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
            print(io::stdout(), &figures)
        }
        None => {
            print(io::stdout(), &json)?;
            print(io::stderr(), &figures)
        }
    }
}

/// Writes a text and ends its line. A reader that closed the stream, as `head` does, has seen what it wanted.
fn print(mut stream: impl Write, text: &str) -> Result<(), String> {
    match writeln!(stream, "{text}").and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(()),
    }
}

fn read(path: &Path) -> io::Result<String> {
    if path == Path::new("-") {
        io::read_to_string(io::stdin())
    } else {
        std::fs::read_to_string(path)
    }
}

/// The figures as the file holds them.
fn result(outcome: &ScheduleOutcome) -> serde_json::Value {
    let microseconds = |ns: u64| ns as f64 / 1000.0;
    serde_json::json!({
        "time_us": microseconds(outcome.point.time_ns),
        "exposed_us": microseconds(outcome.exposed_ns),
        "peak_bytes": outcome.point.peak_bytes,
        "bound": outcome.bound.name(),
        "bound_us": microseconds(outcome.bound_ns),
        "gap": outcome.gap(),
        "exact": outcome.is_exact,
        "kept_source": outcome.kept_source,
    })
}
