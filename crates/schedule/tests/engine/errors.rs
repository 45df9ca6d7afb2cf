// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the engine refuses: waits in a cycle, and what a program does not have.

use crate::{BY_ISSUE, parts, task, times};
use comm_schedule::timing::Contention;
use comm_schedule::timing::engine::simulate;
use comm_schedule::timing::tasks::{
    Resource, ResourceId, Task, TaskError, TaskId, TaskProgram, TaskStream, Use,
};

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
