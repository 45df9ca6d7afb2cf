// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures as text.

use crate::{picture, three_streams};
use comm_schedule::bounds::{Bound, BoundName};
use comm_schedule::picture::{TextOptions, text};
use comm_schedule::{Cause, Collective, Node, NodeId, Problem};
use unicode_width::UnicodeWidthStr;

/// A picture and the report of the scheduler say the same of one order.
#[test]
fn a_gather_that_begins_with_the_step_cannot_start_earlier() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let shard = problem.push(Node::arg().bytes(8));
    let first = problem.push(Node::start(Collective::AllGather, link).ns(90).deps(&[shard]));
    let whole = problem.push(Node::wait(first).deps(&[first]));
    let x = problem.push(Node::compute().ns(10).deps(&[whole]));
    let late = problem.push(Node::start(Collective::AllGather, link).ns(30).deps(&[shard]));
    let second = problem.push(Node::wait(late).deps(&[late]));
    problem.push(Node::compute().ns(10).deps(&[x, second]));
    let picture = picture("two gathers", &problem);
    let causes: Vec<_> = picture
        .gaps
        .iter()
        .map(|gap| (gap.collective, gap.cause))
        .collect();
    assert_eq!(causes, [(first, Cause::Consumer), (late, Cause::Order)]);
    let shown = text(&[picture], &TextOptions::default());
    for reason in [
        "at 0 ns: runs 90 ns, issued as the step begins; limited by consumer",
        "at 100 ns: runs 30 ns, issued when needed; limited by order",
    ] {
        assert!(shown.contains(reason), "{shown}");
    }
}

#[test]
fn text_draws_streams_in_columns_of_equal_time() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let start = problem.push(Node::start(Collective::AllGather, link).ns(45_000).bytes(8));
    let wait = problem.push(Node::wait(start).deps(&[start]));
    problem.push(Node::compute().ns(45_000).bytes(56).deps(&[wait]));
    let options = TextOptions {
        width: 100,
        ascii: true,
        ..TextOptions::default()
    };
    let shown = text(&[picture("one gather", &problem)], &options);
    let row = |name: &str| {
        shown
            .lines()
            .find(|line| line.starts_with(&format!("  {name}")))
            .expect("the row")[10..]
            .to_owned()
    };
    assert_eq!(row("compute"), " ".repeat(45) + &"#".repeat(45));
    assert_eq!(row("exposed"), "1".repeat(45));
    assert_eq!(row("dp"), "G".repeat(45));
    assert_eq!(row("memory"), ".".repeat(45) + &"#".repeat(45));
}

#[test]
fn text_stays_in_its_width() {
    let mut problem = three_streams(40);
    problem.set_name(NodeId(2), &"日本語\u{1b}[31m".repeat(90));
    for width in [0, 40, 80, 133] {
        for ascii in [false, true] {
            let options = TextOptions {
                width,
                ascii,
                ..TextOptions::default()
            };
            let bound = Bound {
                name: BoundName::Lb1,
                ns: 60_000_000,
            };
            let one = picture(&"long title ".repeat(20), &problem).with_bound(bound);
            let shown = text(&[one.clone(), one], &options);
            let drawn = shown.lines().filter(|line| !line.contains("peak memory"));
            for line in drawn {
                assert!(line.width() <= width.max(60), "{} columns: {line}", line.width());
            }
            assert!(!shown.contains('\u{1b}'));
            assert!(!ascii || shown.is_ascii(), "{shown}");
            assert!(shown.contains("gap 180.0 %"), "{shown}");
        }
    }
    let colour = TextOptions {
        colour: true,
        ..TextOptions::default()
    };
    assert!(text(&[picture("step", &problem)], &colour).contains("\u{1b}[1;31m"));
}
