// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Traces hold what the trace-event format asks of every event, and what the schedule says.

mod common;

use comm_schedule::json::Document;
use comm_schedule::picture::{Picture, trace};
use comm_schedule::{Collective, Node, Problem};
use common::{ALL, choices, program};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

fn events(text: &str) -> Vec<Value> {
    let whole: Value = serde_json::from_str(text).expect("JSON");
    whole["traceEvents"].as_array().expect("a list").clone()
}

/// A process and a thread of it.
type Thread = (u64, u64);

fn nanoseconds(value: &Value) -> u64 {
    (value.as_f64().expect("a number") * 1000.0).round() as u64
}

/// Checks every event by the rules of its phase, and that the events of a thread neither overlap nor lack a name.
fn check(events: &[Value]) {
    let mut threads: BTreeMap<Thread, Vec<(u64, u64)>> = BTreeMap::new();
    let mut named = Vec::new();
    let mut arrows: BTreeMap<&str, Vec<(&str, u64, Thread)>> = BTreeMap::new();
    for event in events {
        let thread = (
            event["pid"].as_u64().expect("pid"),
            event["tid"].as_u64().expect("tid"),
        );
        assert!(
            event["name"].as_str().is_some_and(|name| !name.is_empty()),
            "{event}"
        );
        match event["ph"].as_str().expect("ph") {
            "M" => match event["name"].as_str() {
                Some("thread_name") => named.push(thread),
                Some("process_name") => assert!(event["args"]["name"].is_string(), "{event}"),
                other => assert_eq!(other, Some("thread_sort_index")),
            },
            "X" => {
                let (begin, length) = (nanoseconds(&event["ts"]), nanoseconds(&event["dur"]));
                assert!(
                    length > 0 && event["args"].is_object() && event["cat"].is_string(),
                    "{event}"
                );
                threads.entry(thread).or_default().push((begin, begin + length));
            }
            "C" => assert!(
                event["args"]["bytes"].is_u64() && event["ts"].is_number(),
                "{event}"
            ),
            phase @ ("s" | "f") => {
                assert!(phase == "s" || event["bp"] == "e", "{event}");
                let arrow = arrows.entry(event["id"].as_str().expect("id")).or_default();
                arrow.push((phase, nanoseconds(&event["ts"]), thread));
            }
            other => panic!("unknown phase {other}"),
        }
    }
    for (thread, stretches) in &mut threads {
        assert!(named.contains(thread), "thread {thread:?} has no name");
        stretches.sort();
        for pair in stretches.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "{pair:?} overlap");
        }
    }
    for (id, arrow) in arrows {
        let [("s", from, out), ("f", to, into)] = arrow[..] else {
            panic!("arrow {id}: {arrow:?}");
        };
        assert!(from <= to && out.1 != 0 && into.1 == 0, "arrow {id}: {arrow:?}");
        for (at, thread) in [(from, out), (to, into)] {
            let is_inside = |&(begin, end): &(u64, u64)| begin <= at && at < end;
            assert!(
                threads[&thread].iter().any(is_inside),
                "arrow {id} touches nothing at {at}"
            );
        }
    }
}

#[test]
fn a_gather_and_what_waits_for_it() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let start = problem.push(Node::start(Collective::AllGather, link).ns(3_000).bytes(64));
    problem.set_name(start, "w.gather \"quoted\"\n");
    problem.push(Node::compute().ns(1_000).bytes(8));
    let wait = problem.push(Node::wait(start).deps(&[start]));
    problem.set_name(wait, "w");
    let matmul = problem.push(Node::compute().ns(2_500).deps(&[wait]));
    problem.set_name(matmul, "matmul");
    let order: Vec<_> = problem.ids().collect();
    let picture = Picture::new("step", &problem, &order).expect("a picture");
    let events = events(&trace(&[picture.clone(), picture]));
    check(&events);
    let of = |pid: u64, phase: &str| {
        events
            .iter()
            .filter(move |event| event["pid"] == pid && event["ph"] == phase)
            .cloned()
            .collect::<Vec<_>>()
    };
    for pid in [1, 2] {
        let complete = of(pid, "X");
        let find = |name: &str| {
            complete
                .iter()
                .find(|event| event["name"] == name)
                .unwrap_or_else(|| panic!("{name} in {complete:?}"))
                .clone()
        };
        assert_eq!(complete.len(), 4);
        let gather = find("w.gather \"quoted\"\u{fffd}");
        assert_eq!(
            (&gather["args"]["kind"], &gather["args"]["bytes"]),
            (&Value::from("start"), &Value::from(64))
        );
        assert_eq!(
            (nanoseconds(&gather["ts"]), nanoseconds(&gather["dur"])),
            (0, 3_000)
        );
        assert_eq!(find("matmul")["args"]["waits"], serde_json::json!(["w"]));
        let exposed = find("exposed: w.gather \"quoted\"\u{fffd}");
        assert_eq!(
            (nanoseconds(&exposed["ts"]), nanoseconds(&exposed["dur"])),
            (1_000, 2_000)
        );
        assert_eq!(nanoseconds(&exposed["args"]["issued_before_us"]), 1_000);
        assert_eq!((of(pid, "s").len(), of(pid, "f").len()), (1, 1));
        let memory: Vec<_> = of(pid, "C")
            .iter()
            .map(|event| (nanoseconds(&event["ts"]), event["args"]["bytes"].as_u64()))
            .collect();
        assert_eq!(memory, [(0, Some(64)), (0, Some(72)), (1_000, Some(64))]);
    }
}

#[test]
fn real_steps() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    for entry in std::fs::read_dir(folder).expect("the problems are there") {
        let json = std::fs::read_to_string(entry.expect("a file").path()).expect("readable");
        let document = Document::parse(&json).expect("a problem");
        let problem = document.problem();
        let order: Vec<_> = problem.ids().collect();
        let picture = Picture::new("step", problem, &order).expect("a picture");
        let events = events(&trace(&[picture]));
        check(&events);
        let count = |phase: &str, cat: &str| {
            events
                .iter()
                .filter(|event| event["ph"] == phase && event["cat"] == cat)
                .count()
        };
        let computed = problem
            .ids()
            .filter(|&id| problem.kind(id) == comm_schedule::Kind::Compute && problem.ns(id) > 0);
        assert_eq!(count("X", "compute"), computed.count());
        // All but waits at the very end have an arrow.
        let waits = problem
            .ids()
            .filter(|&id| problem.kind(id) == comm_schedule::Kind::Wait)
            .count();
        assert!(
            count("s", "wait") * 10 >= waits * 8,
            "{} arrows for {waits} waits",
            count("s", "wait")
        );
    }
}

#[test]
fn nothing_at_all() {
    assert_eq!(events(&trace(&[])).len(), 0);
    let empty = Problem::new();
    check(&events(&trace(&[
        Picture::new("empty", &empty, &[]).expect("a picture")
    ])));
}

proptest! {
    #[test]
    fn random_steps(choices in choices(60)) {
        let problem = program(&choices, ALL);
        let order: Vec<_> = problem.ids().collect();
        check(&events(&trace(&[Picture::new("random", &problem, &order).unwrap()])));
    }
}
