// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The platform of the model: loom's mutex and condition variable, and deadlines that pass at any moment.

pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};

/// A deadline is never or at some moment that the model checker chooses, among all there are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deadline {
    Never,
    Sometime,
}

impl Deadline {
    pub(crate) const NEVER: Self = Self::Never;
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

pub(crate) fn wait<'a, T>(
    mutex: &'a Mutex<T>,
    changed: &Condvar,
    guard: MutexGuard<'a, T>,
    deadline: Deadline,
) -> (MutexGuard<'a, T>, bool) {
    match deadline {
        Deadline::Never => (changed.wait(guard).unwrap(), false),
        Deadline::Sometime => {
            // Between letting go and taking it again, others do as much as the model checker pleases.
            drop(guard);
            (lock(mutex), true)
        }
    }
}
