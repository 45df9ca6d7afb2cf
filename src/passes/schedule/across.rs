// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What goes from block to block of a region with several blocks: bytes that are alive in a block although another one
//! owns them, and collectives that are awaited in another block than the one that starts them.
//!
//! The bytes count in the whole of each block in which they are alive on entry, also where their last use is in its middle;
//! so the memory of such a block may be overestimated, never underestimated, and nothing is proved to be its least. What
//! branches pass to a block as its arguments counts there in the same way. What the block itself yields for others is the
//! business of its problem. Values of enclosing regions are not counted here: they are alive around the op that holds the
//! region.
//!
//! Liveness is found from each use backwards, as SSA form allows (Boissinot et al., "Computing Liveness Sets for SSA-Form
//! Programs", 2011). O(operands, through views, and for each value the blocks that it is alive in).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    collective::Collective,
    mlir::{Block, Op, Value},
    op_facts::{self, Interference, Work},
    problem::{MOST_BYTES, for_each_operand},
};

/// What goes from block to block in the regions of a function.
#[derive(Default)]
pub(super) struct Across {
    bytes: FxHashMap<Block, u64>,
    /// Starts whose wait is in another block.
    futures: Vec<Op>,
    /// Regions that hold such a start.
    regions_of_futures: FxHashSet<usize>,
}

impl Across {
    /// Of the regions of those of `ops` that communicate.
    pub(super) fn new(ops: &[Op], communicating: &FxHashSet<Op>) -> Self {
        let mut across = Self::default();
        for &holder in ops.iter().filter(|op| communicating.contains(op)) {
            for region in 0..holder.num_regions() {
                let blocks: Vec<Block> = holder.region(region).collect();
                if blocks.len() > 1 {
                    across.add_region(&blocks);
                }
            }
        }
        across
    }

    /// Bytes that are alive in a block beside those that it owns.
    pub(super) fn bytes(&self, block: Block) -> u64 {
        self.bytes.get(&block).copied().unwrap_or(0)
    }

    /// Starts whose wait is in another block.
    pub(super) fn futures(&self) -> &[Op] {
        &self.futures
    }

    /// Whether nothing that the block's problem says of memory and communication is left out or overestimated.
    pub(super) fn is_exact(&self, block: Block) -> bool {
        self.bytes(block) == 0 && !self.regions_of_futures.contains(&block.region_id())
    }

    fn add_region(&mut self, blocks: &[Block]) {
        let mut predecessors: FxHashMap<Block, Vec<Block>> =
            blocks.iter().map(|block| (*block, Vec::new())).collect();
        for &block in blocks {
            for successor in block.terminator().into_iter().flat_map(Op::successors) {
                predecessors.entry(successor).or_default().push(block);
            }
        }
        let mut is_live: FxHashSet<(Value, Block)> = FxHashSet::default();
        let mut used = Vec::new();
        for (index, &block) in blocks.iter().enumerate() {
            // Values that this block uses, and what they are views of.
            let mut seen: FxHashSet<Value> = FxHashSet::default();
            for op in block.ops() {
                if Collective::new(op)
                    .and_then(|collective| collective.wait())
                    .is_some_and(|wait| wait.parent_block() != Some(block))
                {
                    self.futures.push(op);
                    self.regions_of_futures.insert(block.region_id());
                }
                for_each_operand(op, |value| used.push(value));
                while let Some(value) = used.pop() {
                    let Some(owner) = definition(value).filter(|owner| predecessors.contains_key(owner))
                    else {
                        continue;
                    };
                    let is_argument = value.defining_op().is_none();
                    // What the block owns itself, and the arguments of the region, which are counted apart.
                    if owner == block && !(is_argument && index > 0) || is_argument && owner == blocks[0] {
                        continue;
                    }
                    if !seen.insert(value) {
                        continue;
                    }
                    match value.defining_op().filter(|op| is_view(*op)) {
                        Some(view) => used.extend(view.operands()),
                        None => self.mark(value, owner, block, &predecessors, &mut is_live),
                    }
                }
            }
        }
    }

    /// Counts a value that is used in a block in all blocks on the way there from its owner; in its owner too if it is an
    /// argument of that, since ops of the block do not own it.
    fn mark(
        &mut self,
        value: Value,
        owner: Block,
        block: Block,
        predecessors: &FxHashMap<Block, Vec<Block>>,
        is_live: &mut FxHashSet<(Value, Block)>,
    ) {
        let size = value.ty().bytes().min(MOST_BYTES);
        let is_argument = value.defining_op().is_none();
        let mut stack = vec![block];
        while let Some(at) = stack.pop() {
            if at == owner && !is_argument || !is_live.insert((value, at)) {
                continue;
            }
            let bytes = self.bytes.entry(at).or_default();
            *bytes = bytes.saturating_add(size);
            if at != owner {
                stack.extend(predecessors.get(&at).into_iter().flatten());
            }
        }
    }
}

/// The block that defines a value.
fn definition(value: Value) -> Option<Block> {
    match value.defining_op() {
        Some(op) => op.parent_block(),
        None => value.argument_of(),
    }
}

/// As the scheduler's problem takes it.
fn is_view(op: Op) -> bool {
    op_facts::work(op) == Work::View && op_facts::interference(op) == Interference::None
}
