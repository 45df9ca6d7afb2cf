// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a user can ask of the scheduler, and what it gives back.

use super::portfolio::TieReport;
use crate::bounds::BoundName;
use crate::check::ProblemError;
use crate::node::NodeId;
use std::fmt;
use thiserror::Error;

/// How much work the search may do. The work is counted in steps, never in seconds, so that the answer does not depend
/// on the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Effort {
    /// List orders alone; near-linear in the size of the problem.
    Fast,
    /// List orders, then local search with a fixed number of steps; the exact method on small problems.
    #[default]
    Default,
    /// As `Default` with a far larger number of steps for both: up to a minute for a block of hundreds of nodes. It ends
    /// early only where one order meets a bound on the time and a bound on the peak. While the curve of time against
    /// memory may have more points, most of the work goes into them, though the time may be the least already.
    Exact,
}

/// Options of [`schedule`](crate::schedule()).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScheduleOptions {
    /// How much work the search may do.
    pub effort: Effort,
    /// Most live bytes at any position, arguments apart; none: any number. Zero is a limit like any other.
    pub memory_limit: Option<u64>,
    /// How many collectives may be in flight on one stream; none: any number.
    pub max_in_flight: Option<u32>,
    /// How many bytes the collectives in flight on all streams may carry (the sizes of their results); none: any number.
    pub max_in_flight_bytes: Option<u64>,
}

/// The quantities that a limit can be put on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limited {
    /// Live bytes.
    Memory,
    /// Collectives in flight on one stream.
    InFlight,
    /// Bytes in flight.
    InFlightBytes,
}

impl fmt::Display for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limited::Memory => "bytes live at once",
            Limited::InFlight => "collectives in flight on one stream",
            Limited::InFlightBytes => "bytes in flight",
        })
    }
}

/// A schedule that was found: how long it takes and how much memory it needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The step time in nanoseconds.
    pub time_ns: u64,
    /// The most live bytes, arguments apart.
    pub peak_bytes: u64,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = microseconds(self.time_ns);
        write!(f, "{time} with {} bytes at the peak", self.peak_bytes)
    }
}

/// Times below a hundred microseconds to the nanosecond, longer ones to a tenth of a microsecond.
fn microseconds(ns: u64) -> String {
    let decimals = if ns < 100_000 { 3 } else { 1 };
    format!("{:.decimals$} us", ns as f64 / 1000.0)
}

/// What the scheduler gives back.
#[derive(Clone, PartialEq, Debug)]
pub struct ScheduleOutcome {
    /// All nodes in their new order.
    pub order: Vec<NodeId>,
    /// Its figures.
    pub point: Point,
    /// The figures of the source order.
    pub source: Point,
    /// Step time minus the sum of the durations of computation.
    pub exposed_ns: u64,
    /// The best lower bound on the step time of any order.
    pub bound_ns: u64,
    /// Which bound that is.
    pub bound: BoundName,
    /// The points that no other point that was found dominates, by time. They do not depend on the memory limit.
    pub front: Vec<Point>,
    /// Whether the front is proved to be that of all orders.
    pub is_exact: bool,
    /// Whether the source order was kept because nothing better was found.
    pub kept_source: bool,
    /// What was done about ties.
    pub ties: TieReport,
}

impl ScheduleOutcome {
    /// By which part of the bound the step takes longer than it: 0.02 is two per cent. Zero for an empty step.
    pub fn gap(&self) -> f64 {
        if self.bound_ns == 0 {
            return 0.0;
        }
        (self.point.time_ns - self.bound_ns) as f64 / self.bound_ns as f64
    }
}

impl fmt::Display for ScheduleOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, before) = (self.point.time_ns, self.source.time_ns);
        write!(
            f,
            "step time {} (source order {}), ",
            microseconds(time),
            microseconds(before)
        )?;
        write!(f, "exposed {}, ", microseconds(self.exposed_ns))?;
        write!(
            f,
            "peak {} bytes (source order {})",
            self.point.peak_bytes, self.source.peak_bytes
        )?;
        let bound = microseconds(self.bound_ns);
        write!(
            f,
            "; bound {} {bound}, gap {:.2} %",
            self.bound,
            self.gap() * 100.0
        )?;
        if self.is_exact {
            f.write_str("; no order is better")?;
        }
        if self.kept_source {
            f.write_str("; the source order was kept, nothing better was found")?;
        }
        Ok(())
    }
}

/// Why a problem could not be scheduled.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// The problem is not well formed.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No order that was found keeps a limit.
    #[error(
        "at most {limit} {limited} cannot be kept; {least} is {}",
        if *.proved { "the least that any order needs" } else { "the best found" }
    )]
    LimitNotMet {
        /// What is limited.
        limited: Limited,
        /// The limit asked for.
        limit: u64,
        /// A limit that can be kept: of collectives in flight by itself, of bytes in flight under that limit, of memory under
        /// both as they were asked for.
        least: u64,
        /// Whether no order can do with less than `least`.
        proved: bool,
    },
}
