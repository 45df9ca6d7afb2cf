// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The first failure of a world and the ranks that are gone, known to all who wait.
//!
//! Invariant: a failure and a departure are written before the bells ring, and a bell takes the lock of its monitor;
//! whoever looks at the alarm under that lock before going to sleep therefore sees them or is woken. Bells are
//! registered before their monitor is waited on.

use std::sync::Weak;

use super::monitor::Monitor;
use crate::sync::{Mutex, lock};

/// Somebody to wake.
pub(crate) trait Bell: Send + Sync {
    /// Makes all who wait there look again.
    fn ring(&self);
}

impl<T: Send> Bell for Monitor<T> {
    fn ring(&self) {
        Self::ring(self);
    }
}

#[derive(Debug)]
struct Known<F> {
    failure: Option<F>,
    gone: Vec<bool>,
}

/// What everybody must know, and everybody who must know it.
pub(crate) struct Alarm<F> {
    known: Mutex<Known<F>>,
    bells: Mutex<Vec<Weak<dyn Bell>>>,
}

impl<F: Clone> Alarm<F> {
    /// Of a world of so many ranks.
    pub(crate) fn new(ranks: usize) -> Self {
        Self {
            known: Mutex::new(Known {
                failure: None,
                gone: vec![false; ranks],
            }),
            bells: Mutex::new(Vec::new()),
        }
    }

    /// From now on this bell rings when something is to be known.
    pub(crate) fn watch(&self, bell: Weak<dyn Bell>) {
        lock(&self.bells).push(bell);
    }

    /// Raises the alarm. Only the first failure is kept: later ones are its consequences, or hidden by it.
    pub(crate) fn raise(&self, failure: F) {
        let first = {
            let mut known = lock(&self.known);
            let first = known.failure.is_none();
            known.failure.get_or_insert(failure);
            first
        };
        if first {
            self.ring();
        }
    }

    /// A rank has issued all that it ever will.
    pub(crate) fn depart(&self, rank: usize) {
        lock(&self.known).gone[rank] = true;
        self.ring();
    }

    /// The first failure, if there is one.
    pub(crate) fn failure(&self) -> Option<F> {
        lock(&self.known).failure.clone()
    }

    /// Whether a rank has departed.
    pub(crate) fn is_gone(&self, rank: usize) -> bool {
        lock(&self.known).gone[rank]
    }

    fn ring(&self) {
        let bells: Vec<_> = lock(&self.bells).iter().filter_map(Weak::upgrade).collect();
        for bell in bells {
            bell.ring();
        }
    }
}
