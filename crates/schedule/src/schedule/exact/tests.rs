// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The exact front against all orders, tried one by one.

use super::{Flow, InFlightLimits, exact_front, exact_window};
use crate::schedule::oracle::{self, Limits, Random, small_problem};
use crate::{NodeId, Problem, memory, timeline, verify};

fn check(problem: &Problem, limits: Limits) {
    let expected = oracle::front(problem, limits);
    let own_limits = InFlightLimits {
        max_in_flight: limits.max_in_flight,
        max_in_flight_bytes: limits.max_in_flight_bytes,
    };
    let front = exact_front(problem, own_limits, u64::MAX).expect("a small problem");
    let found: Vec<_> = front
        .iter()
        .map(|(point, _)| (point.time_ns, point.peak_bytes))
        .collect();
    assert_eq!(found, expected, "{limits:?} {problem:?}");
    for (point, order) in front {
        assert_eq!(verify(problem, &order), Ok(()));
        assert!(
            limits.are_kept(problem, &order),
            "{order:?} {limits:?} {problem:?}"
        );
        assert_eq!(
            timeline(problem, &order).step_ns,
            point.time_ns,
            "{order:?} {problem:?}"
        );
        assert_eq!(
            memory::peak(problem, &order),
            point.peak_bytes,
            "{order:?} {problem:?}"
        );
    }
}

#[test]
fn the_front_is_that_of_all_orders() {
    let mut random = Random(3);
    for _ in 0..2000 {
        check(&small_problem(&mut random, 9, 1500), Limits::default());
    }
}

#[test]
fn the_front_under_limits_is_that_of_all_orders_that_keep_them() {
    let mut random = Random(4);
    let mut without_order = 0;
    for _ in 0..2000 {
        let problem = small_problem(&mut random, 9, 1500);
        let limits = Limits {
            max_in_flight: (!random.once_in(3)).then(|| random.below(3) as u32),
            max_in_flight_bytes: random.once_in(3).then(|| random.below(14) as u64),
        };
        without_order += usize::from(oracle::front(&problem, limits).is_empty());
        check(&problem, limits);
    }
    assert!(
        without_order > 60,
        "{without_order} problems have no order within the limits"
    );
}

#[test]
fn a_budget_that_does_not_suffice_gives_nothing() {
    let mut random = Random(5);
    let problem = oracle::problem(&mut random, 14);
    assert_eq!(exact_front(&problem, InFlightLimits::default(), 3), None);
    let whole = exact_front(&problem, InFlightLimits::default(), u64::MAX);
    assert!(whole.is_some_and(|front| !front.is_empty()));
}

#[test]
fn a_window_is_reordered_at_best() {
    let mut random = Random(6);
    let mut improved = 0;
    for _ in 0..2000 {
        let problem = small_problem(&mut random, 10, 2000);
        let mut all = Vec::new();
        oracle::orders(&problem, &mut |order| {
            all.push(order.to_vec());
            true
        });
        let order = all[random.below(all.len())].clone();
        let begin = random.below(problem.len());
        let window = begin..begin + 1 + random.below(problem.len() - begin);
        // Limits that the order itself keeps.
        let kept = |limits: &Limits| limits.are_kept(&problem, &order);
        let most = (0..).find(|most| {
            kept(&Limits {
                max_in_flight: Some(*most),
                ..Limits::default()
            })
        });
        let bytes = (0..).find(|most| {
            kept(&Limits {
                max_in_flight_bytes: Some(*most),
                ..Limits::default()
            })
        });
        let limits = Limits {
            max_in_flight: most.filter(|_| random.once_in(2)),
            max_in_flight_bytes: bytes.filter(|_| random.once_in(2)),
        };
        let point = |order: &[_]| (timeline(&problem, order).step_ns, memory::peak(&problem, order));
        let is_same_outside = |other: &[_]| {
            other[..window.start] == order[..window.start] && other[window.end..] == order[window.end..]
        };
        let candidates = all
            .iter()
            .filter(|other| is_same_outside(other) && limits.are_kept(&problem, other));
        let expected = oracle::minimal(candidates.map(|order| point(order)).collect());
        let own_limits = InFlightLimits {
            max_in_flight: limits.max_in_flight,
            max_in_flight_bytes: limits.max_in_flight_bytes,
        };
        let flow = Flow::new(&problem);
        let front =
            exact_window(&flow, &order, window.clone(), own_limits, u64::MAX).expect("a small problem");
        let found: Vec<_> = front
            .iter()
            .map(|(point, _)| (point.time_ns, point.peak_bytes))
            .collect();
        assert_eq!(found, expected, "{order:?} {window:?} {limits:?} {problem:?}");
        for (at, other) in &front {
            assert_eq!(verify(&problem, other), Ok(()));
            assert!(is_same_outside(other) && limits.are_kept(&problem, other));
            assert_eq!(point(other), (at.time_ns, at.peak_bytes));
        }
        improved += usize::from(!found.contains(&point(&order)));
    }
    assert!(improved > 100, "{improved} orders could be improved");
}

#[test]
fn the_orders_found_do_not_depend_on_the_order_of_the_nodes() {
    // The order with nodes named by position, so that it can be compared between shuffles.
    let described = |problem: &Problem, order: &[NodeId]| {
        let position = |id: &NodeId| order.iter().position(|other| other == id);
        let node = |&id: &NodeId| {
            let node = problem.node(id);
            let mut after: Vec<_> = node.after.iter().map(position).collect();
            after.sort_unstable();
            let deps: Vec<_> = node.deps.iter().map(position).collect();
            (node.kind, node.stream, node.ns, node.bytes, deps, after)
        };
        order.iter().map(node).collect::<Vec<_>>()
    };
    let mut random = Random(7);
    for _ in 0..300 {
        let problem = small_problem(&mut random, 9, 100);
        let units_front = |problem: &Problem| {
            let front = exact_front(problem, InFlightLimits::default(), u64::MAX).expect("a small problem");
            front
                .iter()
                .map(|(point, order)| (*point, described(problem, order)))
                .collect::<Vec<_>>()
        };
        let expected = units_front(&problem);
        oracle::orders(&problem, &mut |order| {
            assert_eq!(
                units_front(&problem.reordered(order)),
                expected,
                "{order:?} of {problem:?}"
            );
            true
        });
    }
}
