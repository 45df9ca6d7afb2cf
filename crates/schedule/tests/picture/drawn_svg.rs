// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures as SVG: bars, gaps and their words.

use crate::elements::{bars, number, plot, words};
use crate::{picture, three_streams};
use comm_schedule::picture::{Picture, SvgOptions, TextOptions, svg, text};
use comm_schedule::{Collective, Node, NodeId, Problem};
use std::slice::from_ref;

const KINDS: [&str; 5] = ["c", "g", "s", "r", "o"];

#[test]
fn svg_has_a_bar_for_each_node_that_takes_time() {
    let problem = three_streams(4);
    let picture = picture("four layers", &problem);
    let text = svg(from_ref(&picture), &SvgOptions::default());
    let document = roxmltree::Document::parse(&text).expect("well-formed XML");
    let with_duration = problem.ids().filter(|&id| problem.ns(id) > 0).count();
    assert_eq!(bars(&document, &KINDS).len(), with_duration);
    assert_eq!(bars(&document, &["c"]).len(), 8);
    assert_eq!(bars(&document, &["g"]).len(), 4);
    assert_eq!(bars(&document, &["r"]).len(), 4);
    assert_eq!(bars(&document, &["s"]).len(), 4);
    // The lost part of the row of computation is as wide as the exposed part of the step.
    let lost: f64 = bars(&document, &["l", "l1"])
        .iter()
        .map(|bar| number(bar, "width"))
        .sum();
    let expected = picture.exposed_ns() as f64 / picture.step_ns as f64 * plot(&document).1;
    assert!((lost - expected).abs() < 0.2, "{lost} against {expected}");
    assert_eq!(bars(&document, &["l", "l1"]).len(), picture.gaps.len());
    let words = words(&document);
    assert_eq!(picture.peak().bytes, 19 << 20);
    for expected in ["layer0.matmul", "gather", "four layers", "peak 19 MiB"] {
        assert!(
            words.iter().any(|word| word == expected),
            "no text '{expected}' in {words:?}"
        );
    }
    assert_eq!(
        words
            .iter()
            .filter(|word| word.starts_with("link nvlink, "))
            .count(),
        2
    );
    assert!(
        words.iter().any(|word| word.contains("layer0.gather: 900 us")),
        "{words:?}"
    );
}

#[test]
fn gaps_say_what_they_wait_for_and_why() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let x = problem.push(Node::compute().ns(100).bytes(10));
    let first = problem.push(Node::start(Collective::AllGather, link).ns(500).bytes(20));
    let second = problem.push(Node::start(Collective::AllGather, link).ns(300).bytes(30));
    let y = problem.push(Node::compute().ns(200).bytes(40).deps(&[x]));
    let wait = problem.push(Node::wait(second).deps(&[second]));
    problem.push(Node::compute().ns(50).deps(&[wait, y]));
    let last = problem.push(Node::start(Collective::ReduceScatter, link).ns(70).deps(&[y]));
    let picture = picture("two gathers", &problem);
    assert_eq!((picture.step_ns, picture.exposed_ns()), (1020, 670));
    let gaps: Vec<_> = picture
        .gaps
        .iter()
        .map(|gap| {
            (
                gap.begin_ns,
                gap.end_ns,
                gap.collective,
                gap.lead_ns,
                gap.queued_ns,
                gap.runs_ns,
            )
        })
        .collect();
    assert_eq!(
        gaps,
        [(300, 900, second, 200, 500, 300), (950, 1020, last, 0, 0, 70)]
    );
    assert_eq!(picture.peak().bytes, 10 + 30 + 40);
    let shown = text(&[picture], &TextOptions::default());
    assert!(
        shown.contains("#2 at 300 ns: runs 300 ns, issued 200 ns before, queued 500 ns; limited by link"),
        "{shown}"
    );
    assert!(
        shown.contains("limited by link                     600 ns in 1 wait"),
        "{shown}"
    );
    assert_eq!(problem.ns(first), 500);
}

#[test]
fn several_pictures_share_one_scale() {
    let problem = three_streams(3);
    // The same with all gathers at the head.
    let is_gather = |id: &NodeId| problem.collective(*id) == Some(Collective::AllGather);
    let is_early = |id: &NodeId| is_gather(id) || problem.kind(*id) == comm_schedule::Kind::Arg;
    let (mut order, rest): (Vec<_>, Vec<_>) = problem.ids().partition(is_early);
    order.sort_by_key(|id| (is_gather(id), *id));
    order.extend(rest);
    let source = picture("source", &problem);
    let early = Picture::new("early", &problem, &order).expect("a picture");
    assert!(early.step_ns < source.step_ns);
    let document = svg(&[source.clone(), early.clone()], &SvgOptions::default());
    let document = roxmltree::Document::parse(&document).expect("well-formed XML");
    let words = words(&document);
    let saved = 100.0 * (1.0 - early.step_ns as f64 / source.step_ns as f64);
    let said = format!("step -{saved:.1} %, exposed -");
    assert!(
        words.iter().any(|word| word.starts_with(&said)),
        "no '{said}' in {words:?}"
    );
    assert!(words.contains(&"early against source".to_owned()), "{words:?}");
    assert!(words.iter().any(|word| word.contains("less (-")), "{words:?}");
    let last_compute = |from: usize| {
        let bars = bars(&document, &["c"]);
        let bar = &bars[from];
        number(bar, "x") + number(bar, "width") - plot(&document).0
    };
    let ends = (last_compute(5), last_compute(11));
    let expected = |picture: &Picture<'_>| {
        picture.lanes[0].bars[5].end_ns as f64 / source.step_ns as f64 * plot(&document).1
    };
    assert!((ends.0 - expected(&source)).abs() < 1.0, "{ends:?}");
    assert!((ends.1 - expected(&early)).abs() < 1.0, "{ends:?}");
    let shown = text(&[source, early], &TextOptions::default());
    assert!(
        shown.contains(&format!("early against source:\n  step -{saved:.1} %")),
        "{shown}"
    );
}
