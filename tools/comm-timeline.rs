// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Draws the order in which a file has its ops: as text, as SVG, as a trace.

use std::{
    io::{self, IsTerminal, Write},
    ops::RangeInclusive,
    path::PathBuf,
    process::ExitCode,
};

use clap::{Parser, value_parser};
use comm_schedule::picture::TextOptions;
use mlir_comm::timeline::{self, ProgramOptions, Request};

/// Draws when each op of a schedule runs, what communication computation waits for, and how much memory is live.
#[derive(Parser)]
#[command(name = "comm-timeline", version)]
struct Arguments {
    /// MLIR, as text or bytecode, or a problem as JSON; its ops or nodes stand in the order to draw. `-` reads the input
    /// stream.
    input: PathBuf,
    /// The function of a program to draw. Without it the only one, or the only one that communicates.
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    #[arg(long, value_name = "NAME|FILE", help = machine_help())]
    machine: Option<String>,
    /// Durations that were measured, by op name or location.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Write a picture as SVG; `-` writes it to the output stream, in place of the text.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a trace that Perfetto and the trace viewer of Chrome open; `-` writes it to the output stream, in place of
    /// the text.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Set what a run of the program took, a trace of `comm-runner`, beside the model.
    #[arg(long, value_name = "TRACE.json")]
    measured: Option<PathBuf>,
    /// Draw another schedule on the same scale, and say by how much it differs. May be given several times.
    #[arg(long, value_name = "OTHER")]
    compare: Vec<PathBuf>,
    /// Columns of the text, from 40 to 10000; without it those of the terminal, as far as COLUMNS tells.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(widths()))]
    width: Option<u64>,
    /// How many waits to list.
    #[arg(long, value_name = "N", default_value_t = TextOptions::default().gaps)]
    waits: usize,
    /// Use ASCII alone.
    #[arg(long)]
    ascii: bool,
}

fn machine_help() -> String {
    let default = ProgramOptions::default_machine();
    format!("The machine that a program runs on: a preset, or a TOML file [default: {default}]")
}

fn widths() -> RangeInclusive<u64> {
    TextOptions::LEAST_WIDTH as u64..=TextOptions::MOST_WIDTH as u64
}

/// The columns of the terminal, or the nearest that a picture can have. A terminal that knows no number says 0.
fn columns() -> Option<u64> {
    let columns: u64 = std::env::var("COLUMNS").ok()?.parse().ok()?;
    (columns > 0).then(|| columns.clamp(*widths().start(), *widths().end()))
}

impl Arguments {
    fn request(self) -> Request {
        let width = self
            .width
            .or_else(columns)
            .map_or(TextOptions::default().width, |columns| columns as usize);
        Request {
            inputs: [self.input].into_iter().chain(self.compare).collect(),
            program: ProgramOptions {
                function: self.function,
                machine: self.machine,
                profile: self.profile,
            },
            svg: self.svg,
            trace: self.trace,
            measured: self.measured,
            text: TextOptions {
                width,
                ascii: self.ascii,
                colour: io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
                gaps: self.waits,
            },
        }
    }
}

fn main() -> ExitCode {
    let drawn = timeline::draw(&Arguments::parse().request()).map_err(|error| error.to_string());
    match drawn.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nobody is left to be told where this fails.
            let _ = writeln!(io::stderr(), "comm-timeline: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A reader such as `head` may close the output stream when it has seen enough.
fn print(text: &str) -> Result<(), String> {
    let mut stream = io::stdout();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(()),
    }
}
