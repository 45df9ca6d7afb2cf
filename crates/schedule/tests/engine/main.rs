// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The engine of tasks: streams, events, resources and contention, against figures worked out by hand, closed forms and
//! a simulation that looks at every nanosecond.

#[path = "../common/mod.rs"]
mod common;
mod errors;
mod random;

use comm_schedule::timing::Contention;
use comm_schedule::timing::engine::{TaskTimes, simulate};
use comm_schedule::timing::tasks::{
    Grant, Resource, ResourceId, Task, TaskId, TaskProgram, TaskStream, Use, Work,
};

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
