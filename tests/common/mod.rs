// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the test binaries share: random programs, a reader of IR and a checker of schedules. None of it shares code with
//! the passes; all of it goes through the public C API.
#![allow(dead_code)] // Every test binary uses its own part.

pub mod check;
pub mod generate;
pub mod ir;
pub mod moves;
pub mod mutate;
pub mod run;
pub mod shrink;
