// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Lower bounds against the optimum, and on real steps.

mod oracle;

use comm_schedule::bounds::{BoundName, lower_bound};
use comm_schedule::json::Document;
use comm_schedule::{Collective, Node, Problem, timeline};
use oracle::{Limits, Random, front, small_problem};

const ALL_STEPS: u64 = u64::MAX;

#[test]
fn no_bound_exceeds_the_optimum() {
    let mut random = Random(1);
    let (mut met, mut problems) = ([0; 2], 0);
    for _ in 0..4000 {
        let problem = small_problem(&mut random, 9, 1500);
        let optimum = front(&problem, Limits::default())[0].0;
        for (steps, met) in [0, ALL_STEPS].into_iter().zip(&mut met) {
            let bound = lower_bound(&problem, steps);
            assert!(bound.ns <= optimum, "{bound:?} exceeds {optimum}: {problem:?}");
            *met += usize::from(bound.ns == optimum);
        }
        for steps in [30, 300, 3000] {
            assert!(
                lower_bound(&problem, steps).ns <= optimum,
                "{steps} steps: {problem:?}"
            );
        }
        problems += 1;
    }
    println!("met: {met:?} of {problems}");
    assert!(met[0] < met[1], "LB2 is stronger");
    assert!(
        met[1] * 10 > problems * 9,
        "LB2 is the optimum of nearly all small problems, not of {met:?}"
    );
}

#[test]
fn bounds_do_not_depend_on_the_order_of_the_nodes() {
    let mut random = Random(2);
    for _ in 0..300 {
        let problem = small_problem(&mut random, 9, 200);
        let steps = [0, 500, ALL_STEPS][random.below(3)];
        let bound = lower_bound(&problem, steps);
        oracle::orders(&problem, &mut |order| {
            assert_eq!(
                lower_bound(&problem.reordered(order), steps),
                bound,
                "{order:?} of {problem:?}"
            );
            true
        });
    }
}

#[test]
fn each_bound_has_a_case_of_its_own() {
    let mut problem = Problem::new();
    assert_eq!(lower_bound(&problem, ALL_STEPS).name, BoundName::Lb0);
    assert_eq!(lower_bound(&problem, ALL_STEPS).ns, 0);

    // Two collectives between one computation before both and one after each: LB1 adds head and tail to the work.
    let link = problem.stream("dp");
    let before = problem.push(Node::compute().ns(10));
    let after = |problem: &mut Problem| {
        let start = problem.push(Node::start(Collective::AllReduce, link).ns(20).deps(&[before]));
        let wait = problem.push(Node::wait(start).deps(&[start, before]));
        problem.push(Node::compute().ns(5).deps(&[wait]))
    };
    let ends = [after(&mut problem), after(&mut problem)];
    let bound = lower_bound(&problem, ALL_STEPS);
    assert_eq!((bound.name.to_string().as_str(), bound.ns), ("LB1", 55));

    // Two such pairs one after the other: the second pair begins after the work of the first, which no path shows.
    let middle = problem.push(Node::compute().ns(10).deps(&ends));
    for _ in 0..2 {
        let start = problem.push(Node::start(Collective::AllReduce, link).ns(20).deps(&[middle]));
        let wait = problem.push(Node::wait(start).deps(&[start, middle]));
        problem.push(Node::compute().ns(5).deps(&[wait]));
    }
    assert_eq!(lower_bound(&problem, 0).name, BoundName::Lb1);
    let bound = lower_bound(&problem, ALL_STEPS);
    assert_eq!((bound.name.to_string().as_str(), bound.ns), ("LB2", 110));
}

#[test]
fn bounds_of_real_steps() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    let mut raised = 0;
    for entry in std::fs::read_dir(folder).expect("the problems are there") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("readable");
        let reference = &serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["reference"];
        let document = Document::parse(&text).expect("a problem");
        let problem = document.problem();
        let microseconds = |ns: u64| (ns as f64 / 100.0).round() / 10.0;
        let simple = lower_bound(problem, 0);
        assert_eq!(reference["lb1_us"], microseconds(simple.ns), "{}", path.display());
        let is_lb1 = reference["lb1_us"] != reference["lb0_us"];
        assert_eq!(simple.name, if is_lb1 { BoundName::Lb1 } else { BoundName::Lb0 });
        let best = lower_bound(problem, 2_000_000);
        assert!(best.ns >= simple.ns);
        assert!(best.ns <= timeline(problem, &problem.ids().collect::<Vec<_>>()).step_ns);
        raised += usize::from(best.name == BoundName::Lb2);
    }
    assert!(raised >= 3, "LB2 says more of {raised} steps");
}
