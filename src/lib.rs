// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Communication scheduling for MLIR.
//!
//! Collectives are ops of the dialect `comm`. Passes import them from StableHLO, torch-mlir and the upstream `shard`
//! dialect, split them into a start and a wait, and place all-gathers late, relative to their consumers, and
//! reductions early, relative to their producers.
//!
//! The crate is used in three ways: as the library behind `comm-opt`, as the plugin `libmlir_comm.so` that the stock
//! `mlir-opt` loads, and embedded in a compiler that has melior contexts and pass managers:
//!
//! ```
//! use melior::{Context, ir::Module, pass::PassManager};
//! use mlir_comm::passes::{self, SortOptions};
//!
//! let context = mlir_comm::context();
//! let mut module = Module::parse(&context, r#"
//!   func.func @f(%x: tensor<2xf32>) -> tensor<4xf32> {
//!     %g = comm.all_gather %x dim 0 over [[0, 1]] : tensor<2xf32> -> tensor<4xf32>
//!     return %g : tensor<4xf32>
//!   }"#).expect("the module parses");
//! let manager = PassManager::new(&context);
//! let functions = manager.nested_under("func.func");
//! functions.add_pass(passes::asyncify());
//! functions.add_pass(passes::sort(&SortOptions::default()));
//! manager.run(&mut module)?;
//! assert!(module.as_operation().to_string().contains("comm.wait"));
//! # Ok::<(), melior::Error>(())
//! ```
//!
//! What is where: [`passes`] builds passes with typed options, [`dialect`] registers the dialect and makes its types and
//! attributes, [`ods`] has typed builders and views of the ops (generated from `dialect/CommOps.td`), and
//! `comm_schedule` is the scheduler itself, free of MLIR.

// The macro in `ods` expands to paths in a crate `melior`, and to two marker types that melior has only with a feature
// that compiles all upstream dialects. This crate stands in for it: the items below are what the expansion names.
extern crate melior as mel;
extern crate self as melior;
#[doc(hidden)]
pub use mel::{Context, Error, StringRef, ir};

pub mod dialect;
pub mod drivers;
pub mod measure;
pub mod ods;
pub mod passes;
#[cfg(feature = "runner")]
pub mod runner;
pub mod timeline;

pub use dialect::context;

mod collective;
mod control;
mod cost;
mod diagnostics;
mod ffi;
mod fingerprint;
mod groups;
mod guard;
mod mlir;
mod op_facts;
mod plugin;
mod problem;
mod torch_purity;
mod uniform;
