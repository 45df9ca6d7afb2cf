// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The check of a solution: an order is a linear extension of the dependences of its problem.
//!
//! This module reads the problem's lists and nothing else. It shares no code with the sorts, so that a fault in what
//! they share cannot hide here. Limits and placement rules are not its business. O(n + e).

use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use thiserror::Error;

/// Why an order is no schedule of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A node that the problem does not have.
    #[error("{node} at position {position} is no node of the problem, which has {nodes}")]
    Unknown {
        /// The node.
        node: NodeId,
        /// Where it stands.
        position: usize,
        /// The number of nodes of the problem.
        nodes: usize,
    },
    /// A node that stands twice in the order.
    #[error("{node} stands at position {first} and again at position {second}")]
    Duplicate {
        /// The node.
        node: NodeId,
        /// Its first position.
        first: usize,
        /// Its second position.
        second: usize,
    },
    /// A node of the problem that the order lacks.
    #[error("{node} is missing from the order")]
    Missing {
        /// The node.
        node: NodeId,
    },
    /// A node that reads another stands before it.
    #[error("{node} stands at position {position} but reads {dep}, which stands at {dep_position}")]
    Data {
        /// The reader.
        node: NodeId,
        /// What it reads.
        dep: NodeId,
        /// Where the reader stands.
        position: usize,
        /// Where the other stands.
        dep_position: usize,
    },
    /// A node stands before one that it must follow.
    #[error("{node} stands at position {position} but must follow {dep}, which stands at {dep_position}")]
    After {
        /// The node.
        node: NodeId,
        /// What it must follow.
        dep: NodeId,
        /// Where the node stands.
        position: usize,
        /// Where the other stands.
        dep_position: usize,
    },
    /// A wait stands before its start.
    #[error("{wait} stands at position {position} but awaits {start}, which stands at {start_position}")]
    WaitBeforeStart {
        /// The wait.
        wait: NodeId,
        /// Its start.
        start: NodeId,
        /// Where the wait stands.
        position: usize,
        /// Where the start stands.
        start_position: usize,
    },
}

/// Checks that `order` holds every node of `problem` once, each after all that it depends on.
pub fn verify(problem: &Problem, order: &[NodeId]) -> Result<(), VerifyError> {
    const ABSENT: usize = usize::MAX;
    let nodes = problem.len();
    let mut positions = vec![ABSENT; nodes];
    for (position, &node) in order.iter().enumerate() {
        match positions.get_mut(node.index()) {
            None => {
                return Err(VerifyError::Unknown {
                    node,
                    position,
                    nodes,
                });
            }
            Some(slot) if *slot != ABSENT => {
                return Err(VerifyError::Duplicate {
                    node,
                    first: *slot,
                    second: position,
                });
            }
            Some(slot) => *slot = position,
        }
    }
    if let Some(node) = problem.ids().find(|node| positions[node.index()] == ABSENT) {
        return Err(VerifyError::Missing { node });
    }
    for (position, &node) in order.iter().enumerate() {
        if problem.kind(node) == Kind::Wait
            && let Some(start) = problem.of(node)
        {
            let start_position = positions[start.index()];
            if start_position > position {
                return Err(VerifyError::WaitBeforeStart {
                    wait: node,
                    start,
                    position,
                    start_position,
                });
            }
        }
        for &dep in problem.deps(node) {
            let dep_position = positions[dep.index()];
            if dep_position > position {
                return Err(VerifyError::Data {
                    node,
                    dep,
                    position,
                    dep_position,
                });
            }
        }
        for &dep in problem.after(node) {
            let dep_position = positions[dep.index()];
            if dep_position > position {
                return Err(VerifyError::After {
                    node,
                    dep,
                    position,
                    dep_position,
                });
            }
        }
    }
    Ok(())
}
