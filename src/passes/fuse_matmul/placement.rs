// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Where a fused op can stand: what it reads has to be there, or be cheap to make earlier.
//!
//! Made for one block as it stands; of no use once that has changed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    mlir::{Block, Op, Value},
    op_facts::{Work, is_pure, work},
    problem::for_each_operand,
};

/// Positions of the ops of a block.
pub(super) struct Placement {
    block: Block,
    positions: FxHashMap<Op, usize>,
}

impl Placement {
    /// O(ops of the block).
    pub(super) fn new(block: Block) -> Self {
        let positions = block.ops().enumerate().map(|(position, op)| (op, position));
        Self {
            block,
            positions: positions.collect(),
        }
    }

    /// The op of the block that is or holds `op`, and its position; nothing where it is elsewhere.
    pub(super) fn in_block(&self, op: Op) -> Option<(usize, Op)> {
        std::iter::successors(Some(op), |op| op.parent_op())
            .find(|op| op.parent_block() == Some(self.block))
            .and_then(|op| Some((*self.positions.get(&op)?, op)))
    }

    /// The ops that have to move before `anchor` for `values` to be there, in order; nothing where one of them is
    /// `forbidden`, has effects, or is real computation, whose order is not this pass's to change.
    pub(super) fn hoisted(
        &self,
        values: impl IntoIterator<Item = Value>,
        anchor: Op,
        forbidden: &FxHashSet<Op>,
    ) -> Option<Vec<Op>> {
        let &limit = self.positions.get(&anchor)?;
        let mut stack: Vec<Value> = values.into_iter().collect();
        let mut found: FxHashMap<Op, usize> = FxHashMap::default();
        while let Some(value) = stack.pop() {
            let Some(op) = value.defining_op() else { continue };
            // What is not in this block dominates it.
            let Some(&position) = self.positions.get(&op) else {
                continue;
            };
            if forbidden.contains(&op) {
                return None;
            }
            if position < limit || found.contains_key(&op) {
                continue;
            }
            if !is_pure(op) || work(op) == Work::Real {
                return None;
            }
            found.insert(op, position);
            for_each_operand(op, |operand| stack.push(operand));
        }
        let mut ops: Vec<(usize, Op)> = found.into_iter().map(|(op, position)| (position, op)).collect();
        ops.sort_unstable_by_key(|(position, _)| *position);
        Some(ops.into_iter().map(|(_, op)| op).collect())
    }
}
