// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-runner --backend mpi` under `mpirun`: the same numbers as on threads, and ends where a rank fails.
//!
//! What is expected comes from threads of another process: for fused ops from the program of collectives and products after
//! each other, for random programs from the program as it is given.

#[allow(dead_code, reason = "some forms are for other tests alone")]
mod fused;
#[path = "random_runs"]
mod random {
    pub mod generate;
    pub mod program;
    pub mod text;
}

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

use comm_runtime::Element;
use fused::{Pair, to_streams};
use mlir_comm::runner::{Array, write_npz};
use random::{
    generate::{Style, generate},
    text::write,
};

/// A directory that goes with the test.
struct Directory(PathBuf);

impl Directory {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("comm-runner-mpi-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path").to_owned()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a program on threads, and writes its results.
fn threads(ranks: usize, program: &str, arguments: &[&str], results: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_comm-runner"))
        .args([program, "--ranks", &ranks.to_string(), "--results", results])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("comm-runner starts");
    assert!(
        output.status.success(),
        "{program}: {}: {}",
        output.status,
        text(&output)
    );
}

/// Runs a program on processes; its results have to be those of an archive.
fn processes(ranks: usize, program: &str, arguments: &[&str], results: &str) {
    let output = mpirun(ranks, &[&[program, "--expect", results], arguments].concat());
    let said = text(&output);
    assert!(
        output.status.success() && said.contains(": equal"),
        "{program}, {ranks} processes, {arguments:?}: {said}\n{}",
        fs::read_to_string(program).unwrap_or_default()
    );
}

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
    let directory = Directory::new("collectives");
    for ranks in [2, 4] {
        let program = format!("test/runner/ring-{ranks}.mlir");
        let results = directory.file(&format!("{ranks}.npz"));
        threads(ranks, &program, &[], &results);
        processes(
            ranks,
            &program,
            &["--passes", "comm-asyncify,comm-sort"],
            &results,
        );
    }
}

/// Several forms of fused ops in one program, after each other: it takes all of their arguments and yields all of their
/// results. So a process compiles once for all.
fn together(programs: &[&str]) -> String {
    let (mut arguments, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let (mut maps, mut statements) = ("", String::new());
    let renamed: Vec<String> = (0..)
        .zip(programs)
        .map(|(index, program)| program.replace('%', &format!("%form{index}_")))
        .collect();
    for program in &renamed {
        let (head, function) = program.split_once("func.func @main(").expect("the function");
        let (taken, rest) = function.split_once(')').expect("no argument has a parenthesis");
        let (yielded, rest) = rest.split_once(" {\n").expect("a body");
        let (body, end) = rest.rsplit_once("return ").expect("it returns");
        let (names, _) = end.split_once(" : ").expect("names and types");
        maps = head;
        arguments.push(taken);
        types.push(yielded.trim().trim_start_matches("-> ").trim_matches(['(', ')']));
        values.push(names);
        statements += body;
    }
    let (arguments, types, values) = (arguments.join(", "), types.join(", "), values.join(", "));
    format!(
        "{maps}func.func @main({arguments}) -> ({types}) {{\n{statements}\nreturn {values} : {types}\n}}\n"
    )
}

/// Forms of gathers and of scatters on so many processes, in each schedule. Every process compiles every program, so these are
/// few, and most are for three alone; all of them run on threads.
fn fused_forms(ranks: usize) {
    let directory = Directory::new(&format!("fused-{ranks}"));
    let mut forms = vec![fused::scales(ranks, "f8E4M3FN"), fused::layers(ranks)];
    if ranks == 3 {
        forms.extend([
            fused::rows(ranks, 3, "f64", 2, true),
            fused::added(ranks, false),
            fused::scatter(ranks, 3, "bf16", "avg", 0),
            fused::sum(ranks, true),
        ]);
    }
    let file = |name: &str, of: fn(&Pair) -> &str| {
        let path = directory.file(name);
        let programs: Vec<&str> = forms.iter().map(of).collect();
        fs::write(&path, together(&programs)).expect("a file");
        path
    };
    let plain = file("plain.mlir", |pair| &pair.plain);
    let fused = file("fused.mlir", |pair| &pair.fused);
    let results = directory.file("results.npz");
    threads(ranks, &plain, &["--no-verify"], &results);
    for schedule in [
        "schedule=signal depth=1 sub-chunks=2",
        "schedule=two-stream sub-chunks=1",
        "schedule=two-stream-eager sub-chunks=2",
    ] {
        processes(
            ranks,
            &fused,
            &["--no-verify", "--pass-pipeline", &to_streams(schedule)],
            &results,
        );
    }
}

#[test]
fn fused_forms_on_two() {
    fused_forms(2);
}

#[test]
fn fused_forms_on_three() {
    fused_forms(3);
}

#[test]
fn fused_forms_on_four() {
    fused_forms(4);
}

/// Inputs for a random program: numbers, as many rounds of loops on all ranks, and flags that differ.
fn random_inputs(program: &random::program::Program) -> Vec<(String, Array)> {
    let mut arrays = Vec::new();
    for rank in 0..program.ranks {
        let arguments = program.body.arguments.iter();
        for (index, &argument) in arguments.enumerate() {
            let shaped = program.shaped(argument);
            let array = mlir_comm::runner::random(shaped.element, &shaped.shape, 5, rank, index);
            arrays.push((format!("in{index}_r{rank}"), array.expect("random numbers")));
        }
        let count = program.body.arguments.len();
        let rounds = Array::new(Element::I64, Vec::new(), 2i64.to_ne_bytes().to_vec());
        arrays.push((format!("in{count}_r{rank}"), rounds.expect("a number")));
        let flag = Array::new(Element::I1, Vec::new(), vec![u8::from(rank % 2 == 1)]);
        arrays.push((format!("in{}_r{rank}", count + 1), flag.expect("a flag")));
    }
    arrays
}

#[test]
fn random_programs_compute_what_threads_do() {
    const EACH: usize = 2;
    let directory = Directory::new("random");
    let mut counts = [0; 5];
    for seed in 0.. {
        if counts[2..] == [EACH; 3] {
            break;
        }
        let style = Style {
            statements: 12,
            is_smooth: false,
        };
        let program = generate(seed, style);
        let ranks = program.ranks;
        if !(2..=4).contains(&ranks) || counts[ranks] == EACH || program.collectives().len() < 3 {
            continue;
        }
        counts[ranks] += 1;
        let [path, inputs, results] =
            ["mlir", "in.npz", "out.npz"].map(|kind| directory.file(&format!("{seed}.{kind}")));
        fs::write(&path, write(&program)).expect("a file");
        write_npz(Path::new(&inputs), &random_inputs(&program)).expect("an archive");
        let given = ["--inputs", &inputs, "--no-verify"];
        threads(ranks, &path, &given, &results);
        let passes = ["--passes", "comm-asyncify,comm-sort"];
        processes(ranks, &path, &[&given[..], &passes].concat(), &results);
    }
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
