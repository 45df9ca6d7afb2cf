// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What every schedule keeps, on random programs and on real steps.

mod common;
mod oracle;

use comm_schedule::json::Document;
use comm_schedule::{
    DependenceGraph, Effort, Kind, Limited, NodeId, Point, Problem, ScheduleError, ScheduleOptions, memory,
    schedule, timeline, verify,
};
use common::{ALL, Random, canonical, canonical_without_names, cases, choices, program, renamed};
use proptest::prelude::*;

fn efforts() -> impl Strategy<Value = Effort> {
    prop_oneof![Just(Effort::Fast), Just(Effort::Default)]
}

/// A random order that dependences allow.
fn any_order(problem: &Problem, seed: u64) -> Vec<NodeId> {
    let graph = DependenceGraph::new(problem);
    let mut random = Random(seed | 1);
    let mut missing: Vec<usize> = problem
        .ids()
        .map(|id| problem.deps(id).len() + problem.after(id).len())
        .collect();
    let mut ready: Vec<NodeId> = problem.ids().filter(|id| missing[id.index()] == 0).collect();
    let mut order = Vec::new();
    while !ready.is_empty() {
        let id = ready.swap_remove(random.below(ready.len()));
        order.push(id);
        for (user, _) in graph.users(id) {
            missing[user.index()] -= 1;
            if missing[user.index()] == 0 {
                ready.push(user);
            }
        }
    }
    order
}

/// The figures of an order by the two models alone.
fn figures(problem: &Problem, order: &[NodeId]) -> Point {
    Point {
        time_ns: timeline(problem, order).step_ns,
        peak_bytes: memory::peak(problem, order),
    }
}

/// Most collectives in flight on one stream, and most bytes, counted by position.
fn in_flight(problem: &Problem, order: &[NodeId]) -> (u32, u64) {
    let waits = problem.waits();
    let mut now = vec![0u32; problem.stream_count()];
    let (mut bytes, mut most) = (0, (0, 0));
    for &id in order {
        let start = problem.of(id).unwrap_or(id);
        let Some(stream) = problem
            .stream_of(start)
            .filter(|_| waits[start.index()].is_some())
        else {
            continue;
        };
        match problem.kind(id) {
            Kind::Start => {
                now[stream.index()] += 1;
                bytes += problem.bytes(id);
            }
            Kind::Wait => {
                now[stream.index()] -= 1;
                bytes -= problem.bytes(start);
            }
            _ => {}
        }
        most = (now[stream.index()].max(most.0), bytes.max(most.1));
    }
    most
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn a_schedule_is_legal_and_as_good_as_it_says(choices in choices(40), effort in efforts()) {
        let problem = program(&choices, ALL);
        let options = ScheduleOptions { effort, ..Default::default() };
        let outcome = schedule(&problem, &options).expect("no limit, no error");
        prop_assert_eq!(verify(&problem, &outcome.order), Ok(()));
        prop_assert_eq!(outcome.point, figures(&problem, &outcome.order));
        let source: Vec<_> = problem.ids().collect();
        prop_assert_eq!(outcome.source, figures(&problem, &source));
        prop_assert!(outcome.point <= outcome.source, "no slower than the source, nor more memory in the same time");
        prop_assert!(outcome.bound_ns <= outcome.point.time_ns);
        prop_assert_eq!(outcome.exposed_ns, timeline(&problem, &outcome.order).total_exposed_ns());
        for pair in outcome.front.windows(2) {
            prop_assert!(pair[0].time_ns < pair[1].time_ns && pair[0].peak_bytes > pair[1].peak_bytes);
        }

        let again = schedule(&problem, &options).unwrap();
        prop_assert_eq!(&again.order, &outcome.order, "the same problem twice");
        let scheduled = problem.reordered(&outcome.order);
        let again = schedule(&scheduled, &options).unwrap();
        prop_assert_eq!(again.order, scheduled.ids().collect::<Vec<_>>(), "scheduling what is scheduled");
    }

    #[test]
    fn a_schedule_does_not_see_source_order(choices in choices(40), effort in efforts(), seed in any::<u64>()) {
        let problem = program(&choices, ALL);
        let shuffled = problem.reordered(&any_order(&problem, seed));
        let options = ScheduleOptions { effort, ..Default::default() };
        let (one, other) = (schedule(&problem, &options).unwrap(), schedule(&shuffled, &options).unwrap());
        prop_assert_eq!(one.front, other.front);
        if !one.kept_source && !other.kept_source {
            prop_assert_eq!(canonical(&problem, &one.order), canonical(&shuffled, &other.order));
        }
    }

    #[test]
    fn a_schedule_does_not_see_names_of_streams(choices in choices(40), effort in efforts(), seed in any::<u64>()) {
        let mut problem = program(&choices, ALL);
        let [first, second] = ["dp", "tp"].map(|name| problem.stream(name));
        if seed % 3 == 0 {
            problem.set_link(second, "dp");
        }
        // Regions that communicate.
        for id in problem.ids().filter(|id| problem.kind(*id) == Kind::Compute).collect::<Vec<_>>() {
            match seed >> (id.0 % 61) & 15 {
                0 => problem.occupy(id, first),
                1 => [first, second].into_iter().for_each(|stream| problem.occupy(id, stream)),
                _ => {}
            }
        }
        let options = ScheduleOptions { effort, ..Default::default() };
        let one = schedule(&problem, &options).unwrap();
        prop_assert_eq!(&schedule(&renamed(&problem, seed), &options).unwrap().order, &one.order);
        let shuffled = renamed(&problem.reordered(&any_order(&problem, seed)), seed);
        let other = schedule(&shuffled, &options).unwrap();
        prop_assert_eq!(one.front, other.front);
        if !one.kept_source && !other.kept_source {
            prop_assert_eq!(
                canonical_without_names(&problem, &one.order),
                canonical_without_names(&shuffled, &other.order)
            );
        }
    }

    #[test]
    fn a_memory_limit_is_kept_or_the_least_is_named(choices in choices(30), effort in efforts(), part in 0u64..=100) {
        let problem = program(&choices, ALL);
        let with = |memory_limit| schedule(&problem, &ScheduleOptions { effort, memory_limit, ..Default::default() });
        let free = with(None).unwrap();
        let limit = free.point.peak_bytes * part / 100;
        match with(Some(limit)) {
            Ok(outcome) => {
                prop_assert!(outcome.point.peak_bytes <= limit);
                prop_assert!(outcome.point.time_ns >= free.point.time_ns);
                prop_assert!(outcome.source.peak_bytes > limit || outcome.point <= outcome.source);
                if limit > 0 && let Ok(tighter) = with(Some(limit - 1)) {
                    prop_assert!(tighter.point.time_ns >= outcome.point.time_ns, "less memory, no less time");
                }
            }
            Err(ScheduleError::LimitNotMet { limited: Limited::Memory, limit: named, least, .. }) => {
                prop_assert_eq!(named, limit);
                prop_assert!(least > limit);
                let met = with(Some(least)).expect("the least limit is met");
                prop_assert_eq!(met.point.peak_bytes, least);
                let below = with(Some(least - 1));
                let is_same = matches!(&below, Err(ScheduleError::LimitNotMet { least: again, .. }) if *again == least);
                prop_assert!(is_same, "{:?}", below);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn limits_in_flight_are_kept_or_the_least_is_named(
        choices in choices(30), effort in efforts(), count in 0u32..4, part in 0u64..=100
    ) {
        let problem = program(&choices, ALL);
        let total: u64 = problem.ids().filter(|id| problem.kind(*id) == Kind::Start).map(|id| problem.bytes(id)).sum();
        for (max_in_flight, max_in_flight_bytes) in [(Some(count), None), (None, Some(total * part / 200))] {
            let with = |max_in_flight, max_in_flight_bytes| {
                schedule(&problem, &ScheduleOptions { effort, max_in_flight, max_in_flight_bytes, memory_limit: None })
            };
            match with(max_in_flight, max_in_flight_bytes) {
                Ok(outcome) => {
                    let (most, most_bytes) = in_flight(&problem, &outcome.order);
                    prop_assert!(most <= max_in_flight.unwrap_or(u32::MAX));
                    prop_assert!(most_bytes <= max_in_flight_bytes.unwrap_or(u64::MAX));
                }
                Err(ScheduleError::LimitNotMet { limited: Limited::InFlight, least, .. }) => {
                    prop_assert!(least > u64::from(count));
                    prop_assert!(with(Some(least as u32), None).is_ok());
                    prop_assert!(with(Some(least as u32 - 1), None).is_err());
                }
                Err(ScheduleError::LimitNotMet { limited: Limited::InFlightBytes, least, .. }) => {
                    prop_assert!(with(None, Some(least)).is_ok());
                    prop_assert!(with(None, Some(least - 1)).is_err());
                }
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
    }
}

/// The real steps, with the peak of the order that another compiler chose.
fn steps() -> Vec<(String, Problem)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/programs/problems");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the problems are there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let document = Document::parse(&std::fs::read_to_string(path).expect("readable")).expect("a problem");
        (
            path.file_stem().expect("a name").to_string_lossy().into_owned(),
            document.problem().clone(),
        )
    };
    paths.iter().map(read).collect()
}

#[test]
fn real_steps_at_the_memory_of_another_compiler_and_without_a_limit() {
    let (mut exposed, mut gaps) = (Vec::new(), Vec::new());
    for (name, problem) in steps() {
        let source: Vec<_> = problem.ids().collect();
        let before = timeline(&problem, &source).total_exposed_ns();
        let limit = memory::peak(&problem, &source);
        let options = ScheduleOptions {
            memory_limit: Some(limit),
            ..Default::default()
        };
        let limited = schedule(&problem, &options).expect("the source keeps the limit");
        assert!(
            limited.point.peak_bytes <= limit && limited.point.time_ns <= limited.source.time_ns,
            "{name}"
        );
        assert!(!limited.kept_source, "{name}");
        exposed.push(limited.exposed_ns as f64 / before as f64);
        let free = schedule(&problem, &ScheduleOptions::default()).expect("no limit, no error");
        println!(
            "| {name} | {} us | {} us | {:.2} % ({}) |",
            before / 1000,
            limited.exposed_ns / 1000,
            free.gap() * 100.0,
            free.bound
        );
        gaps.push(free.gap());

        // The curve of time against limit, where it changes.
        let mut last = u64::MAX;
        for point in free.front.iter().rev() {
            let limit = point.peak_bytes + 1;
            let options = ScheduleOptions {
                memory_limit: Some(limit),
                ..Default::default()
            };
            let outcome = schedule(&problem, &options).expect("a point of the front");
            assert_eq!(verify(&problem, &outcome.order), Ok(()));
            assert!(memory::peak(&problem, &outcome.order) <= limit);
            assert!(outcome.point.time_ns <= last, "{name}: more memory, no more time");
            last = outcome.point.time_ns;
        }
        let least = free.front.last().expect("a front").peak_bytes;
        let options = ScheduleOptions {
            memory_limit: Some(least - 1),
            ..Default::default()
        };
        match schedule(&problem, &options) {
            Err(ScheduleError::LimitNotMet { least: named, .. }) => assert_eq!(named, least, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let worst = gaps.iter().copied().fold(0.0, f64::max);
    println!("exposed time left {exposed:.3?}, gaps to the bound {gaps:.4?}");
    assert!(
        mean(&exposed) <= 0.5,
        "exposed time is not halved on average: {exposed:?}"
    );
    assert!(mean(&gaps) <= 0.02 && worst <= 0.05, "{gaps:?}");
}

#[test]
fn small_problems_are_solved_as_by_trying_all_orders() {
    let mut random = oracle::Random(17);
    let mut limits = 0;
    for case in 0..3000 {
        let problem = oracle::problem(&mut random, 2 + case % 8);
        let all = oracle::front(&problem, oracle::Limits::default());
        let with = |memory_limit| {
            schedule(
                &problem,
                &ScheduleOptions {
                    memory_limit,
                    ..Default::default()
                },
            )
        };
        let free = with(None).expect("no limit, no error");
        assert!(free.is_exact);
        assert_eq!(
            free.front
                .iter()
                .map(|point| (point.time_ns, point.peak_bytes))
                .collect::<Vec<_>>(),
            all
        );
        assert_eq!((free.point.time_ns, free.point.peak_bytes), all[0]);
        for &(time_ns, peak_bytes) in &all {
            let outcome = with(Some(peak_bytes)).expect("a point of the front");
            assert_eq!(outcome.point, Point { time_ns, peak_bytes });
            limits += 1;
        }
        let least = all.last().expect("a front").1;
        if least > 0 {
            let expected = ScheduleError::LimitNotMet {
                limited: Limited::Memory,
                limit: least - 1,
                least,
                proved: true,
            };
            assert_eq!(with(Some(least - 1)), Err(expected));
        }
    }
    assert!(limits > 3100, "{limits} limits on 3000 problems");
}
