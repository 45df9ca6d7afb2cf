// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-timeline` does: draw the order in which a file has its ops, and compare it with that of others.
//!
//! The pictures themselves are those of [`comm_schedule::picture`]; here files become problems, and texts become files.
//! Nothing is scheduled: what is drawn is the order of the file.

mod program;
mod source;

use std::{
    fs,
    path::{Path, PathBuf},
};

use comm_schedule::{
    bounds::lower_bound,
    picture::{self, Picture, PictureError, SvgOptions, TextOptions},
};
use thiserror::Error;

use source::Source;

pub use program::{ProgramError, ProgramOptions, TopBlock, problem};
pub use source::SourceError;

/// How much work the bound may take: what `comm_schedule::schedule` spends by default, so that both name the same.
const BOUND_STEPS: u64 = 20_000_000;

/// What to draw, and where to.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The files, the first of which the others are compared with; `-` is the input stream.
    pub inputs: Vec<PathBuf>,
    /// Which function of programs to draw, and by which costs.
    pub program: ProgramOptions,
    /// Where to write an SVG; `-` is the output stream.
    pub svg: Option<PathBuf>,
    /// Where to write a trace; `-` is the output stream.
    pub trace: Option<PathBuf>,
    /// How the text looks.
    pub text: TextOptions,
}

/// Why nothing was drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TimelineError {
    /// A file that is no schedule.
    #[error("{}: {error}", .path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: SourceError,
    },
    /// A file whose order cannot be drawn.
    #[error("{}: {error}", .path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: PictureError,
    },
    /// An option that says something of programs, where there is none.
    #[error(
        "{0} says something of programs, but there are only JSON problems, which hold all figures themselves"
    )]
    NoProgram(&'static str),
    /// The input stream, named twice.
    #[error("the input stream, which `-` stands for, can be read once only")]
    StreamTwice,
    /// A file, or the output stream, that would be written over what was read or written.
    #[error("cannot write {} to {}: that is {}", .what, .path.display(), .other)]
    Overwritten {
        /// What would be written.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the file is otherwise.
        other: &'static str,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// Draws what is asked for, writes the files, and returns what the output stream is to hold: the SVG or the trace where
/// one is for the stream, else the text for the terminal.
pub fn draw(request: &Request) -> Result<String, TimelineError> {
    check_outputs(request)?;
    if request
        .inputs
        .iter()
        .filter(|path| source::is_stream(path))
        .count()
        > 1
    {
        return Err(TimelineError::StreamTwice);
    }
    let sources = request
        .inputs
        .iter()
        .map(|path: &PathBuf| Source::open(path).map_err(|error| at(path, error)))
        .collect::<Result<Vec<Source>, TimelineError>>()?;
    if let Some(option) = request.program.first_given()
        && sources.iter().all(|source| matches!(source, Source::Json(_)))
    {
        return Err(TimelineError::NoProgram(option));
    }
    let mut blocks: Vec<TopBlock> = Vec::with_capacity(sources.len());
    for (source, path) in sources.iter().zip(&request.inputs) {
        let block = source.block(path, &request.program);
        blocks.push(block.map_err(|error| at(path, error))?);
    }
    let titles = source::titles(&request.inputs);
    let mut pictures = Vec::with_capacity(blocks.len());
    for ((TopBlock { problem, inside }, title), path) in blocks.iter().zip(&titles).zip(&request.inputs) {
        let order: Vec<_> = problem.ids().collect();
        let picture =
            Picture::with_inside(title, problem, &order, inside).map_err(|error| TimelineError::Picture {
                path: path.clone(),
                error,
            })?;
        pictures.push(picture.with_bound(lower_bound(problem, BOUND_STEPS)));
    }
    let svg = || picture::svg(&pictures, &SvgOptions::default());
    let trace = || picture::trace(&pictures);
    let mut streamed = None;
    for (path, render) in [
        (&request.svg, &svg as &dyn Fn() -> String),
        (&request.trace, &trace),
    ] {
        match path {
            None => {}
            Some(path) if source::is_stream(path) => streamed = Some(render()),
            Some(path) => fs::write(path, render()).map_err(|error| TimelineError::Write {
                path: path.clone(),
                error,
            })?,
        }
    }
    Ok(streamed.unwrap_or_else(|| picture::text(&pictures, &request.text)))
}

fn at(path: &Path, error: SourceError) -> TimelineError {
    TimelineError::Source {
        path: path.to_owned(),
        error,
    }
}

/// No file may be written twice, nor one that is drawn.
fn check_outputs(request: &Request) -> Result<(), TimelineError> {
    let inputs = request.inputs.iter().filter(|path| !source::is_stream(path));
    let mut known: Vec<(PathBuf, &str)> = inputs
        .map(|path| (resolved(path), "the file that is drawn"))
        .collect();
    for (what, path) in [("the SVG", &request.svg), ("the trace", &request.trace)] {
        let Some(path) = path else { continue };
        let file = resolved(path);
        if let Some((_, other)) = known.iter().find(|(known, _)| *known == file) {
            return Err(TimelineError::Overwritten {
                what,
                path: path.clone(),
                other,
            });
        }
        known.push((file, what));
    }
    Ok(())
}

/// One path for all that lead to a file, also to one that does not exist yet. A stream is no file.
fn resolved(path: &Path) -> PathBuf {
    if source::is_stream(path) {
        return path.to_owned();
    }
    if let Ok(file) = path.canonicalize() {
        return file;
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
