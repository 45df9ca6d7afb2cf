// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A program as what must be done to a piece: ops that are kept, and ops that are made.
//!
//! An op is kept where the program applies it to the values that it has, whoever computes them. A sum over a group that is
//! scaled by one over its members, and read by nothing else, becomes one step: that is how the dialect spells a mean.

use comm_algebra::{GroupId, NodeId, Op as AlgebraOp, Origin, Program, Type};
use rustc_hash::FxHashSet;

use super::{
    pieces::Piece,
    terms::{Terms, is_mean_of},
};

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
            // The sum of a mean is the step of its scaling; nothing asks for it.
            if means.iter().any(|mean| mean.sum == id) {
                source.push(Source::Step(steps.len()));
                continue;
            }
            let mean = means.iter().find(|mean| mean.scaling == id);
            let reduced = mean.map_or(node, |mean| program.node(mean.sum));
            let operands = reduced.operands.iter().map(|operand| source[operand.index()]);
            let keep = match (reduced.origin, mean.is_some()) {
                (Origin::Kept(tag), is_mean) if tag % 2 == 0 => {
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
                    None => Action::Make(reduced.op.clone(), mean.is_some()),
                },
                operands: operands.collect(),
                ty: node.ty.clone(),
            });
            source.push(Source::Step(steps.len() - 1));
        }
        Self {
            steps,
            results: program.results().iter().map(|id| source[id.index()]).collect(),
        }
    }
}

/// A sum over a group and its scaling to the mean.
struct Mean {
    sum: NodeId,
    scaling: NodeId,
}

fn means(program: &Program) -> Vec<Mean> {
    let uses = |id: NodeId| {
        let operands = program.nodes().iter().flat_map(|node| &node.operands);
        operands
            .chain(program.results())
            .filter(|&&used| used == id)
            .count()
    };
    let is_sum = |op: &AlgebraOp| -> Option<GroupId> {
        match op {
            AlgebraOp::AllReduce { kind, group } | AlgebraOp::ReduceScatter { kind, group, .. } => {
                (*kind == comm_algebra::Kind::Sum).then_some(*group)
            }
            _ => None,
        }
    };
    program
        .ids()
        .filter_map(|scaling| {
            let node = program.node(scaling);
            let &sum = node.operands.first()?;
            let group = is_sum(&program.node(sum).op)?;
            let is_mean = is_mean_of(&node.op, program.groups().size(group)) && node.ty.element.is_float();
            (is_mean && uses(sum) == 1).then_some(Mean { sum, scaling })
        })
        .collect()
}
