// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-verify-stream` accepts the programs of `test/verify-stream/correct`, and refuses each of them as soon as any one
//! synchronisation is left out: an event with its waits, one wait for an event, a barrier, a put, a wait for a signal, or a
//! put with a wait.
//!
//! Programs are changed as text, line by line, after MLIR has printed them.

use std::{fs, path::Path};

use melior::{
    Context,
    ir::{Module, operation::OperationLike},
    pass::PassManager,
};
use mlir_comm::passes::{self, VerifyStreamOptions};

/// A context that keeps what it has to complain of to itself.
fn quiet_context() -> Context {
    let context = mlir_comm::context();
    context.attach_diagnostic_handler(|_| true);
    context
}

fn is_accepted(context: &Context, text: &str) -> bool {
    let mut module = Module::parse(context, text).unwrap_or_else(|| panic!("this does not parse:\n{text}"));
    let manager = PassManager::new(context);
    manager.add_pass(passes::verify_stream(&VerifyStreamOptions::default()));
    manager.run(&mut module).is_ok()
}

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
            found.push(("an event", std::iter::once(number).chain(waits).collect()));
        } else if line.contains("comm_stream.wait_event ") {
            found.push(("a wait for an event", vec![number]));
        } else if line.contains("comm_stream.barrier ") {
            found.push(("a barrier", vec![number]));
        } else if line.contains("comm_stream.wait_signal ") {
            found.push(("a wait for a signal", vec![number]));
        } else if line.contains("comm_stream.put_signal ") {
            found.push(("a put", vec![number]));
            let is_wait = |other: &usize| {
                lines[*other].contains("comm_stream.wait_signal ") && channel(lines[*other]) == channel(line)
            };
            found.extend(
                in_function()
                    .filter(is_wait)
                    .map(|wait| ("a put with a wait", vec![number, wait])),
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

#[test]
fn no_synchronisation_can_be_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/verify-stream/correct");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("its entries can be read").path())
        .collect();
    paths.sort();
    let context = quiet_context();
    let mut tried = 0;
    let mut survivors = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).expect("a program");
        let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{} parses", path.display()));
        let printed = module.as_operation().to_string();
        assert!(is_accepted(&context, &printed), "{} is correct", path.display());
        let lines: Vec<&str> = printed.lines().collect();
        let all = synchronisations(&lines);
        assert!(!all.is_empty(), "{} synchronises", path.display());
        for (what, left_out) in all {
            tried += 1;
            if is_accepted(&context, &without(&lines, &left_out)) {
                let line = lines[left_out[0]].trim();
                survivors.push(format!("{}: {what}: {line}", path.display()));
            }
        }
    }
    assert!(survivors.is_empty(), "nobody misses\n{}", survivors.join("\n"));
    assert!(tried >= 80, "{tried} were left out");
    println!("{tried} left out of {} programs", paths.len());
}
