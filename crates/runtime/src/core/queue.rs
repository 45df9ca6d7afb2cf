// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a stream has yet to do, first in, first out; any number of writers, one reader.
//!
//! Invariant: everything that was accepted is taken before the reader is told that the queue is closed.

use std::collections::VecDeque;

use super::monitor::Monitor;
use crate::sync::Deadline;

#[derive(Debug)]
struct State<T> {
    items: VecDeque<T>,
    is_open: bool,
}

/// An unbounded queue.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    state: Monitor<State<T>>,
}

impl<T> Queue<T> {
    /// Open and empty.
    pub(crate) fn new() -> Self {
        Self {
            state: Monitor::new(State {
                items: VecDeque::new(),
                is_open: true,
            }),
        }
    }

    /// Adds at the end.
    ///
    /// # Errors
    /// The item, if the queue is closed.
    pub(crate) fn push(&self, item: T) -> Result<(), T> {
        self.state.update(|state| {
            if !state.is_open {
                return Err(item);
            }
            state.items.push_back(item);
            Ok(())
        })
    }

    /// Takes from the front; waits for an item, and gives nothing once the queue is closed and empty.
    pub(crate) fn pop(&self) -> Option<T> {
        self.state
            .wait(Deadline::NEVER, |state| match state.items.pop_front() {
                Some(item) => Some(Some(item)),
                None => (!state.is_open).then_some(None),
            })
            .flatten()
    }

    /// Accepts nothing any more.
    pub(crate) fn close(&self) {
        self.state.update(|state| state.is_open = false);
    }
}
