// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Handles: numbers that stand for the objects of a rank, in Rust and in C.
//!
//! A handle is looked up, never followed, so a wrong one is an error and no crash. Its upper bits tell what it is
//! for, its lower ones count from 1 and are not used again.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $what:literal, $tag:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u64);

        impl Handle for $name {
            const WHAT: &'static str = $what;
            const TAG: u64 = $tag;
            fn from_number(number: u64) -> Self {
                Self(number)
            }
            fn number(self) -> u64 {
                self.0
            }
        }
    };
}

/// A number for an object of one type.
pub(crate) trait Handle: Copy {
    const WHAT: &'static str;
    const TAG: u64;
    fn from_number(number: u64) -> Self;
    fn number(self) -> u64;
}

handle!(
    /// A group of ranks.
    Group,
    "group",
    1
);
handle!(
    /// A stream of a rank.
    Stream,
    "stream",
    2
);
handle!(
    /// A point in a stream.
    Event,
    "event",
    3
);
handle!(
    /// A symmetric buffer.
    Buffer,
    "symmetric buffer",
    4
);

struct Entries<T> {
    next: u64,
    of: HashMap<u64, T>,
}

/// Objects by handle.
pub(crate) struct Table<T>(Mutex<Entries<T>>);

impl<T: Clone> Table<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Entries {
            next: 1,
            of: HashMap::new(),
        }))
    }

    fn with<R>(&self, change: impl FnOnce(&mut Entries<T>) -> R) -> R {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds what `make` makes of its handle.
    pub(crate) fn add<H: Handle, E>(&self, make: impl FnOnce(H) -> Result<T, E>) -> Result<H, E> {
        self.with(|entries| {
            let handle = H::from_number(H::TAG << 56 | entries.next);
            entries.of.insert(handle.number(), make(handle)?);
            entries.next += 1;
            Ok(handle)
        })
    }

    /// The object; else what is wrong with the handle.
    pub(crate) fn get<H: Handle>(&self, handle: H) -> Result<T, String> {
        let found = self.with(|entries| entries.of.get(&handle.number()).cloned());
        found.ok_or_else(|| unknown(handle))
    }

    /// Takes the object out.
    pub(crate) fn take<H: Handle>(&self, handle: H) -> Result<T, String> {
        let found = self.with(|entries| entries.of.remove(&handle.number()));
        found.ok_or_else(|| unknown(handle))
    }

    /// All objects.
    pub(crate) fn all(&self) -> Vec<T> {
        self.with(|entries| entries.of.values().cloned().collect())
    }
}

fn unknown<H: Handle>(handle: H) -> String {
    let number = handle.number();
    let known = [Group::TAG, Stream::TAG, Event::TAG, Buffer::TAG];
    let names = [Group::WHAT, Stream::WHAT, Event::WHAT, Buffer::WHAT];
    let expected = H::WHAT;
    match known.iter().position(|&tag| tag == number >> 56) {
        Some(index) if names[index] != expected => {
            format!("handle {number:#x} is of a {}, not of a {expected}", names[index])
        }
        Some(_) => {
            format!("handle {number:#x} is of no {expected} of this rank, or of one that was released")
        }
        None => format!("{number:#x} is no handle of a {expected}"),
    }
}
