// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Communication scheduling without MLIR: dependence problems, the two sorts, and what checks them.
//!
//! A compiler describes one block as a [`Problem`], asks [`sort()`] for an order and moves its operations accordingly.
//! The order is checked by [`verify()`], which shares no code with any sort, and measured by [`in_flight()`] and
//! [`memory`].
//!
//! ```
//! use comm_schedule::{Collective, Node, Problem, SortOptions, sort, verify};
//! let mut problem = Problem::new();
//! let link = problem.stream("dp");
//! let shard = problem.push(Node::arg().bytes(64));
//! let input = problem.push(Node::arg().bytes(64));
//! // As a front end emits it: started and awaited at once, although the activation is computed first.
//! let start = problem.push(Node::start(Collective::AllGather, link).bytes(256).deps(&[shard]));
//! let weight = problem.push(Node::wait(start).deps(&[start, shard]));
//! let activation = problem.push(Node::compute().ns(1000).bytes(64).deps(&[input]));
//! let matmul = problem.push(Node::compute().ns(1000).bytes(64).deps(&[activation, weight]));
//! problem.push(Node::compute().deps(&[matmul]));
//!
//! let sorted = sort(&problem, &SortOptions { max_in_flight: 0, ..Default::default() }).unwrap();
//! verify(&problem, &sorted.order).unwrap();
//! let position = |node| sorted.order.iter().position(|&id| id == node).unwrap();
//! assert!(position(activation) < position(weight), "the wait stands before its first consumer");
//! ```
//!
//! [`schedule()`] decides the order of computation too, by the durations of the nodes, under hard limits, and says how far the
//! step time is from a bound that no order beats:
//!
//! ```
//! use comm_schedule::{Collective, Node, Problem, ScheduleError, ScheduleOptions, schedule};
//! let mut problem = Problem::new();
//! let link = problem.stream("dp");
//! let shard = problem.push(Node::arg());
//! let start = problem.push(Node::start(Collective::AllGather, link).ns(900).bytes(256).deps(&[shard]));
//! let weight = problem.push(Node::wait(start).deps(&[start, shard]));
//! let hides = problem.push(Node::compute().ns(1000).bytes(64));
//! problem.push(Node::compute().ns(1000).bytes(64).deps(&[hides, weight]));
//!
//! let outcome = schedule(&problem, &ScheduleOptions { memory_limit: Some(400), ..Default::default() }).unwrap();
//! assert_eq!((outcome.source.time_ns, outcome.point.time_ns), (2900, 2000));
//! assert_eq!(outcome.point.time_ns, outcome.bound_ns, "no order is faster");
//!
//! // A limit that cannot be kept is an error that names the least one that can.
//! let tight = ScheduleOptions { memory_limit: Some(300), ..Default::default() };
//! assert!(matches!(schedule(&problem, &tight), Err(ScheduleError::LimitNotMet { least: 384, .. })));
//! ```
//!
//! Invariant of the crate: no result depends on hash order, time, or the number of threads, and no algorithm recurses
//! on the depth of its input.
#![forbid(unsafe_code)]

// Unit tests share their oracle with the tests outside the crate, which know the crate by its name.
#[cfg(test)]
extern crate self as comm_schedule;

pub mod bounds;
pub mod bucket;
pub mod check;
pub mod explain;
pub mod graph;
pub mod in_flight;
pub mod json;
pub mod machine;
pub mod memory;
pub mod node;
pub mod picture;
mod prefixes;
pub mod problem;
pub mod regather;
pub mod schedule;
pub mod sort;
mod stream_numbers;
pub mod text;
pub mod timing;
pub mod verify;

pub use check::ProblemError;
pub use explain::{Cause, Explanation, explain};
pub use graph::{DependenceGraph, DependenceKind};
pub use in_flight::{InFlight, in_flight};
pub use machine::{Machine, MachineError, Profile};
pub use node::{Class, Collective, Kind, LinkId, Node, NodeId, StreamId};
pub use problem::Problem;
pub use schedule::{Effort, Limited, Point, ScheduleError, ScheduleOptions, ScheduleOutcome, schedule};
pub use sort::{AllGather, ReduceScatter, SortError, SortOptions, SortOutcome, SortReport, Ties, sort};
pub use timing::{Contention, Timeline, timeline, timeline_with};
pub use verify::{VerifyError, verify};
