// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The core of the run-time under loom: every interleaving of two threads, and those of three with a few preemptions.
//!
//! The files of `src/core` are compiled here once more, over loom's locks. What members may read of each other is a
//! [`Cell`] whose accesses loom checks: two that are not ordered, one of them a write, end the test; so does a
//! deadlock, which is what a lost wake-up looks like.

#[allow(dead_code)] // What only other parts of the run-time use.
#[path = "../../src/core/mod.rs"]
mod core;
mod sync;

use std::sync::Arc;

use loom::{cell::UnsafeCell, model::Builder, thread};

use crate::{
    core::{
        alarm::Alarm,
        event::Event,
        meeting::{Meeting, Stop},
        monitor::Monitor,
        pad::{Pad, Silence},
        queue::Queue,
    },
    sync::Deadline,
};

type Failure = &'static str;

/// All interleavings.
fn check(model: impl Fn() + Send + Sync + 'static) {
    loom::model(model);
}

/// All interleavings with so many preemptions (Musuvathi and Qadeer, "Iterative context bounding", 2007: most errors
/// need two).
fn check_bounded(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// Data that others read when the core says that they may.
struct Cell(UnsafeCell<u32>);

// SAFETY: loom fails the test if two accesses conflict.
unsafe impl Sync for Cell {}
// SAFETY: as above.
unsafe impl Send for Cell {}

impl Cell {
    fn new() -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(0)))
    }

    fn write(&self, value: u32) {
        // SAFETY: loom checks that nobody else has access.
        self.0.with_mut(|data| unsafe { *data = value });
    }

    fn read(&self) -> u32 {
        // SAFETY: loom checks that nobody writes.
        self.0.with(|data| unsafe { *data })
    }
}

#[test]
fn an_event_wakes_all_who_wait_and_orders_what_stands_before_it() {
    check(|| {
        let (event, cell) = (Arc::new(Event::<Failure>::new()), Cell::new());
        let waiters: Vec<_> = (0..2)
            .map(|_| {
                let (event, cell) = (event.clone(), cell.clone());
                thread::spawn(move || {
                    assert_eq!(event.wait(), Ok(()));
                    assert_eq!(cell.read(), 7);
                })
            })
            .collect();
        cell.write(7);
        event.complete(Ok(()));
        event.complete(Err("too late"));
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
        assert_eq!(event.outcome(), Some(Ok(())));
    });
}

#[test]
fn a_failed_event_fails_its_waiters() {
    check(|| {
        let event = Arc::new(Event::<Failure>::new());
        let waiter = thread::spawn({
            let event = event.clone();
            move || event.wait()
        });
        event.complete(Err("poisoned"));
        assert_eq!(waiter.join().unwrap(), Err("poisoned"));
    });
}

#[test]
fn a_queue_keeps_the_order_of_each_writer_and_loses_nothing() {
    check_bounded(3, || {
        let queue = Arc::new(Queue::new());
        let writer = thread::spawn({
            let queue = queue.clone();
            move || queue.push(10)
        });
        let reader = thread::spawn({
            let queue = queue.clone();
            move || std::iter::from_fn(|| queue.pop()).collect::<Vec<i32>>()
        });
        assert_eq!(queue.push(1), Ok(()));
        assert_eq!(queue.push(2), Ok(()));
        let other = writer.join().unwrap();
        queue.close();
        assert_eq!(queue.push(3), Err(3));
        let seen = reader.join().unwrap();
        assert_eq!(other, Ok(()));
        assert!(
            [[1, 2, 10], [1, 10, 2], [10, 1, 2]]
                .iter()
                .any(|order| *order == *seen),
            "{seen:?}"
        );
    });
}

struct World {
    alarm: Arc<Alarm<Failure>>,
    meeting: Meeting<u32, Failure>,
    cells: Vec<Arc<Cell>>,
}

impl World {
    fn new(members: usize) -> Arc<Self> {
        let alarm = Arc::new(Alarm::new(members));
        Arc::new(Self {
            meeting: Meeting::new((0..members).collect(), alarm.clone()),
            alarm,
            cells: (0..members).map(|_| Cell::new()).collect(),
        })
    }

    /// What a collective of `steps` steps does: writes its own data, meets, reads that of all in each step, parts,
    /// and writes its own again. A member that fails reports it, and its data is gone at once.
    fn collective(
        &self,
        number: u64,
        member: usize,
        post: u32,
        deadline: Deadline,
        steps: usize,
    ) -> Result<(), Stop<u32>> {
        self.cells[member].write(1);
        let met = self
            .meeting
            .arrive(number, member, post, |a, b| a == b, deadline, |_| String::new());
        match met {
            Ok(posts) => {
                assert!(posts.iter().all(|&theirs| theirs == post));
                assert_eq!(posts.len(), self.cells.len());
                for step in 1..=steps {
                    assert!(self.cells.iter().all(|cell| cell.read() == 1));
                    assert!(self.meeting.pass(number, step, true, step == steps));
                }
                self.cells[member].write(2);
                Ok(())
            }
            Err(stop) => {
                self.cells[member].write(3);
                self.alarm.raise("a collective failed");
                Err(stop)
            }
        }
    }

    fn spawn(
        self: &Arc<Self>,
        member: usize,
        act: impl FnOnce(&Self, usize) -> Result<(), Stop<u32>> + 'static,
    ) -> thread::JoinHandle<Result<(), Stop<u32>>> {
        let world = self.clone();
        thread::spawn(move || act(&world, member))
    }
}

#[test]
fn members_meet_again_and_again() {
    check_bounded(3, || {
        let world = World::new(2);
        let act = |world: &World, member: usize| {
            world.collective(0, member, 5, Deadline::NEVER, 1)?;
            world.collective(1, member, 6, Deadline::NEVER, 2)
        };
        let other = world.spawn(1, act);
        assert_eq!(act(&world, 0), Ok(()));
        assert_eq!(other.join().unwrap(), Ok(()));
    });
}

#[test]
fn three_members_meet() {
    check_bounded(2, || {
        let world = World::new(3);
        let act = |world: &World, member: usize| world.collective(0, member, 5, Deadline::NEVER, 1);
        let others = [world.spawn(1, act), world.spawn(2, act)];
        assert_eq!(act(&world, 0), Ok(()));
        others
            .into_iter()
            .for_each(|other| assert_eq!(other.join().unwrap(), Ok(())));
    });
}

#[test]
fn a_member_that_gives_up_leaves_nobody_behind() {
    for (deadline, others) in [
        (Deadline::Never, 1),
        (Deadline::Sometime, 1),
        (Deadline::Never, 2),
    ] {
        let model = move || {
            let world = World::new(others + 1);
            let patient = move |world: &World, member: usize| world.collective(0, member, 5, deadline, 1);
            let others: Vec<_> = (1..=others).map(|member| world.spawn(member, patient)).collect();
            let own = world.collective(0, 0, 5, Deadline::Sometime, 1);
            for other in others {
                assert_eq!(other.join().unwrap().is_ok(), own.is_ok(), "all or none");
            }
            if let Err(stop) = own {
                assert!(matches!(stop, Stop::Late { .. } | Stop::Interrupted), "{stop:?}");
            }
        };
        check_bounded(if others == 1 { 4 } else { 2 }, model);
    }
}

#[test]
fn members_that_do_not_agree_all_fail() {
    check_bounded(2, || {
        let world = World::new(3);
        let others = [1, 2].map(|member| {
            world.spawn(member, |world, member| {
                world.collective(0, member, member as u32, Deadline::NEVER, 1)
            })
        });
        let own = world.collective(0, 0, 0, Deadline::NEVER, 1).unwrap_err();
        let mut all: Vec<_> = others
            .into_iter()
            .map(|other| other.join().unwrap().unwrap_err())
            .collect();
        all.push(own);
        let differing = all
            .iter()
            .filter(|stop| matches!(stop, Stop::Mismatch([(a, _), (b, _)]) if a != b));
        assert!(differing.count() >= 2);
    });
}

#[test]
fn a_member_that_departs_is_not_waited_for() {
    check(|| {
        let world = World::new(2);
        let other = world.spawn(1, |world, member| {
            world.alarm.depart(member);
            Ok(())
        });
        assert_eq!(world.collective(0, 0, 5, Deadline::NEVER, 1), Err(Stop::Gone(1)));
        assert_eq!(other.join().unwrap(), Ok(()));
    });
}

#[test]
fn a_member_that_meets_and_departs_was_there() {
    check_bounded(3, || {
        let world = World::new(2);
        let other = world.spawn(1, |world, member| {
            let met = world.collective(0, member, 5, Deadline::NEVER, 1);
            world.alarm.depart(member);
            met
        });
        assert_eq!(world.collective(0, 0, 5, Deadline::NEVER, 1), Ok(()));
        assert_eq!(other.join().unwrap(), Ok(()));
    });
}

#[test]
fn an_alarm_interrupts_all_or_none() {
    check_bounded(3, || {
        let world = World::new(2);
        let act = |world: &World, member: usize| world.collective(0, member, 5, Deadline::NEVER, 1);
        let others = [world.spawn(0, act), world.spawn(1, act)];
        world.alarm.raise("elsewhere");
        let [a, b] = others.map(|other| other.join().unwrap());
        assert_eq!(a.is_ok(), b.is_ok());
        assert_eq!(world.alarm.failure(), Some("elsewhere"));
    });
}

#[test]
fn a_member_whose_work_fails_is_noticed_by_all() {
    check_bounded(3, || {
        let world = World::new(2);
        let act = |world: &World, member: usize| {
            world
                .meeting
                .arrive(0, member, 5, |a, b| a == b, Deadline::NEVER, |_| String::new())?;
            let is_well = member == 0;
            assert!(!world.meeting.pass(0, 1, is_well, true));
            Ok(())
        };
        let other = world.spawn(1, act);
        assert_eq!(act(&world, 0), Ok(()));
        assert_eq!(other.join().unwrap(), Ok(()));
    });
}

#[test]
fn a_signal_orders_what_stands_before_it() {
    check(|| {
        let alarm = Arc::new(Alarm::<Failure>::new(2));
        let (pad, cell) = (Arc::new(Pad::new(&alarm)), Cell::new());
        let sender = thread::spawn({
            let (pad, cell) = (pad.clone(), cell.clone());
            move || {
                cell.write(4);
                assert_eq!(pad.put('a', 1), Ok(()));
                assert_eq!(pad.put('a', 1), Err(1));
                assert_eq!(pad.put('a', 3), Ok(()));
            }
        });
        assert_eq!(pad.wait(&'a', 1, 1, Deadline::NEVER, &alarm), Ok(()));
        assert_eq!(cell.read(), 4);
        assert_eq!(pad.wait(&'a', 2, 1, Deadline::NEVER, &alarm), Ok(()));
        sender.join().unwrap();
        assert_eq!((pad.epoch(&'a'), pad.epoch(&'b')), (3, 0));
    });
}

#[test]
fn a_wait_for_a_signal_ends_by_a_deadline_a_departure_or_an_alarm() {
    check(|| {
        let alarm = Arc::new(Alarm::<Failure>::new(2));
        let pad = Arc::new(Pad::new(&alarm));
        let other = thread::spawn({
            let (pad, alarm) = (pad.clone(), alarm.clone());
            move || {
                assert_eq!(pad.put('a', 1), Ok(()));
                alarm.depart(1);
                alarm.raise("elsewhere");
            }
        });
        let late = pad.wait(&'a', 1, 1, Deadline::Sometime, &alarm);
        assert!(matches!(late, Ok(()) | Err(Silence::Late)), "{late:?}");
        assert!(late.is_ok() || pad.wait(&'a', 1, 1, Deadline::NEVER, &alarm).is_ok());
        let never = pad.wait(&'a', 2, 1, Deadline::NEVER, &alarm);
        assert!(
            matches!(never, Err(Silence::Gone | Silence::Interrupted)),
            "{never:?}"
        );
        other.join().unwrap();
    });
}

#[test]
fn a_bell_is_heard_by_whoever_is_about_to_sleep() {
    check(|| {
        let alarm = Arc::new(Alarm::<Failure>::new(1));
        let sleeper = Arc::new(Monitor::new(()));
        alarm.watch(Arc::downgrade(&sleeper) as _);
        let other = thread::spawn({
            let alarm = alarm.clone();
            move || alarm.raise("fire")
        });
        assert_eq!(sleeper.wait(Deadline::NEVER, |()| alarm.failure()), Some("fire"));
        other.join().unwrap();
    });
}
