// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Sets of gathers with equal values, as a caller gives them, and their check.
//!
//! After the check every gather is a start that is awaited or a blocking collective, no node is in two sets, gathers of one
//! set are of one form, and each set is in program order. That their values are equal is the caller's word.

use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use crate::schedule::ScheduleError;
use std::fmt;
use thiserror::Error;

/// Gathers that compute equal values: of one operand, among the same devices. One alone may be split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Regathered {
    /// Starts, each with a wait in the problem, or blocking collectives. In any order.
    pub gathers: Vec<NodeId>,
}

/// In what gathers of one set differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// One is started and awaited, the other blocks.
    Kind,
    /// They are different collectives.
    Collective,
    /// Their results differ in size.
    Bytes,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fact::Kind => "kind",
            Fact::Collective => "collective",
            Fact::Bytes => "bytes",
        })
    }
}

/// Why nothing was decided. Sets are named by their positions.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RegatherError {
    /// The problem is not well formed, or could not be scheduled.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A set without a gather.
    #[error("set {set}: holds no gather, expected one at least")]
    Empty {
        /// The set.
        set: usize,
    },
    /// A node that is no collective.
    #[error("set {set}: {node} is no start and no blocking collective of the problem")]
    NoCollective {
        /// The set.
        set: usize,
        /// The node.
        node: NodeId,
    },
    /// A start without a wait.
    #[error("set {set}: {node} is never awaited in the problem, so nothing is known of who reads it")]
    Unawaited {
        /// The set.
        set: usize,
        /// The start.
        node: NodeId,
    },
    /// Gathers that cannot have equal values.
    #[error("set {set}: {node} and {first} differ in `{fact}`, so they do not compute equal values")]
    Different {
        /// The set.
        set: usize,
        /// One of its gathers.
        node: NodeId,
        /// Its first gather in program order.
        first: NodeId,
        /// In what they differ.
        fact: Fact,
    },
    /// A gather that is named twice.
    #[error("set {set}: {node} is named already, in set {first}")]
    Repeated {
        /// The second set.
        set: usize,
        /// The gather.
        node: NodeId,
        /// The first set, which may be the same.
        first: usize,
    },
}

/// A gather: the node that begins it and the one whose result is read, which are one where it blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gather {
    pub(super) begin: NodeId,
    pub(super) result: NodeId,
}

/// The gathers of each set in program order. The problem must be checked. O(n + number of gathers).
pub(super) fn gathers(problem: &Problem, sets: &[Regathered]) -> Result<Vec<Vec<Gather>>, RegatherError> {
    let waits = problem.waits();
    let mut set_of: Vec<Option<usize>> = vec![None; problem.len()];
    let mut result = Vec::with_capacity(sets.len());
    for (set, given) in sets.iter().enumerate() {
        let mut gathers = Vec::with_capacity(given.gathers.len());
        for &node in &given.gathers {
            let kind = (node.index() < problem.len()).then(|| problem.kind(node));
            let wait = match kind {
                Some(Kind::Start) => waits[node.index()].ok_or(RegatherError::Unawaited { set, node })?,
                Some(Kind::Blocking) => node,
                _ => return Err(RegatherError::NoCollective { set, node }),
            };
            if let Some(first) = set_of[node.index()].replace(set) {
                return Err(RegatherError::Repeated { set, node, first });
            }
            gathers.push(Gather {
                begin: node,
                result: wait,
            });
        }
        gathers.sort_by_key(|gather| gather.begin);
        let first = gathers.first().ok_or(RegatherError::Empty { set })?.begin;
        for gather in &gathers {
            let node = gather.begin;
            let fact = if problem.kind(node) != problem.kind(first) {
                Fact::Kind
            } else if problem.collective(node) != problem.collective(first) {
                Fact::Collective
            } else if problem.bytes(node) != problem.bytes(first) {
                Fact::Bytes
            } else {
                continue;
            };
            return Err(RegatherError::Different {
                set,
                node,
                first,
                fact,
            });
        }
        result.push(gathers);
    }
    Ok(result)
}
