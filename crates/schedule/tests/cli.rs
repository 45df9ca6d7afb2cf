// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The program `comm-schedule`: what it says, and what it does when nobody can hear it.
#![cfg(all(unix, feature = "cli"))]

use std::fs::File;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const PROBLEM: &str = r#"{"nodes": [
    {"id": "c", "kind": "compute", "ns": 250},
    {"id": "s", "kind": "start", "stream": "dp", "ns": 412},
    {"id": "w", "kind": "wait", "of": "s", "deps": ["s"]},
    {"id": "d", "kind": "compute", "ns": 100, "deps": ["w"]}]}"#;

/// Runs the program with a problem on its input stream.
fn run(problem: &str, stdout: Stdio, stderr: Stdio) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_comm-schedule"))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(problem.as_bytes()).expect("the program reads");
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// What the program says of a problem that it refuses.
fn refusal(problem: &str) -> String {
    let output = run(problem, Stdio::piped(), Stdio::piped());
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("text")
}

/// The writing end of a pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn nanoseconds_are_not_rounded_away() {
    let output = run(PROBLEM, Stdio::piped(), Stdio::piped());
    let figures = String::from_utf8(output.stderr).expect("text");
    assert!(
        figures.starts_with("step time 0.512 us (source order 0.762 us), exposed 0.162 us, "),
        "{figures}"
    );
}

#[test]
fn misspelt_keys_are_named_once_each() {
    let problem = r#"{"nodes": [
        {"id": "c", "kind": "compute", "nss": 250},
        {"id": "d", "kind": "compute", "nss": 100, "ns": 5, "Bytes": 1}], "liveout": ["d"], "name": "small", "result": {}}"#;
    let output = run(problem, Stdio::piped(), Stdio::piped());
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).expect("text");
    let warnings: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("comm-schedule: warning: -: "))
        .collect();
    assert_eq!(
        warnings,
        [
            "at the top: the key `liveout` is not known and has no effect",
            "node \"d\": the key `Bytes` is not known and has no effect",
            "node \"c\": the key `nss` is not known and has no effect",
        ]
    );
    // What is not known is kept.
    assert!(
        String::from_utf8(output.stdout)
            .expect("text")
            .contains("\"liveout\"")
    );
}

#[test]
fn a_reader_may_leave_at_any_time() {
    for (stdout, stderr) in [(closed_pipe(), Stdio::piped()), (Stdio::piped(), closed_pipe())] {
        assert_eq!(run(PROBLEM, stdout, stderr).status.code(), Some(0));
    }
    assert_eq!(run("", Stdio::piped(), closed_pipe()).status.code(), Some(1));
}

#[test]
fn a_full_device_is_an_error_of_one_line() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return;
    };
    let output = run(PROBLEM, full.into(), Stdio::piped());
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(message.starts_with("comm-schedule: cannot write: "), "{message}");
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let output = run(&format!("\u{feff}{PROBLEM}"), Stdio::piped(), Stdio::piped());
    assert!(output.status.success());
}

#[test]
fn nodes_are_named_as_the_file_names_them() {
    let faulty = PROBLEM.replace(r#""of": "s", "deps": ["s"]"#, r#""of": "d""#);
    assert_eq!(
        refusal(&faulty),
        "comm-schedule: -: node \"w\": depends on node \"d\", which does not stand before it\n"
    );
}

#[test]
fn messages_speak_of_json_alone() {
    let message = |from: &str, to: &str| refusal(&PROBLEM.replace(from, to));
    assert!(refusal("[1]").contains("expected an object with a list `nodes`"));
    assert!(refusal(r#"{"nodes": [7]}"#).contains("expected a node, which is an object with an `id`"));
    assert!(message(r#""id": "s""#, r#""id": null"#).contains("an id is a number or a string"));
    let number = "expected a whole number from 0 to 18446744073709551615";
    for wrong in ["-1", "1.5", "\"long\"", "null"] {
        let said = message("250", wrong);
        assert!(said.contains(number), "{said}");
    }
    assert!(message("compute", "com\\u001bpute").contains(r#"is "com\u{1b}pute", expected one of"#));
}
