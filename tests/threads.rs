// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The number of threads is no part of the result.

mod common;

use std::{fs, path::Path, process::Command};

use common::{
    generate::{self, Shape},
    run::Session,
};
use mlir_comm::passes::{self, SortOptions};

/// A module of many functions.
fn program() -> String {
    generate::program(
        11,
        Shape {
            functions: 48,
            ..Shape::any(24)
        },
    )
}

fn options() -> SortOptions {
    SortOptions {
        max_in_flight: 0,
        max_in_flight_reductions: 0,
        ..SortOptions::default()
    }
}

fn sorted(text: &str, threads: bool) -> String {
    let session = Session::new(threads);
    let mut module = session.parse(text).expect("the program parses");
    session
        .run_on_functions(&mut module, [passes::asyncify(), passes::sort(&options())])
        .expect("without limits it sorts");
    module.as_operation().to_string()
}

#[test]
fn one_context_gives_the_same_with_threads_and_without() {
    let text = program();
    let alone = sorted(&text, false);
    assert!(
        alone.matches("comm.wait").count() > 100,
        "there is something to sort"
    );
    for _ in 0..5 {
        assert!(sorted(&text, true) == alone);
    }
}

#[test]
fn many_contexts_at_once_give_the_same() {
    let text = program();
    let alone = sorted(&text, false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..16)
            .map(|index| {
                let text = &text;
                scope.spawn(move || sorted(text, index % 2 == 0))
            })
            .collect();
        for worker in workers {
            assert!(worker.join().expect("no worker panics") == alone);
        }
    });
}

/// MLIR starts as many threads as the process may run on, so the number is set from outside.
#[test]
fn the_tool_gives_the_same_on_one_processor_and_on_all() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads.mlir");
    fs::write(&file, program()).expect("the scratch directory can be written");
    let run = |before: &[&str], flags: &[&str]| {
        let tool = env!("CARGO_BIN_EXE_comm-opt");
        let mut words = before.to_vec();
        words.push(tool);
        let output = Command::new(words[0])
            .args(&words[1..])
            .arg(&file)
            .args(["--allow-unregistered-dialect", "--comm-asyncify"])
            .arg("--comm-sort=max-in-flight=0 max-in-flight-reductions=0")
            .args(flags)
            .output()
            .expect("comm-opt can be run");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    };
    let alone = run(&[], &["--mlir-disable-threading"]);
    assert!(run(&[], &[]) == alone);
    for processors in ["0", "0,1"] {
        if processors == "0" || std::thread::available_parallelism().is_ok_and(|count| count.get() > 1) {
            assert!(
                run(&["taskset", "-c", processors], &[]) == alone,
                "on processors {processors}"
            );
        }
    }
}
