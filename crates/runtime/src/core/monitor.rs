// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! State behind a lock, and waits until it satisfies a condition (Hoare's monitors, with signal-and-continue).
//!
//! Invariant: whoever changes the state wakes all who wait, after the change; so no wake-up is lost, and a condition
//! need not be told apart from another. Monitors have few waiters, which makes waking all of them cheap.

use crate::sync::{Condvar, Deadline, Mutex, lock, wait};

/// State of type `T` that threads change and wait on.
#[derive(Debug)]
pub(crate) struct Monitor<T> {
    state: Mutex<T>,
    changed: Condvar,
}

impl<T> Monitor<T> {
    /// A monitor of this state.
    pub(crate) fn new(state: T) -> Self {
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Changes the state and wakes all who wait.
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut lock(&self.state));
        self.changed.notify_all();
        result
    }

    /// Reads the state.
    pub(crate) fn look<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&lock(&self.state))
    }

    /// Waits until `ready` gives something. It may change the state only when it does; the others are woken then.
    /// Nothing if the deadline passes first: `ready` has been asked after it, too.
    pub(crate) fn wait<R>(
        &self,
        deadline: Deadline,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Option<R> {
        let mut guard = lock(&self.state);
        let mut expired = false;
        loop {
            if let Some(result) = ready(&mut guard) {
                drop(guard);
                self.changed.notify_all();
                return Some(result);
            }
            if expired {
                return None;
            }
            (guard, expired) = wait(&self.state, &self.changed, guard, deadline);
        }
    }

    /// Makes all who wait look again, at what lies outside the state as well. Taking the lock is what closes the gap
    /// between a look and the sleep after it.
    pub(crate) fn ring(&self) {
        drop(lock(&self.state));
        self.changed.notify_all();
    }
}
