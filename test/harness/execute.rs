// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Runs one test file and judges the result.
//!
//! The script runs under coreutils' `timeout`, which makes a process group of its own and kills all of it at the limit.
//! Output goes to files, not pipes: a process that outlives the group could hold a pipe open for ever.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::features;
use crate::script::{self, Directives, Substitutions};

/// How much of each output stream a report shows, in bytes: real programs have lines of 100 KB.
const SHOWN: usize = 32 << 10;

/// What became of a test.
#[derive(Debug)]
pub enum Outcome {
    /// It passed, or failed as `XFAIL:` says.
    Pass,
    /// It was not run, for this reason.
    Unsupported(String),
    /// It failed, with this report.
    Fail(String),
}

/// All that is the same for every test file.
#[derive(Clone)]
pub struct Runner {
    /// The plugin for `mlir-opt`.
    pub plugin: PathBuf,
    /// Directories that come before the user's `PATH`.
    pub path: Vec<PathBuf>,
    /// Where tests write, each in a directory of its own.
    pub scratch: PathBuf,
    /// The time limit of one file.
    pub limit: Duration,
}

impl Runner {
    /// Why the file is not run on this machine, if so.
    pub fn unsupported(&self, file: &Path) -> Result<Option<String>, String> {
        unsupported(&read(file)?)
    }

    /// Runs the file.
    pub fn run(&self, file: &Path) -> Outcome {
        self.try_run(file)
            .unwrap_or_else(|message| Outcome::Fail(format!("{}: {message}", file.display())))
    }

    fn try_run(&self, file: &Path) -> Result<Outcome, String> {
        let directives = read(file)?;
        if let Some(reason) = unsupported(&directives)? {
            return Ok(Outcome::Unsupported(reason));
        }
        let mut expected_failure = None;
        for list in &directives.xfail {
            // `*` is lit's other way to say `true`, in this directive alone.
            let list = if list == "*" { "true" } else { list };
            expected_failure = expected_failure.or(features::first_present(list)?);
        }
        let scratch = self.fresh_scratch(file)?;
        let substitutions = Substitutions::new(file, &scratch, &self.plugin);
        let script = script::bash_script(&directives.commands, &substitutions)?;
        let failure = self.execute(file, &scratch, &script)?;
        Ok(match (failure, expected_failure) {
            (None, None) | (Some(_), Some(_)) => Outcome::Pass,
            (None, Some(term)) => Outcome::Fail(format!(
                "{}: passed, but `XFAIL: {term}` expects a failure",
                file.display()
            )),
            (Some(report), None) => Outcome::Fail(report),
        })
    }

    /// The directory of what the test writes, named after the path of the file.
    pub fn scratch_of(&self, file: &Path) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
        self.scratch.join(file.strip_prefix(root).unwrap_or(file))
    }

    /// The same directory, made empty.
    fn fresh_scratch(&self, file: &Path) -> Result<PathBuf, String> {
        let scratch = self.scratch_of(file);
        if scratch.exists() {
            fs::remove_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
        }
        fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
        Ok(scratch)
    }

    /// Runs the script; the report of what went wrong, if anything.
    fn execute(&self, file: &Path, scratch: &Path, script: &str) -> Result<Option<String>, String> {
        let stream = |name: &str| {
            let path = scratch.join(name);
            File::create(&path)
                .map(|f| (path, Stdio::from(f)))
                .map_err(|e| format!("{name}: {e}"))
        };
        let (stdout_path, stdout) = stream("stdout")?;
        let (stderr_path, stderr) = stream("stderr")?;
        let start = Instant::now();
        let status = Command::new("timeout")
            .arg("--signal=KILL")
            .arg(self.limit.as_secs().to_string())
            .args(["bash", "-c", script])
            .env("PATH", self.search_path()?)
            .current_dir(scratch)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .status()
            .map_err(|e| format!("coreutils' timeout does not start: {e}"))?;
        if status.success() {
            return Ok(None);
        }
        let end = if start.elapsed() >= self.limit {
            format!("timed out after {} s", self.limit.as_secs())
        } else {
            status.to_string()
        };
        Ok(Some(format!(
            "{}: {end}\n--- script\n{script}--- stdout\n{}--- stderr\n{}",
            file.display(),
            shown(&stdout_path)?,
            shown(&stderr_path)?
        )))
    }

    fn search_path(&self) -> Result<OsString, String> {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let all = self.path.iter().cloned().chain(std::env::split_paths(&inherited));
        std::env::join_paths(all).map_err(|e| format!("PATH: {e}"))
    }
}

fn read(file: &Path) -> Result<Directives, String> {
    let bytes = fs::read(file).map_err(|e| e.to_string())?;
    script::parse(&String::from_utf8_lossy(&bytes))
}

fn unsupported(directives: &Directives) -> Result<Option<String>, String> {
    for list in &directives.requires {
        if let Some(term) = features::first_absent(list)? {
            return Ok(Some(format!("requires {term}")));
        }
    }
    for list in &directives.unsupported {
        if let Some(term) = features::first_present(list)? {
            return Ok(Some(format!("unsupported with {term}")));
        }
    }
    Ok(None)
}

/// The last part of an output file, ended by a newline: errors stand at the end.
fn shown(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let hidden = bytes.len().saturating_sub(SHOWN);
    let mut text = String::from_utf8_lossy(&bytes[hidden..]).into_owned();
    if hidden > 0 {
        text.insert_str(0, &format!("[{hidden} bytes left out: {}]\n", path.display()));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
