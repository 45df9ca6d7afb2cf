// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Worlds: so many ranks, each a thread or a process that runs the same program.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Instant,
};

use crate::{
    error::{Error, Fault, Site, panic_message},
    options::Options,
    rank::{Rank, current::Running},
    threads::Threads,
    trace::{RankTrace, Recorder},
    transport::Transport,
};

/// Where programs run; it keeps nothing between runs.
#[derive(Clone, Debug, Default)]
pub struct World {
    options: Options,
}

/// How a run ended, by rank.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// What each rank's program returned, or the first failure of that rank.
    pub results: Vec<Result<T, Error>>,
    /// The failure that was reported first.
    pub failure: Option<Error>,
    /// What each rank did, empty unless the world's options ask for it. Of a run under MPI: on rank 0 those of all
    /// ranks, and none on the others.
    pub traces: Vec<RankTrace>,
}

impl<T> Outcome<T> {
    /// What all ranks returned.
    ///
    /// # Errors
    /// The failure that was reported first, if a rank failed.
    pub fn all(self) -> Result<Vec<T>, Error> {
        let first = self.failure;
        let all = self.results.into_iter().collect::<Result<_, _>>();
        all.map_err(|error| first.unwrap_or(error))
    }
}

impl World {
    /// With these options.
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// Its options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Runs `program` on `ranks` ranks and returns when all have ended, with everything that they issued. A failure
    /// on one rank, be it an error that its program returns, a panic or an op that fails, ends the others at their
    /// next op or in the one they wait in. Nothing can end a program that computes forever.
    pub fn run<T: Send>(
        &self,
        ranks: usize,
        program: impl Fn(&Rank) -> Result<T, Error> + Sync,
    ) -> Outcome<T> {
        let start = Instant::now();
        let transport: Arc<dyn Transport> = Arc::new(Threads::new(ranks, &self.options, start));
        let run = |index: usize| {
            let recorder = Recorder::new(start, self.options.trace);
            let rank = Rank::new(index, transport.clone(), recorder, &self.options);
            run_rank(&rank, &program)
        };
        let ended: Vec<(Result<T, Error>, Option<RankTrace>)> = thread::scope(|scope| {
            let start = |index: usize| {
                let thread = thread::Builder::new()
                    .name(format!("rank{index}"))
                    .stack_size(self.options.stack_bytes);
                let started = thread.spawn_scoped(scope, move || run(index));
                started.map_err(|error| {
                    let fault = Fault::Resources(format!("no thread for the rank: {error}"));
                    let error = Error::new(Site::new(index, "program", ""), fault);
                    transport.fail(error.clone());
                    error
                })
            };
            let started: Vec<_> = (0..ranks).map(start).collect();
            let end = |(index, thread): (usize, Result<thread::ScopedJoinHandle<'_, _>, Error>)| match thread
            {
                Err(error) => (Err(error), None),
                Ok(thread) => thread.join().unwrap_or_else(|panic| {
                    // Of the run-time itself: those of the program are caught where it is called.
                    let fault = Fault::Panic(panic_message(&*panic));
                    (Err(Error::new(Site::new(index, "program", ""), fault)), None)
                }),
            };
            started.into_iter().enumerate().map(end).collect()
        });
        let failure = transport.failure();
        let (results, traces): (Vec<_>, Vec<_>) = ended.into_iter().unzip();
        Outcome {
            results,
            failure,
            traces: traces.into_iter().flatten().collect(),
        }
    }

    /// Runs `program` once, in this process, as one of `ranks` ranks that are the processes of an MPI job (feature
    /// `mpi`); all processes call this for the same programs in the same order. Returns when all ranks have ended. The
    /// result of this process's rank is `Some`; of the others is known whether they succeeded, and their errors.
    ///
    /// MPI is initialised by the first run, unless the program has done so, and then finalised at the end of the process.
    /// The run is refused, with an error, if the job does not have `ranks` processes, or MPI does not grant
    /// `MPI_THREAD_MULTIPLE`. A process that exits within a run ends the whole job.
    #[cfg(feature = "mpi")]
    pub fn run_mpi<T: Send>(
        &self,
        ranks: usize,
        program: impl Fn(&Rank) -> Result<T, Error> + Sync,
    ) -> Outcome<Option<T>> {
        crate::mpi::run(&self.options, ranks, program)
    }
}

pub(crate) fn run_rank<T>(
    rank: &Rank,
    program: &(impl Fn(&Rank) -> Result<T, Error> + Sync),
) -> (Result<T, Error>, Option<RankTrace>) {
    let running = Running::new(rank);
    let result = catch_unwind(AssertUnwindSafe(|| program(rank)))
        .unwrap_or_else(|panic| Err(Error::new(rank.program(), Fault::Panic(panic_message(&*panic)))));
    drop(running);
    if let Err(error) = &result {
        rank.report(error);
    }
    let trace = rank.close();
    // What failed on a stream is a failure of the rank even if its program never looked.
    let result = rank.failure().map_or(result, Err);
    (result, Some(trace))
}
