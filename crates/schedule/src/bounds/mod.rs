// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Lower bounds on the step time of every order of a problem.
//!
//! - **LB0**: the work of the busiest machine (the compute stream or a link), or the longest path.
//! - **LB1**: for each machine, Jackson's preemptive schedule of its jobs with longest paths as heads and tails.
//! - **LB2**: the same with heads and tails raised by the one-machine argument itself, within a budget.
//!
//! All hold for any order that dependences allow, with or without limits on memory, and follow the
//! [timing model](crate::timing) to the letter: what is ordered by dependences alone is ordered in *issue*, not in
//! execution; a wait of one stream for another holds up no computation; a collective that nothing awaits still runs.
//! They do not depend on the order in which the nodes stand. LB0 and LB1 are O((n + e) log n); for LB2 see its file.

mod events;
mod heads;
mod jackson;
mod relaxation;

use crate::problem::Problem;
use events::Events;
use jackson::{Task, jackson};
use std::fmt;

pub(crate) use heads::heads_and_tails;

/// The bounds, from the simplest to the strongest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoundName {
    /// The busiest machine, or the longest path.
    Lb0,
    /// Jackson's preemptive schedule of each machine.
    Lb1,
    /// Jackson's preemptive schedules with raised heads and tails.
    Lb2,
}

impl BoundName {
    /// The name used in text.
    pub fn name(self) -> &'static str {
        match self {
            BoundName::Lb0 => "LB0",
            BoundName::Lb1 => "LB1",
            BoundName::Lb2 => "LB2",
        }
    }
}

impl fmt::Display for BoundName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A bound and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Which bound it is.
    pub name: BoundName,
    /// No order takes fewer nanoseconds.
    pub ns: u64,
}

/// The best bound on the step time of a checked problem: the simplest of those with the largest value. LB2 is left out
/// when it would take more than `steps`, which count pairs of nodes, or of a node and a dependence, that are looked at.
pub fn lower_bound(problem: &Problem, steps: u64) -> Bound {
    let events = Events::merged(problem);
    let (heads, tails) = (events.heads(), events.tails());
    let path = heads.iter().zip(&tails).map(|(head, tail)| head + tail).max();
    let work = |machine: &Vec<u32>| machine.iter().map(|&job| events.jobs[job as usize].ns).sum();
    let busiest = events.machines.iter().map(work).max();
    let lb0 = Bound {
        name: BoundName::Lb0,
        ns: path.unwrap_or(0).max(busiest.unwrap_or(0)),
    };
    let schedule = |machine: &Vec<u32>| {
        let task = |&job: &u32| {
            let job = events.jobs[job as usize];
            Task {
                head: heads[job.begin as usize],
                ns: job.ns,
                tail: tails[job.end as usize],
            }
        };
        jackson(&mut machine.iter().map(task).collect::<Vec<_>>())
    };
    let lb1 = Bound {
        name: BoundName::Lb1,
        ns: events.machines.iter().map(schedule).max().unwrap_or(0),
    };
    let simple = if lb1.ns > lb0.ns { lb1 } else { lb0 };
    match relaxation::bound(&events, simple.ns, steps) {
        Some(ns) if ns > simple.ns => Bound {
            name: BoundName::Lb2,
            ns,
        },
        _ => simple,
    }
}
