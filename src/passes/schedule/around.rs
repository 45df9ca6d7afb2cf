// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is in flight around a block while it runs: started before the op that holds it, and awaited behind that op.
//!
//! No order changes it. An op that communicates in its regions is a fence, so communication of the block around it keeps
//! its side. So the limits in flight that are left for a block are known before any block is scheduled. Collectives that
//! are awaited in another block than the one that starts them are not counted: with a limit in flight the pass refuses
//! them. O(ops), and for each op that communicates in its regions the number of streams in flight around it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    collective::{Collective, is_wait},
    groups::Streams,
    mlir::{Block, Op, PassResult},
    problem::MOST_BYTES,
};

/// What is in flight around a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InFlight {
    /// The most collectives on any stream that the block uses itself.
    pub(super) collectives: u32,
    /// The fewest on any such stream.
    pub(super) fewest_collectives: u32,
    /// Bytes on all streams.
    pub(super) bytes: u64,
}

/// What is in flight around the blocks of a function.
#[derive(Default)]
pub(super) struct Around {
    of_block: FxHashMap<Block, InFlight>,
}

/// What is in flight at a place.
#[derive(Clone, Default)]
struct Now {
    /// By stream; those of none are left out.
    collectives: BTreeMap<String, u32>,
    bytes: u64,
}

impl Around {
    /// Of the blocks in `ops`, which lists outer ones first. Fails, after an error at the op, where the groups of a
    /// collective cannot be resolved.
    pub(super) fn new(ops: &[Op], communicating: &FxHashSet<Op>, streams: &mut Streams) -> PassResult<Self> {
        let mut around = Self::default();
        let mut of_op: FxHashMap<Op, Now> = FxHashMap::default();
        for &holder in ops.iter().filter(|op| communicating.contains(op)) {
            let outside = of_op.remove(&holder).unwrap_or_default();
            for block in holder.blocks() {
                let mut now = outside.clone();
                let mut own: Option<(u32, u32)> = None;
                for op in block.ops() {
                    if let Some(collective) = started(op) {
                        let stream = streams.name(collective)?;
                        let count = outside.collectives.get(stream).copied().unwrap_or(0);
                        let (fewest, most) = own.unwrap_or((count, count));
                        own = Some((fewest.min(count), most.max(count)));
                        *now.collectives.entry(stream.to_owned()).or_default() += 1;
                        now.bytes = now.bytes.saturating_add(bytes(op));
                    } else if let Some(collective) = awaited(op) {
                        let stream = streams.name(collective)?;
                        if let Some(count) = now.collectives.get_mut(stream) {
                            *count -= 1;
                            if *count == 0 {
                                now.collectives.remove(stream);
                            }
                        }
                        now.bytes = now.bytes.saturating_sub(bytes(collective.op));
                    } else if communicating.contains(&op) {
                        of_op.insert(op, now.clone());
                    }
                }
                let (fewest_collectives, collectives) = own.unwrap_or_default();
                around.of_block.insert(
                    block,
                    InFlight {
                        collectives,
                        fewest_collectives,
                        bytes: outside.bytes,
                    },
                );
            }
        }
        Ok(around)
    }

    /// What is in flight around a block.
    pub(super) fn of(&self, block: Block) -> InFlight {
        self.of_block.get(&block).copied().unwrap_or_default()
    }
}

/// The op as the start of a collective that is awaited in its block.
fn started(op: Op) -> Option<Collective> {
    Collective::new(op).filter(|collective| {
        collective
            .wait()
            .is_some_and(|wait| wait.parent_block() == op.parent_block())
    })
}

/// The collective in the block of a wait that it awaits.
fn awaited(op: Op) -> Option<Collective> {
    let start = is_wait(op).then(|| op.operand(0).defining_op()).flatten()?;
    started(start).filter(|_| start.parent_block() == op.parent_block())
}

/// As the scheduler's problem counts them.
fn bytes(op: Op) -> u64 {
    op.results()
        .map(|result| result.ty().bytes())
        .fold(0, u64::saturating_add)
        .min(MOST_BYTES)
}
