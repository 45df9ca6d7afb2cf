// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A program as what must be done to a piece: ops that are kept, and ops that are made.
//!
//! An op is kept where the program applies it to the values that it has, whoever computes them. A scaling vanishes where
//! [`means`](super::means) finds sums that can be means instead, which is how the dialect spells them.

use comm_algebra::{Op as AlgebraOp, Origin, Program, Type};
use rustc_hash::FxHashSet;

use super::{means::means, pieces::Piece, terms::Terms};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// An argument of the program, by its number.
    Argument(usize),
    /// The result of a step.
    Step(usize),
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Nothing: the term at this index of the piece stays.
    Keep(usize),
    /// Makes an op, which takes the mean where the flag says so.
    Make(AlgebraOp, bool),
}

/// One step.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) operands: Vec<Source>,
    pub(super) ty: Type,
    /// The term, by its index in the piece, whose value this one computes.
    pub(super) instead: Option<usize>,
}

/// The steps of a program, operands before users.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    /// In the order of the piece's results.
    pub(super) results: Vec<Source>,
}

impl Steps {
    /// The steps of a program that computes what a piece does.
    pub(super) fn of(program: &Program, piece: &Piece, terms: &Terms) -> Self {
        let means = means(program);
        let mut steps: Vec<Step> = Vec::with_capacity(program.nodes().len());
        let mut source: Vec<Source> = Vec::with_capacity(program.nodes().len());
        let mut kept = FxHashSet::default();
        for (id, node) in program.ids().zip(program.nodes()) {
            if let AlgebraOp::Argument(argument) = &node.op {
                source.push(Source::Argument(argument.number as usize));
                continue;
            }
            if means.scalings.contains(&id) {
                source.push(source[node.operands[0].index()]);
                continue;
            }
            let is_mean = means.sums.contains(&id);
            let keep = match node.origin {
                Origin::Kept(tag) if tag % 2 == 0 => {
                    let index = tag as usize / 2;
                    let term = piece
                        .positions
                        .get(index)
                        .and_then(|&position| terms.at(position));
                    let is_same = term.is_some_and(|term| term.is_mean == is_mean);
                    (is_same && kept.insert(index)).then_some(index)
                }
                _ => None,
            };
            steps.push(Step {
                action: match keep {
                    Some(index) => Action::Keep(index),
                    None => Action::Make(node.op.clone(), is_mean),
                },
                operands: node
                    .operands
                    .iter()
                    .map(|operand| source[operand.index()])
                    .collect(),
                ty: node.ty.clone(),
                instead: match node.origin {
                    Origin::Kept(tag) | Origin::Instead(tag) => Some(tag as usize / 2),
                    Origin::New => None,
                },
            });
            source.push(Source::Step(steps.len() - 1));
        }
        Self {
            steps,
            results: program.results().iter().map(|id| source[id.index()]).collect(),
        }
    }
}
