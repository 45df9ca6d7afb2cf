// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Random programs of collectives and computation: made, written in MLIR, and evaluated.

pub mod evaluate;
pub mod generate;
pub mod program;
pub mod text;
