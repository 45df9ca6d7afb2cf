// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What every sort keeps, on random programs.

mod common;

use comm_schedule::sort::classes::Role;
use comm_schedule::{
    AllGather, Class, Kind, NodeId, Problem, ReduceScatter, SortError, SortOptions, Ties, in_flight, sort,
    verify,
};
use common::{
    ALL, Features, canonical, canonical_without_names, cases, choices, classes, legal_shuffle, mixed_choices,
    options, program, renamed,
};
use proptest::prelude::*;

/// The order, unless a limit cannot be met, in which case without limits.
fn order_of(problem: &Problem, options: &SortOptions) -> (SortOptions, Vec<NodeId>) {
    match sort(problem, options) {
        Ok(outcome) => (*options, outcome.order),
        Err(SortError::LimitNotMet { .. }) => {
            let unlimited = SortOptions {
                max_in_flight: 0,
                max_in_flight_reductions: 0,
                ..*options
            };
            (
                unlimited,
                sort(problem, &unlimited).expect("no limit, no error").order,
            )
        }
        Err(error) => panic!("{error}"),
    }
}

fn positions(order: &[NodeId]) -> Vec<usize> {
    let mut positions = vec![0; order.len()];
    for (position, id) in order.iter().enumerate() {
        positions[id.index()] = position;
    }
    positions
}

/// Whether computation, or what is live out, reads something of every stream in use. Streams of which nobody reads
/// anything may be one another's like, and then nothing but the source says which one comes first.
fn streams_have_consumers(problem: &Problem, options: &SortOptions) -> bool {
    let classes = classes(problem, options);
    let mut is_read = vec![false; problem.len()];
    problem
        .live_out()
        .iter()
        .for_each(|id| is_read[id.index()] = true);
    let mut has_consumer = vec![true; problem.stream_count()];
    let on_streams = || problem.ids().filter_map(|id| Some((id, problem.stream_of(id)?)));
    on_streams().for_each(|(_, stream)| has_consumer[stream.index()] = false);
    for id in problem.ids().rev() {
        if is_read[id.index()] || classes.role(id) == Role::Anchor {
            is_read[id.index()] = true;
            problem
                .deps(id)
                .iter()
                .for_each(|dep| is_read[dep.index()] = true);
        }
    }
    for (id, stream) in on_streams() {
        has_consumer[stream.index()] |= is_read[id.index()];
    }
    has_consumer.into_iter().all(|has| has)
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn a_sort_is_a_linear_extension_that_keeps_anchors_and_is_idempotent(
        choices in mixed_choices(60), options in options()
    ) {
        let problem = program(&choices, ALL);
        problem.check().expect("a random program is well formed");
        let (options, order) = order_of(&problem, &options);
        prop_assert_eq!(verify(&problem, &order), Ok(()));
        let classes = classes(&problem, &options);
        let anchors: Vec<_> = order.iter().copied().filter(|id| classes.role(*id) == Role::Anchor).collect();
        prop_assert_eq!(&anchors, &classes.anchors);
        let args = order.iter().take_while(|id| problem.kind(**id) == Kind::Arg).count();
        prop_assert_eq!(args, problem.ids().filter(|id| problem.kind(*id) == Kind::Arg).count());

        prop_assert_eq!(&sort(&problem, &options).unwrap().order, &order, "the same problem twice");
        let sorted = problem.reordered(&order);
        let again = sort(&sorted, &options).unwrap();
        prop_assert_eq!(again.order, sorted.ids().collect::<Vec<_>>(), "sorting what is sorted");
        prop_assert_eq!(again.report.moved, 0);
    }

    #[test]
    fn a_sort_does_not_see_where_movable_nodes_stood(
        choices in mixed_choices(60), options in options(), seed in any::<u64>()
    ) {
        let options = SortOptions {
            ties: Ties::Egraph,
            all_gather: if options.all_gather == AllGather::Keep { AllGather::Late } else { options.all_gather },
            reduce_scatter: ReduceScatter::Early,
            ..options
        };
        let problem = program(&choices, ALL);
        let (options, order) = order_of(&problem, &options);
        let shuffle = legal_shuffle(&problem, &options, seed);
        prop_assert_eq!(verify(&problem, &shuffle), Ok(()));
        let shuffled = problem.reordered(&shuffle);
        let again = sort(&shuffled, &options).expect("limits do not see source order");
        prop_assert_eq!(
            canonical_without_names(&problem, &order),
            canonical_without_names(&shuffled, &again.order)
        );
        if streams_have_consumers(&problem, &options) {
            prop_assert_eq!(canonical(&problem, &order), canonical(&shuffled, &again.order));
        }
    }

    #[test]
    fn a_sort_does_not_see_names_of_streams(
        choices in mixed_choices(60), options in options(), seed in any::<u64>()
    ) {
        let problem = program(&choices, ALL);
        let (options, order) = order_of(&problem, &options);
        prop_assert_eq!(&sort(&renamed(&problem, seed), &options).unwrap().order, &order);
        let options = SortOptions {
            ties: Ties::Egraph,
            all_gather: if options.all_gather == AllGather::Keep { AllGather::Late } else { options.all_gather },
            reduce_scatter: ReduceScatter::Early,
            ..options
        };
        let (options, order) = order_of(&problem, &options);
        let shuffled = renamed(&problem.reordered(&legal_shuffle(&problem, &options, seed)), seed);
        let again = sort(&shuffled, &options).expect("limits do not see source order");
        prop_assert_eq!(
            canonical_without_names(&problem, &order),
            canonical_without_names(&shuffled, &again.order)
        );
    }

    #[test]
    fn a_limit_is_kept_or_the_least_is_named(choices in mixed_choices(60), options in options()) {
        let problem = program(&choices, ALL);
        match sort(&problem, &options) {
            Ok(outcome) => {
                let achieved = in_flight(&problem, &outcome.order);
                prop_assert_eq!(&achieved, &outcome.report.in_flight_after);
                if options.max_in_flight > 0 && options.all_gather != AllGather::Keep {
                    prop_assert!(achieved.gathers() <= options.max_in_flight);
                }
                if options.max_in_flight_reductions > 0 && options.reduce_scatter != ReduceScatter::Keep {
                    prop_assert!(achieved.reductions() <= options.max_in_flight_reductions);
                }
            }
            Err(SortError::LimitNotMet { class, limit, least, proved, .. }) => {
                let with = |limit| match class {
                    Class::Gather => SortOptions { max_in_flight: limit, ..options },
                    _ => SortOptions { max_in_flight_reductions: limit, ..options },
                };
                let is_missed = |limit| matches!(
                    sort(&problem, &with(limit)),
                    Err(SortError::LimitNotMet { class: missed, .. }) if missed == class
                );
                prop_assert!(least > limit);
                prop_assert!(!is_missed(least), "{} {:?} is kept", least, class);
                prop_assert!(is_missed(least - 1), "{} {:?} is not kept", least - 1, class);
                if proved {
                    // The source order keeps the anchors too, so it cannot do better.
                    let source: Vec<_> = problem.ids().collect();
                    let achieved = in_flight(&problem, &source);
                    let most = if class == Class::Gather { achieved.gathers() } else { achieved.reductions() };
                    prop_assert!(most >= least);
                }
            }
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn waits_of_gathers_stand_in_consumer_order(choices in choices(60), options in options()) {
        let features = Features { fences: false, stray_after: false, live_out: false };
        let problem = program(&choices, features);
        let (options, order) = order_of(&problem, &options);
        let classes = classes(&problem, &options);
        // The definition, written as directly as possible.
        fn visit(problem: &Problem, roles: &[Role], id: NodeId, seen: &mut Vec<bool>, waits: &mut Vec<NodeId>) {
            let role = roles[id.index()];
            if matches!(role, Role::Anchor | Role::Arg) || std::mem::replace(&mut seen[id.index()], true) {
                return;
            }
            problem.deps(id).iter().for_each(|&dep| visit(problem, roles, dep, seen, waits));
            if matches!(role, Role::GatherWait | Role::GatherBlocking) {
                waits.push(id);
            }
        }
        let (mut seen, mut waits) = (vec![false; problem.len()], Vec::new());
        prop_assert_eq!(problem.after_count(), 0);
        for &anchor in &classes.anchors {
            for &dep in problem.deps(anchor) {
                visit(&problem, &classes.roles, dep, &mut seen, &mut waits);
            }
        }
        let got: Vec<_> = order.iter().copied()
            .filter(|id| matches!(classes.role(*id), Role::GatherWait | Role::GatherBlocking) && seen[id.index()])
            .collect();
        prop_assert_eq!(got, waits);
    }

    #[test]
    fn reductions_start_right_after_what_they_need(choices in choices(60), options in options()) {
        let options = SortOptions { reduce_scatter: ReduceScatter::Early, ..options };
        let problem = program(&choices, ALL);
        let (options, order) = order_of(&problem, &options);
        let classes = classes(&problem, &options);
        let positions = positions(&order);
        // When the last thing happened that a start had to wait for: its position, through what is free to have.
        let mut available = vec![0usize; problem.len()];
        let mut needed = vec![false; problem.len()];
        for id in problem.ids().rev() {
            let is_root = classes.role(id) == Role::Anchor || problem.live_out().contains(&id);
            if is_root || needed[id.index()] {
                needed[id.index()] = true;
                for dep in problem.deps(id).iter().chain(problem.after(id)) {
                    needed[dep.index()] = true;
                }
            }
        }
        for &id in &order {
            let deps = problem.deps(id).iter().chain(problem.after(id));
            let last = deps.map(|dep| available[dep.index()]).max().unwrap_or(0);
            let is_early = matches!(classes.role(id), Role::EarlyStart | Role::EarlyBlocking);
            if is_early && needed[id.index()] {
                let between = &order[(last + 1).min(positions[id.index()])..positions[id.index()]];
                let late = between.iter().find(|other| classes.role(**other) == Role::Anchor);
                prop_assert_eq!(late, None, "{} could have started before this anchor", id);
            }
            available[id.index()] = match classes.role(id) {
                Role::Pure | Role::FreeWait => last,
                _ => positions[id.index()],
            };
        }
    }

    #[test]
    fn with_one_in_flight_a_gather_stands_directly_before_its_wait(choices in choices(60)) {
        let features = Features { fences: false, stray_after: false, live_out: true };
        let problem = program(&choices, features);
        let options = SortOptions { max_in_flight: 1, max_in_flight_reductions: 0, ..Default::default() };
        let (options, order) = order_of(&problem, &options);
        prop_assert_eq!(options.max_in_flight, 1, "one in flight is always possible without fences");
        let classes = classes(&problem, &options);
        let positions = positions(&order);
        for start in problem.ids().filter(|id| classes.slots[id.index()]) {
            if let Some(wait) = classes.waits[start.index()] {
                let between = &order[positions[start.index()] + 1..positions[wait.index()]];
                let allowed = |id: &NodeId| {
                    // Something else may have become possible when the start was issued, but no computation.
                    !matches!(classes.role(*id), Role::Anchor | Role::GatherWait)
                };
                prop_assert!(between.iter().all(allowed), "{:?}", between);
            }
        }
    }
}
