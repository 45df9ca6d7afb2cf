// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Orders as text, a line a node, for people and for text tests.
//!
//! A line holds the kind, the collective if it has one, the name (or `#` and the position in the source) and what it
//! reads: `start all_gather w0.start on dp (w0)`.

use crate::node::NodeId;
use crate::problem::Problem;
use std::fmt::Write;

/// `order` as text, a line a node.
pub fn order(problem: &Problem, order: &[NodeId]) -> String {
    let mut text = String::new();
    for &id in order {
        line(problem, id, &mut text);
        text.push('\n');
    }
    text
}

/// The name of a node, or `#` and its position in the source when it has none.
pub fn name(problem: &Problem, id: NodeId) -> String {
    match problem.name(id) {
        "" => id.to_string(),
        name => name.to_owned(),
    }
}

fn line(problem: &Problem, id: NodeId, text: &mut String) {
    text.push_str(problem.kind(id).name());
    if let Some(collective) = problem.collective(id) {
        text.push(' ');
        text.push_str(collective.name());
    }
    text.push(' ');
    text.push_str(&name(problem, id));
    if let Some(stream) = problem.stream_of(id) {
        // Writing to a string cannot fail.
        let _ = write!(text, " on {}", problem.stream_name(stream));
    }
    if !problem.deps(id).is_empty() {
        let names: Vec<_> = problem.deps(id).iter().map(|&dep| name(problem, dep)).collect();
        let _ = write!(text, " ({})", names.join(", "));
    }
}
