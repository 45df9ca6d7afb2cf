// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-runner --backend mpi` under `mpirun`: the same numbers as on threads, and ends where a rank fails.

use std::{
    process::{Command, Output},
    time::{Duration, Instant},
};

/// Runs a program of `test/runner` on so many processes.
fn mpirun(ranks: usize, arguments: &[&str]) -> Output {
    let root = env!("CARGO_MANIFEST_DIR");
    Command::new("mpirun")
        .args(["-n", &ranks.to_string(), env!("CARGO_BIN_EXE_comm-runner")])
        .args(["--backend", "mpi", "--ranks", &ranks.to_string()])
        .args(arguments)
        .current_dir(root)
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .output()
        .expect("mpirun starts")
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn processes_compute_what_threads_do() {
    let directory = std::env::temp_dir().join(format!("comm-runner-mpi-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    for ranks in [2, 4] {
        let program = format!("test/runner/ring-{ranks}.mlir");
        let archive = directory.join(format!("{ranks}.npz"));
        let archive = archive.to_str().expect("a path");
        let passes = "comm-asyncify,comm-sort";
        let threads = Command::new(env!("CARGO_BIN_EXE_comm-runner"))
            .args([&program, "--ranks", &ranks.to_string(), "--results", archive])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("comm-runner starts");
        assert!(threads.status.success(), "{}", text(&threads));
        let processes = mpirun(ranks, &[&program, "--expect", archive, "--passes", passes]);
        assert!(processes.status.success(), "{}", text(&processes));
        assert!(text(&processes).contains("equal"), "{}", text(&processes));
    }
    std::fs::remove_dir_all(&directory).expect("the directory goes");
}

#[test]
fn a_rank_that_never_comes_ends_the_others_by_name() {
    let faults = ["test/runner/faults.mlir", "--no-verify", "--entry", "late"];
    let output = mpirun(2, &faults);
    assert!(!output.status.success());
    let said = text(&output);
    assert!(said.contains("rank") && said.contains("faults.mlir"), "{said}");
}

#[test]
fn another_number_of_processes_is_refused() {
    let output = mpirun(2, &["test/runner/ring-2.mlir", "--ranks", "2"]);
    // clap takes the option once.
    assert!(!output.status.success());
    let single = Command::new(env!("CARGO_BIN_EXE_comm-runner"))
        .args(["test/runner/ring-2.mlir", "--ranks", "2", "--backend", "mpi"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .expect("comm-runner starts");
    assert!(!single.status.success());
    assert!(text(&single).contains("mpirun -n 2"), "{}", text(&single));
}

/// Compiled code that computes on after a failure elsewhere cannot be stopped, but the job can.
#[test]
fn a_process_that_computes_on_ends_with_the_job() {
    let begin = Instant::now();
    let arguments = [
        "test/runner/faults.mlir",
        "--no-verify",
        "--entry",
        "spins",
        "--timeout",
        "500ms",
    ];
    let output = mpirun(2, &arguments);
    assert!(!output.status.success());
    let text = text(&output);
    assert!(
        text.contains("rank 0 gave up after 500 ms; missing: rank 1"),
        "{text}"
    );
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}
