// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-timeline` does: draw the order in which a file has its ops, and compare it with that of others.
//!
//! The pictures themselves are those of [`comm_schedule::picture`]; here files become problems, and texts become files.
//! Nothing is scheduled: what is drawn is the order of the file.

mod program;
mod source;

use std::{fs, path::PathBuf};

use comm_schedule::{
    bounds::lower_bound,
    picture::{self, Picture, PictureError, SvgOptions, TextOptions},
};
use thiserror::Error;

pub use program::{ProgramError, ProgramOptions, problem};
pub use source::SourceError;

/// How much work the bound may take: what `comm_schedule::schedule` spends by default, so that both name the same.
const BOUND_STEPS: u64 = 20_000_000;

/// What to draw, and where to.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The files, the first of which the others are compared with.
    pub inputs: Vec<PathBuf>,
    /// Which function of programs to draw, and by which costs.
    pub program: ProgramOptions,
    /// Where to write an SVG.
    pub svg: Option<PathBuf>,
    /// Where to write a trace.
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
    /// A file that cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// Draws what is asked for, writes the files, and returns the text for the terminal.
pub fn draw(request: &Request) -> Result<String, TimelineError> {
    let problems = request
        .inputs
        .iter()
        .map(|path| {
            source::read(path, &request.program).map_err(|error| TimelineError::Source {
                path: path.clone(),
                error,
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let titles = source::titles(&request.inputs);
    let mut pictures = Vec::with_capacity(problems.len());
    for ((problem, title), path) in problems.iter().zip(&titles).zip(&request.inputs) {
        let order: Vec<_> = problem.ids().collect();
        let picture = Picture::new(title, problem, &order).map_err(|error| TimelineError::Picture {
            path: path.clone(),
            error,
        })?;
        pictures.push(picture.with_bound(lower_bound(problem, BOUND_STEPS)));
    }
    let write = |path: &Option<PathBuf>, render: &dyn Fn() -> String| match path {
        None => Ok(()),
        Some(path) => fs::write(path, render()).map_err(|error| TimelineError::Write {
            path: path.clone(),
            error,
        }),
    };
    write(&request.svg, &|| picture::svg(&pictures, &SvgOptions::default()))?;
    write(&request.trace, &|| picture::trace(&pictures))?;
    Ok(picture::text(&pictures, &request.text))
}
