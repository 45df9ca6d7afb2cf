// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Worlds and runs.

use std::{
    ffi::{c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::{Status, text, text::give};
use crate::{
    error::{Error, Fault, Site},
    options::{Link, Options},
    rank::Rank,
    trace::{RankTrace, chrome_trace},
    world::{Outcome, World},
};

/// What the ranks of a world are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Backend {
    /// Threads of this process.
    Threads = 0,
    /// The processes of an MPI job, each of which runs the program as its own rank.
    Mpi = 1,
}

/// Options of a world. Zero in a field is the default.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct WorldOptions {
    /// How long an op waits for other ranks, unless it says otherwise. Default: 30 s.
    pub timeout_ms: i64,
    /// Emulated interconnect: time from the beginning of a transfer between ranks to its first byte. Default: none.
    pub link_latency_ns: i64,
    /// Emulated interconnect: bytes per second into each rank. Default: size costs nothing.
    pub link_bandwidth: f64,
    /// Bytes of stack of each thread. Default: 8 MiB.
    pub stack_bytes: i64,
    /// Not 0: ops are recorded.
    pub trace: i32,
    /// Not 0: members of a collective must have issued it at the same source location.
    pub same_location: i32,
    /// One of `comm_rt_backend`. The one for MPI is there if the library was built with it.
    pub backend: i32,
}

impl WorldOptions {
    fn options(&self) -> Options {
        let mut options = Options {
            trace: self.trace != 0,
            same_location: self.same_location != 0,
            ..Options::default()
        };
        let positive = |number: i64| u64::try_from(number).ok().filter(|&number| number > 0);
        if let Some(ms) = positive(self.timeout_ms) {
            options.timeout = Duration::from_millis(ms);
        }
        if let Some(bytes) = positive(self.stack_bytes) {
            options.stack_bytes = bytes as usize;
        }
        let latency = positive(self.link_latency_ns);
        if latency.is_some() || self.link_bandwidth > 0.0 {
            options.link = Some(Link {
                latency: Duration::from_nanos(latency.unwrap_or(0)),
                bandwidth: self.link_bandwidth,
            });
        }
        options
    }
}

#[derive(Default)]
struct Last {
    failure: Option<Error>,
    ranks: Vec<Option<Error>>,
    traces: Vec<RankTrace>,
}

impl Last {
    fn of<T>(outcome: Outcome<T>) -> Self {
        Self {
            failure: outcome.failure,
            ranks: outcome.results.into_iter().map(Result::err).collect(),
            traces: outcome.traces,
        }
    }
}

/// Where programs run.
pub struct RunWorld {
    world: World,
    backend: i32,
    last: Mutex<Last>,
}

impl RunWorld {
    fn last<R>(&self, look: impl FnOnce(&mut Last) -> R) -> R {
        look(&mut self.last.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A program of one rank: returns 0, or anything else for a failure.
pub type Program = Option<unsafe extern "C" fn(rank: *const Rank, data: *mut c_void) -> i32>;

/// Makes a world; `options` may be `NULL`, for all defaults. Never fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_world_create(options: *const WorldOptions) -> *mut RunWorld {
    // SAFETY: null or valid.
    let options = unsafe { options.as_ref() }.copied().unwrap_or_default();
    Box::into_raw(Box::new(RunWorld {
        world: World::new(options.options()),
        backend: options.backend,
        last: Mutex::default(),
    }))
}

/// Ends a world. `NULL` is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_world_destroy(world: *mut RunWorld) {
    if !world.is_null() {
        // SAFETY: made by `comm_rt_world_create`, and destroyed once.
        drop(unsafe { Box::from_raw(world) });
    }
}

struct Shared(*mut c_void);
// SAFETY: the caller of a run answers for what its programs do with their common data.
unsafe impl Sync for Shared {}

impl Shared {
    fn data(&self) -> *mut c_void {
        self.0
    }
}

/// Runs on the ranks of a backend.
fn run_on(world: &RunWorld, ranks: usize, program: impl Fn(&Rank) -> Result<(), Error> + Sync) -> Last {
    let backend = world.backend;
    if backend == Backend::Threads as i32 {
        return Last::of(world.world.run(ranks, program));
    }
    #[cfg(feature = "mpi")]
    if backend == Backend::Mpi as i32 {
        return Last::of(world.world.run_mpi(ranks, program));
    }
    let fault = match backend == Backend::Mpi as i32 {
        true => Fault::Resources("this library was built without its feature mpi".to_owned()),
        false => Fault::Invalid(format!("backend {backend}")),
    };
    Last {
        failure: Some(Error::new(Site::new(0, "run", ""), fault)),
        ..Last::default()
    }
}

/// Runs `program(rank, data)` on `ranks` ranks at once, and returns when all have ended: 0, or the status of the
/// failure that was reported first. A world runs one program after the other. Under MPI, `ranks` is the number of
/// processes of the job, each of which calls this and runs the program once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_world_run(
    world: *const RunWorld,
    ranks: i64,
    program: Program,
    data: *mut c_void,
) -> i32 {
    // SAFETY: null or valid.
    let (Some(world), Some(program), Ok(ranks)) =
        (unsafe { world.as_ref() }, program, usize::try_from(ranks))
    else {
        return Status::Invalid as i32;
    };
    let data = Shared(data);
    let run = || {
        run_on(world, ranks, |rank| {
            // SAFETY: the caller answers for its program.
            match unsafe { program(rank, data.data()) } {
                0 => Ok(()),
                code => Err(Error::new(
                    rank.program(),
                    Fault::Program(format!("returned {code}")),
                )),
            }
        })
    };
    let Ok(ended) = catch_unwind(AssertUnwindSafe(run)) else {
        return Status::Panic as i32;
    };
    let status = ended.failure.as_ref().map_or(Status::Ok, Status::of);
    world.last(|last| *last = ended);
    status as i32
}

/// What went wrong in the last run on a rank, or, with a negative rank, what was reported first; empty for nothing.
/// Writes as much as fits into `buffer`, with a zero at the end, and returns the bytes that all of it needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_world_message(
    world: *const RunWorld,
    rank: i64,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: null or valid.
    let message = unsafe { world.as_ref() }.and_then(|world| {
        world.last(|last| {
            let error = match usize::try_from(rank) {
                Ok(rank) => last.ranks.get(rank)?.as_ref(),
                Err(_) => last.failure.as_ref(),
            };
            error.map(ToString::to_string)
        })
    });
    // SAFETY: the buffer is as large as the caller says.
    unsafe { give(&message.unwrap_or_default(), buffer, capacity) }
}

/// Writes what was recorded in the last run to a file that Perfetto opens. Under MPI, rank 0 writes what all ranks did,
/// and the others, which call this or not, write nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_world_write_trace(world: *const RunWorld, path: *const c_char) -> i32 {
    // SAFETY: null or valid, both.
    let (world, path) = unsafe { (world.as_ref(), text(path)) };
    let Some(world) = world.filter(|_| !path.is_empty()) else {
        return Status::Invalid as i32;
    };
    if world.backend == Backend::Mpi as i32 && world.last(|last| last.traces.is_empty()) {
        return Status::Ok as i32;
    }
    let written = world.last(|last| std::fs::write(&path, chrome_trace(&last.traces)));
    match written {
        Ok(()) => Status::Ok as i32,
        Err(error) => {
            let message = format!("cannot write the trace to {path}: {error}");
            world.last(|last| {
                last.failure = Some(Error::new(
                    Site::new(0, "write_trace", ""),
                    Fault::Resources(message),
                ));
            });
            Status::Resources as i32
        }
    }
}
