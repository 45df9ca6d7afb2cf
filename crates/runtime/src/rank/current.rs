// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The rank whose program this thread runs, for compiled functions that are not handed it.
//!
//! Only the thread of the program itself has one: what runs on streams must not issue ops.

use std::{cell::Cell, ptr::null};

use super::Rank;

thread_local! {
    static CURRENT: Cell<*const Rank> = const { Cell::new(null()) };
}

/// The rank of this thread; null outside a program.
pub(crate) fn current() -> *const Rank {
    CURRENT.get()
}

/// While this lives, the thread has a rank.
pub(crate) struct Running(*const Rank);

impl Running {
    /// From now on this is the rank of the thread.
    pub(crate) fn new(rank: &Rank) -> Self {
        Self(CURRENT.replace(rank))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}
