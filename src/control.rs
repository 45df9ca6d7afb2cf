// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How ops with regions, and branches between blocks, direct control.
//!
//! MLIR's interfaces for this are not in its C API, and the dialects of front ends are not registered; so the ops are
//! known by name here, in one place. An op that is not known is [`Control::Unknown`]: whoever meets it assumes the worst.

use std::collections::{HashMap, HashSet};

use petgraph::{algo::dominators, graphmap::DiGraphMap};

use crate::mlir::{Attr, Block, Op, Value};

/// What an op does with its regions.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// Runs at most one region, picked by a value.
    Branch(Branch),
    /// `scf.for`: the bounds and the step are the first three operands, then come initial values.
    For {
        lower: Value,
        upper: Value,
        step: Value,
        body: Block,
    },
    /// `scf.while` and `stablehlo.while`.
    While(While),
    /// Runs its one region once.
    Once,
    /// `affine.for`, `affine.if`: bounds, or a set, over the operands.
    Affine,
    /// Iterations in no order.
    Unordered,
    /// Anything else.
    Unknown,
}

/// See [`Control::Branch`].
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) condition: Value,
    /// Values that pick region 0, 1, ...; the default takes the rest.
    cases: Vec<(i64, usize)>,
    default: usize,
}

impl Branch {
    /// The region that runs for a value of the condition.
    pub(crate) fn region_for(&self, value: i64) -> usize {
        self.cases
            .iter()
            .find(|case| case.0 == value)
            .map_or(self.default, |case| case.1)
    }
}

/// A loop that tests before each iteration.
#[derive(Clone, Debug)]
pub(crate) struct While {
    /// Runs first in each iteration and computes the condition.
    pub(crate) before: Block,
    pub(crate) condition: Value,
    /// What the test hands to the body, and in the end to the results.
    pub(crate) forwarded: Vec<Value>,
    pub(crate) body: Block,
    /// What the body hands to the next test.
    pub(crate) next: Vec<Value>,
}

impl Control {
    /// How an op with regions directs control.
    pub(crate) fn of(op: Op) -> Self {
        Self::known(op).unwrap_or(Self::Unknown)
    }

    /// Whether an op decides what, or how often, its regions run.
    pub(crate) fn directs(op: Op) -> bool {
        op.num_regions() > 0 && !matches!(Self::of(op), Self::Once | Self::Unknown)
    }

    fn known(op: Op) -> Option<Self> {
        Some(match op.name() {
            "scf.if" | "stablehlo.if" => Self::Branch(Branch {
                condition: first_operand(op)?,
                cases: vec![(0, 1)],
                default: 0,
            }),
            "scf.index_switch" => {
                let cases = op.attr("cases").and_then(Attr::as_i64_array)?;
                Self::Branch(Branch {
                    condition: first_operand(op)?,
                    cases: cases
                        .into_iter()
                        .enumerate()
                        .map(|(index, value)| (value, index + 1))
                        .collect(),
                    default: 0,
                })
            }
            "stablehlo.case" => {
                let last = op.num_regions().checked_sub(1)?;
                Self::Branch(Branch {
                    condition: first_operand(op)?,
                    cases: (0..last).map(|index| (index as i64, index)).collect(),
                    default: last,
                })
            }
            "scf.for" if op.num_operands() >= 3 => Self::For {
                lower: op.operand(0),
                upper: op.operand(1),
                step: op.operand(2),
                body: op.region(0).next()?,
            },
            "scf.while" => {
                let (before, body) = (op.region(0).next()?, op.region(1).next()?);
                let test = before.terminator()?;
                Self::While(While {
                    before,
                    condition: first_operand(test)?,
                    forwarded: test.operands().skip(1).collect(),
                    body,
                    next: body.terminator()?.operands().collect(),
                })
            }
            "stablehlo.while" if op.num_regions() == 2 => {
                let (before, body) = (op.region(0).next()?, op.region(1).next()?);
                Self::While(While {
                    before,
                    condition: first_operand(before.terminator()?)?,
                    forwarded: before.arguments().collect(),
                    body,
                    next: body.terminator()?.operands().collect(),
                })
            }
            "scf.execute_region" | "memref.alloca_scope" | "sdy.manual_computation" => Self::Once,
            "affine.for" | "affine.if" => Self::Affine,
            "scf.forall" | "scf.parallel" | "affine.parallel" => Self::Unordered,
            _ => return None,
        })
    }
}

fn first_operand(op: Op) -> Option<Value> {
    (op.num_operands() > 0).then(|| op.operand(0))
}

/// The value that a terminator with several successors picks one by; nothing where it is not known.
pub(crate) fn branch_condition(terminator: Op) -> Option<Value> {
    matches!(terminator.name(), "cf.cond_br" | "cf.switch")
        .then(|| first_operand(terminator))
        .flatten()
}

/// Which successor a terminator of [`branch_condition`] takes for a value of it.
pub(crate) fn successor_for(terminator: Op, value: i64) -> usize {
    if terminator.name() == "cf.cond_br" {
        return usize::from(value == 0);
    }
    // Successor 0 is the default.
    let cases = terminator
        .attr("case_values")
        .and_then(Attr::as_dense_integers)
        .unwrap_or_default();
    // Of single bits the case may be spelt as -1, the value as 1.
    let is_bit = branch_condition(terminator).is_some_and(|flag| flag.ty().integer_width() == Some(1));
    let mask = if is_bit { 1 } else { -1 };
    cases
        .iter()
        .position(|&case| case & mask == value & mask)
        .map_or(0, |index| index + 1)
}

/// What a terminator passes to each of its successors; nothing for a terminator that is not known.
pub(crate) fn successor_operands(terminator: Op) -> Option<Vec<Vec<Value>>> {
    let operands: Vec<Value> = terminator.operands().collect();
    let mut sizes: Vec<usize> = Vec::new();
    let to_usize = |size: &i32| usize::try_from(*size).ok();
    let skip = match terminator.name() {
        "cf.br" => {
            sizes.push(operands.len());
            0
        }
        "cf.cond_br" => {
            let segments = terminator.attr("operandSegmentSizes")?.as_i32_array()?;
            sizes.extend(
                segments
                    .get(1..)?
                    .iter()
                    .map(to_usize)
                    .collect::<Option<Vec<_>>>()?,
            );
            1
        }
        "cf.switch" => {
            let segments = terminator.attr("operandSegmentSizes")?.as_i32_array()?;
            sizes.push(to_usize(segments.get(1)?)?);
            let cases = terminator.attr("case_operand_segments")?.as_i32_array()?;
            sizes.extend(cases.iter().map(to_usize).collect::<Option<Vec<_>>>()?);
            1
        }
        _ => return None,
    };
    let mut rest = operands.get(skip..)?;
    let mut lists = Vec::with_capacity(sizes.len());
    for size in sizes {
        let (list, tail) = rest.split_at_checked(size)?;
        lists.push(list.to_vec());
        rest = tail;
    }
    Some(lists)
}

/// Where all paths from each block of a region meet: its immediate post-dominator. A block has none where its paths meet
/// at the end of the region only. (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", as petgraph has it.)
pub(crate) fn joins(blocks: &[Block]) -> HashMap<Block, Block> {
    let index: HashMap<Block, usize> = blocks
        .iter()
        .enumerate()
        .map(|(index, &block)| (block, index))
        .collect();
    let exit = blocks.len();
    let mut reversed: DiGraphMap<usize, ()> = DiGraphMap::new();
    reversed.add_node(exit);
    for (from, block) in blocks.iter().enumerate() {
        let mut leaves = true;
        for successor in block.terminator().into_iter().flat_map(Op::successors) {
            leaves = false;
            reversed.add_edge(index[&successor], from, ());
        }
        if leaves {
            reversed.add_edge(exit, from, ());
        }
    }
    let dominators = dominators::simple_fast(&reversed, exit);
    let join = |from: usize| {
        dominators
            .immediate_dominator(from)
            .and_then(|join| blocks.get(join))
            .copied()
    };
    (0..exit)
        .filter_map(|from| Some((blocks[from], join(from)?)))
        .collect()
}

/// Blocks on paths from some branches to the block where they meet, without that.
pub(crate) fn between(branches: &[Op], join: Option<Block>) -> HashSet<Block> {
    let mut found = HashSet::new();
    let mut pending: Vec<Block> = branches.iter().flat_map(|branch| branch.successors()).collect();
    while let Some(block) = pending.pop() {
        if Some(block) != join && found.insert(block) {
            pending.extend(block.terminator().into_iter().flat_map(Op::successors));
        }
    }
    found
}
