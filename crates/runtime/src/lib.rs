// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The run-time library of programs of the dialect `comm_stream`: what a compiled program calls on each rank.
//!
//! A [`World`] runs one program on so many ranks, which are threads of this process or, with the feature `mpi` and
//! `World::run_mpi`, the processes of an MPI job. A [`Rank`] is the context that
//! the program gets: it has streams, events, symmetric memory, signals, barriers and collectives. The C interface
//! ([`ffi`], `include/comm_rt.h`) is the same in C.
//!
//! ```
//! use comm_runtime::{At, Element, Reduction, Tensor, World};
//!
//! let sums = World::default().run(4, |rank| {
//!     let everyone = rank.group(&[0, 1, 2, 3])?;
//!     let stream = rank.current_stream()?;
//!     let mut value = [rank.index() as f32];
//!     let tensor = Tensor::contiguous(value.as_mut_ptr().cast(), Element::F32, &[1]);
//!     let at = At::from("example.mlir:7:3");
//!     // SAFETY: nothing touches `value` until the stream is waited for.
//!     unsafe { rank.all_reduce(stream, everyone, Reduction::Sum, &[tensor.clone()], &[tensor], at)? };
//!     rank.synchronize(stream, at)?;
//!     Ok(value[0])
//! });
//! assert_eq!(sums.all()?, [6.0; 4]);
//! # Ok::<(), comm_runtime::Error>(())
//! ```
//!
//! # Parts
//! - [`World`], [`Options`], [`Outcome`]: running a program. [`Rank`], [`At`]: what it calls.
//! - [`Tensor`], [`Element`], [`Reduction`], [`fn@matmul`]: data and what is done with it.
//! - [`Error`], [`Fault`], [`Site`]: every failure names rank, op and source location.
//! - [`RankTrace`], [`chrome_trace`]: what happened when.
//! - [`ffi`]: the C interface.
//!
//! # Promises
//! - **Nothing hangs.** What waits for another rank ends when the other comes, is late beyond the timeout, departs,
//!   or when anything fails anywhere. Only a computation that never ends is beyond reach.
//! - **Results are the same bits** every time: no order of additions depends on threads or time.
//! - **Faults leave nothing behind.** Symmetric memory is freed and all threads have ended when a run returns,
//!   however.
//! - **No panic crosses the C interface.**
//!
//! # What this crate does not do
//! It does not check that a program synchronises what it should (`comm-verify-stream` does), and it knows no IR.
#![deny(missing_docs)]

mod board;
mod collective;
mod core;
mod element;
mod error;
mod execute;
pub mod ffi;
mod group;
mod handles;
mod link;
mod matmul;
#[cfg(feature = "mpi")]
mod mpi;
mod options;
mod rank;
mod reduce;
mod stream;
mod strided;
mod sync;
mod tensor;
mod threads;
mod trace;
mod transport;
mod world;

pub use element::Element;
pub use error::{Error, Fault, Missing, Site};
pub use handles::{Buffer, Event, Group, Stream};
pub use matmul::{Matrix, matmul};
pub use options::{Link, Options};
pub use rank::{At, Rank};
pub use reduce::Reduction;
pub use tensor::Tensor;
pub use threads::live_symmetric_bytes;
pub use trace::{Category, RankTrace, Span, chrome_trace};
pub use world::{Outcome, World};
