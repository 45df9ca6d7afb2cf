// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Scheduling by the timing model: least step time first, then least memory.
//!
//! Unlike [`sort`](crate::sort()), which keeps the order of computation, this decides the order of everything:
//! 1. `units` takes out what need not be decided and numbers the rest canonically;
//! 2. `list` makes first orders, `throttle` holds their prefetches back where memory is tight, `local` improves them as
//!    `portfolio` tells it to, `windows` finishes the fastest with the exact method, `ties` compares all orders of starts
//!    in a row, and on small problems `exact` alone finds all that no other beats;
//! 3. every order is offered to the `archive`, which keeps the best trade-offs between time and memory; a memory limit
//!    is answered from there, so that no search depends on it;
//!    and where an order takes the least time and the least memory that the bounds allow (`least_peak`), the search ends;
//! 4. `finish` puts waits as late as costs nothing.
//!
//! Of two orders with the same computation and the same collectives on each link, the one that issues each collective
//! as early as its operands allow and awaits it as late as its consumer allows takes the least time; where they stand
//! between decides memory alone. `list::justify` moves collectives late within their slack.
//!
//! After scheduling: the order is a linear extension of the dependences; limits are kept or it fails; it is no slower than
//! the source order, if that keeps the limits; and unless the source order is kept, the result is the same for every legal order
//! of the same nodes and every name of them. The bound printed with it holds for every order there is.
//!
//! With [`Effort::Fast`] the work is O((n + e) log n); otherwise it is bounded by a number of steps that the effort
//! fixes. The problem is strongly NP-hard already with one link and without limits.

mod archive;
mod canonical;
mod earliest;
mod exact;
mod finish;
mod least_peak;
mod limits;
mod list;
mod lists;
mod local;
mod measure;
mod options;
#[cfg(test)]
#[path = "../../tests/oracle/mod.rs"]
mod oracle;
mod portfolio;
#[cfg(test)]
mod tests;
mod throttle;
mod ties;
mod units;
mod windows;

pub use options::{Effort, Limited, Point, ScheduleError, ScheduleOptions, ScheduleOutcome};
pub use portfolio::TieReport;

use crate::bounds::lower_bound;
use crate::graph::DependenceGraph;
use crate::memory;
use crate::node::NodeId;
use crate::problem::Problem;
use crate::timing::timeline;
use archive::Archive;
use exact::{InFlightLimits, exact_front};
use least_peak::least_peak;
use local::arrangement::Ceiling;
use units::Units;

/// Steps that an effort allows.
struct Steps {
    /// Positions visited by local search.
    search: u64,
    /// Steps of the exact method, and the most units that it is tried on.
    exact: u64,
    exact_units: usize,
    /// How often windows of the fastest order are solved exactly.
    window_passes: usize,
    /// Pairs of nodes looked at by the lower bound.
    bound: u64,
    /// Whether the peak is bounded too.
    bounds_peak: bool,
}

impl Effort {
    /// Local search needs about the square of the number of units to try all moves some hundred times; what is more than
    /// a few seconds' worth is cut off.
    fn steps(self, units: usize) -> Steps {
        let square = (units as u64).saturating_mul(units as u64);
        match self {
            Effort::Fast => Steps {
                search: 0,
                exact: 0,
                exact_units: 0,
                window_passes: 0,
                bound: 0,
                bounds_peak: false,
            },
            Effort::Default => Steps {
                search: square.saturating_mul(2_000).clamp(1_000_000, 100_000_000),
                exact: 5_000_000,
                exact_units: 28,
                window_passes: 0,
                bound: 20_000_000,
                bounds_peak: false,
            },
            Effort::Exact => Steps {
                search: square.saturating_mul(40_000).clamp(20_000_000, 2_000_000_000),
                exact: 500_000_000,
                exact_units: 63,
                window_passes: 8,
                bound: 2_000_000_000,
                bounds_peak: true,
            },
        }
    }
}

/// On problems of more units local search has too few steps for each to find lean orders from the list orders, so what can be
/// made of the source's order of computation is offered too. The result then depends on the source order.
const FEW_STEPS_EACH: usize = 4_096;

/// Schedules `problem`. See the [module](self) documentation.
pub fn schedule(problem: &Problem, options: &ScheduleOptions) -> Result<ScheduleOutcome, ScheduleError> {
    problem.check()?;
    let graph = DependenceGraph::new(problem);
    let units = Units::new(problem, &graph);
    let steps = options.effort.steps(units.len());
    let bound = lower_bound(problem, steps.bound);
    let search = Search {
        problem,
        graph: &graph,
        units: &units,
        steps: &steps,
        bound: Point {
            time_ns: bound.ns,
            peak_bytes: if steps.bounds_peak { least_peak(&units) } else { 0 },
        },
    };
    let ceiling = Ceiling {
        bytes: u64::MAX,
        in_flight: options.max_in_flight.unwrap_or(u32::MAX),
        in_flight_bytes: options.max_in_flight_bytes.unwrap_or(u64::MAX),
    };
    let (archive, is_exact, ties) = search.archive(ceiling);

    let most_bytes = options.memory_limit.unwrap_or(u64::MAX);
    let source_measure = measure::measure_alone(&units, &units.of_order(problem.ids()));
    // In the source a view may stand later than it can, so its memory is counted on nodes.
    let source_order: Vec<NodeId> = problem.ids().collect();
    let source = Point {
        time_ns: source_measure.time_ns,
        peak_bytes: memory::peak(problem, &source_order),
    };
    let source_keeps = source_measure.in_flight <= ceiling.in_flight
        && source_measure.in_flight_bytes <= ceiling.in_flight_bytes
        && source.peak_bytes <= most_bytes;
    let found = archive.best(most_bytes);
    let kept_source = source_keeps && found.is_none_or(|(point, _)| source <= *point);
    let order = match found {
        _ if kept_source => source_order,
        Some((_, order)) => units.order(problem, &graph, order),
        None => {
            let source = measure::Measure {
                peak_bytes: source.peak_bytes,
                ..source_measure
            };
            return Err(limits::not_met(&search, &archive, is_exact, options, source));
        }
    };
    let timeline = timeline(problem, &order);
    Ok(ScheduleOutcome {
        point: Point {
            time_ns: timeline.step_ns,
            peak_bytes: memory::peak(problem, &order),
        },
        source,
        exposed_ns: timeline.total_exposed_ns(),
        bound_ns: bound.ns,
        bound: bound.name,
        front: archive.front(),
        is_exact,
        kept_source,
        ties,
        order,
    })
}

/// What all searches for one problem share.
struct Search<'a> {
    problem: &'a Problem,
    graph: &'a DependenceGraph,
    units: &'a Units,
    steps: &'a Steps,
    /// A step time and a peak that nothing beats.
    bound: Point,
}

impl<'a> Search<'a> {
    /// All that is found under limits in flight, whether that is proved to be all there is, and what was done about ties.
    fn archive(&self, in_flight: Ceiling) -> (Archive<'a>, bool, TieReport) {
        let mut archive = Archive::new(self.units, in_flight.in_flight, in_flight.in_flight_bytes);
        portfolio::list_orders(self.units, &mut archive);
        let is_exact = self.offer_exact_front(&mut archive, in_flight);
        let mut ties = TieReport::default();
        let is_open = |archive: &Archive<'_>| !is_exact && !archive.reaches(self.bound);
        if is_open(&archive) && self.steps.search > 0 && self.units.len() > FEW_STEPS_EACH {
            let source = self.units.of_order(self.problem.ids());
            portfolio::source_orders(self.units, &mut archive, &source);
        }
        if is_open(&archive) && self.steps.search > 0 {
            portfolio::local_search(self.units, &mut archive, in_flight, self.bound, self.steps.search);
        }
        if is_open(&archive) && self.steps.search > 0 {
            windows::finish(
                self.problem,
                self.graph,
                self.units,
                &mut archive,
                InFlightLimits::from(in_flight),
                self.steps.window_passes,
            );
            ties = portfolio::resolve_ties(self.units, &mut archive);
        }
        archive.finish(|order, point| finish::finish(self.units, order, point, in_flight));
        let is_exact = is_exact || archive.reaches(self.bound);
        (archive, is_exact, ties)
    }

    /// Offers what the exact method finds; whether it found all there is.
    fn offer_exact_front(&self, archive: &mut Archive<'_>, in_flight: Ceiling) -> bool {
        if self.units.len() > self.steps.exact_units {
            return false;
        }
        let Some(front) = exact_front(self.problem, InFlightLimits::from(in_flight), self.steps.exact) else {
            return false;
        };
        for (_, order) in front {
            archive.offer(self.units.of_order(order.into_iter()));
        }
        true
    }
}

impl From<Ceiling> for InFlightLimits {
    fn from(ceiling: Ceiling) -> Self {
        InFlightLimits {
            max_in_flight: Some(ceiling.in_flight),
            max_in_flight_bytes: Some(ceiling.in_flight_bytes),
        }
    }
}
