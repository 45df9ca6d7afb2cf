// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Draws the order in which a file has its ops: as text, as SVG, as a trace.

use std::{
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::Parser;
use comm_schedule::picture::TextOptions;
use mlir_comm::timeline::{self, ProgramOptions, Request};

/// Draws when each op of a schedule runs, what communication computation waits for, and how much memory is live.
#[derive(Parser)]
#[command(name = "comm-timeline", version)]
struct Arguments {
    /// MLIR, or, where the name ends in `.json`, a problem; its ops or nodes stand in the order to draw.
    input: PathBuf,
    /// The function of a program to draw. Without it the only one, or the only one that communicates.
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The machine that a program runs on: a preset, or a TOML file.
    #[arg(long, value_name = "NAME|FILE", default_value_t = ProgramOptions::default().machine)]
    machine: String,
    /// Durations that were measured, by op name or location.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Write a picture as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a trace that Perfetto and the trace viewer of Chrome open.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Draw another schedule on the same scale, and say by how much it differs. May be given several times.
    #[arg(long, value_name = "OTHER")]
    compare: Vec<PathBuf>,
    /// Columns of the text; without it those of the terminal, as far as COLUMNS tells.
    #[arg(long, value_name = "N")]
    width: Option<usize>,
    /// How many waits to list.
    #[arg(long, value_name = "N", default_value_t = TextOptions::default().gaps)]
    waits: usize,
    /// Use ASCII alone.
    #[arg(long)]
    ascii: bool,
}

impl Arguments {
    fn request(self) -> Request {
        let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
        let width = self
            .width
            .or_else(columns)
            .unwrap_or(TextOptions::default().width);
        Request {
            inputs: [self.input].into_iter().chain(self.compare).collect(),
            program: ProgramOptions {
                function: self.function,
                machine: self.machine,
                profile: self.profile,
            },
            svg: self.svg,
            trace: self.trace,
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
    let drawn = timeline::draw(&Arguments::parse().request());
    match drawn {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            // A reader such as `head` may have seen enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                eprintln!("comm-timeline: cannot write: {error}");
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        },
        Err(error) => {
            eprintln!("comm-timeline: {error}");
            ExitCode::FAILURE
        }
    }
}
