// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Tasks on streams and resources: what the [engine](super::engine) times.
//!
//! The terms are those of CUDA (C++ Programming Guide, *Streams* and *Events*), where they have been tried longest:
//! - A *stream* runs its tasks one after another, in the order of issue; streams run side by side.
//! - An *event* is the end of a task. A task of any stream may wait for events (`cudaStreamWaitEvent`), which is the only
//!   order between tasks of different streams. What is waited for may be issued later: ranks and host threads issue on
//!   their own.
//! - A *resource* is what tasks of different streams compete for. Compute units are [`Resource::Shared`]: a task takes as
//!   many parts of them as it occupies, and several tasks run side by side while parts are left. A copy engine is
//!   [`Resource::Exclusive`]: one copy at a time. So is a link, whose turns may be fixed by the order of issue.
//!
//! A [`TaskProgram`] is a plain table: [`TaskProgram::push`] accepts anything, [`TaskProgram::check`] says whether the table
//! means something. It knows neither operations nor values, and decides nothing.

use std::fmt;
use thiserror::Error;

/// Identifies a task: its position in the order of issue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId(pub u32);

/// Identifies a stream of a [`TaskProgram`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskStream(pub u32);

/// Identifies a resource of a [`TaskProgram`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceId(pub u32);

macro_rules! index {
    ($type:ident, $word:literal) => {
        impl $type {
            /// The id as an index into arrays with one element for each.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}"), self.0)
            }
        }
    };
}

index!(TaskId, "task");
index!(TaskStream, "stream");
index!(ResourceId, "resource");

/// What a task does, as far as [contention](super::Contention) is concerned.
///
/// The values are positions in arrays with one element for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Work {
    /// Computes.
    Computation = 0,
    /// Moves data between devices, whatever resources that takes.
    Communication = 1,
    /// Waits or signals: slows nothing down and is not slowed down.
    Synchronisation = 2,
}

/// Who is next on an exclusive resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Grant {
    /// Turns are taken in the order of issue, also by tasks that become ready later than one behind them.
    Issue,
    /// The task that has been ready for longest is next; of those ready since the same time the one issued first.
    Readiness,
}

/// Something of which there is not enough for all tasks at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    /// So many parts, a thousand or the number of processors, say, of which each task takes some. Granted by readiness;
    /// no task overtakes one that has been ready for longer and does not fit yet.
    Shared {
        /// The number of parts.
        capacity: u32,
    },
    /// One task at a time; it has a capacity of one part.
    Exclusive {
        /// Who is next.
        grant: Grant,
    },
}

impl Resource {
    /// The number of parts.
    #[inline]
    pub fn capacity(self) -> u32 {
        match self {
            Resource::Shared { capacity } => capacity,
            Resource::Exclusive { .. } => 1,
        }
    }

    /// Who is next.
    #[inline]
    pub fn grant(self) -> Grant {
        match self {
            Resource::Shared { .. } => Grant::Readiness,
            Resource::Exclusive { grant } => grant,
        }
    }
}

/// How much of a resource a task holds from its begin to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// The resource.
    pub resource: ResourceId,
    /// How many of its parts; 1 for an exclusive resource.
    pub parts: u32,
}

/// One row of a [`TaskProgram`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task<'a> {
    /// The stream that it is issued on.
    pub stream: TaskStream,
    /// What it does.
    pub work: Work,
    /// How long it runs when nothing slows it down.
    pub duration_ns: u64,
    /// The resources that it holds while it runs, all of them taken at once.
    pub uses: &'a [Use],
    /// The tasks whose ends it waits for.
    pub waits: &'a [TaskId],
}

/// Why a program of tasks cannot be timed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A task on a stream that the program has not.
    #[error("{task}: is issued on {stream}, but the program has {streams} streams")]
    UnknownStream {
        /// The task.
        task: TaskId,
        /// What it names.
        stream: TaskStream,
        /// The number of streams.
        streams: u32,
    },
    /// A task that uses a resource that the program has not.
    #[error("{task}: uses {resource}, but the program has {resources} resources")]
    UnknownResource {
        /// The task.
        task: TaskId,
        /// What it names.
        resource: ResourceId,
        /// The number of resources.
        resources: usize,
    },
    /// A task that waits for one that the program has not.
    #[error("{task}: waits for {awaited}, but the program has {tasks} tasks")]
    UnknownTask {
        /// The task.
        task: TaskId,
        /// What it names.
        awaited: TaskId,
        /// The number of tasks.
        tasks: usize,
    },
    /// A task that uses nothing of a resource that it names, or more than there is.
    #[error("{task}: uses {parts} parts of {resource}, expected 1 to {capacity}")]
    Parts {
        /// The task.
        task: TaskId,
        /// The resource.
        resource: ResourceId,
        /// How much it asks for.
        parts: u32,
        /// How much there is.
        capacity: u32,
    },
    /// A task that names a resource twice.
    #[error("{task}: uses {resource} twice, expected one use with all its parts")]
    UsedTwice {
        /// The task.
        task: TaskId,
        /// The resource.
        resource: ResourceId,
    },
    /// Tasks of which each has to wait for the next, and the last for the first: an event, an earlier task of its stream,
    /// or an earlier turn on a resource.
    #[error("these tasks wait for each other: {}", cycle(.tasks))]
    Cycle {
        /// The tasks, each waiting for the one behind it.
        tasks: Vec<TaskId>,
    },
    /// Times that no 64-bit number of nanoseconds holds.
    #[error("the tasks together may run for longer than {} nanoseconds", u64::MAX)]
    TooLong,
}

fn cycle(tasks: &[TaskId]) -> String {
    let names = tasks.iter().chain(tasks.first()).map(TaskId::to_string);
    names.collect::<Vec<_>>().join(" -> ")
}

#[derive(Clone, Copy, Debug)]
struct Row {
    stream: TaskStream,
    work: Work,
    duration_ns: u64,
    uses_end: u32,
    waits_end: u32,
}

/// Tasks in the order of issue, with their streams and resources. See the [module](self) documentation.
#[derive(Clone, Default, Debug)]
pub struct TaskProgram {
    streams: u32,
    resources: Vec<Resource>,
    rows: Vec<Row>,
    uses: Vec<Use>,
    waits: Vec<TaskId>,
}

impl TaskProgram {
    /// A program without tasks.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new stream.
    pub fn stream(&mut self) -> TaskStream {
        self.streams += 1;
        TaskStream(self.streams - 1)
    }

    /// A new resource.
    pub fn resource(&mut self, resource: Resource) -> ResourceId {
        self.resources.push(resource);
        ResourceId(narrow(self.resources.len() - 1))
    }

    /// Issues a task behind all others and returns its id, which is the number of tasks before it. Nothing is validated here.
    ///
    /// # Panics
    /// When the program would hold 2^32 tasks, uses or waits or more.
    pub fn push(&mut self, task: Task<'_>) -> TaskId {
        let id = TaskId(narrow(self.rows.len()));
        self.uses.extend_from_slice(task.uses);
        self.waits.extend_from_slice(task.waits);
        self.rows.push(Row {
            stream: task.stream,
            work: task.work,
            duration_ns: task.duration_ns,
            uses_end: narrow(self.uses.len()),
            waits_end: narrow(self.waits.len()),
        });
        id
    }

    /// The number of tasks.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All tasks in the order of issue.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TaskId> + ExactSizeIterator + use<> {
        (0..self.rows.len() as u32).map(TaskId)
    }

    /// The number of streams.
    pub fn stream_count(&self) -> usize {
        self.streams as usize
    }

    /// The resources.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The row of a task.
    pub fn task(&self, id: TaskId) -> Task<'_> {
        let row = &self.rows[id.index()];
        let (uses, waits) = match id.index().checked_sub(1) {
            Some(previous) => (self.rows[previous].uses_end, self.rows[previous].waits_end),
            None => (0, 0),
        };
        Task {
            stream: row.stream,
            work: row.work,
            duration_ns: row.duration_ns,
            uses: &self.uses[uses as usize..row.uses_end as usize],
            waits: &self.waits[waits as usize..row.waits_end as usize],
        }
    }

    /// Checks every reference and every use, and reports the first fault in the order of issue. That tasks do not wait for
    /// each other is left to the [engine](super::engine::simulate). O(n + e), and quadratic in the uses of one task.
    pub fn check(&self) -> Result<(), TaskError> {
        for id in self.ids() {
            let task = self.task(id);
            if task.stream.index() >= self.stream_count() {
                return Err(TaskError::UnknownStream {
                    task: id,
                    stream: task.stream,
                    streams: self.streams,
                });
            }
            for (position, &Use { resource, parts }) in task.uses.iter().enumerate() {
                let Some(known) = self.resources.get(resource.index()) else {
                    return Err(TaskError::UnknownResource {
                        task: id,
                        resource,
                        resources: self.resources.len(),
                    });
                };
                let capacity = known.capacity();
                if parts == 0 || parts > capacity {
                    return Err(TaskError::Parts {
                        task: id,
                        resource,
                        parts,
                        capacity,
                    });
                }
                if task.uses[..position]
                    .iter()
                    .any(|other| other.resource == resource)
                {
                    return Err(TaskError::UsedTwice { task: id, resource });
                }
            }
            if let Some(&awaited) = task.waits.iter().find(|awaited| awaited.index() >= self.len()) {
                return Err(TaskError::UnknownTask {
                    task: id,
                    awaited,
                    tasks: self.len(),
                });
            }
        }
        Ok(())
    }
}

fn narrow(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 tasks, uses and waits")
}
