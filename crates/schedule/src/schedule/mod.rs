// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Scheduling by the timing model: least step time first, then least memory.
//!
//! Unlike [`sort`](crate::sort()), which keeps the order of computation, this decides the order of everything:
//! 1. `units` takes out what need not be decided and numbers the rest canonically;
//! 2. `list` makes first orders, `local` improves them, and on small problems `exact` finds all that no other beats;
//! 3. every order is offered to the `archive`, which keeps the best trade-offs between time and memory; a memory limit
//!    is answered from there, so that no search depends on it;
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
#[cfg_attr(not(test), expect(dead_code, reason = "tested before a scheduler calls it"))]
mod exact;
mod finish;
mod list;
mod local;
mod measure;
mod options;
mod portfolio;
mod units;

pub use options::{Effort, Limited, Point, ScheduleError, ScheduleOptions, ScheduleOutcome};

use crate::bounds::lower_bound;
use crate::graph::DependenceGraph;
use crate::memory;
use crate::problem::Problem;
use crate::timing::timeline;
use archive::Archive;
use local::arrangement::Ceiling;
use units::Units;

/// Steps that an effort allows.
struct Steps {
    /// Positions visited by local search.
    search: u64,
    /// Labels of the exact method.
    labels: u64,
    /// Pairs of nodes looked at by the lower bound.
    bound: u64,
}

impl Effort {
    /// Local search needs about the square of the number of units to try all moves some hundred times; what is more than
    /// a few seconds' worth is cut off.
    fn steps(self, units: usize) -> Steps {
        let square = (units as u64).saturating_mul(units as u64);
        match self {
            Effort::Fast => Steps {
                search: 0,
                labels: 0,
                bound: 0,
            },
            Effort::Default => Steps {
                search: square.saturating_mul(1_000).min(100_000_000),
                labels: 200_000,
                bound: 20_000_000,
            },
            Effort::Exact => Steps {
                search: square.saturating_mul(20_000).min(2_000_000_000),
                labels: 20_000_000,
                bound: 2_000_000_000,
            },
        }
    }
}

/// Schedules `problem`. See the [module](self) documentation.
pub fn schedule(problem: &Problem, options: &ScheduleOptions) -> Result<ScheduleOutcome, ScheduleError> {
    problem.check()?;
    let graph = DependenceGraph::new(problem);
    let units = Units::new(problem, &graph);
    let steps = options.effort.steps(units.len());
    let bound = lower_bound(problem, steps.bound);
    let in_flight = options.max_in_flight.unwrap_or(u32::MAX);
    let in_flight_bytes = options.max_in_flight_bytes.unwrap_or(u64::MAX);
    let mut archive = Archive::new(&units, in_flight, in_flight_bytes);

    portfolio::list_orders(&units, &mut archive);
    let ceiling = Ceiling {
        bytes: u64::MAX,
        in_flight,
        in_flight_bytes,
    };
    if steps.search > 0 {
        portfolio::local_search(&units, &mut archive, ceiling, bound.ns, steps.search);
    }
    let is_exact = false;

    let source_units = units.of_order(problem.ids());
    let source = measure::measure_alone(&units, &source_units);
    let source_keeps = source.in_flight <= in_flight
        && source.in_flight_bytes <= in_flight_bytes
        && source.peak_bytes <= options.memory_limit.unwrap_or(u64::MAX);
    let source = Point {
        time_ns: source.time_ns,
        peak_bytes: source.peak_bytes,
    };
    let found = archive.best(options.memory_limit.unwrap_or(u64::MAX));
    let kept_source = source_keeps && found.is_none_or(|(point, _)| source <= *point);
    let order = match found {
        _ if kept_source => problem.ids().collect(),
        Some((point, order)) => {
            let order = finish::finish(&units, order, *point, ceiling);
            units.order(problem, &graph, &order)
        }
        None => return Err(limit_not_met(options, &archive, is_exact)),
    };
    let timeline = timeline(problem, &order);
    debug_assert!(
        kept_source
            || found.is_some_and(|(p, o)| {
                let full = units.order(problem, &graph, o);
                p.peak_bytes == memory::peak(problem, &full)
                    && p.time_ns == crate::timing::timeline(problem, &full).step_ns
            })
    );
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
        order,
    })
}

/// The error that names the least limit that can be kept.
fn limit_not_met(options: &ScheduleOptions, archive: &Archive, is_exact: bool) -> ScheduleError {
    if let (Some((point, _)), Some(limit)) = (archive.lowest(), options.memory_limit) {
        return ScheduleError::LimitNotMet {
            limited: Limited::Memory,
            limit,
            least: point.peak_bytes,
            proved: is_exact,
        };
    }
    // No order keeps the limits in flight. One collective in flight, and the largest alone, are the least there can be.
    match options.max_in_flight {
        Some(limit) if archive.least_in_flight > limit => ScheduleError::LimitNotMet {
            limited: Limited::InFlight,
            limit: u64::from(limit),
            least: u64::from(archive.least_in_flight),
            proved: is_exact || archive.least_in_flight == 1,
        },
        _ => ScheduleError::LimitNotMet {
            limited: Limited::InFlightBytes,
            limit: options.max_in_flight_bytes.unwrap_or(u64::MAX),
            least: archive.least_in_flight_bytes,
            proved: is_exact,
        },
    }
}
