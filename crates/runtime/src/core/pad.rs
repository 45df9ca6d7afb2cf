// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Counters that one rank raises and another waits for: signals with epochs.
//!
//! A counter only grows, so a signal is never lost, overwritten or consumed: a wait for epoch `e` is satisfied by any
//! put of at least `e`, before or after, and a put never blocks. Whoever reads after the wait sees what the other
//! rank wrote before the put, since both take the lock.

use std::{collections::BTreeMap, sync::Arc};

use super::{alarm::Alarm, monitor::Monitor};
use crate::sync::Deadline;

/// Why a wait ended without its signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// The deadline passed.
    Late,
    /// The rank that should have sent it is gone.
    Gone,
    /// The alarm was raised.
    Interrupted,
}

/// The counters of one waiting rank.
#[derive(Debug)]
pub(crate) struct Pad<K> {
    epochs: Arc<Monitor<BTreeMap<K, u64>>>,
}

impl<K: Ord + Send + 'static> Pad<K> {
    /// All counters at zero.
    pub(crate) fn new<F: Clone>(alarm: &Alarm<F>) -> Self {
        let epochs = Arc::new(Monitor::new(BTreeMap::new()));
        alarm.watch(Arc::downgrade(&epochs) as _);
        Self { epochs }
    }

    /// Raises a counter.
    ///
    /// # Errors
    /// The counter's epoch, if it is not below the new one.
    pub(crate) fn put(&self, key: K, epoch: u64) -> Result<(), u64> {
        self.epochs.update(|epochs| {
            let counter = epochs.entry(key).or_insert(0);
            if *counter >= epoch {
                return Err(*counter);
            }
            *counter = epoch;
            Ok(())
        })
    }

    /// Waits until a counter, raised by the rank `source`, is at least `epoch`.
    ///
    /// # Errors
    /// See [`Silence`].
    pub(crate) fn wait<F: Clone>(
        &self,
        key: &K,
        epoch: u64,
        source: usize,
        deadline: Deadline,
        alarm: &Alarm<F>,
    ) -> Result<(), Silence> {
        self.epochs
            .wait(deadline, |epochs| {
                if epochs.get(key).is_some_and(|&counter| counter >= epoch) {
                    Some(Ok(()))
                } else if alarm.failure().is_some() {
                    Some(Err(Silence::Interrupted))
                } else {
                    alarm.is_gone(source).then_some(Err(Silence::Gone))
                }
            })
            .unwrap_or(Err(Silence::Late))
    }

    /// The epoch of a counter.
    pub(crate) fn epoch(&self, key: &K) -> u64 {
        self.epochs.look(|epochs| epochs.get(key).copied().unwrap_or(0))
    }
}
