// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The two sorts of communication: gathers by consumer order, reductions by producer order.
//!
//! One sort cannot serve both kinds of collectives when nodes are topologically equal (Lightning Thunder, pull request
//! 592): sorted from the top, all-gathers follow the order of the parameters; sorted from the bottom, reductions pile
//! up before their waits. So the relative order of the *anchors*, which are the nodes that are neither communication
//! nor mere dressing of it, is kept, and communication is placed around them:
//! 1. [`classes`] says what each node is to the sort;
//! 2. `consumer_order` numbers everything that is no anchor by a depth-first walk from the anchors, which depends
//!    neither on the source order of those nodes nor on any name;
//! 3. `emit` walks the anchors once more and emits what they need when they need it, early starts when they become
//!    ready, and gathers by the windows of `windows`; [`ties`] orders what becomes ready at the same moment;
//! 4. the achieved numbers in flight are measured by code of their own, and `limits` explains a limit that was not
//!    met.
//!
//! After a sort: the order is a linear extension of the dependences; anchors keep their relative order; a limit is
//! kept or the sort fails; sorting again changes nothing; and with [`Ties::Egraph`] and without `Keep` the result is
//! the same for every legal move of what is no anchor, every order of the arguments, and every name of a node.
//!
//! The sort has no cost model beyond live bytes in a tie, and never reorders anchors. O(n + e) besides ties, sorting
//! of lists of order-only dependences, and a search that runs only when a limit is not met.

pub mod classes;
mod consumer_order;
mod dead;
mod emit;
mod holds;
mod limits;
mod options;
mod report;
mod tie_units;
pub mod ties;
mod windows;

pub use options::{AllGather, ReduceScatter, SortError, SortOptions, SortOutcome, SortReport, Ties};

use crate::graph::DependenceGraph;
use crate::in_flight::in_flight;
use crate::node::Class;
use crate::problem::Problem;
use classes::Classes;
use consumer_order::ConsumerOrder;
use emit::{Placement, place};

/// What every placement of one problem shares, whatever the limits.
struct Prepared<'a> {
    problem: &'a Problem,
    graph: DependenceGraph,
    classes: Classes,
    numbers: ConsumerOrder,
}

/// Sorts the communication of `problem`. See the [module](self) documentation.
pub fn sort(problem: &Problem, options: &SortOptions) -> Result<SortOutcome, SortError> {
    problem.check()?;
    let graph = DependenceGraph::new(problem);
    let classes = Classes::new(problem, &graph, options);
    let numbers = ConsumerOrder::new(problem, &graph, &classes);
    let prepared = Prepared {
        problem,
        graph,
        classes,
        numbers,
    };

    let Placement {
        order,
        ties_resolved,
        ties_over_budget,
    } = place(&prepared, options)?;
    let achieved = in_flight(problem, &order);
    for class in [Class::Gather, Class::Reduction] {
        if let Some((stream, _)) = limits::exceeded(&achieved, class, options) {
            return Err(limits::explain(&prepared, options, class, stream)?);
        }
    }
    let report = report::report(&prepared, &order, achieved, ties_resolved, ties_over_budget);
    Ok(SortOutcome { order, report })
}
