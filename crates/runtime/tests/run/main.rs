// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs on worlds of threads.

mod arrays;
mod collectives;
mod faults;
mod gates;
mod interpreter;
mod links;
mod matmul;
mod memory;
mod mismatches;
mod reference;
mod refusals;
mod signals;
mod streams;
mod traces;

pub(crate) use comm_runtime::World;
