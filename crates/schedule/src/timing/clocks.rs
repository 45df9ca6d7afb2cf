// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The clocks of the timing model, moved by one node after another in the order of issue.

use crate::node::{Kind, NodeId};
use crate::problem::Problem;

/// The clocks after some nodes have been issued. See the [module](super) documentation.
#[derive(Clone, Debug)]
pub struct Clocks<'a> {
    problem: &'a Problem,
    is_stream_wait: Vec<bool>,
    compute: u64,
    links: Vec<u64>,
    /// For a start the end of its collective; for what passes the result of a wait that does not move the clock of
    /// computation on, the end of that collective. Zero otherwise.
    available: Vec<u64>,
}

impl<'a> Clocks<'a> {
    /// All clocks at zero.
    pub fn new(problem: &'a Problem) -> Self {
        Clocks {
            problem,
            is_stream_wait: stream_waits(problem),
            compute: 0,
            links: vec![0; problem.link_count()],
            available: vec![0; problem.len()],
        }
    }

    /// Issues a node after all that it depends on, and says when it begins and ends.
    pub fn issue(&mut self, id: NodeId) -> (u64, u64) {
        let problem = self.problem;
        let index = id.index();
        match problem.kind(id) {
            Kind::Compute => {
                let links = problem.occupied(id).map(|stream| self.links[problem.link_of(stream).index()]);
                let begin = links.fold(self.compute, u64::max);
                let end = begin + problem.ns(id);
                for stream in problem.occupied(id) {
                    self.links[problem.link_of(stream).index()] = end;
                }
                self.compute = end;
                (begin, end)
            }
            Kind::Start | Kind::Blocking => {
                let stream = problem.stream_of(id).expect("a checked problem");
                let link = &mut self.links[problem.link_of(stream).index()];
                let read = problem.deps(id).iter().map(|dep| self.available[dep.index()]);
                let begin = read.fold((*link).max(self.compute), u64::max);
                let end = begin + problem.ns(id);
                *link = end;
                if problem.kind(id) == Kind::Start || self.is_stream_wait[index] {
                    self.available[index] = end;
                } else {
                    self.compute = end;
                }
                (begin, end)
            }
            Kind::Wait => {
                let start = problem.of(id).expect("a checked problem");
                let begin = self.compute;
                let end = self.available[start.index()];
                if self.is_stream_wait[index] {
                    self.available[index] = end;
                } else {
                    self.compute = begin.max(end);
                }
                (begin, self.compute)
            }
            Kind::View => {
                let read = problem.deps(id).iter().map(|dep| self.available[dep.index()]);
                self.available[index] = read.max().unwrap_or(0);
                (self.compute, self.compute)
            }
            Kind::Arg => (self.compute, self.compute),
        }
    }

    /// The clock of computation.
    pub fn compute_ns(&self) -> u64 {
        self.compute
    }

    /// The last clock.
    pub fn step_ns(&self) -> u64 {
        self.links.iter().copied().fold(self.compute, u64::max)
    }
}

/// For each node whether it is a wait, or a blocking collective, that does not move the clock of computation: its results
/// are only read, through views, by starts and blocking collectives. A wait that keeps an operand does not read it. O(n + e).
pub fn stream_waits(problem: &Problem) -> Vec<bool> {
    // Whether computation reads the node; users stand after what they use.
    let mut is_read = vec![false; problem.len()];
    for id in problem.live_out() {
        is_read[id.index()] = true;
    }
    for id in problem.ids().rev() {
        let reads = match problem.kind(id) {
            Kind::Compute => true,
            Kind::View => is_read[id.index()],
            Kind::Start | Kind::Blocking | Kind::Wait | Kind::Arg => false,
        };
        if reads {
            for dep in problem.deps(id) {
                is_read[dep.index()] = true;
            }
        }
    }
    problem
        .ids()
        .map(|id| matches!(problem.kind(id), Kind::Wait | Kind::Blocking) && !is_read[id.index()])
        .collect()
}
