// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What can be wrong with a machine file or a profile.

use thiserror::Error;

/// Why a machine or a profile does not load.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// Not TOML or JSON, or not of the expected form; the text shows line and column.
    #[error("{0}")]
    Syntax(String),
    /// A value out of range, or values that contradict each other.
    #[error("{at} is {found}, but {expected} is expected")]
    Value {
        /// Path of the key in the file.
        at: String,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: String,
    },
    /// The file cannot be read.
    #[error("cannot read '{path}': {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Neither a preset nor a file.
    #[error("'{name}' is no machine: one of {known}, or a path that ends in .toml, is expected")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The presets.
        known: String,
    },
}

impl MachineError {
    /// The same error, naming the file it is in.
    pub(super) fn in_file(self, path: &str) -> Self {
        match self {
            Self::Syntax(text) => Self::Syntax(format!("{path}: {text}")),
            Self::Value { at, found, expected } => Self::Value {
                at: format!("{path}: {at}"),
                found,
                expected,
            },
            other => other,
        }
    }
}

/// A [`MachineError::Value`].
pub(super) fn unexpected(
    at: impl Into<String>,
    found: impl ToString,
    expected: impl Into<String>,
) -> MachineError {
    MachineError::Value {
        at: at.into(),
        found: found.to_string(),
        expected: expected.into(),
    }
}
