// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Where the sorts place communication, on small programs written out: the faults that one sort for both kinds of
//! collectives has, and the placement rules one by one. Orders are checked as text.

mod alike;
#[path = "../common/mod.rs"]
mod common;
mod gathers;
mod program;
mod reductions;
mod ties;

use comm_schedule::{Class, Collective, Node, SortError, SortOptions, sort};
use program::Program;

#[test]
fn a_blocking_gather_stands_where_its_wait_would_and_a_blocking_reduction_where_its_start_would() {
    let mut program = Program::new();
    let (w, x) = (program.arg("w"), program.arg("x"));
    let stream = program.stream;
    let g = program.push(
        "g",
        Node::blocking(Collective::AllGather, stream).bytes(64).deps(&[w]),
    );
    let a = program.compute("a", &[x]);
    let b = program.compute("b", &[a, g]);
    let c = program.compute("c", &[b]);
    let r = program.push(
        "r",
        Node::blocking(Collective::ReduceScatter, stream)
            .bytes(8)
            .deps(&[a]),
    );
    program.compute("return", &[c, r]);
    program.expect(
        SortOptions::default(),
        "check: compute a
         nextln: blocking reduce_scatter r
         nextln: blocking all_gather g
         nextln: compute b
         nextln: compute c",
    );
}

#[test]
fn a_collective_that_is_not_known_stays() {
    let mut program = Program::new();
    let x = program.arg("x");
    let stream = program.stream;
    let a = program.compute("a", &[x]);
    let start = program.push(
        "start",
        Node {
            collective: None,
            ..Node::start(Collective::Permute, stream).deps(&[x])
        },
    );
    let b = program.compute("b", &[a]);
    let wait = program.push("wait", Node::wait(start).deps(&[start]));
    let c = program.compute("c", &[b]);
    program.compute("return", &[c, wait]);
    let order = program.sort(SortOptions::default()).order;
    assert_eq!(order, program.problem.ids().collect::<Vec<_>>());
}

#[test]
fn a_limit_that_a_fence_forbids_is_an_error_with_the_least_that_is_possible() {
    for (collective, class) in [
        (Collective::AllGather, Class::Gather),
        (Collective::AllReduce, Class::Reduction),
    ] {
        let mut program = Program::new();
        let args: Vec<_> = (0..5).map(|index| program.arg(&format!("x{index}"))).collect();
        let starts: Vec<_> = args
            .iter()
            .map(|&arg| program.start("s", collective, arg, 8))
            .collect();
        let fence = program.push("fence", Node::compute().fence(true).after(&starts));
        let waits: Vec<_> = starts
            .iter()
            .map(|&start| program.push("w", Node::wait(start).deps(&[start]).after(&[fence])))
            .collect();
        program.compute("return", &waits);
        let options = SortOptions {
            max_in_flight: 2,
            max_in_flight_reductions: 2,
            ..Default::default()
        };
        let error = sort(&program.problem, &options).expect_err("five must cross the fence");
        let expected = SortError::LimitNotMet {
            class,
            limit: 2,
            least: 5,
            stream: "dp".into(),
            proved: true,
        };
        assert_eq!(error, expected);
        assert!(error.to_string().contains("at most 2") && error.to_string().contains("5 is the least"));
        let enough = SortOptions {
            max_in_flight: 5,
            max_in_flight_reductions: 5,
            ..Default::default()
        };
        assert_eq!(program.sort(enough).report.moved, 0);
    }
}

#[test]
fn depth_is_no_matter() {
    let mut program = Program::new();
    let mut x = program.arg("x");
    for _ in 0..200_000 {
        x = program.problem.push(Node::view().deps(&[x]));
    }
    let w = program.gather("g", x);
    program.compute("return", &[w]);
    let report = program.sort(SortOptions::default()).report;
    assert_eq!((report.moved, report.slot_gathers), (0, 1));
}
