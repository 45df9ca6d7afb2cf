// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The engine of tasks: streams, events, resources and contention, against figures worked out by hand, closed forms and
//! a simulation that looks at every nanosecond.

mod common;

use comm_schedule::timing::Contention;
use comm_schedule::timing::engine::{TaskTimes, simulate};
use comm_schedule::timing::tasks::{
    Grant, Resource, ResourceId, Task, TaskError, TaskId, TaskProgram, TaskStream, Use, Work,
};
use common::Random;
use proptest::prelude::*;

const BY_READINESS: Resource = Resource::Exclusive {
    grant: Grant::Readiness,
};
const BY_ISSUE: Resource = Resource::Exclusive { grant: Grant::Issue };

fn task(stream: TaskStream, duration_ns: u64) -> Task<'static> {
    Task {
        stream,
        work: Work::Computation,
        duration_ns,
        uses: &[],
        waits: &[],
    }
}

fn parts(resource: ResourceId, parts: u32) -> Use {
    Use { resource, parts }
}

fn times(program: &TaskProgram) -> TaskTimes {
    simulate(program, &Contention::default()).expect("a program without fault")
}

fn spans(program: &TaskProgram) -> Vec<(u64, u64)> {
    let times = times(program);
    times.begin_ns.into_iter().zip(times.end_ns).collect()
}

#[test]
fn a_stream_is_first_in_first_out_and_events_order_streams() {
    let mut program = TaskProgram::new();
    let (a, b) = (program.stream(), program.stream());
    let first = program.push(task(a, 10));
    program.push(task(b, 3));
    let waits = [first];
    program.push(Task {
        waits: &waits,
        ..task(b, 5)
    });
    program.push(task(b, 1));
    // Waits for a task that is issued behind it.
    program.push(Task {
        waits: &[TaskId(5)],
        ..task(a, 2)
    });
    let c = program.stream();
    program.push(task(c, 40));
    assert_eq!(
        spans(&program),
        [(0, 10), (0, 3), (10, 15), (15, 16), (40, 42), (0, 40)]
    );
    let times = times(&program);
    assert_eq!(times.head_ns, [0, 0, 3, 15, 10, 0]);
    assert_eq!(times.step_ns, 42);
}

#[test]
fn an_empty_program_takes_no_time() {
    assert_eq!(times(&TaskProgram::new()), TaskTimes::default());
}

#[test]
fn kernels_share_compute_units_as_long_as_they_fit_and_none_overtakes() {
    let mut program = TaskProgram::new();
    let units = program.resource(Resource::Shared { capacity: 1000 });
    for (occupancy, duration) in [(600, 10), (400, 4), (500, 5), (300, 2), (1000, 7)] {
        let stream = program.stream();
        program.push(Task {
            uses: &[parts(units, occupancy)],
            ..task(stream, duration)
        });
    }
    // The third does not fit beside the first, and the fourth, which would, stays behind it.
    assert_eq!(spans(&program), [(0, 10), (0, 4), (10, 15), (10, 12), (15, 22)]);
}

/// Three transfers that are ready at 5, 3 and 4, and one that is ready at 3 too.
fn transfers(resource: Resource) -> TaskProgram {
    let mut program = TaskProgram::new();
    let engine = program.resource(resource);
    for ready in [5, 3, 4, 3] {
        let stream = program.stream();
        program.push(task(stream, ready));
        program.push(Task {
            uses: &[parts(engine, 1)],
            ..task(stream, 10)
        });
    }
    program
}

#[test]
fn copies_on_one_engine_do_not_overlap_and_go_by_readiness_then_by_issue() {
    let begins = times(&transfers(BY_READINESS)).begin_ns;
    assert_eq!([begins[1], begins[3], begins[5], begins[7]], [33, 3, 23, 13]);
}

#[test]
fn a_link_in_the_order_of_issue_waits_for_whoever_is_next() {
    let begins = times(&transfers(BY_ISSUE)).begin_ns;
    assert_eq!([begins[1], begins[3], begins[5], begins[7]], [5, 15, 25, 35]);
}

#[test]
fn two_resources_are_taken_at_once() {
    let mut program = TaskProgram::new();
    let (left, right) = (program.resource(BY_READINESS), program.resource(BY_READINESS));
    let uses: [&[Use]; 4] = [
        &[parts(left, 1)],
        &[parts(left, 1), parts(right, 1)],
        &[parts(right, 1)],
        &[],
    ];
    for uses in uses {
        let stream = program.stream();
        program.push(Task {
            uses,
            ..task(stream, 10)
        });
    }
    // The third does not overtake the second, although its resource is free.
    assert_eq!(spans(&program), [(0, 10), (10, 20), (20, 30), (0, 10)]);
}

/// The pipelined all-gather and matmul of PyTorch #137850 on two streams that take turns, the own shard first: copies
/// take `copy` each on one copy engine, matmuls `matmul` each with all compute units.
fn pipelined_gather_matmul(ranks: u64, matmul: u64, copy: u64) -> TaskProgram {
    let mut program = TaskProgram::new();
    let units = program.resource(Resource::Shared { capacity: 1000 });
    let engine = program.resource(BY_READINESS);
    let streams = [program.stream(), program.stream()];
    for step in 0..ranks {
        let stream = streams[step as usize % 2];
        if step > 0 {
            program.push(Task {
                work: Work::Communication,
                uses: &[parts(engine, 1)],
                ..task(stream, copy)
            });
        }
        program.push(Task {
            uses: &[parts(units, 1000)],
            ..task(stream, matmul)
        });
    }
    program
}

#[test]
fn two_streams_hide_all_but_one_step_of_a_pipeline() {
    for ranks in [1, 2, 3, 8] {
        for (matmul, copy) in [(70, 30), (50, 50), (30, 70), (1, 0), (0, 1)] {
            let program = pipelined_gather_matmul(ranks, matmul, copy);
            let expected = matmul + (ranks - 1) * matmul.max(copy);
            assert_eq!(
                times(&program).step_ns,
                expected,
                "{ranks} ranks, {matmul}, {copy}"
            );
        }
    }
}

#[test]
fn tasks_that_wait_for_each_other_are_named() {
    let mut program = TaskProgram::new();
    let (a, b, c) = (program.stream(), program.stream(), program.stream());
    let link = program.resource(BY_ISSUE);
    let innocent = program.push(task(a, 1));
    program.push(Task {
        waits: &[innocent, TaskId(4)],
        ..task(a, 1)
    });
    program.push(Task {
        uses: &[parts(link, 1)],
        ..task(a, 1)
    });
    program.push(Task {
        uses: &[parts(link, 1)],
        ..task(b, 1)
    });
    program.push(task(b, 1));
    program.push(Task {
        waits: &[TaskId(4)],
        ..task(c, 1)
    });
    let error = simulate(&program, &Contention::default()).expect_err("a cycle");
    assert_eq!(
        error.to_string(),
        "these tasks wait for each other: task 1 -> task 4 -> task 3 -> task 2 -> task 1"
    );

    let mut program = TaskProgram::new();
    let stream = program.stream();
    program.push(Task {
        waits: &[TaskId(0)],
        ..task(stream, 1)
    });
    assert_eq!(
        simulate(&program, &Contention::default()),
        Err(TaskError::Cycle {
            tasks: vec![TaskId(0)]
        })
    );
}

#[test]
fn what_a_program_does_not_have_is_named() {
    let fault = |change: fn(&mut Task<'static>)| {
        let mut program = TaskProgram::new();
        let stream = program.stream();
        program.resource(Resource::Shared { capacity: 8 });
        program.push(task(stream, 1));
        let mut bad = task(stream, 1);
        change(&mut bad);
        program.push(bad);
        simulate(&program, &Contention::default())
            .expect_err("a fault")
            .to_string()
    };
    const UNITS: ResourceId = ResourceId(0);
    assert_eq!(
        fault(|task| task.stream = TaskStream(3)),
        "task 1: is issued on stream 3, but the program has 1 streams"
    );
    assert_eq!(
        fault(|task| task.waits = &[TaskId(0), TaskId(7)]),
        "task 1: waits for task 7, but the program has 2 tasks"
    );
    assert_eq!(
        fault(|task| task.uses = const {
            &[Use {
                resource: ResourceId(1),
                parts: 1,
            }]
        }),
        "task 1: uses resource 1, but the program has 1 resources"
    );
    assert_eq!(
        fault(|task| task.uses = const {
            &[Use {
                resource: UNITS,
                parts: 9,
            }]
        }),
        "task 1: uses 9 parts of resource 0, expected 1 to 8"
    );
    assert_eq!(
        fault(|task| task.uses = const {
            &[Use {
                resource: UNITS,
                parts: 0,
            }]
        }),
        "task 1: uses 0 parts of resource 0, expected 1 to 8"
    );
    assert_eq!(
        fault(|task| task.uses = const {
            &[Use {
                resource: UNITS,
                parts: 1,
            }; 2]
        }),
        "task 1: uses resource 0 twice, expected one use with all its parts"
    );
    assert_eq!(
        fault(|task| task.duration_ns = u64::MAX),
        "the tasks together may run for longer than 18446744073709551615 nanoseconds"
    );
}

#[test]
fn slowed_down_times_that_do_not_fit_are_refused() {
    let mut program = TaskProgram::new();
    let stream = program.stream();
    program.push(task(stream, u64::MAX / 4));
    assert_eq!(times(&program).step_ns, u64::MAX / 4);
    let contention = Contention::new(1.0, 8.0).expect("factors");
    assert_eq!(simulate(&program, &contention), Err(TaskError::TooLong));
}

#[test]
fn factors_are_numbers_from_one_on() {
    assert!(Contention::new(1.0, 1.0).is_ok_and(|contention| contention.is_none()));
    assert!(Contention::new(1.0, 1.5).is_ok_and(|contention| !contention.is_none()));
    for bad in [0.99, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(
            Contention::new(bad, 1.0).is_err() && Contention::new(1.0, bad).is_err(),
            "{bad}"
        );
    }
    assert_eq!(
        Contention::new(1.0, 0.5).expect_err("too small").to_string(),
        "slowdown of communication: 0.5 is no number from 1 to 1024"
    );
}

/// The time of a computation and a communication that begin together.
fn pair(compute: u64, communicate: u64, contention: &Contention) -> u64 {
    let mut program = TaskProgram::new();
    let (a, b) = (program.stream(), program.stream());
    program.push(task(a, compute));
    program.push(Task {
        work: Work::Communication,
        ..task(b, communicate)
    });
    simulate(&program, contention).expect("two tasks").step_ns
}

#[test]
fn computation_and_communication_slow_each_other_down() {
    // The communication ends after 500 * 1.5 = 750, in which 750 / 1.25 = 600 of the computation are done.
    let contention = Contention::new(1.25, 1.5).expect("factors");
    assert_eq!(pair(1000, 500, &contention), 750 + 400);
    // The computation ends after 100 * 1.25 = 125, in which 125 / 1.5 = 83 1/3 of the communication are done.
    assert_eq!(pair(100, 500, &contention), 125 + 417);

    let mut program = TaskProgram::new();
    let (a, b, c) = (program.stream(), program.stream(), program.stream());
    program.push(task(a, 1000));
    program.push(task(b, 100));
    program.push(Task {
        work: Work::Synchronisation,
        ..task(c, 300)
    });
    program.push(Task {
        work: Work::Communication,
        ..task(c, 100)
    });
    let times = simulate(&program, &contention).expect("four tasks");
    // Two computations, or a synchronisation, slow nothing down; the transfer takes 150, in which 120 are computed.
    assert_eq!(times.end_ns, [300 + 150 + 580, 100, 300, 450]);
}

/// Begin and end of all tasks, found by looking at every nanosecond; durations as they are, no contention.
fn by_the_nanosecond(program: &TaskProgram) -> Vec<(u64, u64)> {
    let exclusive_before = |id: TaskId, grant: Grant| {
        program
            .task(id)
            .uses
            .iter()
            .copied()
            .filter(move |used| program.resources()[used.resource.index()].grant() == grant)
    };
    let (mut since, mut begin, mut end) = (
        vec![None; program.len()],
        vec![None; program.len()],
        vec![None; program.len()],
    );
    let mut now = 0u64;
    while end.iter().any(Option::is_none) {
        loop {
            for id in program.ids() {
                if begin[id.index()].is_some_and(|begin: u64| begin + program.task(id).duration_ns == now) {
                    end[id.index()] = Some(now);
                }
            }
            let ended = |id: TaskId| end[id.index()].is_some();
            let earlier = |id: TaskId| program.ids().take(id.index());
            for id in program
                .ids()
                .filter(|id| since[id.index()].is_none())
                .collect::<Vec<_>>()
            {
                let task = program.task(id);
                let on_stream = earlier(id).filter(|other| program.task(*other).stream == task.stream);
                let in_turn = earlier(id).filter(|other| {
                    exclusive_before(id, Grant::Issue).any(|used| program.task(*other).uses.contains(&used))
                });
                if on_stream
                    .chain(in_turn)
                    .chain(task.waits.iter().copied())
                    .all(ended)
                {
                    since[id.index()] = Some(now);
                }
            }
            let waiting = program
                .ids()
                .filter(|id| since[id.index()].is_some() && begin[id.index()].is_none());
            let mut waiting: Vec<_> = waiting.map(|id| (since[id.index()], id)).collect();
            waiting.sort();
            let free = |id: TaskId| exclusive_before(id, Grant::Readiness).next().is_none();
            let granted = |position: usize, id: TaskId| {
                exclusive_before(id, Grant::Readiness).all(|used| {
                    let uses = |other: TaskId| {
                        let mut uses = program.task(other).uses.iter();
                        uses.find(|other| other.resource == used.resource)
                            .map_or(0, |other| other.parts)
                    };
                    let running = |id: &TaskId| begin[id.index()].is_some() && end[id.index()].is_none();
                    let taken: u32 = program.ids().filter(running).map(uses).sum();
                    let is_first = waiting[..position].iter().all(|(_, other)| uses(*other) == 0);
                    is_first && taken + used.parts <= program.resources()[used.resource.index()].capacity()
                })
            };
            let next = waiting.iter().find(|(_, id)| free(*id)).or_else(|| {
                let mut waiting = waiting.iter().enumerate();
                waiting
                    .find(|(position, (_, id))| granted(*position, *id))
                    .map(|(_, entry)| entry)
            });
            match next {
                Some((_, id)) => begin[id.index()] = Some(now),
                None => break,
            }
        }
        now += 1;
    }
    begin
        .into_iter()
        .flatten()
        .zip(end.into_iter().flatten())
        .collect()
}

/// A program of tasks on a few streams and resources, without a cycle of waits.
fn random_program(tasks: usize, seed: u64) -> TaskProgram {
    let mut random = Random(seed | 1);
    let mut program = TaskProgram::new();
    let streams: Vec<_> = (0..1 + random.below(5)).map(|_| program.stream()).collect();
    let resources = [
        Resource::Shared { capacity: 4 },
        BY_READINESS,
        BY_READINESS,
        BY_ISSUE,
        BY_ISSUE,
    ];
    let resources = resources.map(|resource| program.resource(resource));
    for index in 0..tasks {
        let mut uses = Vec::new();
        for &resource in &resources {
            if random.below(4) == 0 {
                let capacity = program.resources()[resource.index()].capacity();
                uses.push(parts(resource, 1 + random.below(capacity as usize) as u32));
            }
        }
        let waits = if index == 0 { 0 } else { random.below(3) };
        let waits: Vec<_> = (0..waits).map(|_| TaskId(random.below(index) as u32)).collect();
        program.push(Task {
            stream: streams[random.below(streams.len())],
            work: [Work::Computation, Work::Communication, Work::Synchronisation][random.below(3)],
            duration_ns: random.below(5) as u64,
            uses: &uses,
            waits: &waits,
        });
    }
    program
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_does_what_one_sees_looking_at_every_nanosecond(tasks in 1usize..16, seed in any::<u64>()) {
        let program = random_program(tasks, seed);
        prop_assert_eq!(spans(&program), by_the_nanosecond(&program));
    }

    #[test]
    fn waits_on_anything_end_in_times_or_in_a_cycle(tasks in 1usize..30, seed in any::<u64>()) {
        let mut program = random_program(tasks, seed);
        let (stream, mut random) = (program.stream(), Random(seed | 1));
        // From here on tasks of the next stream are awaited by tasks before them.
        for _ in 0..tasks {
            let waits: Vec<_> = (0..random.below(3)).map(|_| TaskId(random.below(2 * tasks) as u32)).collect();
            let stream = if random.below(3) == 0 { program.stream() } else { stream };
            program.push(Task { waits: &waits, ..task(stream, 1) });
        }
        let waits_for = |id: TaskId, other: TaskId| {
            let (task, before) = (program.task(id), program.task(other));
            let in_turn = |used: &Use| {
                program.resources()[used.resource.index()] == BY_ISSUE && before.uses.contains(used)
            };
            task.waits.contains(&other)
                || other < id && (task.stream == before.stream || task.uses.iter().any(in_turn))
        };
        match simulate(&program, &Contention::default()) {
            Ok(times) => for (id, other) in program.ids().flat_map(|id| program.ids().map(move |other| (id, other))) {
                prop_assert!(!waits_for(id, other) || times.begin_ns[id.index()] >= times.end_ns[other.index()]);
            },
            Err(TaskError::Cycle { tasks }) => for (position, &id) in tasks.iter().enumerate() {
                prop_assert!(waits_for(id, tasks[(position + 1) % tasks.len()]), "{tasks:?}");
            },
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn a_pair_takes_what_the_closed_form_says(
        compute in 0u64..1_000_000, communicate in 0u64..1_000_000, slow in 1.0f64..3.0, slow_link in 1.0f64..3.0
    ) {
        let contention = Contention::new(slow, slow_link).expect("factors");
        let (t_c, t_m) = (compute as f64, communicate as f64);
        let expected = if slow_link * t_m <= slow * t_c {
            t_c + slow_link * t_m * (1.0 - 1.0 / slow)
        } else {
            t_m + slow * t_c * (1.0 - 1.0 / slow_link)
        };
        let found = pair(compute, communicate, &contention) as f64;
        // Each of the two ends is rounded up, and a factor by at most 2^-33.
        prop_assert!((expected - 0.01..expected + 2.01).contains(&found), "{found} for {expected}");

        let gain = 1.0 / slow + 1.0 / slow_link - 1.0;
        if gain.abs() > 1e-4 && compute.min(communicate) > 100_000 {
            prop_assert_eq!(found < t_c + t_m, gain > 0.0, "overlap pays exactly when the rates add up to more than 1");
        }
    }

    #[test]
    fn factors_of_one_change_nothing_and_others_end_within_them(tasks in 1usize..40, seed in any::<u64>()) {
        let program = random_program(tasks, seed);
        let none = Contention::new(1.0, 1.0).expect("factors");
        let free = times(&program);
        prop_assert_eq!(&simulate(&program, &none).expect("times"), &free);
        let contended = simulate(&program, &Contention::new(1.5, 2.0).expect("factors")).expect("times");
        for id in program.ids() {
            let (task, index) = (program.task(id), id.index());
            let took = contended.end_ns[index] - contended.begin_ns[index];
            let most = match task.work {
                Work::Computation => (task.duration_ns * 3).div_ceil(2),
                Work::Communication => task.duration_ns * 2,
                Work::Synchronisation => task.duration_ns,
            };
            prop_assert!((task.duration_ns..=most).contains(&took), "{id}: {took}");
        }
    }
}
