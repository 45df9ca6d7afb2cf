// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The synchronisation that all else rests on: small machines made of monitors, checked by exhaustive search.
//!
//! - [`monitor`]: state behind a lock, and waits until it satisfies a condition.
//! - [`alarm`]: the first failure and the ranks that are gone; wakes everybody who waits.
//! - [`event`]: something that happens once, or fails.
//! - [`queue`]: what a stream has yet to do, first in, first out.
//! - [`meeting`]: members of a group meet, look at each other's data, and part.
//! - [`pad`]: counters that one rank raises and another waits for.
//!
//! Every wait for another rank ends in one of four ways: what it waited for, the deadline, a failure anywhere, or the
//! other rank's departure. These files know no tensors, no errors and no ranks' programs; they use `crate::sync`
//! alone, so that the model checker can put its own locks in place.

pub(crate) mod alarm;
pub(crate) mod event;
pub(crate) mod meeting;
pub(crate) mod monitor;
pub(crate) mod pad;
pub(crate) mod queue;
