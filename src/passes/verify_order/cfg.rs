// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Follows ranks through a region of several blocks.
//!
//! Ranks that part at a branch meet again at the block that all paths from there lead to. In between each party is
//! followed alone.

use std::collections::{BTreeMap, HashMap};

use super::walk::{Walk, all_known};
use crate::{
    control::{between, branch_condition, joins, successor_for, successor_operands},
    diagnostics,
    mlir::{Block, Op, PassResult, Value},
};

/// Runs all blocks of a region, the first of which is its entry.
pub(super) fn run(walk: &mut Walk, blocks: Vec<Block>, ranks: &[usize]) -> PassResult {
    let Some(&entry) = blocks.first() else {
        return Ok(());
    };
    let joins = joins(&blocks);
    Region { blocks, joins }.follow(walk, entry, None, ranks)
}

struct Region {
    blocks: Vec<Block>,
    /// Where all paths from a block meet; nothing where they meet at the end of the region only.
    joins: HashMap<Block, Block>,
}

impl Region {
    /// Runs blocks from `block` until `until`, or until the region ends.
    fn follow(&self, walk: &mut Walk, block: Block, until: Option<Block>, ranks: &[usize]) -> PassResult {
        let mut next = Some(block);
        while let Some(block) = next.filter(|&block| Some(block) != until) {
            let Some(terminator) = block.terminator() else {
                return Ok(());
            };
            walk.spend(terminator, ranks)?;
            walk.block(block, ranks)?;
            let successors: Vec<Block> = terminator.successors().collect();
            next = match successors[..] {
                [] => None,
                [only] => {
                    pass_on(walk, terminator, 0, only, ranks);
                    Some(only)
                }
                _ => self.branch(walk, block, terminator, &successors, ranks)?,
            };
        }
        Ok(())
    }

    fn follow_nested(
        &self,
        walk: &mut Walk,
        terminator: Op,
        block: Block,
        until: Option<Block>,
        ranks: &[usize],
    ) -> PassResult {
        walk.nested(terminator, |walk| self.follow(walk, block, until, ranks))
    }

    /// Runs what lies between a branch and the block where its paths meet, which is returned.
    fn branch(
        &self,
        walk: &mut Walk,
        block: Block,
        terminator: Op,
        successors: &[Block],
        ranks: &[usize],
    ) -> PassResult<Option<Block>> {
        let condition = branch_condition(terminator);
        let join = self.joins.get(&block).copied();
        if let Some(condition) = condition
            && let Some(values) = all_known(&walk.evaluator.lanes(condition), ranks)
        {
            let mut parties: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (&rank, &value) in ranks.iter().zip(&values) {
                parties
                    .entry(successor_for(terminator, value))
                    .or_default()
                    .push(rank);
            }
            let together = parties.len() == 1;
            for (index, party) in parties {
                pass_on(walk, terminator, index, successors[index], &party);
                if together {
                    return Ok(Some(successors[index]));
                }
                self.follow_nested(walk, terminator, successors[index], join, &party)?;
            }
            return Ok(join);
        }

        let between = between(&[terminator], join);
        let is_loop = between.contains(&block);
        let arguments = self
            .blocks
            .iter()
            .filter(|block| between.contains(block) || Some(**block) == join);
        let arguments: Vec<Value> = arguments.flat_map(|block| block.arguments()).collect();
        let forget = |walk: &mut Walk| walk.evaluator.unbind(arguments.iter().copied());
        forget(walk);
        if !between.iter().any(|&block| walk.program.block_issues(block)) {
            return Ok(join);
        }
        let is_uniform = |terminator: Op| {
            branch_condition(terminator)
                .is_some_and(|condition| walk.program.uniformity.is_uniform(condition))
        };
        if is_uniform(terminator) {
            let inside: Vec<Block> = self
                .blocks
                .iter()
                .copied()
                .filter(|block| between.contains(block))
                .collect();
            let mut branches = inside.iter().filter_map(|block| block.terminator());
            if let Some(other) = branches.find(|&op| op.successors().nth(1).is_some() && !is_uniform(op)) {
                if !is_loop {
                    // All ranks take one of the paths, each of which is checked on its own.
                    for (index, &successor) in successors.iter().enumerate() {
                        walk.together(terminator, ranks, |walk| {
                            pass_on(walk, terminator, index, successor, ranks);
                            self.follow_nested(walk, terminator, successor, join, ranks)
                        })?;
                    }
                    forget(walk);
                    return Ok(join);
                }
                return Err(diagnostics::op_error_with_notes(
                    other,
                    "branches on a value that may differ between ranks, between blocks that issue collectives and that run \
                     unknown times; one order of collectives cannot be proved, but may be where the loop is an scf.for or \
                     scf.while",
                    &[(terminator, "runs them unknown times")],
                ));
            }
            for block in inside {
                walk.together(block.terminator().unwrap_or(terminator), ranks, |walk| {
                    walk.block(block, ranks)
                })?;
            }
            return Ok(join);
        }
        if is_loop {
            return Err(unequal(terminator));
        }
        walk.equal_arms(terminator, successors.len(), ranks, |walk, index| {
            pass_on(walk, terminator, index, successors[index], ranks);
            self.follow_nested(walk, terminator, successors[index], join, ranks)
        })?;
        // Which arm a rank took is not known, so neither is what it passed on.
        forget(walk);
        Ok(join)
    }
}

fn unequal(terminator: Op) -> crate::mlir::Failed {
    diagnostics::op_error(
        terminator,
        "branches on a value that may differ between ranks, in a loop that issues collectives; ranks may run it unequally \
         often",
    )
}

/// Binds a successor's arguments to what the terminator passes.
fn pass_on(walk: &mut Walk, terminator: Op, index: usize, successor: Block, ranks: &[usize]) {
    let arguments: Vec<Value> = successor.arguments().collect();
    match successor_operands(terminator).and_then(|lists| lists.into_iter().nth(index)) {
        Some(values) => walk.rebind(&values, &arguments, ranks),
        None => walk.evaluator.unbind(arguments),
    }
}
