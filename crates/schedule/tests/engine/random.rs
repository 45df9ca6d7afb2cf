// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs of tasks, against closed forms and a simulation that looks at every nanosecond.

use crate::common::{Random, cases};
use crate::{BY_ISSUE, BY_READINESS, pair, parts, spans, task, times};
use comm_schedule::timing::Contention;
use comm_schedule::timing::engine::simulate;
use comm_schedule::timing::tasks::{Grant, Resource, Task, TaskError, TaskId, TaskProgram, Use, Work};
use proptest::prelude::*;

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
    #![proptest_config(cases(2000))]

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
