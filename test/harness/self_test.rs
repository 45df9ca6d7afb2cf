// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tests of the harness itself: files under `harness/Inputs` with known outcomes, and the parsers on small texts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::discover::{self, LocalConfig};
use crate::execute::{Outcome, Runner};
use crate::script::{self, Command, Substitutions};

/// File, outcome (`pass`, `unsupported`, `fail`), texts that the reason or report must contain.
const FIXTURES: &[(&str, &str, &[&str])] = &[
    ("pass.test", "pass", &[]),
    ("continued.test", "pass", &[]),
    ("shared-shell.test", "pass", &[]),
    ("substitutions.test", "pass", &[]),
    (
        "fail.test",
        "fail",
        &[
            "RUN line 3 failed with exit status 3",
            "--- stdout\nto stdout",
            "--- stderr\nto stderr",
        ],
    ),
    ("pipe-fail.test", "fail", &["RUN line 2 failed"]),
    ("expected-failure.test", "pass", &[]),
    (
        "unexpected-pass.test",
        "fail",
        &["passed, but `XFAIL: true` expects a failure"],
    ),
    ("hang.test", "fail", &["timed out after 1 s"]),
    ("no-run-line.test", "fail", &["no RUN line"]),
    ("unfinished.test", "fail", &["RUN line 2 ends in `\\`"]),
    ("unknown-feature.test", "fail", &["unknown feature `pyton3`"]),
    (
        "unknown-substitution.test",
        "fail",
        &["RUN line 2: unknown substitution `%{nothing}`"],
    ),
    ("requires.test", "unsupported", &["requires !true"]),
    ("unsupported.test", "unsupported", &["unsupported with true"]),
];

/// The self-tests, on the fixtures in `inputs`.
pub fn trials(inputs: &Path, runner: &Runner) -> Vec<Trial> {
    let mut trials: Vec<Trial> = FIXTURES
        .iter()
        .map(|&(name, outcome, texts)| {
            let file = inputs.join(name);
            let runner = Runner {
                limit: limit_of(name),
                ..runner.clone()
            };
            Trial::test(format!("harness/{name}"), move || {
                fixture(&runner, file, outcome, texts)
            })
        })
        .collect();
    let inputs = inputs.to_path_buf();
    trials.push(Trial::test("harness/hang-kills-children", {
        let (file, runner) = (
            inputs.join("hang.test"),
            Runner {
                limit: Duration::from_secs(1),
                ..runner.clone()
            },
        );
        move || hang_is_cut_short(&runner, &file)
    }));
    trials.push(Trial::test("harness/discovery", move || discovery(&inputs)));
    trials.push(Trial::test("harness/parse", parse));
    trials.push(Trial::test("harness/substitute", substitute));
    trials.push(Trial::test("harness/local-config", local_config));
    trials
}

fn limit_of(name: &str) -> Duration {
    Duration::from_secs(if name.starts_with("hang") { 1 } else { 30 })
}

fn check(condition: bool, otherwise: impl FnOnce() -> String) -> Result<(), Failed> {
    if condition {
        Ok(())
    } else {
        Err(Failed::from(otherwise()))
    }
}

fn fixture(runner: &Runner, file: PathBuf, expected: &str, texts: &[&str]) -> Result<(), Failed> {
    let (outcome, report) = match runner.run(&file) {
        Outcome::Pass => ("pass", String::new()),
        Outcome::Unsupported(reason) => ("unsupported", reason),
        Outcome::Fail(report) => ("fail", report),
    };
    check(outcome == expected, || {
        format!("expected {expected}, got {outcome}\n{report}")
    })?;
    match texts.iter().find(|text| !report.contains(**text)) {
        None => Ok(()),
        Some(text) => Err(Failed::from(format!("the report lacks {text:?}:\n{report}"))),
    }
}

/// A hanging test ends soon after its limit, and the child that it left in the background ends with it.
fn hang_is_cut_short(runner: &Runner, file: &Path) -> Result<(), Failed> {
    // A scratch directory of its own: the fixture test runs the same file at the same time.
    let runner = Runner {
        scratch: runner.scratch.join("hang-kills-children"),
        ..runner.clone()
    };
    let start = Instant::now();
    let outcome = runner.run(file);
    let elapsed = start.elapsed();
    check(matches!(outcome, Outcome::Fail(_)), || {
        format!("expected a failure, got {outcome:?}")
    })?;
    check(elapsed < Duration::from_secs(20), || format!("took {elapsed:?}"))?;
    let child = runner.scratch_of(file).join("hang.test.tmp");
    let child = fs::read_to_string(&child).map_err(|e| format!("{}: {e}", child.display()))?;
    // The kernel ends a killed process in its own time; one that nobody has waited for yet has an empty command line.
    let command_line = format!("/proc/{}/cmdline", child.trim());
    let runs = || {
        fs::read_to_string(&command_line)
            .unwrap_or_default()
            .contains("sleep")
    };
    let deadline = Instant::now() + Duration::from_secs(10);
    while runs() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    check(!runs(), || format!("the child {} still runs", child.trim()))
}

/// Nothing under `Inputs/` is a test, but its files are when it is the root.
fn discovery(inputs: &Path) -> Result<(), Failed> {
    let root = inputs
        .parent()
        .and_then(Path::parent)
        .ok_or("Inputs/ has no parent")?;
    let all = discover::test_files(root)?;
    check(all.iter().all(|file| !file.starts_with(inputs)), || {
        format!("fixtures among {all:?}")
    })?;
    let fixtures = discover::test_files(inputs)?;
    check(fixtures.len() == FIXTURES.len(), || format!("found {fixtures:?}"))?;
    check(fixtures.is_sorted(), || format!("not sorted: {fixtures:?}"))
}

fn parse() -> Result<(), Failed> {
    let directives =
        script::parse("// RUN: a | \\\n// RUN:   b\n// CHECK-RUN: c\n# REQUIRES: jax\n// RUN: d\n")?;
    let expected = [
        Command {
            line: 1,
            text: "a | b".to_string(),
        },
        Command {
            line: 5,
            text: "d".to_string(),
        },
    ];
    check(directives.commands == expected, || {
        format!("{:?}", directives.commands)
    })?;
    check(directives.requires == ["jax"], || {
        format!("{:?}", directives.requires)
    })
}

fn substitute() -> Result<(), Failed> {
    let substitutions = Substitutions::new(
        Path::new("/a/b.mlir"),
        Path::new("/scratch"),
        Path::new("/lib/p.so"),
    );
    let cases = [
        ("%s %S %p %t", "/a/b.mlir /a /a /scratch/b.mlir.tmp"),
        (
            "%t.1 %{t:stem} %{s:basename} %basename_t",
            "/scratch/b.mlir.tmp.1 b.mlir b.mlir b.mlir",
        ),
        ("%plugin", "/lib/p.so"),
        (
            "%mlir_opt_plugin %s",
            "mlir-opt --load-dialect-plugin=/lib/p.so --load-pass-plugin=/lib/p.so /a/b.mlir",
        ),
        ("%%s 100% %0", "%s 100% %0"),
    ];
    for (text, expected) in cases {
        let result = substitutions.apply(text)?;
        check(result == expected, || {
            format!("{text}: expected {expected}, got {result}")
        })?;
    }
    Ok(())
}

fn local_config() -> Result<(), Failed> {
    let names = |list: &[&str]| LocalConfig::Excludes(list.iter().map(|name| name.to_string()).collect());
    let cases = [
        ("# nothing\n", Ok(names(&[]))),
        ("config.unsupported = True\n", Ok(LocalConfig::Unsupported)),
        (
            "config.excludes = ['a.mlir', \"b\"]\n",
            Ok(names(&["a.mlir", "b"])),
        ),
        ("import os\n", Err("import os".to_string())),
        (
            "config.unsupported = not_sure\n",
            Err("config.unsupported = not_sure".to_string()),
        ),
    ];
    for (text, expected) in cases {
        let result = discover::parse_local_config(text);
        check(result == expected, || {
            format!("{text:?}: expected {expected:?}, got {result:?}")
        })?;
    }
    Ok(())
}
