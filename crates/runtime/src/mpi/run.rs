// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A run: the processes of the job come together, each runs the program as its rank, and they tell each other how it
//! ended.
//!
//! Invariant: a rank returns when every rank that has joined the run has ended, so the processes are never more than
//! one message apart between runs; a rank that has not joined is waited for until the timeout, and then no more.

use std::{
    collections::BTreeMap,
    fs::File,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    Agreed, Mpi,
    endpoint::{Endpoint, Running},
    message::{End, Join, Message},
    segment::{Counters, Segment, clock, node},
};
use crate::{
    error::{Error, Fault, Missing, Site, panic_message},
    link::Links,
    options::Options,
    rank::Rank,
    trace::{RankTrace, Recorder},
    world::{Outcome, run_rank},
};

/// Runs a program as one rank of `ranks`; see `World::run_mpi`.
pub(crate) fn run<T: Send>(
    options: &Options,
    ranks: usize,
    program: impl Fn(&Rank) -> Result<T, Error> + Sync,
) -> Outcome<Option<T>> {
    let Some(_running) = Running::begin() else {
        return refused(
            ranks,
            0,
            Fault::Invalid("another run of this process is under way".to_owned()),
        );
    };
    let endpoint = match Endpoint::get(options.timeout) {
        Ok(endpoint) => endpoint,
        Err(message) => return refused(ranks, 0, Fault::Resources(message)),
    };
    if endpoint.ranks() != ranks {
        let found = endpoint.ranks();
        let message = format!(
            "{ranks} ranks were asked for, but this process is one of {found} in its MPI job: start the program by \
             `mpirun -n {ranks}`"
        );
        return refused(ranks, endpoint.rank(), Fault::Invalid(message));
    }
    let mpi = Arc::new(Mpi::new(endpoint, options));
    for (from, frame) in endpoint.kept() {
        mpi.hear(from, frame);
    }
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let attend = || mpi.attend(|| is_over.load(Ordering::SeqCst));
        let name = format!("rank{}.mpi", mpi.rank());
        let attendant = thread::Builder::new().name(name).spawn_scoped(scope, attend);
        if let Err(error) = attendant {
            mpi.raise(mpi.no_thread(&error));
        }
        let (result, trace) = mpi.take_part(options, &program);
        let outcome = mpi.close(result, trace);
        is_over.store(true, Ordering::SeqCst);
        outcome
    })
}

/// The outcome of a run that never was.
fn refused<T>(ranks: usize, rank: usize, fault: Fault) -> Outcome<Option<T>> {
    let error = Error::new(Site::new(rank, "run", ""), fault);
    Outcome {
        results: (0..ranks).map(|_| Err(error.clone())).collect(),
        failure: Some(error),
        traces: Vec::new(),
    }
}

impl Mpi {
    fn site(&self) -> Site {
        Site::new(self.rank(), "run", "")
    }

    fn no_thread(&self, error: &std::io::Error) -> Error {
        Error::new(
            self.site(),
            Fault::Resources(format!("no thread for the rank: {error}")),
        )
    }

    /// Joins the others and runs the program, in a thread of its own.
    fn take_part<T: Send>(
        self: &Arc<Self>,
        options: &Options,
        program: &(impl Fn(&Rank) -> Result<T, Error> + Sync),
    ) -> (Result<T, Error>, Option<RankTrace>) {
        let begun = self.join(options).and_then(|epoch| {
            let recorder = Recorder::new(epoch, options.trace);
            let rank = Rank::new(self.rank(), self.clone(), recorder, options);
            thread::scope(|scope| {
                let thread = thread::Builder::new()
                    .name(format!("rank{}", self.rank()))
                    .stack_size(options.stack_bytes);
                let run = thread.spawn_scoped(scope, || run_rank(&rank, program));
                let run = run.map_err(|error| self.no_thread(&error))?;
                run.join().map_err(|panic| {
                    // Of the run-time itself: those of the program are caught where it is called.
                    Error::new(self.site(), Fault::Panic(panic_message(&*panic)))
                })
            })
        });
        begun.unwrap_or_else(|error| {
            self.raise(error.clone());
            self.tell_others(&Message::Departed);
            (Err(error), None)
        })
    }

    /// Waits for all ranks to begin the run; the time from which it counts.
    fn join(&self, options: &Options) -> Result<Instant, Error> {
        let resources = |error: std::io::Error| {
            let message = format!("no shared memory for emulated links: {error}");
            Error::new(self.site(), Fault::Resources(message))
        };
        let wants_links = self.rank() == 0 && options.link.is_some();
        let bytes = self.endpoint.ranks() * size_of::<u64>();
        let made = wants_links
            .then(|| Segment::make(bytes))
            .transpose()
            .map_err(resources)?;
        let own = Join {
            node: node(),
            clock: clock(),
            links: made.as_ref().map(|made| made.path.clone()),
        };
        let joining = Message::Join(own.clone());
        self.heard
            .update(|heard| drop(heard.joined.insert(self.rank(), own)));
        self.tell_others(&joining);
        let joined = self.wait_for_all(options.timeout)?;
        let now = (Instant::now(), clock());
        let (node, first) = (&joined[self.rank()].node, &joined[0]);
        // Clocks of different machines have nothing in common.
        let is_near = *node == first.node;
        let ago = if is_near {
            now.1.saturating_sub(first.clock)
        } else {
            0
        };
        let ago = Duration::from_nanos(ago);
        let epoch = now.0.checked_sub(ago).unwrap_or(now.0);
        let mut agreed = Agreed {
            nodes: joined.iter().map(|join| join.node.clone()).collect(),
            links: None,
            _file: None,
        };
        if let Some(link) = options.link {
            if let Some(far) = joined.iter().position(|join| join.node != first.node) {
                let message =
                    format!("no emulated links between machines: ranks 0 and {far} share no memory");
                return Err(Error::new(self.site(), Fault::Resources(message)));
            }
            let (segment, file): (Segment, Option<File>) = match (made, &first.links) {
                (Some(made), _) => (made.segment, Some(made.file)),
                (None, Some(path)) => (Segment::open(path, bytes).map_err(resources)?, None),
                (None, None) => {
                    let message = "this rank emulates links, but rank 0 does not";
                    return Err(Error::invalid(self.site(), message));
                }
            };
            agreed.links = Some(Links::over(link, epoch, Counters(segment)));
            agreed._file = file;
        }
        drop(self.agreed.set(agreed));
        Ok(epoch)
    }

    fn wait_for_all(&self, timeout: Duration) -> Result<Vec<Join>, Error> {
        let site = self.site();
        let absent = |joined: &BTreeMap<usize, Join>| -> Vec<usize> {
            let all = 0..self.endpoint.ranks();
            all.filter(|rank| !joined.contains_key(rank)).collect()
        };
        let joined = self.wait(&self.heard, Some(timeout), |heard| {
            let absent = absent(&heard.joined);
            if absent.is_empty() {
                return Some(Ok(heard.joined.values().cloned().collect()));
            }
            self.hopeless(&site, &absent).map(Err)
        });
        joined.unwrap_or_else(|| {
            let absent = self.heard.look(|heard| absent(&heard.joined));
            let missing = |rank| Missing {
                rank,
                doing: "has not begun the run".to_owned(),
            };
            let fault = Fault::Late {
                waiting: self.rank(),
                waited: timeout,
                missing: absent.into_iter().map(missing).collect(),
            };
            Err(Error::new(site, fault))
        })
    }

    /// Tells the others how this rank has ended, and waits until all that have joined have done the same.
    fn close<T>(&self, result: Result<T, Error>, trace: Option<RankTrace>) -> Outcome<Option<T>> {
        let own = self.rank();
        let known = || self.first.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let end = |trace: Option<RankTrace>| {
            Message::Ended(Box::new(End {
                error: result.as_ref().err().cloned(),
                failure: known(),
                trace,
            }))
        };
        let (to_rank_0, others): (Vec<usize>, Vec<usize>) = self.others().partition(|&rank| rank == 0);
        self.tell(&to_rank_0, &end(trace.clone()));
        self.tell(&others, &end(None));
        // As on threads there is no timeout: a program may compute for as long as it wants after this one has ended. A
        // process that ends without a word ends the whole job. Without MPI nobody would be heard.
        let is_deaf = || self.alarm.failure().is_some() && known().is_none();
        self.wait(&self.heard, None, |heard| {
            let mut joined = heard.joined.keys().filter(|&&rank| rank != own);
            let all = joined.all(|rank| heard.ended.contains_key(rank));
            (all || is_deaf()).then_some(())
        });
        let mut ended = self.heard.update(|heard| std::mem::take(&mut heard.ended));
        if ended.len() + 1 == self.endpoint.ranks() && !is_deaf() {
            // Those who still wait for words of this rank do poll; afterwards it does not.
            self.polling(None, |_| (self.endpoint.is_drained() || is_deaf()).then_some(()));
        }
        let mut failures: Vec<_> = ended.values().filter_map(|end| end.failure.clone()).collect();
        failures.extend(known());
        // The same on all ranks, which know the same by now.
        let first = failures
            .into_iter()
            .min_by_key(|failure| (failure.at, failure.error.site().rank));
        let failure = first
            .map(|failure| failure.error)
            .or_else(|| self.alarm.failure());
        let mut traces: BTreeMap<usize, RankTrace> = BTreeMap::new();
        if own == 0 {
            traces.extend(trace.map(|trace| (own, trace)));
            for (&rank, end) in &mut ended {
                traces.extend(end.trace.take().map(|trace| (rank, trace)));
            }
        }
        let mut result = Some(result.map(Some));
        let results = (0..self.endpoint.ranks()).map(|rank| {
            let ended = ended.remove(&rank).map(|end| end.error.map_or(Ok(None), Err));
            let own = result.take_if(|_| rank == own);
            // A rank that never began.
            own.or(ended).unwrap_or_else(|| {
                let fault = Fault::Program("did not begin the run".to_owned());
                Err(Error::new(Site::new(rank, "run", ""), fault))
            })
        });
        Outcome {
            results: results.collect(),
            failure,
            traces: traces.into_values().collect(),
        }
    }
}
