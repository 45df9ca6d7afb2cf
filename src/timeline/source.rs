// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a file to a problem whose source order is the schedule to draw.

use std::{
    collections::HashSet,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use comm_schedule::json::{Document, JsonError};
use thiserror::Error;

use super::program::{self, BYTECODE, ProgramError, ProgramOptions, TopBlock};

/// Why a file is no schedule.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is no problem.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// It is a program that cannot be drawn.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Whether a path stands for the input or the output stream.
pub(super) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// What stands in a file.
pub(super) enum Source {
    /// A problem as JSON.
    Json(String),
    /// A program, as text or bytecode.
    Program(Vec<u8>),
}

impl Source {
    /// Reads a file, or the input stream.
    pub(super) fn open(path: &Path) -> Result<Self, SourceError> {
        let mut content = Vec::new();
        if is_stream(path) {
            io::stdin().read_to_end(&mut content)?;
        } else {
            content = fs::read(path)?;
        }
        let is_json = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        if content.starts_with(BYTECODE) && !is_json {
            return Ok(Self::Program(content));
        }
        let text = String::from_utf8(content)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "neither UTF-8 nor MLIR bytecode"))?;
        if is_json || looks_like_json(&text) {
            return Ok(Self::Json(text));
        }
        Ok(Self::Program(text.into_bytes()))
    }

    /// The ops to draw, in the order of the file; of a program those of a function.
    pub(super) fn block(&self, path: &Path, options: &ProgramOptions) -> Result<TopBlock, SourceError> {
        match self {
            Self::Json(text) => {
                let document = Document::parse(text)?;
                document.check()?;
                Ok(TopBlock {
                    problem: document.problem().clone(),
                    inside: Vec::new(),
                    places: Vec::new(),
                })
            }
            Self::Program(content) => Ok(program::read(path, content, options)?),
        }
    }
}

/// No program begins with a brace, except for the one of a dictionary of resources.
fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('{') && !text.starts_with("{-#")
}

/// What to call the files: their names where those differ, else their paths.
pub(super) fn titles(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| {
        path.file_name()
            .map_or_else(|| path.display().to_string(), |name| name.display().to_string())
    };
    let names: Vec<_> = paths.iter().map(name).collect();
    if names.iter().collect::<HashSet<_>>().len() == names.len() {
        return names;
    }
    paths.iter().map(|path| path.display().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_from_problems() {
        assert!(looks_like_json("{\"nodes\": []}"));
        assert!(looks_like_json("\u{feff}\n { }"));
        for program in ["", "module {}", "// {", "{-#\n  dialect_resources: {}\n#-}"] {
            assert!(!looks_like_json(program), "{program}");
        }
    }

    #[test]
    fn titles_tell_files_apart() {
        let titles = |paths: &[&str]| titles(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(titles(&["a/x.json", "b/y.json"]), ["x.json", "y.json"]);
        assert_eq!(titles(&["a/x.json", "b/x.json"]), ["a/x.json", "b/x.json"]);
        assert_eq!(titles(&["/"]), ["/"]);
    }
}
