// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Finds the test files.
//!
//! Result: every `.mlir` and `.test` file under the root, sorted, less those in `Inputs/`, `programs/` and `harness/` and
//! those that a `lit.local.cfg` excludes. Of that file, which for lit is a Python program, two one-line statements are
//! understood: `config.unsupported = True` (none of the directory's files is a test) and
//! `config.excludes = ["name", ...]`. Anything else in it is refused.

use std::fs;
use std::path::{Path, PathBuf};

/// Suffixes of test files, as in `test/lit.cfg.py`.
const SUFFIXES: [&str; 2] = ["mlir", "test"];
/// Directories that hold inputs, as in `test/lit.cfg.py`.
const INPUT_DIRECTORIES: [&str; 3] = ["Inputs", "programs", "harness"];

/// All test files under `root`, in the order of their paths.
pub fn test_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    visit(root, &mut files)?;
    files.sort();
    Ok(files)
}

fn visit(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let excludes = match fs::read_to_string(directory.join("lit.local.cfg")) {
        Ok(text) => match parse_local_config(&text) {
            Ok(LocalConfig::Unsupported) => return Ok(()),
            Ok(LocalConfig::Excludes(names)) => names,
            Err(line) => {
                return Err(format!(
                    "{}: expected `config.unsupported = True` or `config.excludes = [\"name\", ...]`, found: {line}",
                    directory.join("lit.local.cfg").display()
                ));
            }
        },
        Err(_) => Vec::new(),
    };
    let entries = fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", directory.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if excludes.iter().any(|excluded| *excluded == name) {
            continue;
        }
        if path.is_dir() {
            if !INPUT_DIRECTORIES.contains(&name.as_ref()) {
                visit(&path, files)?;
            }
        } else if path
            .extension()
            .is_some_and(|suffix| SUFFIXES.iter().any(|known| suffix == *known))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// What a `lit.local.cfg` says.
#[derive(Debug, PartialEq)]
pub enum LocalConfig {
    /// Nothing in the directory is a test.
    Unsupported,
    /// The files and directories of these names are no tests.
    Excludes(Vec<String>),
}

/// Reads a `lit.local.cfg`; the error is the line that is not understood.
pub fn parse_local_config(text: &str) -> Result<LocalConfig, String> {
    let mut excludes = Vec::new();
    let mut unsupported = false;
    let statements = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    for line in statements {
        let (target, value) = line.split_once('=').ok_or_else(|| line.to_string())?;
        match (target.trim(), value.trim()) {
            ("config.unsupported", "True") => unsupported = true,
            ("config.excludes", list) => {
                let items = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                for item in items.ok_or_else(|| line.to_string())?.split(',') {
                    let name = item.trim().trim_matches(['"', '\'']);
                    if !name.is_empty() {
                        excludes.push(name.to_string());
                    }
                }
            }
            _ => return Err(line.to_string()),
        }
    }
    Ok(if unsupported {
        LocalConfig::Unsupported
    } else {
        LocalConfig::Excludes(excludes)
    })
}
