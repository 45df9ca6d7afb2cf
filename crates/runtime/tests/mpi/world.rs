// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A stand-in for `comm_runtime::World`, so that the programs of `tests/run` run on processes, too.
//!
//! A test begins in the process that libtest made. At its first run of some number of ranks it starts an MPI job of so
//! many processes, each of which executes the same test from its beginning, and expects all of them to succeed. In the
//! job, runs of so many ranks are run by MPI and others on threads. What a test then checks are the errors of all ranks
//! under MPI, and the value of the process's own rank, so that each value is checked by one process.

use comm_runtime::{Error, Options, Outcome, Rank};

use crate::job::{self, Job};

/// Largest jobs: a machine of few processors runs them.
const MOST: usize = 6;

#[derive(Clone, Default)]
pub struct World(comm_runtime::World);

impl World {
    pub fn new(options: Options) -> Self {
        Self(comm_runtime::World::new(options))
    }

    pub fn run<T: Send>(
        &self,
        ranks: usize,
        program: impl Fn(&Rank) -> Result<T, Error> + Sync,
    ) -> Outcome<T> {
        let outcome = self.0.run(ranks, &program);
        match job::size() {
            None => {
                if ranks <= MOST {
                    Job::of_this_test(ranks).once();
                }
                outcome
            }
            Some(size) if size == ranks => {
                job::announce();
                merged(outcome, self.0.run_mpi(ranks, &program))
            }
            Some(_) => outcome,
        }
    }
}

fn merged<T>(on_threads: Outcome<T>, by_mpi: Outcome<Option<T>>) -> Outcome<T> {
    let both = on_threads.results.into_iter().zip(by_mpi.results);
    let merged = both.map(|(on_threads, by_mpi)| match by_mpi {
        Err(error) => Err(error),
        Ok(Some(value)) => Ok(value),
        Ok(None) => Ok(on_threads.unwrap_or_else(|error| panic!("on threads alone: {error}"))),
    });
    Outcome {
        results: merged.collect(),
        failure: by_mpi.failure,
        traces: by_mpi.traces,
    }
}
