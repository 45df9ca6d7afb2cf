// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What pictures show: the model they are drawn from, SVG and text. Traces have a file of their own.

#[path = "../common/mod.rs"]
mod common;
mod drawn_svg;
mod drawn_text;
mod elements;

use comm_schedule::bounds::{Bound, BoundName};
use comm_schedule::json::Document;
use comm_schedule::picture::{Category, Inside, Picture, PictureError, SvgOptions, TextOptions, svg, text};
use comm_schedule::{Cause, Collective, Node, NodeId, Problem, ScheduleOptions, explain, memory, timeline};
use common::{ALL, cases, choices, program};
use elements::{bars, number, plot, words};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::slice::from_ref;

fn source_order(problem: &Problem) -> Vec<NodeId> {
    problem.ids().collect()
}

fn picture<'a>(title: &str, problem: &'a Problem) -> Picture<'a> {
    Picture::new(title, problem, &source_order(problem)).expect("a picture")
}

/// A step of fully sharded data parallelism on three streams, the last two of which share a link.
fn three_streams(layers: usize) -> Problem {
    let mut problem = Problem::new();
    let [gather, reduce, tensor] = ["gather", "reduce", "tensor"].map(|name| problem.stream(name));
    problem.set_link(tensor, "nvlink");
    problem.set_link(reduce, "nvlink");
    let mut activation = problem.push(Node::arg().bytes(64));
    for layer in 0..layers {
        let shard = problem.push(Node::arg().bytes(1 << 20));
        let start = problem.push(
            Node::start(Collective::AllGather, gather)
                .ns(900_000)
                .bytes(8 << 20)
                .deps(&[shard]),
        );
        let whole = problem.push(Node::wait(start).deps(&[start, shard]));
        let matmul = problem.push(
            Node::compute()
                .ns(1_500_000)
                .bytes(4 << 20)
                .deps(&[activation, whole]),
        );
        let sum = problem.push(
            Node::start(Collective::AllReduce, tensor)
                .ns(300_000)
                .bytes(4 << 20)
                .deps(&[matmul]),
        );
        let summed = problem.push(Node::wait(sum).deps(&[sum, matmul]));
        activation = problem.push(Node::compute().ns(700_000).bytes(4 << 20).deps(&[summed]));
        let scattered = problem.push(
            Node::start(Collective::ReduceScatter, reduce)
                .ns(800_000)
                .bytes(1 << 20)
                .deps(&[activation]),
        );
        let gradient = problem.push(Node::wait(scattered).deps(&[scattered, activation]));
        problem.push_live_out(gradient);
        for (node, what) in [
            (start, "gather"),
            (matmul, "matmul"),
            (sum, "sum"),
            (activation, "norm"),
        ] {
            problem.set_name(node, &format!("layer{layer}.{what}"));
        }
    }
    problem
}

#[test]
fn real_steps_keep_their_figures() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the problems are there") {
        let json = std::fs::read_to_string(entry.expect("a file").path()).expect("readable");
        let reference = &serde_json::from_str::<serde_json::Value>(&json).expect("JSON")["reference"];
        let document = Document::parse(&json).expect("a problem");
        let picture = picture("step", document.problem());
        let lost: u64 = picture.gaps.iter().map(|gap| gap.ns()).sum();
        assert_eq!(reference["exposed_us"], (lost as f64 / 100.0).round() / 10.0);
        assert_eq!(reference["peak_bytes"], picture.peak().bytes);
        let shown = text(from_ref(&picture), &TextOptions::default());
        let exact = format!("({} bytes)", picture.peak().bytes);
        assert!(shown.contains(&exact), "{shown}");
        // The colours of collectives that only names tell.
        let is_told = |bar: &comm_schedule::picture::Bar| bar.category != Category::Other;
        let bars = || picture.lanes[1..].iter().flat_map(|lane| &lane.bars);
        assert!(bars().filter(|bar| is_told(bar)).count() * 2 > bars().count());
        files += 1;
    }
    assert!(files >= 5, "found {files} problems");
}

#[test]
fn any_name_is_harmless() {
    let mut problem = three_streams(1);
    let names = [
        "<script>&amp;\"'",
        "\0\u{1}\u{b}\u{fffe}]]>",
        "\u{202e}abc",
        "\n\t",
        "-->",
        "𝕏 … é",
    ];
    for (id, name) in problem
        .ids()
        .filter(|&id| problem.ns(id) > 0)
        .collect::<Vec<_>>()
        .into_iter()
        .zip(names)
    {
        problem.set_name(id, &name.repeat(3));
    }
    let picture = picture("</svg><b a=\"x\">&\u{7}", &problem);
    let document = svg(&[picture], &SvgOptions::default());
    let document = roxmltree::Document::parse(&document).expect("well-formed XML");
    assert!(
        words(&document)
            .iter()
            .any(|word| word == "</svg><b a=\"x\">&\u{fffd}")
    );
    let titles: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    assert!(
        titles
            .iter()
            .any(|title| title.contains("<script>&amp;\"'<script>&amp;\"'")),
        "{titles:?}"
    );
}

#[test]
fn little_or_nothing_can_be_drawn() {
    let empty = Problem::new();
    let mut zero = Problem::new();
    let link = zero.stream("dp");
    let start = zero.push(Node::start(Collective::AllGather, link));
    zero.push(Node::wait(start).deps(&[start]));
    zero.push(Node::compute());
    let mut one = Problem::new();
    one.push(Node::compute().ns(1).bytes(1));
    let mut lonely = Problem::new();
    let link = lonely.stream("dp");
    lonely.push(Node::blocking(Collective::AllReduce, link).ns(7));
    for (problem, marks, said) in [
        (&empty, 0, "nothing in it takes time"),
        (&zero, 0, "nothing in it takes time"),
        (&one, 1, "nothing is exposed"),
        (&lonely, 2, "exposed 7 ns (100.0 %)"),
    ] {
        let picture = picture("little", problem);
        let document = svg(from_ref(&picture), &SvgOptions::default());
        let document = roxmltree::Document::parse(&document).expect("well-formed XML");
        assert_eq!(
            bars(&document, &["c", "g", "s", "r", "o", "l", "l1"]).len(),
            marks
        );
        let shown = text(&[picture], &TextOptions::default());
        assert!(shown.contains(said), "{shown}");
    }
    assert_eq!(text(&[], &TextOptions::default()), "");
    assert!(roxmltree::Document::parse(&svg(&[], &SvgOptions::default())).is_ok());
}

#[test]
fn what_is_inside_of_nodes_counts() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let first = problem.push(Node::compute().ns(100).bytes(8));
    let body = problem.push(Node::compute().ns(500).bytes(16).deps(&[first]));
    problem.push(Node::blocking(Collective::AllReduce, link).ns(50).deps(&[body]));
    let order: Vec<_> = problem.ids().collect();
    let inside = |node, exposed_ns, peak_bytes| Inside {
        node,
        exposed_ns,
        peak_bytes,
    };
    // No more than the node takes, once for each node, and nothing for nodes that do not compute or are not there.
    let held = [
        inside(NodeId(9), 1, 1),
        inside(NodeId(2), 1, 1),
        inside(body, 900, 1000),
        inside(body, 7, 7),
    ];
    let picture = Picture::with_inside("nested", &problem, &order, &held)
        .expect("a schedule")
        .with_bound(Bound {
            name: BoundName::Lb0,
            ns: 650,
        });
    assert_eq!(
        (picture.step_ns, picture.compute_ns, picture.exposed_ns()),
        (650, 100, 550)
    );
    assert_eq!(picture.exposed_inside_ns(), 500);
    let peak = picture.peak();
    assert_eq!((peak.at_ns, peak.bytes), (100, 8 + 16 + 1000));
    assert_eq!(picture.inside, [inside(body, 500, 1000)]);
    let shown = text(from_ref(&picture), &TextOptions::default());
    assert!(
        shown.contains("500 ns of what is exposed lies inside of 1 bar"),
        "{shown}"
    );
    for row in [
        "  1     500 ns  inside #1 at 100 ns: takes 500 ns",
        "by kind    inside loops or branches 500 ns in 1 bar",
        "limited by inside loops or branches 500 ns in 1 bar",
    ] {
        assert!(shown.contains(row), "{shown}");
    }
    // Another order inside of the node may be shorter, so the bound says what it takes for granted.
    let bound = [
        "no order of this block takes less than 650 ns (LB0); gap 0.0 %",
        "as long as what is inside of 1 loop or branch stays as it is",
    ];
    assert!(shown.contains(&bound.join("\n  ")), "{shown}");
    let document = svg(&[picture], &SvgOptions::default());
    assert!(document.contains(&bound.join(", ")));
    assert!(document.contains("500 ns of what is exposed lies inside of 1 bar"));
    assert!(document.contains("inside: 500 ns exposed, peak memory 1000 B"));
    // All of the loop is lost, and the wait behind it; computation is busy in the rest alone.
    let document = roxmltree::Document::parse(&document).expect("well-formed XML");
    let lost = bars(&document, &["l"]);
    let area: f64 = lost
        .iter()
        .map(|bar| number(bar, "width") * number(bar, "height"))
        .sum();
    let expected = plot(&document).1 * number(&lost[1], "height") * 550.0 / 650.0;
    assert!((area / expected - 1.0).abs() < 0.01, "{area} against {expected}");
    let words = words(&document);
    assert!(words.contains(&"15.4 % busy".to_owned()), "{words:?}");
    assert!(words.contains(&"1. inside #1: 500 ns".to_owned()), "{words:?}");
    // What each row has of all that is exposed adds up to all of it.
    for share in ["90.9 %", "9.1 %"] {
        assert!(words.contains(&share.to_owned()), "{words:?}");
    }
}

#[test]
fn a_bar_is_paler_by_what_is_lost_inside() {
    let mut problem = Problem::new();
    let body = problem.push(Node::compute().ns(40_000));
    problem.push(Node::compute().ns(50_000).deps(&[body]));
    let order = source_order(&problem);
    let drawn = |exposed_ns| {
        let inside = Inside {
            node: body,
            exposed_ns,
            peak_bytes: 0,
        };
        let picture = Picture::with_inside("a loop", &problem, &order, &[inside]).expect("a schedule");
        let options = TextOptions {
            ascii: true,
            ..TextOptions::default()
        };
        let row = |shown: &str, name: &str| {
            let line = shown.lines().find(|line| line.starts_with(&format!("  {name}")));
            line.expect("the row").get(10..).unwrap_or_default().to_owned()
        };
        let shown = text(&[picture], &options);
        (row(&shown, "compute"), row(&shown, "exposed"))
    };
    let rest = "#".repeat(50);
    assert_eq!(drawn(0), ("#".repeat(90), String::new()));
    assert_eq!(
        drawn(16_000),
        ("+".repeat(40) + &rest, "1".to_owned() + &"!".repeat(39))
    );
    assert_eq!(drawn(30_000), ("-".repeat(40) + &rest, "1".repeat(40)));
    assert_eq!(drawn(40_000), (" ".repeat(40) + &rest, "1".repeat(40)));
}

#[test]
fn kinds_of_collectives_are_told_apart() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    for collective in [Collective::AllToAll, Collective::Permute, Collective::Broadcast] {
        problem.push(Node::blocking(collective, link).ns(30_000));
    }
    let unnamed = problem.push(Node {
        collective: None,
        ..Node::blocking(Collective::Broadcast, link).ns(60_000)
    });
    let picture = picture("all kinds", &problem);
    let kinds: Vec<_> = picture.lanes[1].bars.iter().map(|bar| bar.category).collect();
    let expected = [
        Category::AllToAll,
        Category::Permute,
        Category::Broadcast,
        Category::Other,
    ];
    assert_eq!(kinds, expected);
    let shown = text(from_ref(&picture), &TextOptions::default());
    let letters = ["A", "P", "B"].map(|letter| letter.repeat(18)).concat() + &"x".repeat(36);
    assert!(shown.contains(&letters), "{shown}");
    let legend = "A all-to-all   P permute   B broadcast   x unnamed collective";
    assert!(shown.replace("\n", " ").contains(legend), "{shown}");
    // A name tells where the problem does not.
    problem.set_name(unnamed, "collective-permute.3");
    assert_eq!(Category::of(&problem, unnamed), Category::Permute);
}

#[test]
fn any_width_can_be_asked_for() {
    let problem = three_streams(1);
    let picture = picture("wide", &problem);
    let drawn = |width| {
        text(
            from_ref(&picture),
            &TextOptions {
                width,
                ..TextOptions::default()
            },
        )
    };
    assert_eq!(drawn(0), drawn(TextOptions::LEAST_WIDTH));
    assert_eq!(drawn(usize::MAX), drawn(TextOptions::MOST_WIDTH));
}

#[test]
fn what_is_no_schedule_is_not_drawn() {
    let problem = three_streams(1);
    let mut order = source_order(&problem);
    order.reverse();
    assert!(matches!(
        Picture::new("x", &problem, &order),
        Err(PictureError::Order(_))
    ));
    let mut broken = Problem::new();
    broken.push(Node::compute().deps(&[NodeId(7)]));
    assert!(matches!(
        Picture::new("x", &broken, &[NodeId(0)]),
        Err(PictureError::Problem(_))
    ));
}

#[test]
fn regions_occupy_their_streams() {
    let mut problem = Problem::new();
    let link = problem.stream("dp");
    let start = problem.push(Node::start(Collective::AllGather, link).ns(100));
    let body = problem.push(Node::compute().ns(1000));
    problem.occupy(body, link);
    let wait = problem.push(Node::wait(start).deps(&[start]));
    problem.push(Node::compute().ns(10).deps(&[wait]));
    let picture = picture("a loop", &problem);
    assert_eq!(picture.gaps.len(), 1);
    assert_eq!(
        (
            picture.gaps[0].begin_ns,
            picture.gaps[0].end_ns,
            picture.gaps[0].collective
        ),
        (0, 100, start)
    );
    let drawn = svg(from_ref(&picture), &SvgOptions::default());
    let document = roxmltree::Document::parse(&drawn).expect("well-formed XML");
    let words = words(&document);
    assert!(words.contains(&"9.0 % busy, 90.1 % held".to_owned()), "{words:?}");
    let on_link: Vec<_> = picture.lanes[1]
        .bars
        .iter()
        .map(|bar| (bar.node, bar.begin_ns, bar.category))
        .collect();
    assert_eq!(
        on_link,
        [(start, 0, Category::AllGather), (body, 100, Category::Occupied)]
    );
}

#[test]
fn many_nodes_make_a_small_file() {
    let problem = three_streams(1_700);
    assert!(problem.len() > 15_000);
    let picture = picture("many", &problem);
    let document = svg(&[picture.clone(), picture.clone()], &SvgOptions::default());
    assert!(document.len() < 2_000_000, "{} bytes", document.len());
    let parsed = roxmltree::Document::parse(&document).expect("well-formed XML");
    // Merged or not, computation and lost time fill the row.
    let drawn: f64 = bars(&parsed, &["l", "l1"])
        .iter()
        .map(|bar| number(bar, "width"))
        .sum();
    let expected = 2.0 * picture.exposed_ns() as f64 / picture.step_ns as f64 * plot(&parsed).1;
    assert!(
        (drawn - expected).abs() < 0.05 * expected,
        "{drawn} against {expected}"
    );
    let shown = text(&[picture], &TextOptions::default());
    assert!(shown.lines().count() < 50, "{shown}");
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn gaps_and_computation_fill_the_step(choices in choices(60), seed in any::<u64>()) {
        let mut problem = with_durations(&program(&choices, ALL), seed);
        // Regions that communicate, and streams that share a link.
        let stream = problem.stream("dp");
        let other = problem.stream("tp");
        problem.set_link(other, "dp");
        for id in source_order(&problem) {
            if problem.kind(id) == comm_schedule::Kind::Compute && (seed >> (id.0 % 61)) & 3 == 3 {
                problem.occupy(id, stream);
            }
        }
        let order = source_order(&problem);
        let picture = Picture::new("random", &problem, &order).unwrap();
        let times = timeline(&problem, &order);
        prop_assert_eq!(picture.step_ns, times.step_ns);
        prop_assert_eq!(picture.gaps.iter().map(|gap| gap.ns()).sum::<u64>(), times.total_exposed_ns());
        prop_assert_eq!(picture.peak().bytes, memory::peak(&problem, &order));
        let computed = picture.lanes[0].bars.iter().map(|bar| (bar.begin_ns, bar.end_ns));
        let mut filled: Vec<_> = computed.chain(picture.gaps.iter().map(|gap| (gap.begin_ns, gap.end_ns))).collect();
        filled.sort();
        let mut clock = 0;
        for (begin, end) in filled {
            prop_assert_eq!(begin, clock);
            clock = end;
        }
        prop_assert_eq!(clock, picture.step_ns);
        for lane in &picture.lanes {
            for pair in lane.bars.windows(2) {
                prop_assert!(pair[0].end_ns <= pair[1].begin_ns);
            }
        }
        let explained: BTreeMap<_, _> = explain(&problem, &order, &times, &ScheduleOptions::default())
            .into_iter()
            .map(|explanation| (explanation.node, explanation.cause))
            .collect();
        for gap in &picture.gaps {
            prop_assert_eq!(times.end_ns[gap.collective.index()], gap.end_ns);
            prop_assert_eq!(explained[&gap.collective], gap.cause);
            prop_assert_ne!(gap.cause, Cause::Nothing);
        }
        for (from, to) in picture.memory.windows(2).map(|pair| (pair[0], pair[1])) {
            prop_assert!(from.at_ns <= to.at_ns);
        }
        let text = svg(&[picture], &SvgOptions { width: 700, gaps: 3 });
        prop_assert!(roxmltree::Document::parse(&text).is_ok());
    }
}

/// The same problem with durations and sizes that depend on `seed`.
fn with_durations(problem: &Problem, seed: u64) -> Problem {
    let mut result = Problem::new();
    for id in problem.ids() {
        let node = problem.node(id);
        let stream = node
            .stream
            .map(|stream| result.stream(problem.stream_name(stream)));
        let takes_time = !matches!(
            node.kind,
            comm_schedule::Kind::Wait | comm_schedule::Kind::View | comm_schedule::Kind::Arg
        );
        let mixed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .rotate_left(id.0 % 64);
        let ns = if takes_time { mixed % 97 } else { 0 };
        result.push(Node { stream, ns, ..node });
    }
    for &id in problem.live_out() {
        result.push_live_out(id);
    }
    result
}
