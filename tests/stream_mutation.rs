// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-stream` accepts the programs of `test/verify-stream/correct`, programs that JAX has written and random ones
//! that `convert-comm-to-stream` has lowered, and fused ops in every schedule; and refuses each of them as soon as any one
//! synchronisation is left out: an event with its waits, one wait for an event, a barrier, a put, a wait for a signal, or a
//! put with a wait.
//!
//! For lowered programs that says two things: the proof misses nothing, and the lowering emits no event that is not needed.
//! Programs are changed as text, line by line, after MLIR has printed them. `COMM_MUTATED_PROGRAMS` is the number of random
//! programs, `COMM_MUTATED_SEED` the seed of the first.

#[path = "random_runs"]
mod random {
    pub mod generate;
    pub mod program;
    pub mod text;
}

use std::{cell::RefCell, collections::BTreeMap, fs, path::Path, rc::Rc};

use melior::{Context, ir::Module, pass::PassManager};
use mlir_comm::{
    passes::{self, VerifyStreamOptions},
    runner::{LowerOptions, RunnerError, Stage, lower, parse},
};
use random::{
    generate::{Style, generate},
    text::write,
};

#[allow(dead_code, reason = "the programs to compare with are for another test")]
mod fused;

/// A context, and what it had to complain of.
struct Session {
    context: Context,
    complaints: Rc<RefCell<Vec<String>>>,
}

impl Session {
    fn new() -> Self {
        let context = mlir_comm::context();
        let complaints: Rc<RefCell<Vec<String>>> = Rc::default();
        let sink = Rc::clone(&complaints);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(diagnostic.to_string());
            true
        });
        Self { context, complaints }
    }

    /// What a pipeline makes of a program.
    fn lowered(&self, text: &str, pipeline: &str) -> String {
        let mut module =
            Module::parse(&self.context, text).unwrap_or_else(|| panic!("this does not parse:\n{text}"));
        let manager = PassManager::new(&self.context);
        melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline)
            .expect("the pipeline parses");
        self.complaints.borrow_mut().clear();
        let outcome = manager.run(&mut module);
        assert!(outcome.is_ok(), "{}\n{text}", self.complaints.borrow().join("\n"));
        module.as_operation().to_string()
    }

    /// What the pass says of a program; nothing where it accepts it.
    fn verdict(&self, text: &str) -> Option<String> {
        let mut module =
            Module::parse(&self.context, text).unwrap_or_else(|| panic!("this does not parse:\n{text}"));
        let manager = PassManager::new(&self.context);
        manager.add_pass(passes::verify_stream(&VerifyStreamOptions::default()));
        self.complaints.borrow_mut().clear();
        let is_accepted = manager.run(&mut module).is_ok();
        (!is_accepted).then(|| self.complaints.borrow().join("\n"))
    }
}

fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What is left out.
const KINDS: [&str; 6] = [
    "an event",
    "a wait for an event",
    "a barrier",
    "a put",
    "a wait for a signal",
    "a put with a wait",
];

/// Lines of the function that a line is in.
fn function_around(lines: &[&str], line: usize) -> std::ops::Range<usize> {
    let begins = |index: &usize| lines[*index].trim_start().starts_with("func.func");
    let from = (0..=line).rev().find(begins).unwrap_or(0);
    let to = (line + 1..lines.len()).find(begins).unwrap_or(lines.len());
    from..to
}

fn channel(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(" channel ")?;
    rest.split(' ').next()
}

/// Sets of lines, each of which holds one synchronisation, with what it is.
fn synchronisations(lines: &[&str]) -> Vec<(&'static str, Vec<usize>)> {
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let in_function = || function_around(lines, number);
        if let Some((event, _)) = line.split_once(" = comm_stream.record on ") {
            let wait = format!("comm_stream.wait_event {} ", event.trim());
            let waits = in_function().filter(|&other| lines[other].contains(&wait));
            found.push((KINDS[0], std::iter::once(number).chain(waits).collect()));
        } else if line.contains("comm_stream.wait_event ") {
            found.push((KINDS[1], vec![number]));
        } else if line.contains("comm_stream.barrier ") {
            found.push((KINDS[2], vec![number]));
        } else if line.contains("comm_stream.wait_signal ") {
            found.push((KINDS[4], vec![number]));
        } else if line.contains("comm_stream.put_signal ") {
            found.push((KINDS[3], vec![number]));
            let is_wait = |other: &usize| {
                lines[*other].contains("comm_stream.wait_signal ") && channel(lines[*other]) == channel(line)
            };
            found.extend(
                in_function()
                    .filter(is_wait)
                    .map(|wait| (KINDS[5], vec![number, wait])),
            );
        }
    }
    found
}

fn without(lines: &[&str], left_out: &[usize]) -> String {
    let kept = lines
        .iter()
        .enumerate()
        .filter(|(number, _)| !left_out.contains(number));
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

/// What has become of programs and their mutations.
#[derive(Default)]
struct Tally {
    programs: usize,
    /// How many synchronisations were left out, by what they are.
    tried: BTreeMap<&'static str, usize>,
    /// Those that nobody missed.
    survivors: Vec<String>,
}

impl Tally {
    /// Checks a correct program, and leaves out each of its synchronisations, or so many of them, chosen by a seed.
    fn mutate(&mut self, session: &Session, name: &str, printed: &str, sample: Option<(usize, u64)>) {
        assert_eq!(session.verdict(printed), None, "{name} is correct:\n{printed}");
        self.programs += 1;
        let lines: Vec<&str> = printed.lines().collect();
        let mut all = synchronisations(&lines);
        if let Some((count, seed)) = sample {
            fastrand::Rng::with_seed(seed).shuffle(&mut all);
            all.truncate(count);
        }
        for (what, left_out) in all {
            *self.tried.entry(what).or_default() += 1;
            // Not for being hard to follow, but for being wrong.
            let verdict = session.verdict(&without(&lines, &left_out)).unwrap_or_default();
            if !verdict.contains("breaks the rules of streams") {
                let line = lines[left_out[0]].trim();
                let place = left_out[0] + 1;
                self.survivors
                    .push(format!("{name}:{place}: {what}: {line}: {verdict}"));
            }
        }
    }

    /// Checks that all was missed, and that so many of each kind were tried.
    fn end(&self, kinds: &[&str], least: usize) {
        println!("left out of {} programs: {:?}", self.programs, self.tried);
        assert!(
            self.survivors.is_empty(),
            "nobody misses\n{}",
            self.survivors.join("\n")
        );
        for kind in kinds {
            assert!(
                self.tried.get(kind).is_some_and(|&count| count >= least),
                "{kind} of {:?}",
                self.tried
            );
        }
    }
}

#[test]
fn no_synchronisation_can_be_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/verify-stream/correct");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("its entries can be read").path())
        .collect();
    paths.sort();
    let session = Session::new();
    let mut tally = Tally::default();
    for path in &paths {
        let text = fs::read_to_string(path).expect("a program");
        let module =
            Module::parse(&session.context, &text).unwrap_or_else(|| panic!("{} parses", path.display()));
        let printed = module.as_operation().to_string();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            !synchronisations(&lines).is_empty(),
            "{} synchronises",
            path.display()
        );
        tally.mutate(&session, &path.display().to_string(), &printed, None);
    }
    tally.end(&KINDS, 4);
}

/// Lowers a program to streams, with buffers freed, and prints it.
fn lowered(context: &Context, text: &str, passes: &[String]) -> Result<String, RunnerError> {
    let mut module = parse(context, text)?;
    let options = LowerOptions {
        passes: passes.to_vec(),
        verify: false,
        until: Stage::Stream,
        ..Default::default()
    };
    lower(context, &mut module, &options, |_| {})?;
    Ok(module.as_operation().to_string())
}

/// Programs of `test/programs/jax`, and how many of their mutations are tried.
const REAL_PROGRAMS: [(&str, Option<usize>); 8] = [
    ("ag_matmul_plain_small", None),
    ("ag_matmul_ring_small", None),
    ("ag_matmul_ring_loop_small", None),
    ("ag_matmul_bidir_small", None),
    ("matmul_rs_plain_small", None),
    ("matmul_rs_ring_small", None),
    ("tp_sp_L2_small_fwd", Some(40)),
    ("zero3_L2_small_fwd", Some(40)),
];

#[test]
fn lowered_programs_have_no_event_too_many() {
    let session = Session::new();
    let mut tally = Tally::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/programs/jax");
    for (name, count) in REAL_PROGRAMS {
        let text = fs::read_to_string(folder.join(format!("{name}.local.generic.mlir"))).expect("a program");
        let sort = ["comm-asyncify", "comm-sort"].map(str::to_owned);
        for passes in [&[][..], &sort] {
            let printed = lowered(&session.context, &text, passes).expect("the program can be lowered");
            let name = format!("{name} after {passes:?}");
            tally.mutate(&session, &name, &printed, count.map(|count| (count, 1)));
        }
    }
    tally.end(&KINDS[..2], 100);
}

/// Fused ops in groups of two to four, in each schedule; groups of one synchronise nothing.
#[test]
fn nor_any_of_fused_ops() {
    let session = Session::new();
    passes::register();
    melior::utility::register_all_passes();
    let mut tally = Tally::default();
    let ways: [(usize, &[&str]); 3] = [
        (
            2,
            &[
                "schedule=signal",
                "schedule=two-stream",
                "schedule=two-stream-eager",
            ],
        ),
        (
            3,
            &[
                "schedule=signal sub-chunks=1",
                "schedule=signal depth=1 sub-chunks=2",
                "schedule=two-stream sub-chunks=1",
                "schedule=two-stream-eager sub-chunks=2",
            ],
        ),
        (
            4,
            &[
                "schedule=signal sub-chunks=1",
                "schedule=two-stream-eager sub-chunks=1",
            ],
        ),
    ];
    for (n, ways) in ways {
        for pair in fused::all(n) {
            for way in ways {
                let name = format!("{}, {n} ranks, {way}", pair.name);
                tally.mutate(
                    &session,
                    &name,
                    &session.lowered(&pair.fused, &fused::to_streams(way)),
                    None,
                );
            }
        }
    }
    for pair in fused::all(1) {
        let lowered = session.lowered(&pair.fused, &fused::to_streams("schedule=signal"));
        assert!(!lowered.contains("comm_stream."), "{lowered}");
    }
    tally.end(&[], 0);
}

#[test]
fn random_lowered_programs_have_no_event_too_many() {
    let count = setting("COMM_MUTATED_PROGRAMS", 16);
    let first = setting("COMM_MUTATED_SEED", 0);
    let session = Session::new();
    let mut tally = Tally::default();
    let mut not_followed = 0;
    for seed in first..first + count {
        let program = generate(
            seed,
            Style {
                statements: 12,
                is_smooth: false,
            },
        );
        if program.collectives().is_empty() {
            continue;
        }
        let sort = [
            "comm-asyncify",
            "comm-sort{max-in-flight=0 max-in-flight-reductions=0}",
        ]
        .map(str::to_owned);
        for passes in [&[][..], &sort] {
            let name = format!("seed {seed} after {passes:?}");
            let printed = lowered(&session.context, &write(&program), passes)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let verdict = session.verdict(&printed).unwrap_or_default();
            // A loop of unknown length whose rounds differ.
            if verdict.contains("is not proved to be ordered: how often it runs is not known") {
                not_followed += 1;
            } else {
                tally.mutate(&session, &name, &printed, None);
            }
        }
    }
    println!("{not_followed} programs are not followed");
    assert!(not_followed < tally.programs, "{not_followed} programs");
    tally.end(&KINDS[..2], count as usize);
}
