// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What [`crate::core`] takes from the platform: a mutex, a condition variable and deadlines.
//!
//! The model checker's tests compile the same files of `core` over a module of this name made of loom's types
//! (`tests/loom/main.rs`), so nothing in `core` may take a lock, a condition variable or a clock from anywhere else.

pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
use std::{
    sync::PoisonError,
    time::{Duration, Instant},
};

/// When a wait ends without what it waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Waits as long as it takes.
    pub(crate) const NEVER: Self = Self(None);

    /// So long from now; a time too far to be represented is never.
    pub(crate) fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// At a time.
    pub(crate) fn at(time: Instant) -> Self {
        Self(Some(time))
    }
}

/// Takes the lock. A panic while it was held leaves no half-made state: what runs under it only assigns.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a notification, spurious ones included, or for the deadline; whether that has passed comes back too. The
/// mutex is that of the guard: the model checker lets go of it and takes it again in place of a clock.
pub(crate) fn wait<'a, T>(
    _mutex: &'a Mutex<T>,
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Deadline,
) -> (MutexGuard<'a, T>, bool) {
    let Some(time) = deadline.0 else {
        return (changed.wait(guard).unwrap_or_else(PoisonError::into_inner), false);
    };
    let rest = time.saturating_duration_since(Instant::now());
    if rest.is_zero() {
        return (guard, true);
    }
    let (guard, _) = changed
        .wait_timeout(guard, rest)
        .unwrap_or_else(PoisonError::into_inner);
    (guard, Instant::now() >= time)
}
