// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A block of `comm` as tasks of the [engine](super::engine).
//!
//! The compute stream runs computation, which takes all compute units, and waits, which take no time. A start is a task
//! on the stream of its collective: it waits for the last task of the compute stream (the event recorded where it is
//! issued) and for the collectives whose results it reads through waits that do not move the clock of computation on.
//! Links are taken in the order of issue; a compute node that occupies streams holds their links too. A blocking
//! collective is a start and, if it moves the clock on, a wait.
//!
//! Invariant: without contention the engine gives exactly what [`Clocks`](super::Clocks) gives, which is the closed form
//! of these programs: no task of a block competes for a resource that is not granted in the order of issue. So blocks and
//! programs of streams are timed by one definition. Contention has no closed form, and is timed by the engine.

use super::contention::Contention;
use super::engine::{TaskTimes, simulate};
use super::tasks::{
    Grant, Resource, ResourceId, Task, TaskError, TaskId, TaskProgram, TaskStream, Use, Work,
};
use super::{Timeline, stream_waits, timeline};
use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// Times an order that [`verify`](crate::verify()) accepts where computation and communication slow each other down.
/// Without contention this is [`timeline`]. The duration of computation in the result is what it takes with the slowdown.
/// A compute node that occupies streams counts as computation. O((n + e) log n).
///
/// # Errors
/// [`TaskError::TooLong`], when a time may not fit in 64 bits.
pub fn timeline_with(
    problem: &Problem,
    order: &[NodeId],
    contention: &Contention,
) -> Result<Timeline, TaskError> {
    if contention.is_none() {
        return Ok(timeline(problem, order));
    }
    Block::new(problem, order).timeline(contention)
}

/// Where the times of a node are found.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Takes no time of any stream: the clock of computation, which is the end of that task.
    Clock(Option<TaskId>),
    /// Is that task.
    Task(TaskId),
    /// Holds the compute stream from when it comes to that task until the task ends.
    Wait(TaskId),
    /// Runs as the first task, and holds the compute stream by the second.
    Blocking(TaskId, TaskId),
}

/// The tasks of a block. See the [module](self) documentation.
#[derive(Clone, Debug)]
pub struct Block {
    program: TaskProgram,
    /// By node: where its times are, and whether it is computation.
    places: Vec<(Place, bool)>,
}

impl Block {
    /// The tasks of a block whose nodes are issued in `order`, which [`verify`](crate::verify()) accepts. O(n + e).
    pub fn new(problem: &Problem, order: &[NodeId]) -> Self {
        let mut builder = Builder::new(problem);
        let mut places = vec![(Place::Clock(None), false); problem.len()];
        for &id in order {
            places[id.index()] = (builder.issue(id), problem.kind(id) == Kind::Compute);
        }
        Block {
            program: builder.program,
            places,
        }
    }

    /// The tasks.
    pub fn program(&self) -> &TaskProgram {
        &self.program
    }

    /// Simulates the tasks, and gives the times of the nodes as [`timeline`] defines them.
    ///
    /// # Errors
    /// [`TaskError::TooLong`], when a time may not fit in 64 bits.
    pub fn timeline(&self, contention: &Contention) -> Result<Timeline, TaskError> {
        let times = simulate(&self.program, contention)?;
        let mut timeline = Timeline {
            step_ns: times.step_ns,
            ..Timeline::default()
        };
        for &(place, is_computation) in &self.places {
            let (begin, end, exposed) = place.times(&times);
            timeline.begin_ns.push(begin);
            timeline.end_ns.push(end);
            timeline.exposed_ns.push(exposed);
            if is_computation {
                timeline.compute_ns += end - begin;
            }
        }
        Ok(timeline)
    }
}

impl Place {
    /// Begin, end, and for how long computation is held up.
    fn times(self, times: &TaskTimes) -> (u64, u64, u64) {
        let head = |id: TaskId| times.head_ns[id.index()];
        let begin = |id: TaskId| times.begin_ns[id.index()];
        let end = |id: TaskId| times.end_ns[id.index()];
        match self {
            Place::Clock(task) => {
                let clock = task.map_or(0, end);
                (clock, clock, 0)
            }
            Place::Task(task) => (begin(task), end(task), 0),
            Place::Wait(task) => (head(task), end(task), end(task) - head(task)),
            Place::Blocking(transfer, wait) => (begin(transfer), end(transfer), end(wait) - head(wait)),
        }
    }
}

const PARTS: u32 = 1000;

struct Builder<'a> {
    problem: &'a Problem,
    is_stream_wait: Vec<bool>,
    program: TaskProgram,
    compute: TaskStream,
    units: ResourceId,
    /// By stream and by link of the problem.
    streams: Vec<TaskStream>,
    links: Vec<ResourceId>,
    /// The last task of the compute stream.
    clock: Option<TaskId>,
    /// The task whose end makes the result of a node available to starts, where that is not the clock of computation.
    available: Vec<Option<TaskId>>,
}

impl<'a> Builder<'a> {
    fn new(problem: &'a Problem) -> Self {
        let mut program = TaskProgram::new();
        let in_turn = Resource::Exclusive { grant: Grant::Issue };
        Builder {
            problem,
            is_stream_wait: stream_waits(problem),
            compute: program.stream(),
            units: program.resource(Resource::Shared { capacity: PARTS }),
            streams: (0..problem.stream_count()).map(|_| program.stream()).collect(),
            links: (0..problem.link_count())
                .map(|_| program.resource(in_turn))
                .collect(),
            program,
            clock: None,
            available: vec![None; problem.len()],
        }
    }

    fn issue(&mut self, id: NodeId) -> Place {
        match self.problem.kind(id) {
            Kind::Compute => Place::Task(self.computation(id)),
            Kind::Start => {
                let transfer = self.transfer(id);
                self.available[id.index()] = Some(transfer);
                Place::Task(transfer)
            }
            Kind::Blocking if self.is_stream_wait[id.index()] => {
                let transfer = self.transfer(id);
                self.available[id.index()] = Some(transfer);
                Place::Task(transfer)
            }
            Kind::Blocking => {
                let transfer = self.transfer(id);
                Place::Blocking(transfer, self.wait(transfer))
            }
            Kind::Wait => {
                let start = self.problem.of(id).expect("a checked problem");
                let transfer = self.available[start.index()].expect("a start stands before its wait");
                if self.is_stream_wait[id.index()] {
                    self.available[id.index()] = Some(transfer);
                    Place::Clock(self.clock)
                } else {
                    Place::Wait(self.wait(transfer))
                }
            }
            Kind::View => {
                self.available[id.index()] = self.join(id);
                Place::Clock(self.clock)
            }
            Kind::Arg => Place::Clock(self.clock),
        }
    }

    fn computation(&mut self, id: NodeId) -> TaskId {
        let mut uses = vec![Use {
            resource: self.units,
            parts: PARTS,
        }];
        for stream in self.problem.occupied(id) {
            let link = self.link(self.problem.link_of(stream).index());
            if !uses.contains(&link) {
                uses.push(link);
            }
        }
        self.on_compute_stream(Task {
            stream: self.compute,
            work: Work::Computation,
            duration_ns: self.problem.ns(id),
            uses: &uses,
            waits: &[],
        })
    }

    fn transfer(&mut self, id: NodeId) -> TaskId {
        let stream = self.problem.stream_of(id).expect("a checked problem");
        let waits: Vec<TaskId> = self.clock.into_iter().chain(self.read(id)).collect();
        self.program.push(Task {
            stream: self.streams[stream.index()],
            work: Work::Communication,
            duration_ns: self.problem.ns(id),
            uses: &[self.link(self.problem.link_of(stream).index())],
            waits: &waits,
        })
    }

    fn wait(&mut self, transfer: TaskId) -> TaskId {
        self.on_compute_stream(Task {
            stream: self.compute,
            work: Work::Synchronisation,
            duration_ns: 0,
            uses: &[],
            waits: &[transfer],
        })
    }

    fn on_compute_stream(&mut self, task: Task<'_>) -> TaskId {
        let id = self.program.push(task);
        self.clock = Some(id);
        id
    }

    fn link(&self, index: usize) -> Use {
        Use {
            resource: self.links[index],
            parts: 1,
        }
    }

    /// The tasks that make available what a node reads.
    fn read(&self, id: NodeId) -> impl Iterator<Item = TaskId> + '_ {
        self.problem
            .deps(id)
            .iter()
            .filter_map(|dep| self.available[dep.index()])
    }

    /// One task whose end makes all available that a view reads: a new one, on a stream of its own, if there are several.
    fn join(&mut self, id: NodeId) -> Option<TaskId> {
        let read: Vec<TaskId> = self.read(id).collect();
        let first = *read.first()?;
        if read.iter().all(|&task| task == first) {
            return Some(first);
        }
        let stream = self.program.stream();
        Some(self.program.push(Task {
            stream,
            work: Work::Synchronisation,
            duration_ns: 0,
            uses: &[],
            waits: &read,
        }))
    }
}
