// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Every pass of this crate on mutated IR: no crash, no panic, no abort, no endless loop, no invalid output.
//!
//! Cases run in child processes of this test, one for each processor at most, so that a crash is seen with the input
//! that made it: the child writes each input to a file before it works on it. `COMM_FUZZ_CASES` sets the number of cases
//! (without it, as many as fit into some seconds), `COMM_FUZZ_SEED` the first seed.

mod common;

use std::{
    fs::{self, File},
    io::Read,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use common::{
    generate::{self, Shape},
    mutate,
    run::{Session, any_options},
};
use fastrand::Rng;
use melior::{
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
    pass::{Pass, PassManager},
};
use mlir_comm::passes::{self, ImportStablehloOptions, ImportTorchOptions, VerifyMode};

/// Cases of one child. A context keeps what it has seen, so each child has one of its own.
const CHUNK: u64 = 2000;
const HANG: Duration = Duration::from_secs(60);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What a child has done, in its progress file: a fixed number of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Progress {
    cases: u64,
    parsed: u64,
    runs: u64,
    failed: u64,
}

impl Progress {
    fn write(self, file: &File) {
        let words = [self.cases, self.parsed, self.runs, self.failed];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        file.write_all_at(&bytes, 0)
            .expect("the progress file can be written");
    }

    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_default();
        let word = |index: usize| {
            bytes.get(index * 8..index * 8 + 8).map_or(0, |word| {
                u64::from_le_bytes(word.try_into().expect("eight bytes"))
            })
        };
        Self {
            cases: word(0),
            parsed: word(1),
            runs: word(2),
            failed: word(3),
        }
    }

    fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.parsed += other.parsed;
        self.runs += other.runs;
        self.failed += other.failed;
    }
}

/// A child at work.
struct Worker {
    child: Child,
    seed: u64,
    last: (Progress, Instant),
}

fn progress_path(seed: u64) -> PathBuf {
    scratch(&format!("fuzz-{seed}.progress"))
}

fn input_path(seed: u64) -> PathBuf {
    scratch(&format!("fuzz-{seed}.mlir"))
}

impl Worker {
    fn start(seed: u64, count: u64) -> Self {
        let _ = fs::remove_file(progress_path(seed));
        let child = Command::new(std::env::current_exe().expect("this test is a file"))
            .args([
                "--exact",
                "child_process",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env("COMM_FUZZ_CHUNK", format!("{seed} {count}"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("this test can be started again");
        Self {
            child,
            seed,
            last: (Progress::default(), Instant::now()),
        }
    }

    /// What it has done, when it has ended.
    fn poll(&mut self) -> Option<Progress> {
        let progress = Progress::read(&progress_path(self.seed));
        if progress != self.last.0 {
            self.last = (progress, Instant::now());
        }
        let status = self.child.try_wait().expect("a child can be waited for");
        if status.is_none() && self.last.1.elapsed() > HANG {
            self.child.kill().expect("a child can be killed");
            self.report("does not end");
        }
        let status = status?;
        if !status.success() {
            self.report(&format!("ends with {status}"));
        }
        let progress = Progress::read(&progress_path(self.seed));
        let _ = fs::remove_file(progress_path(self.seed));
        let _ = fs::remove_file(input_path(self.seed));
        Some(progress)
    }

    fn report(&mut self, what: &str) -> ! {
        let mut errors = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            errors = String::from_utf8_lossy(&bytes).into_owned();
        }
        let path = input_path(self.seed);
        let input = fs::read_to_string(&path).unwrap_or_default();
        panic!(
            "a pass {what}; the input is in {}:\n{input}\n{errors}",
            path.display()
        );
    }
}

#[test]
fn no_pass_crashes_or_makes_invalid_output_on_mutated_programs() {
    let cases = number("COMM_FUZZ_CASES");
    let deadline = Instant::now() + Duration::from_secs(15);
    let mut next = number("COMM_FUZZ_SEED").unwrap_or(0);
    let end = cases.map(|cases| next + cases);
    let chunk = if cases.is_some() { CHUNK } else { 250 };
    let parallel = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut workers: Vec<Worker> = Vec::new();
    let mut total = Progress::default();
    loop {
        let wanted = |next: u64| match end {
            Some(end) => next < end,
            None => Instant::now() < deadline,
        };
        while workers.len() < parallel && wanted(next) {
            let count = end.map_or(chunk, |end| chunk.min(end - next));
            workers.push(Worker::start(next, count));
            next += count;
        }
        if workers.is_empty() {
            break;
        }
        workers.retain_mut(|worker| match worker.poll() {
            Some(progress) => {
                total.add(progress);
                false
            }
            None => true,
        });
        std::thread::sleep(Duration::from_millis(20));
    }
    println!(
        "{} cases, of which {} are valid IR; {} pass runs, of which {} ended in a diagnostic",
        total.cases, total.parsed, total.runs, total.failed
    );
    assert!(
        total.runs > total.parsed && total.parsed * 10 > total.cases,
        "mutations leave too little valid IR: {total:?}"
    );
    assert!(total.failed > 0, "no pass ever fails: {total:?}");
}

#[test]
#[ignore = "the work of the test above, in a process of its own"]
fn child_process() {
    let Ok(chunk) = std::env::var("COMM_FUZZ_CHUNK") else {
        return;
    };
    let words: Vec<u64> = chunk.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [seed, count] = words[..] else {
        panic!("COMM_FUZZ_CHUNK is '{chunk}', but two numbers are expected")
    };
    // As much stack as a main thread has: parsing is recursive.
    let work = move || {
        let corpus = corpus();
        let session = Session::new(false);
        let file = File::create(progress_path(seed)).expect("the scratch directory can be written");
        let mut progress = Progress::default();
        for case in seed..seed + count {
            let mut rng = Rng::with_seed(case);
            let text = input(&corpus, &session, &mut rng);
            if is_known_upstream(&text) {
                continue;
            }
            fs::write(input_path(seed), &text).expect("the scratch directory can be written");
            run_case(&session, &text, &mut rng, &mut progress);
            progress.cases += 1;
            progress.write(&file);
        }
    };
    std::thread::Builder::new()
        .stack_size(8 << 20)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("no case panics");
}

/// The test files of this repository, cut where they hold several inputs. Left out is the test of the limit of inlining:
/// what it makes of a small text takes each pass longer than thousands of other cases.
fn corpus() -> Vec<String> {
    let mut files = Vec::new();
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("test")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("test/ is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "mlir") {
                files.push(path);
            }
        }
    }
    files.retain(|path| !path.ends_with("inline-limit.mlir"));
    files.sort();
    let texts = files.iter().filter_map(|path| fs::read_to_string(path).ok());
    let small = texts.filter(|text| text.len() < 60_000);
    small
        .flat_map(|text| text.split("// -----").map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// What crashes MLIR itself while it parses, with its own `mlir-opt` too.
fn is_known_upstream(text: &str) -> bool {
    // Segment sizes are cast to `DenseI32ArrayAttr` unchecked where the element type is `index`.
    let bad_segments = text.contains("array<index");
    // The verifier of `shard` ops reads the shape at an axis before it checks the axis.
    let far_axis = text.split("_axis = ").skip(1).any(|rest| {
        let number: String = rest
            .chars()
            .take_while(|c| *c == '-' || c.is_ascii_digit())
            .collect();
        !matches!(number.parse::<i64>(), Ok(0..=9))
    });
    // It also divides by the sizes of a grid, one of which may be 0.
    let empty_grid = text
        .split("(shape = ")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .any(|shape| shape.split('x').any(|size| size.trim() == "0"));
    bad_segments || far_axis || empty_grid
}

fn input(corpus: &[String], session: &Session, rng: &mut Rng) -> String {
    let pick = |rng: &mut Rng| {
        if rng.bool() {
            let steps = rng.usize(2..14);
            generate::program(
                rng.u64(..),
                Shape {
                    functions: 1 + rng.usize(0..2),
                    ..Shape::any(steps)
                },
            )
        } else {
            corpus[rng.usize(0..corpus.len())].clone()
        }
    };
    let mut text = pick(rng);
    if rng.u8(0..4) == 0
        && let Ok(module) = session.parse(&text)
    {
        let flags = OperationPrintingFlags::new().print_generic_operation_form();
        text = module
            .as_operation()
            .to_string_with_flags(flags)
            .expect("IR prints");
    }
    let other = pick(rng);
    mutate::mutate(&text, &other, rng)
}

fn any_pass(rng: &mut Rng) -> (&'static str, bool, Vec<Pass>) {
    match rng.u8(0..14) {
        0 | 1 => {
            let options = ImportStablehloOptions {
                split_barriers: rng.bool(),
                inline: rng.bool(),
            };
            (
                "comm-import-stablehlo",
                false,
                vec![passes::import_stablehlo(&options)],
            )
        }
        2 => {
            let groups = [
                "0=0.1",
                "dp=0.1/2.3",
                "=",
                "0=0.0",
                "x",
                "0=0.1.2.3",
                "0=-1",
                "0=99999999999999999999",
            ];
            let groups = (0..rng.usize(0..3))
                .map(|_| groups[rng.usize(0..groups.len())].to_owned())
                .collect();
            (
                "comm-import-torch",
                false,
                vec![passes::import_torch(&ImportTorchOptions { groups })],
            )
        }
        3 => ("comm-import-shard", false, vec![passes::import_shard()]),
        4..=6 => ("comm-asyncify", true, vec![passes::asyncify()]),
        7..=9 => ("comm-sort", true, vec![passes::sort(&any_options(rng))]),
        10 => ("comm-verify-futures", true, vec![passes::verify_futures()]),
        11 => ("comm-verify-order", false, vec![passes::verify_order()]),
        12 => (
            "comm-verify-schedule",
            true,
            vec![passes::verify_schedule(
                [VerifyMode::Record, VerifyMode::Check][rng.usize(0..2)],
            )],
        ),
        _ => (
            "comm-verify-schedule around comm-sort",
            true,
            vec![
                passes::verify_schedule(VerifyMode::Record),
                passes::sort(&any_options(rng)),
                passes::verify_schedule(VerifyMode::Check),
            ],
        ),
    }
}

/// Runs a few passes, one after the other, on a text.
fn run_case(session: &Session, text: &str, rng: &mut Rng, progress: &mut Progress) {
    let parsed = session.parse(text);
    session.diagnostics();
    let Ok(mut module) = parsed else { return };
    progress.parsed += 1;
    for _ in 0..1 + rng.usize(0..4) {
        let (name, on_functions, list) = any_pass(rng);
        progress.runs += 1;
        match run_passes(session, &mut module, on_functions, list) {
            Ok(()) if module.as_operation().verify() => {}
            // Imports leave it to the verifier, which runs after every pass, to refuse shapes that were wrong before, and
            // blocks that a collective ended: MLIR takes an op it does not know for a terminator there.
            Ok(()) => {
                let errors = session.diagnostics();
                assert!(
                    name.starts_with("comm-import"),
                    "{name} made invalid IR: {errors:?}"
                );
                assert!(
                    errors.iter().all(|error| error.contains("comm.") || error.starts_with("block with no terminator")),
                    "{name} made invalid IR: {errors:?}"
                );
                progress.failed += 1;
                return;
            }
            Err(errors) => {
                progress.failed += 1;
                assert!(!errors.is_empty(), "{name} failed and did not say why");
                let internal = errors.iter().find(|error| error.contains("internal error"));
                assert_eq!(internal, None, "{name} panicked");
                let dependence = errors
                    .iter()
                    .find(|error| error.contains("made an order that breaks"));
                assert_eq!(dependence, None, "{name} made an illegal order");
                // What a failed pass leaves behind is nobody's input.
                return;
            }
        }
    }
}

fn run_passes(
    session: &Session,
    module: &mut Module,
    on_functions: bool,
    list: Vec<Pass>,
) -> Result<(), Vec<String>> {
    session.diagnostics();
    let manager = PassManager::new(&session.context);
    manager.enable_verifier(false);
    let functions = on_functions.then(|| manager.nested_under("func.func"));
    for pass in list {
        match &functions {
            Some(functions) => functions.add_pass(pass),
            None => manager.add_pass(pass),
        }
    }
    manager.run(module).map_err(|_| session.diagnostics())
}
