// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! From a file to a problem whose source order is the schedule to draw.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use comm_schedule::{
    Problem,
    json::{Document, JsonError},
};
use thiserror::Error;

use super::program::{self, ProgramError, ProgramOptions};

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

/// The problem of a file: of JSON that of its nodes, of a program that of a function.
pub(super) fn read(path: &Path, options: &ProgramOptions) -> Result<Problem, SourceError> {
    let text = fs::read_to_string(path)?;
    if path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    {
        return Ok(Document::parse(&text)?.problem().clone());
    }
    Ok(program::read(&text, options)?)
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
    fn titles_tell_files_apart() {
        let titles = |paths: &[&str]| titles(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(titles(&["a/x.json", "b/y.json"]), ["x.json", "y.json"]);
        assert_eq!(titles(&["a/x.json", "b/x.json"]), ["a/x.json", "b/x.json"]);
        assert_eq!(titles(&["/"]), ["/"]);
    }
}
