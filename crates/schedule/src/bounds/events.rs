// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What must happen before what in every order of a problem, and after which delay.
//!
//! The [timing model](crate::timing) knows two kinds of precedence. Every dependence orders the *issue* of two nodes,
//! and issue takes place at the clock of computation; data that passes from one collective to another without moving
//! that clock orders the *end* of the one and the *begin* of the other. So a node has up to four events:
//! - *issue*: the clock of computation when its turn comes;
//! - *begin* and *end* of what it does on its machine, if it does something;
//! - *after*: the clock of computation when it has been issued, from where everything that depends on it continues.
//!
//! An edge says that one event is never less than the delay after another. A job (what takes time) occupies *machines*:
//! the compute stream, which is machine 0, and links, machine `1 + link`. A blocking collective that moves the clock of
//! computation occupies both its link and the compute stream. On one machine, jobs never overlap.
//!
//! Invariant: an event's number is greater than those of its predecessors. Building is O(n + e).

use crate::node::{Kind, NodeId};
use crate::problem::Problem;
use crate::timing::stream_waits;

/// No event.
const NONE: u32 = u32::MAX;

/// What occupies machines for a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// The node that does it.
    pub node: NodeId,
    /// The event of its begin, which belongs to this job alone.
    pub begin: u32,
    /// The event of its end, which belongs to this job alone.
    pub end: u32,
    /// How long it takes.
    pub ns: u64,
}

/// The events of a problem. See the [module](self) documentation.
#[derive(Debug)]
pub(super) struct Events {
    begins: Vec<u32>,
    predecessors: Vec<(u32, u64)>,
    issue: Vec<u32>,
    after: Vec<u32>,
    data: Vec<u32>,
    /// All that takes time, in source order.
    pub jobs: Vec<Job>,
    /// The jobs of each machine, in source order.
    pub machines: Vec<Vec<u32>>,
    is_merged: bool,
}

impl Events {
    /// The events of a checked problem.
    pub fn new(problem: &Problem) -> Self {
        Self::build(problem, false)
    }

    /// As [`new`](Self::new), with fewer events: a node that takes no time shares that of the only event it follows. No
    /// path between jobs changes, but what follows such an event may now follow another node.
    pub fn merged(problem: &Problem) -> Self {
        Self::build(problem, true)
    }

    fn build(problem: &Problem, is_merged: bool) -> Self {
        let mut events = Events {
            begins: vec![0],
            predecessors: Vec::new(),
            issue: Vec::with_capacity(problem.len()),
            after: Vec::with_capacity(problem.len()),
            data: Vec::with_capacity(problem.len()),
            jobs: Vec::new(),
            machines: vec![Vec::new(); 1 + problem.link_count()],
            is_merged,
        };
        let is_stream_wait = stream_waits(problem);
        let mut follows = Vec::new();
        for id in problem.ids() {
            events.push_node(problem, id, is_stream_wait[id.index()], &mut follows);
        }
        events
    }

    /// `follows` is room to work in.
    fn push_node(
        &mut self,
        problem: &Problem,
        id: NodeId,
        is_stream_wait: bool,
        follows: &mut Vec<(u32, u64)>,
    ) {
        let kind = problem.kind(id);
        follows.clear();
        let dependences = problem.deps(id).iter().chain(problem.after(id));
        follows.extend(dependences.map(|dep| (self.after[dep.index()], 0)));
        follows.sort_unstable();
        follows.dedup();
        // Only what occupies no machine may share an event: others can be held back without what they follow.
        let issue = match (kind, follows.as_slice()) {
            (Kind::View | Kind::Wait, [(only, _)]) if self.is_merged => *only,
            _ => self.push(follows),
        };
        let (after, data) = match kind {
            Kind::Arg => (issue, NONE),
            Kind::View => (issue, self.passed_data(problem, id, follows)),
            Kind::Wait => {
                let start = problem.of(id).expect("a checked problem");
                let end = self.data[start.index()];
                match is_stream_wait {
                    true => (issue, end),
                    false => (self.push(&[(issue, 0), (end, 0)]), NONE),
                }
            }
            Kind::Compute => {
                let mut machines: Vec<_> = problem
                    .occupied(id)
                    .map(|stream| 1 + problem.link_of(stream).index())
                    .collect();
                machines.sort_unstable();
                machines.dedup();
                let begin = if machines.is_empty() {
                    issue
                } else {
                    self.push(&[(issue, 0)])
                };
                machines.push(0);
                (self.push_job(problem, id, begin, &machines), NONE)
            }
            Kind::Start | Kind::Blocking => {
                self.read(problem, id, follows);
                follows.push((issue, 0));
                let begin = self.push(follows);
                let stream = problem.stream_of(id).expect("a checked problem");
                let link = 1 + problem.link_of(stream).index();
                if kind == Kind::Start || is_stream_wait {
                    (issue, self.push_job(problem, id, begin, &[link]))
                } else {
                    (self.push_job(problem, id, begin, &[link, 0]), NONE)
                }
            }
        };
        self.issue.push(issue);
        self.after.push(after);
        self.data.push(data);
    }

    /// The event at which all that a view reads from collectives is there, if it reads any that computation does not
    /// wait for.
    fn passed_data(&mut self, problem: &Problem, id: NodeId, follows: &mut Vec<(u32, u64)>) -> u32 {
        self.read(problem, id, follows);
        follows.sort_unstable();
        follows.dedup();
        match follows.as_slice() {
            [] => NONE,
            [(only, _)] if self.is_merged => *only,
            _ => self.push(follows),
        }
    }

    /// The events at which what a node reads from collectives is there.
    fn read(&self, problem: &Problem, id: NodeId, events: &mut Vec<(u32, u64)>) {
        events.clear();
        let read = problem.deps(id).iter().map(|dep| self.data[dep.index()]);
        events.extend(read.filter(|event| *event != NONE).map(|event| (event, 0)));
    }

    fn push_job(&mut self, problem: &Problem, node: NodeId, begin: u32, machines: &[usize]) -> u32 {
        let ns = problem.ns(node);
        let end = self.push(&[(begin, ns)]);
        for &machine in machines {
            self.machines[machine].push(self.jobs.len() as u32);
        }
        self.jobs.push(Job { node, begin, end, ns });
        end
    }

    fn push(&mut self, follows: &[(u32, u64)]) -> u32 {
        let event = self.len() as u32;
        self.predecessors.extend_from_slice(follows);
        self.begins.push(self.predecessors.len() as u32);
        event
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.predecessors.len()
    }

    /// What an event follows, and after which delay.
    #[inline]
    pub fn predecessors(&self, event: usize) -> &[(u32, u64)] {
        &self.predecessors[self.begins[event] as usize..self.begins[event + 1] as usize]
    }

    /// The event of the issue of a node.
    pub fn issue(&self, id: NodeId) -> usize {
        self.issue[id.index()] as usize
    }

    /// The event from where all that depends on a node continues.
    pub fn after(&self, id: NodeId) -> usize {
        self.after[id.index()] as usize
    }

    /// The event at which the data of a node is there: the end of its collective, if computation does not wait for it
    /// here, else [`after`](Self::after).
    pub fn data(&self, id: NodeId) -> usize {
        match self.data[id.index()] {
            NONE => self.after(id),
            event => event as usize,
        }
    }

    /// The longest path to each event.
    pub fn heads(&self) -> Vec<u64> {
        let mut heads = vec![0u64; self.len()];
        for event in 0..self.len() {
            let paths = self.predecessors(event).iter();
            heads[event] = paths
                .map(|&(from, delay)| heads[from as usize] + delay)
                .max()
                .unwrap_or(0);
        }
        heads
    }

    /// The longest path from each event.
    pub fn tails(&self) -> Vec<u64> {
        let mut tails = vec![0u64; self.len()];
        for event in (0..self.len()).rev() {
            for &(from, delay) in self.predecessors(event) {
                let path = tails[event] + delay;
                let tail = &mut tails[from as usize];
                *tail = (*tail).max(path);
            }
        }
        tails
    }
}
