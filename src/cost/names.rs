// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the memory traffic of an op depends on of its name.
//!
//! The tables are searched once for each name: programs have few names and many ops.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::traffic::{self, Access};
use crate::{
    mlir::Op,
    op_facts::{is_terminator, is_view_name},
};

/// What a name says.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameFacts {
    /// All such ops take no time.
    pub(super) is_free: bool,
    /// The op is a view if it touches no buffer.
    pub(super) is_view: bool,
    pub(super) is_allocation: bool,
    pub(super) is_fill: bool,
    /// How much of its tensors it reads and writes.
    pub(super) access: Access,
}

/// Remembers names.
#[derive(Default)]
pub(super) struct Names {
    /// By identity of the name.
    facts: RefCell<FxHashMap<usize, NameFacts>>,
}

impl Names {
    pub(super) fn of(&self, op: Op) -> NameFacts {
        let mut facts = self.facts.borrow_mut();
        *facts.entry(op.name_id()).or_insert_with(|| {
            let name = op.name();
            NameFacts {
                is_free: is_terminator(name) || traffic::is_free_name(name),
                is_view: is_view_name(name),
                is_allocation: name == "bufferization.alloc_tensor",
                is_fill: name == "linalg.fill",
                access: Access::of_name(name),
            }
        })
    }
}
