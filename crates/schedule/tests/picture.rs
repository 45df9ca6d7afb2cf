// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What pictures show: the model they are drawn from, SVG and text. Traces have a file of their own.

mod common;

use comm_schedule::bounds::{Bound, BoundName};
use comm_schedule::json::Document;
use comm_schedule::picture::{Category, Inside, Picture, PictureError, SvgOptions, TextOptions, svg, text};
use comm_schedule::{Collective, Node, NodeId, Problem, memory, timeline};
use common::{ALL, choices, program};
use proptest::prelude::*;
use std::slice::from_ref;
use unicode_width::UnicodeWidthStr;

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

/// Rectangles that stand for nodes or gaps: those with a tooltip.
fn bars<'a>(document: &'a roxmltree::Document<'_>, classes: &'a [&str]) -> Vec<roxmltree::Node<'a, 'a>> {
    let is_bar = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name("rect")
            && node.has_children()
            && node
                .attribute("class")
                .is_some_and(|class| classes.contains(&class))
    };
    document.descendants().filter(is_bar).collect()
}

fn number(node: &roxmltree::Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute)
        .expect("the attribute")
        .parse()
        .expect("a number")
}

fn words(document: &roxmltree::Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            node.descendants()
                .filter(|part| part.is_text())
                .filter_map(|part| part.text().map(str::trim))
                .collect::<Vec<_>>()
                .join("")
        })
        .collect()
}

/// Where the first row begins, and how wide it is: as long as its step.
fn plot(document: &roxmltree::Document<'_>) -> (f64, f64) {
    let row = document
        .descendants()
        .find(|node| node.attribute("class") == Some("row"))
        .expect("a row");
    (number(&row, "x"), number(&row, "width"))
}

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
        shown.contains("#2 at 300 ns: runs 300 ns, issued 200 ns before, queued 500 ns"),
        "{shown}"
    );
    assert!(
        shown.contains("by cause  queued behind others     600 ns in 1 wait"),
        "{shown}"
    );
    assert_eq!(problem.ns(first), 500);
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
    let picture = Picture::with_inside("nested", &problem, &order, &held).expect("a schedule");
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
    let document = svg(&[picture], &SvgOptions::default());
    assert!(document.contains("500 ns of what is exposed lies inside of 1 bar"));
    assert!(document.contains("inside: 500 ns exposed, peak memory 1000 B"));
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
    #![proptest_config(ProptestConfig::with_cases(300))]

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
        for gap in &picture.gaps {
            prop_assert_eq!(times.end_ns[gap.collective.index()], gap.end_ns);
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
