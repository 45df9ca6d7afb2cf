// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Something that happens once, or fails: a point in a stream that others wait for.
//!
//! An event is made when it is recorded, so that it always comes: there is no wait for one that nobody will complete.
//! That is why a wait has no deadline; what stands before the event in its stream has.

use super::monitor::Monitor;
use crate::sync::Deadline;

/// An event; its failure is that of its stream.
#[derive(Debug)]
pub(crate) struct Event<F> {
    outcome: Monitor<Option<Result<(), F>>>,
}

impl<F: Clone> Event<F> {
    /// One that has not happened.
    pub(crate) fn new() -> Self {
        Self {
            outcome: Monitor::new(None),
        }
    }

    /// It happens. What happened first stays.
    pub(crate) fn complete(&self, outcome: Result<(), F>) {
        self.outcome.update(|state| {
            state.get_or_insert(outcome);
        });
    }

    /// Waits until it has happened.
    ///
    /// # Errors
    /// The failure of the stream.
    pub(crate) fn wait(&self) -> Result<(), F> {
        self.outcome
            .wait(Deadline::NEVER, |state| state.clone())
            .unwrap_or(Ok(()))
    }

    /// What happened, if it has.
    pub(crate) fn outcome(&self) -> Option<Result<(), F>> {
        self.outcome.look(Clone::clone)
    }
}
