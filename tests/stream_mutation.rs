// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-stream` accepts the programs of `test/verify-stream/correct`, and refuses each of them as soon as any one
//! synchronisation is left out: an event with its waits, one wait for an event, a barrier, a put, a wait for a signal, or a
//! put with a wait. So it does with what `convert-comm-to-stream` makes of fused ops, in every schedule: no synchronisation
//! there is implied by others.
//!
//! Programs are changed as text, line by line, after MLIR has printed them.

use std::{cell::RefCell, collections::BTreeMap, fs, path::Path, rc::Rc};

use melior::{
    Context,
    ir::{Module, operation::OperationLike},
    pass::PassManager,
};
use mlir_comm::passes::{self, VerifyStreamOptions};

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

/// What was left out so far, and where nobody missed it.
#[derive(Default)]
struct Trial {
    tried: BTreeMap<&'static str, usize>,
    survivors: Vec<String>,
}

impl Trial {
    /// Leaves out each synchronisation of a correct program.
    fn run(&mut self, session: &Session, name: &str, printed: &str) {
        assert_eq!(session.verdict(printed), None, "{name} is correct:\n{printed}");
        let lines: Vec<&str> = printed.lines().collect();
        let all = synchronisations(&lines);
        assert!(!all.is_empty(), "{name} synchronises");
        for (what, left_out) in all {
            *self.tried.entry(what).or_default() += 1;
            // Not for being hard to follow, but for being wrong.
            let verdict = session.verdict(&without(&lines, &left_out)).unwrap_or_default();
            if !verdict.contains("breaks the rules of streams") {
                let line = lines[left_out[0]].trim();
                self.survivors.push(format!("{name}: {what}: {line}: {verdict}"));
            }
        }
    }
}

/// Fused ops in groups of two to four, in each schedule; groups of one synchronise nothing.
#[test]
fn nor_any_of_fused_ops() {
    let session = Session::new();
    passes::register();
    melior::utility::register_all_passes();
    let mut trial = Trial::default();
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
                trial.run(
                    &session,
                    &name,
                    &session.lowered(&pair.fused, &fused::to_streams(way)),
                );
            }
        }
    }
    for pair in fused::all(1) {
        let lowered = session.lowered(&pair.fused, &fused::to_streams("schedule=signal"));
        assert!(!lowered.contains("comm_stream."), "{lowered}");
    }
    let Trial { tried, survivors } = trial;
    assert!(survivors.is_empty(), "nobody misses\n{}", survivors.join("\n"));
    println!("left out of fused ops: {tried:?}");
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
    let mut trial = Trial::default();
    for path in &paths {
        let text = fs::read_to_string(path).expect("a program");
        let module =
            Module::parse(&session.context, &text).unwrap_or_else(|| panic!("{} parses", path.display()));
        trial.run(
            &session,
            &path.display().to_string(),
            &module.as_operation().to_string(),
        );
    }
    let Trial { tried, survivors } = trial;
    assert!(survivors.is_empty(), "nobody misses\n{}", survivors.join("\n"));
    println!("left out of {} programs: {tried:?}", paths.len());
    for kind in KINDS {
        assert!(
            tried.get(kind).is_some_and(|&count| count >= 4),
            "{kind} of {tried:?}"
        );
    }
}
