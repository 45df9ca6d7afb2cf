// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The regression tests: one test for each `.mlir` and `.test` file under `test/` that has `RUN:` lines.
//!
//! Invariants. The files stay runnable by stock lit (`test/lit.cfg.py`), so this harness understands a subset of lit and
//! never more: what it does not understand is an error, not a silent difference. Every file counts: one without a `RUN:`
//! line fails, unless it is an input by its place (`Inputs/`, `test/programs/`) or by a `lit.local.cfg`. A test that does
//! not end within its time limit fails.
//!
//! `cargo test --test lit -- dialect/` runs the files whose path contains `dialect/`. `COMM_TEST_TIMEOUT` is the limit in
//! seconds of a single file, 120 by default.
//!
//! Deliberately absent: lit's own shell (the commands are run by bash), its test formats, and its result cache.

mod discover;
mod execute;
mod features;
mod script;
mod self_test;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};

use execute::{Outcome, Runner};

/// The variable that changes the time limit of a file, in seconds.
const TIMEOUT_VARIABLE: &str = "COMM_TEST_TIMEOUT";

fn main() -> ExitCode {
    match all_trials() {
        Ok(trials) => libtest_mimic::run(&Arguments::from_args(), trials).exit_code(),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn all_trials() -> Result<Vec<Trial>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
    let runner = runner()?;
    let mut trials = self_test::trials(&root.join("harness/Inputs"), &runner);
    for file in discover::test_files(&root)? {
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        trials.push(file_trial(name, file, runner.clone()));
    }
    Ok(trials)
}

/// One file as a test. The file is read here as well, since libtest wants to know beforehand what is ignored.
fn file_trial(name: String, file: PathBuf, runner: Runner) -> Trial {
    let ignored = matches!(runner.unsupported(&file), Ok(Some(_)));
    Trial::test(name, move || match runner.run(&file) {
        Outcome::Pass => Ok(()),
        Outcome::Unsupported(_) => Ok(()),
        Outcome::Fail(report) => Err(Failed::from(report)),
    })
    .with_ignored_flag(ignored)
}

/// The runner of this build: the tools that cargo made, then LLVM's, then what the user's `PATH` has.
fn runner() -> Result<Runner, String> {
    let tool_directory = Path::new(env!("CARGO_BIN_EXE_comm-opt"))
        .parent()
        .ok_or("the path of comm-opt has no directory")?
        .to_path_buf();
    let prefix = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let limit = match std::env::var(TIMEOUT_VARIABLE) {
        Err(_) => 120,
        Ok(text) => text
            .parse::<u64>()
            .ok()
            .filter(|&seconds| seconds > 0)
            .ok_or_else(|| format!("{TIMEOUT_VARIABLE}={text:?} is no positive number of seconds"))?,
    };
    Ok(Runner {
        plugin: plugin(&tool_directory)?,
        path: vec![tool_directory.clone(), Path::new(&prefix).join("bin")],
        scratch: tool_directory.join("lit"),
        limit: Duration::from_secs(limit),
    })
}

/// The plugin for `mlir-opt`. Cargo puts it beside this executable, in `target/<profile>/deps`; only a full build copies
/// it to `target/<profile>`, where it may then be older.
fn plugin(tool_directory: &Path) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| format!("the path of the test executable: {e}"))?;
    let beside = own.with_file_name("libmlir_comm.so");
    let candidates = [beside, tool_directory.join("libmlir_comm.so")];
    let found = candidates.iter().find(|path| path.exists());
    found
        .cloned()
        .ok_or_else(|| format!("no libmlir_comm.so at {candidates:?}"))
}
