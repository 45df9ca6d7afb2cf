// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs on worlds of processes: those of `tests/run`, and what only processes can do, such as to be killed.

#[path = "../run/arrays.rs"]
mod arrays;
#[path = "../run/collectives.rs"]
mod collectives;
#[path = "../run/faults.rs"]
mod faults;
#[path = "../run/interpreter.rs"]
mod interpreter;
mod job;
#[path = "../run/memory.rs"]
mod memory;
#[path = "../run/mismatches.rs"]
mod mismatches;
mod processes;
#[path = "../run/reference.rs"]
mod reference;
#[path = "../run/refusals.rs"]
mod refusals;
#[path = "../run/signals.rs"]
mod signals;
mod world;

pub(crate) use world::World;
