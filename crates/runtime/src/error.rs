// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What goes wrong, on which rank, in which op, at which place of the source.

use std::{fmt, sync::Arc, time::Duration};

use thiserror::Error as ThisError;

/// An op of one rank: what every message names.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The rank that issued it.
    pub rank: usize,
    /// The op, as in `all_reduce`.
    pub op: Arc<str>,
    /// Where it is in the source, in the words of the program; may be empty.
    pub location: Arc<str>,
}

impl Site {
    /// An op at a place.
    pub fn new(rank: usize, op: impl Into<Arc<str>>, location: impl Into<Arc<str>>) -> Self {
        Self {
            rank,
            op: op.into(),
            location: location.into(),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rank {}: {}", self.rank, self.op)?;
        if self.location.is_empty() {
            return formatter.write_str(" at an unknown location");
        }
        write!(formatter, " at {}", self.location)
    }
}

/// A rank that was waited for in vain, and what it was doing.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Which.
    pub rank: usize,
    /// In words.
    pub doing: String,
}

fn list(missing: &[Missing]) -> String {
    let each = missing
        .iter()
        .map(|one| format!("rank {} ({})", one.rank, one.doing));
    each.collect::<Vec<_>>().join(", ")
}

/// What went wrong.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Fault {
    /// Two members of a group issued different collectives.
    #[error(
        "members of one group issued different collectives: {first} issued {first_call}; {second} issued {second_call}"
    )]
    Mismatch {
        /// The member that came first.
        first: Site,
        /// What it issued.
        first_call: String,
        /// A member that came later.
        second: Site,
        /// What that issued.
        second_call: String,
    },
    /// Members did not arrive in time.
    #[error("rank {waiting} gave up after {} ms; missing: {}", waited.as_millis(), list(missing))]
    Late {
        /// The rank whose timeout passed first.
        waiting: usize,
        /// Its timeout.
        waited: Duration,
        /// Who had not arrived then.
        missing: Vec<Missing>,
    },
    /// A rank that was waited for has returned.
    #[error("rank {0} returned without taking part")]
    Gone(usize),
    /// The first failure was elsewhere.
    #[error("ended by a failure elsewhere: {0}")]
    Elsewhere(Box<Error>),
    /// The program panicked.
    #[error("panicked: {0}")]
    Panic(String),
    /// The program reported a failure of its own.
    #[error("{0}")]
    Program(String),
    /// A wrong argument: nothing was done.
    #[error("{0}")]
    Invalid(String),
    /// No memory, or no thread, to be had.
    #[error("{0}")]
    Resources(String),
}

/// A failure of an op.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("{site}: {fault}")]
pub struct Error {
    site: Arc<Site>,
    fault: Arc<Fault>,
}

impl Error {
    /// A failure at an op.
    pub fn new(site: Site, fault: Fault) -> Self {
        Self {
            site: Arc::new(site),
            fault: Arc::new(fault),
        }
    }

    /// A wrong argument.
    pub fn invalid(site: Site, message: impl Into<String>) -> Self {
        Self::new(site, Fault::Invalid(message.into()))
    }

    /// The consequence of another failure; of the first in a row of consequences.
    pub(crate) fn elsewhere(site: Site, first: &Self) -> Self {
        match first.fault() {
            Fault::Elsewhere(first) => Self::new(site, Fault::Elsewhere(first.clone())),
            _ => Self::new(site, Fault::Elsewhere(Box::new(first.clone()))),
        }
    }

    /// Where it went wrong.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// What went wrong.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}
