// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the searches count, against the models themselves.

use super::least_peak::least_peak;
use super::local::arrangement::{Arrangement, Ceiling};
use super::measure::{State, measure_alone};
use super::options::{Effort, Point};
use super::oracle::{self, Random};
use super::ties;
use super::units::{UnitKind, Units};
use super::{Search, lower_bound};
use crate::{Collective, DependenceGraph, Node, NodeId, Problem, memory, text, timeline};

/// A random order of units that their dependences allow.
fn any_order(units: &Units, random: &mut Random) -> Vec<u32> {
    let keys: Vec<u64> = (0..units.len()).map(|_| random.below(1000) as u64).collect();
    super::list::by_keys(units, &keys)
}

fn describe(problem: &Problem, order: &[NodeId]) -> String {
    format!(
        "{}live out: {:?}",
        text::order(problem, order),
        problem.live_out()
    )
}

#[test]
fn measures_are_those_of_the_models() {
    let mut random = Random(11);
    for case in 0..5000 {
        let problem = oracle::problem(&mut random, 3 + case % 30);
        let graph = DependenceGraph::new(&problem);
        let units = Units::new(&problem, &graph);
        let order = units.order(&problem, &graph, &any_order(&units, &mut random));
        let measure = measure_alone(&units, &units.of_order(order.iter().copied()));
        assert_eq!(
            measure.time_ns,
            timeline(&problem, &order).step_ns,
            "{}",
            describe(&problem, &order)
        );
        assert_eq!(
            measure.peak_bytes,
            memory::peak(&problem, &order),
            "{}",
            describe(&problem, &order)
        );
    }
}

#[test]
fn an_arrangement_costs_what_a_fresh_one_does() {
    let mut random = Random(12);
    let (mut kept, mut undone) = (0, 0);
    for case in 0..400 {
        let problem = oracle::problem(&mut random, 4 + case % 60);
        let units = Units::new(&problem, &DependenceGraph::new(&problem));
        if units.len() < 2 {
            continue;
        }
        let order = any_order(&units, &mut random);
        let measure = measure_alone(&units, &order);
        let ceiling = Ceiling {
            bytes: measure.peak_bytes / 2,
            in_flight: [u32::MAX, 1][case % 2],
            in_flight_bytes: [u64::MAX, measure.in_flight_bytes / 2][case / 2 % 2],
        };
        let mut arrangement = Arrangement::new(&units, order, ceiling);
        for _ in 0..100 {
            let (from, to) = (random.below(units.len()), random.below(units.len()));
            let before = arrangement.order().to_vec();
            let Some(cost) = arrangement.shift(from, to, u64::MAX) else {
                assert_eq!(arrangement.order(), before);
                continue;
            };
            if random.once_in(2) {
                arrangement.undo();
                undone += 1;
                assert_eq!(arrangement.order(), before);
            } else {
                arrangement.keep();
                kept += 1;
                assert_eq!(arrangement.cost(), cost);
            }
            let fresh = Arrangement::new(&units, arrangement.order().to_vec(), ceiling);
            assert_eq!(fresh.cost(), arrangement.cost());
            assert_eq!(
                fresh.cost().time_ns,
                measure_alone(&units, arrangement.order()).time_ns
            );
        }
    }
    assert!(
        kept > 5000 && undone > 5000,
        "{kept} changes kept, {undone} undone"
    );
}

/// The search without the exact method.
fn without_exact(problem: &Problem, exact: bool) -> Vec<Point> {
    let graph = DependenceGraph::new(problem);
    let units = Units::new(problem, &graph);
    let mut steps = Effort::Default.steps(units.len());
    steps.exact = if exact { u64::MAX } else { 0 };
    steps.exact_units = if exact { 63 } else { 0 };
    let search = Search {
        problem,
        graph: &graph,
        units: &units,
        steps: &steps,
        bound: Point {
            time_ns: lower_bound(problem, steps.bound).ns,
            peak_bytes: 0,
        },
    };
    let free = Ceiling {
        bytes: u64::MAX,
        in_flight: u32::MAX,
        in_flight_bytes: u64::MAX,
    };
    let (archive, is_exact, _) = search.archive(free);
    assert!(is_exact || !exact);
    archive.front()
}

#[test]
fn local_search_comes_close_to_the_exact_method() {
    let mut random = Random(13);
    let (mut problems, mut sum, mut worst) = (0, 0.0, 1.0f64);
    let (mut leanest_sum, mut leanest_worst) = (0.0, 1.0f64);
    for case in 0..1000 {
        let problem = oracle::problem(&mut random, 10 + case % 7);
        let (exact, found) = (without_exact(&problem, true), without_exact(&problem, false));
        let (best, leanest) = (exact[0].time_ns, exact.last().map_or(0, |point| point.peak_bytes));
        if best == 0 || leanest == 0 {
            continue;
        }
        let time = found[0].time_ns as f64 / best as f64;
        let peak = found.last().map_or(0, |point| point.peak_bytes) as f64 / leanest as f64;
        assert!(
            time >= 1.0 && peak >= 1.0,
            "better than what is proved the best: {problem:?}"
        );
        problems += 1;
        sum += time;
        worst = worst.max(time);
        leanest_sum += peak;
        leanest_worst = leanest_worst.max(peak);
    }
    let (mean, leanest_mean) = (sum / f64::from(problems), leanest_sum / f64::from(problems));
    println!(
        "{problems} problems: time {mean:.5} of the optimum, worst {worst:.3}; least peak {leanest_mean:.5}, worst {leanest_worst:.3}"
    );
    assert!(problems > 750 && mean <= 1.01 && worst <= 1.05);
}

#[test]
fn no_order_has_a_lower_peak_than_the_bound() {
    let mut random = Random(19);
    let (mut met, mut problems) = (0, 0);
    for case in 0..2000 {
        let problem = oracle::problem(&mut random, 2 + case % 8);
        let bound = least_peak(&Units::new(&problem, &DependenceGraph::new(&problem)));
        let front = oracle::front(&problem, oracle::Limits::default());
        let least = front.last().map_or(0, |point| point.1);
        assert!(bound <= least, "{bound} for {least}: {problem:?}");
        met += usize::from(bound == least);
        problems += 1;
    }
    println!("{met} of {problems} bounds on the peak are met");
    assert!(met > 1800, "{met} of {problems} bounds on the peak are met");
}

#[test]
fn a_bound_on_the_peak_counts_what_must_be_live_in_one_form_or_another() {
    // At `middle` 120 bytes are live in every order, and either `large`, which stands before, or `small`, which is made of it.
    let mut problem = Problem::new();
    let large = problem.push(Node::compute().bytes(100));
    let small = problem.push(Node::compute().bytes(4).deps(&[large]));
    let first = problem.push(Node::compute().bytes(50).after(&[large]));
    let middle = problem.push(Node::compute().bytes(70).deps(&[first]));
    let last = problem.push(Node::compute().bytes(1).deps(&[middle]));
    [small, last].iter().for_each(|id| problem.push_live_out(*id));
    let bound = least_peak(&Units::new(&problem, &DependenceGraph::new(&problem)));
    assert_eq!(bound, 124);
    let front = oracle::front(&problem, oracle::Limits::default());
    assert_eq!(front.last().map(|point| point.1), Some(124));
}

#[test]
fn a_search_ends_where_the_bounds_are_met() {
    // More units than the exact method takes.
    let mut problem = Problem::new();
    let stream = problem.stream("dp");
    let weight = problem.push(Node::arg());
    let start = problem.push(
        Node::start(Collective::AllReduce, stream)
            .ns(50)
            .bytes(1)
            .deps(&[weight]),
    );
    let mut value = problem.push(Node::compute().ns(10).bytes(10));
    for _ in 0..80 {
        value = problem.push(Node::compute().ns(10).bytes(10).deps(&[value]));
    }
    let wait = problem.push(Node::wait(start).deps(&[start, weight]));
    problem.push(Node::compute().ns(10).bytes(10).deps(&[value, wait]));
    let options = crate::ScheduleOptions {
        effort: Effort::Exact,
        ..Default::default()
    };
    let outcome = crate::schedule(&problem, &options).expect("no limit, no error");
    let best = Point {
        time_ns: 820,
        peak_bytes: 21,
    };
    assert_eq!((outcome.point, outcome.bound_ns), (best, 820));
    assert!(outcome.is_exact && outcome.front == [best]);
}

/// The points of the orders that the e-graph gives for a whole problem taken as one tie.
fn by_egraph(problem: &Problem, units: &Units) -> Option<Vec<(u64, u64)>> {
    let all: Vec<u32> = (0..units.len() as u32).collect();
    let orders = ties::fronts(units, &State::new(units), &all, 4096)?;
    let point = |order: &Vec<u32>| {
        let measure = measure_alone(units, order);
        (measure.time_ns, measure.peak_bytes)
    };
    assert!(orders.iter().all(|order| {
        crate::verify(
            problem,
            &units.order(problem, &DependenceGraph::new(problem), order),
        )
        .is_ok()
    }));
    Some(oracle::minimal(orders.iter().map(point).collect()))
}

#[test]
fn ties_are_resolved_as_by_trying_all_orders() {
    let mut random = Random(14);
    let mut compared = 0;
    for case in 0..4000 {
        let problem = oracle::problem(&mut random, 2 + case % 7);
        let units = Units::new(&problem, &DependenceGraph::new(&problem));
        if let Some(front) = by_egraph(&problem, &units) {
            assert_eq!(
                front,
                oracle::front(&problem, oracle::Limits::default()),
                "{}",
                describe(&problem, &[])
            );
            compared += 1;
        }
    }
    assert!(compared > 2500, "{compared} of 4000 compared");
}

/// Independent nodes of the given durations and sizes: starts, each awaited at the end, or computations.
fn independent(sizes: &[(u64, u64)], are_starts: bool) -> Problem {
    let mut problem = Problem::new();
    let link = problem.stream("a");
    let node = |&(ns, bytes): &(u64, u64)| match are_starts {
        true => Node::start(Collective::AllGather, link).ns(ns).bytes(bytes),
        false => Node::compute().ns(ns).bytes(bytes),
    };
    let first: Vec<_> = sizes.iter().map(|size| problem.push(node(size))).collect();
    let mut reads = first.clone();
    if are_starts {
        reads = first
            .iter()
            .map(|&id| problem.push(Node::wait(id).deps(&[id])))
            .collect();
    }
    problem.push(Node::compute().ns(5).deps(&reads));
    problem
}

#[test]
fn a_tie_of_forty_is_left_alone_and_twins_cost_little() {
    let fronts = |sizes: &[(u64, u64)], are_starts| {
        let problem = independent(sizes, are_starts);
        let units = Units::new(&problem, &DependenceGraph::new(&problem));
        let kind = if are_starts {
            UnitKind::Start
        } else {
            UnitKind::Compute
        };
        let is_first = |unit: &u32| units.kind[*unit as usize] == kind && units.before.of(*unit).is_empty();
        let group: Vec<u32> = (0..units.len() as u32).filter(is_first).collect();
        assert_eq!(group.len(), sizes.len());
        ties::fronts(&units, &State::new(&units), &group, 4096).map(|fronts| fronts.len())
    };
    let different: Vec<(u64, u64)> = (0..40).map(|index| (100 + index, 10 * index)).collect();
    for are_starts in [false, true] {
        assert_eq!(fronts(&different, are_starts), None);
        assert_eq!(fronts(&[(100, 10); 40], are_starts), Some(1));
    }
    assert_eq!(fronts(&different[..12], false), Some(1), "all orders end alike");
    assert_eq!(
        fronts(&different[..5], true),
        Some(120),
        "each order ends others first"
    );
}
