// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-timeline` does: draw the order in which a file has its ops, and compare it with that of others.
//!
//! The pictures themselves are those of [`comm_schedule::picture`]; here files become problems, and texts become files.
//! Nothing is scheduled: what is drawn is the order of the file.

#[cfg(feature = "runner")]
mod measured;
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
    /// A trace of a run of the first input, to set beside what is drawn of it.
    #[cfg(feature = "runner")]
    pub measured: Option<PathBuf>,
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
    /// A file that is no trace of a run.
    #[cfg(feature = "runner")]
    #[error("{}: is no trace of a run: {error}", .path.display())]
    Measured {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: String,
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
    for ((TopBlock { problem, inside, .. }, title), path) in blocks.iter().zip(&titles).zip(&request.inputs) {
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
    if let Some(streamed) = streamed {
        return Ok(streamed);
    }
    let mut text = picture::text(&pictures, &request.text);
    text += &measured_beside(request, &pictures, &blocks)?;
    Ok(text)
}

/// What a run took, beside what is drawn of the first input; nothing where no trace is given.
#[cfg(feature = "runner")]
fn measured_beside(
    request: &Request,
    pictures: &[Picture<'_>],
    blocks: &[TopBlock],
) -> Result<String, TimelineError> {
    let (Some(path), Some(picture), Some(block), Some(input)) = (
        &request.measured,
        pictures.first(),
        blocks.first(),
        request.inputs.first(),
    ) else {
        return Ok(String::new());
    };
    let wrong = |error: String| TimelineError::Measured {
        path: path.clone(),
        error,
    };
    let content = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let trace = measured::read(&content).map_err(wrong)?;
    let places: Vec<String> = block
        .places
        .iter()
        .map(|text| measured::place(text, input))
        .collect();
    Ok(measured::table(picture, &places, &trace))
}

#[cfg(not(feature = "runner"))]
fn measured_beside(_: &Request, _: &[Picture<'_>], _: &[TopBlock]) -> Result<String, TimelineError> {
    Ok(String::new())
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
