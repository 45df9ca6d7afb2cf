// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Identities of collectives.
#![forbid(unsafe_code)]

pub mod cost;
pub mod extract;
pub mod function;
pub mod groups;
pub mod infer;
pub mod interpreter;
pub mod language;
pub mod op;
pub mod program;
pub mod rules;
pub mod saturate;
pub mod types;

pub use cost::{Prices, Work, work};
pub use extract::{Alternative, Alternatives, ExtractError, Options, alternatives};
pub use function::{Factor, Function};
pub use groups::{GroupError, GroupId, Grouping, Groups};
pub use op::{Argument, Dot, Kind, Op, Role, Side};
pub use program::{NodeId, Origin, Program, ProgramError, ProgramNode};
pub use rules::Fp;
pub use saturate::{SaturateOptions, SaturateReport, saturate};
pub use types::{Element, Type};
