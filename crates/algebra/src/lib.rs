// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Identities of collectives: programs over many devices, rewritten by equality saturation.
//!
//! A compiler describes straight-line code with collectives as a [`Program`], asks for [`alternatives()`], and gets the
//! program as it is together with the best few others that compute the same: reduce-scatters where a slice of an
//! all-reduce is kept, gathers that are not needed for weight gradients, values narrowed before they are sent. It then
//! times each one as it sees fit, since a linear price (bytes, operations) does not see what overlaps.
//!
//! ```
//! use comm_algebra::{Element, Fp, Groups, Kind, Op, Options, Program, Type, alternatives};
//! let mut groups = Groups::new(8)?;
//! let data = groups.add_axes(&[4, 2], &[0])?;
//! let mut program = Program::new(groups);
//! let gradient = program.argument(0, Type::new(Element::F32, &[1024, 512]), &[])?;
//! let sum = program.push(Op::AllReduce { kind: Kind::Sum, group: data }, &[gradient], 1)?;
//! let own = program.push(Op::Shard { dim: 0, group: data }, &[sum], 2)?;
//! program.set_results(&[own])?;
//!
//! let found = alternatives(&program, &Options::default().fp(Fp::Reassociate))?;
//! let best = found.best();
//! assert!(matches!(best.program.nodes()[1].op, Op::ReduceScatter { dim: 0, .. }));
//! assert_eq!(best.work.sent * 2, found.list[found.given].work.sent);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Parts
//! - [`groups`]: groups of devices, their relations, and where values are known to be equal.
//! - [`op`], [`function`], [`types`], [`mod@infer`]: the language, and which terms are legal.
//! - [`program`]: what a caller hands in and gets back, with the caller's tags.
//! - [`language`]: programs as e-graphs; facts of each class of equal values.
//! - [`rules`]: the identities as values, with conditions and floating-point class.
//! - [`mod@saturate`]: growing the e-graph under limits that are counted, never timed.
//! - [`cost`], [`extract`]: prices, and the search for alternatives.
//! - [`interpreter`]: the meaning of the language on simulated devices. No rule is believed: the tests run both sides of
//!   every rule on random programs, and show for every condition what goes wrong without it.
//! - [`picture`]: e-graphs for Graphviz.
//!
//! # What this crate does not do
//! It knows no effects, no order and no time: the caller keeps ops with effects outside, and schedules what it gets. Nor
//! does it know memory: whether two uses share one gather is the caller's choice, made by giving the argument two
//! instances ([`Program::argument_instance`], [`separate::separate`]).
//!
//! Invariant of the crate: no result depends on hash order, time, or the number of threads.
#![forbid(unsafe_code)]

pub mod cost;
pub mod extract;
pub mod function;
pub mod groups;
pub mod infer;
pub mod interpreter;
pub mod language;
pub mod op;
pub mod picture;
pub mod program;
pub mod rules;
pub mod saturate;
pub mod separate;
pub mod types;

pub use cost::{Prices, Work, work};
pub use extract::{Alternative, Alternatives, ExtractError, Options, alternatives};
pub use function::{Factor, Function};
pub use groups::{GroupError, GroupId, Grouping, Groups};
pub use infer::TypeError;
pub use op::{Argument, Dot, Kind, Op, Role, Side};
pub use program::{NodeId, Origin, Program, ProgramError, ProgramNode};
pub use rules::Fp;
pub use saturate::{SaturateError, SaturateOptions, SaturateReport, Saturated, saturate};
pub use types::{Element, Type};
