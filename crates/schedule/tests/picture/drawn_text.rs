// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures as text.

use crate::{picture, three_streams};
use comm_schedule::bounds::{Bound, BoundName};
use comm_schedule::picture::{TextOptions, text};
use comm_schedule::{Collective, Node, NodeId, Problem};
use unicode_width::UnicodeWidthStr;

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
