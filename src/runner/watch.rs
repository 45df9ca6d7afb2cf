// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Sees from outside when a run cannot end: compiled code is not stopped by a failure elsewhere.
//!
//! A rank is registered while it is in compiled code, and only then looked at. After the first failure the others have a
//! while to return, and their streams to end; a program that asks for memory which is not there stops at once. Threads that
//! are still in compiled code then are abandoned with what they use, since nothing can end them.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use comm_runtime::{Error, Fault, Rank, Site};

use super::support;

/// How long ranks may take to return after a failure: as long as ops wait, within these bounds.
const PATIENCE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// How often somebody should look.
pub(super) const INTERVAL: Duration = Duration::from_millis(20);

/// The ranks of one run.
pub(super) struct Watch {
    patience: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Those in compiled code.
    running: BTreeMap<usize, Running>,
    /// When a failure was seen.
    since: Option<Instant>,
    /// What is known of the first one.
    failure: Option<Error>,
}

/// A rank that lives as long as it is registered.
struct Running(*const Rank);

// SAFETY: a rank may be asked from any thread; only its own issues ops.
unsafe impl Send for Running {}

/// Why a run does not end.
#[derive(Debug)]
pub(super) enum Stuck {
    /// After a failure ranks have gone on.
    Failed {
        /// The failure.
        error: Error,
        /// Who is in compiled code; nobody where only streams are at work, or ranks that are other processes.
        ranks: Vec<usize>,
        /// After how long.
        waited: Duration,
    },
    /// The program has asked for so many bytes, which are not to be had.
    Memory(usize),
}

impl Watch {
    /// Of a run whose ops wait so long.
    pub(super) fn new(timeout: Duration) -> Self {
        Self {
            patience: timeout.clamp(PATIENCE[0], PATIENCE[1]),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs compiled code as a rank.
    pub(super) fn during<T>(&self, rank: &Rank, program: impl FnOnce() -> T) -> T {
        self.state()
            .running
            .insert(rank.index(), Running(std::ptr::from_ref(rank)));
        let result = program();
        let mut state = self.state();
        state.note(rank);
        state.running.remove(&rank.index());
        result
    }

    /// Whether, and why, waiting for the run is in vain.
    pub(super) fn look(&self) -> Option<Stuck> {
        let mut state = self.state();
        let addresses: Vec<*const Rank> = state.running.values().map(|running| running.0).collect();
        if let Some(bytes) = support::refused(&addresses) {
            return Some(Stuck::Memory(bytes));
        }
        for rank in addresses {
            // SAFETY: it is registered, and the state is locked.
            state.note(unsafe { &*rank });
        }
        let waited = state.since?.elapsed();
        if waited < self.patience {
            return None;
        }
        let ranks: Vec<usize> = state.running.keys().copied().collect();
        let error = match &state.failure {
            Some(error) => error.clone(),
            // Of ranks that are other processes nothing is known but that one has failed. That one tells more.
            None if waited < 2 * self.patience => return None,
            None => {
                let site = Site::new(ranks.first().copied().unwrap_or_default(), "program", "");
                Error::new(site, Fault::Program("another rank has failed".to_owned()))
            }
        };
        Some(Stuck::Failed { error, ranks, waited })
    }
}

impl State {
    /// Keeps what a rank knows of failures.
    fn note(&mut self, rank: &Rank) {
        if !rank.has_world_failed() {
            return;
        }
        self.since.get_or_insert_with(Instant::now);
        // A consequence names its cause.
        let first = match rank.failure() {
            None => return,
            Some(error) => match error.fault() {
                Fault::Elsewhere(first) => (**first).clone(),
                _ => error,
            },
        };
        self.failure.get_or_insert(first);
    }
}

/// Ranks in words, as in `rank 1` or `ranks 1, 3`; of none it is the run.
pub(super) struct Ranks<'a>(pub(super) &'a [usize]);

impl fmt::Display for Ranks<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        match &numbers[..] {
            [] => formatter.write_str("the run"),
            [one] => write!(formatter, "rank {one}"),
            _ => write!(formatter, "ranks {}", numbers.join(", ")),
        }
    }
}
