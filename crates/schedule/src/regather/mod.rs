// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Keep a gathered parameter, or gather it again: decided for each parameter, under a memory limit.
//!
//! A training step reads a sharded parameter twice, far apart: in the forward pass and in the backward pass. ZeRO stage 2
//! gathers it once and holds it in between; stage 3 (Rajbhandari et al., SC 2020) lets it go and gathers it again, which
//! costs time on the link and no memory. Programs take one of the two for all parameters. Here each set of gathers of one
//! value is decided on its own:
//! - *share*: a later gather is dropped, and what read it reads an earlier one;
//! - *split*: a gather whose readers stand far apart is issued a second time for those behind the widest gap.
//!
//! [`alternatives`] lists what may become of each set, [`apply`] makes the problem in which some of that has happened,
//! and [`choose`] asks [`schedule()`](crate::schedule()) which combination is fastest within the limit.
//!
//! Invariants: what is computed from what stays the same, up to which of several equal values is read. Source order stays a
//! topological order. No reader is moved to a gather on the other side of a fence, and gathers that are ordered differently
//! against other nodes by order-only dependences stay two. No result depends on the order in which sets are given.
//!
//! Deliberately absent: which gathers have equal values, which the caller knows (also where a program hides it behind
//! optimization barriers), and copies of views: a view that is read on both sides of a gap keeps its gather alive across it.

mod alternatives;
mod apply;
mod choose;
mod evaluate;
mod neighbours;
mod sets;
mod uses;

pub use alternatives::{Alternatives, Decision, MOST_COPIES, Shared, Split, alternatives};
pub use apply::{Origin, Rewritten, apply};
pub use choose::{Choice, Figures, MOST_VISITED, RegatherOptions, choose};
pub use sets::{Fact, RegatherError, Regathered};
