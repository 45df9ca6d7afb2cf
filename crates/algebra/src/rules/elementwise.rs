// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, movement: elementwise functions and converts commute with collectives that only move data.

use egg::Id;

use super::{
    Condition::{KeepsZero, Replicated, SameDim, SameOrder},
    Fp, Rule, law,
    site::{Guard, Site, Tree, apply},
};
use crate::{groups::GroupId, language::Term, op::Op};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C4",
        statement: "h (all_gather x, all_gather y, ...) = all_gather (h (x, y, ...)), for any elementwise h",
        why: "Elements meet the same partners before and after the move.",
        class: Fp::Exact,
        forward: law(&[SameDim, SameOrder], c4_forward),
        backward: Some(law(&[], c4_backward)),
    },
    Rule {
        name: "C5",
        statement: "h (all_gather x, r) = all_gather (h (x, shard r)), for any elementwise h and r equal in the group",
        why: "Each device has the part of r that its part of x meets.",
        class: Fp::Exact,
        forward: law(&[Replicated], c5_forward),
        backward: Some(law(&[SameDim, SameOrder, Replicated], c5_backward)),
    },
    Rule {
        name: "C33",
        statement: "h . move = move . h, for h elementwise or a convert, move a gather, exchange, broadcast or permute",
        why: "It does not matter where an element is when the function is applied; so narrow before sending. A device \
              that receives nothing has zero.",
        class: Fp::Exact,
        forward: law(&[KeepsZero], c33_forward),
        backward: Some(law(&[KeepsZero], c33_backward)),
    },
];

/// Of a value that is gathered, the part; with a condition waived also of one that is gathered otherwise.
fn part(site: &Site, guard: &mut Guard, value: Id, dim: usize, group: GroupId) -> Option<Id> {
    let gathers = |term: &&Term| matches!(term.op, Op::AllGather { .. });
    let wanted = Op::AllGather { dim, group };
    if let Some(term) = site.terms(value).find(|term| term.op == wanted) {
        return Some(term.operands[0]);
    }
    let term = site.terms(value).find(gathers)?;
    let Op::AllGather {
        dim: other,
        group: second,
    } = term.op
    else {
        return None;
    };
    let joins = guard.require(SameDim, dim == other) && guard.require(SameOrder, group == second);
    joins.then(|| term.operands[0])
}

fn c4_forward(site: &mut Site) {
    if !matches!(site.term.op, Op::Map(_)) || site.arity() < 2 {
        return;
    }
    for first in site.inner() {
        let Op::AllGather { dim, group } = first.op else {
            continue;
        };
        let mut guard = site.guard();
        let parts: Option<Vec<Tree>> = site
            .term
            .operands
            .iter()
            .enumerate()
            .map(|(number, &operand)| match number {
                0 => Some(Tree::Class(first.operands[0])),
                _ => part(site, &mut guard, operand, dim, group).map(Tree::Class),
            })
            .collect();
        if let Some(parts) = parts {
            site.emit(
                guard,
                Fp::Exact,
                apply(first.op.clone(), Tree::Apply(site.term.op.clone(), parts)),
            );
        }
    }
}

fn c4_backward(site: &mut Site) {
    let Op::AllGather { .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        if matches!(inner.op, Op::Map(_)) && inner.operands.len() > 1 {
            let gathered = inner
                .operands
                .iter()
                .map(|&part| apply(site.term.op.clone(), part))
                .collect();
            site.emit(site.guard(), Fp::Exact, Tree::Apply(inner.op.clone(), gathered));
        }
    }
}

fn c5_forward(site: &mut Site) {
    if !matches!(site.term.op, Op::Map(_)) || site.arity() < 2 {
        return;
    }
    for (pivot, &operand) in site.term.operands.iter().enumerate() {
        for first in site.terms(operand) {
            let Op::AllGather { dim, group } = first.op else {
                continue;
            };
            let mut guard = site.guard();
            let mut sharded = false;
            let mut parts = Vec::new();
            for (number, &operand) in site.term.operands.iter().enumerate() {
                let exact = Op::AllGather { dim, group };
                let gathered = site
                    .terms(operand)
                    .find(|term| term.op == exact)
                    .map(|term| term.operands[0]);
                if number == pivot {
                    parts.push(Tree::Class(first.operands[0]));
                } else if let Some(part) = gathered {
                    parts.push(Tree::Class(part));
                } else if guard.require(Replicated, site.replicated(operand, group)) {
                    sharded = true;
                    parts.push(apply(Op::Shard { dim, group }, operand));
                } else {
                    break;
                }
            }
            if sharded && parts.len() == site.arity() {
                site.emit(
                    guard,
                    Fp::Exact,
                    apply(first.op.clone(), Tree::Apply(site.term.op.clone(), parts)),
                );
            }
        }
    }
}

fn c5_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        if !matches!(inner.op, Op::Map(_)) || inner.operands.len() < 2 {
            continue;
        }
        let mut guard = site.guard();
        let mut whole = Vec::new();
        let mut sharded = 0;
        let mut holds = true;
        for &operand in &inner.operands {
            let shard = site
                .terms(operand)
                .find(|term| matches!(term.op, Op::Shard { .. }));
            if let Some(Term {
                op:
                    Op::Shard {
                        dim: split,
                        group: own,
                    },
                operands,
            }) = shard
            {
                holds = holds
                    && guard.require(SameDim, dim == *split)
                    && guard.require(SameOrder, group == *own)
                    && guard.require(Replicated, site.replicated(operands[0], group));
                sharded += 1;
                whole.push(Tree::Class(operands[0]));
            } else {
                whole.push(apply(site.term.op.clone(), operand));
            }
        }
        // With all of them sharded nothing would be gathered, and nothing needs to be: rule A4.
        if holds && sharded > 0 && sharded < inner.operands.len() {
            site.emit(guard, Fp::Exact, Tree::Apply(inner.op.clone(), whole));
        }
    }
}

/// Whether an op that moves data may change places with a function, or nothing if it does not just move.
fn may_pass(site: &Site, guard: &mut Guard, moving: &Op, function: &Op, operand: Id) -> Option<bool> {
    match moving {
        Op::AllGather { .. } | Op::AllToAll { .. } | Op::Broadcast { .. } => Some(true),
        Op::Permute { pairs } => {
            let element = site.ty(operand).element;
            let keeps = match function {
                Op::Map(function) => function.keeps_zero(element),
                _ => true,
            };
            Some(guard.require(KeepsZero, pairs.len() == site.groups.devices() || keeps))
        }
        _ => None,
    }
}

fn is_unary(term: &Term) -> bool {
    matches!(term.op, Op::Map(_) | Op::Convert(_)) && term.operands.len() == 1
}

fn c33_forward(site: &mut Site) {
    if !is_unary(site.term) {
        return;
    }
    for inner in site.inner() {
        let mut guard = site.guard();
        if may_pass(
            site,
            &mut guard,
            &inner.op,
            &site.term.op,
            inner.operands.first().copied().unwrap_or(site.operand(0)),
        ) == Some(true)
        {
            let mapped = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(guard, Fp::Exact, apply(inner.op.clone(), mapped));
        }
    }
}

fn c33_backward(site: &mut Site) {
    if site.arity() != 1 || !site.term.op.is_collective() {
        return;
    }
    for inner in site.inner() {
        if !is_unary(inner) {
            continue;
        }
        let mut guard = site.guard();
        if may_pass(site, &mut guard, &site.term.op, &inner.op, inner.operands[0]) == Some(true) {
            let moved = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(guard, Fp::Exact, apply(inner.op.clone(), moved));
        }
    }
}
