// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Schedules as pictures: text for a terminal, SVG, and a trace for a trace viewer.
//!
//! A [`Picture`] holds what there is to see of one order: the bars of each stream, the *gaps* in which nothing is computed
//! with the collective that each waits for, live memory over time, and the figures of the step. [`text`](text()),
//! [`svg`](svg()) and [`trace`] render any number of them on one time scale, which is how two schedules are
//! compared. Renderers only read; they decide nothing about a schedule.
//!
//! Invariants: the gaps of a picture and the bars of its computation fill the step without overlap, so the gaps sum up to
//! the exposed time that is not [`Inside`] of bars; bars of one lane do not overlap; equal pictures give equal texts.
//!
//! ```
//! use comm_schedule::picture::{Picture, TextOptions, text};
//! use comm_schedule::{Collective, Node, Problem};
//! let mut problem = Problem::new();
//! let link = problem.stream("dp");
//! let start = problem.push(Node::start(Collective::AllGather, link).ns(3_000));
//! let wait = problem.push(Node::wait(start).deps(&[start]));
//! problem.push(Node::compute().ns(1_000).deps(&[wait]));
//! let order: Vec<_> = problem.ids().collect();
//! let picture = Picture::new("one gather", &problem, &order).unwrap();
//! assert!(text(&[picture], &TextOptions::default()).contains("exposed 3 us"));
//! ```

mod category;
mod figures;
mod label;
mod losses;
mod merge;
mod model;
mod svg;
mod text;
mod trace;
mod units;

pub use category::Category;
pub use model::{Await, Bar, Gap, Inside, Lane, MemoryStep, Picture, PictureError};
pub use svg::{SvgOptions, svg};
pub use text::{TextOptions, text};
pub use trace::trace;
