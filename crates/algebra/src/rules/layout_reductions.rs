// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, layout: transposes, reshapes, slices, joins and local reductions around an all-reduce.

use egg::Id;

use super::{
    Condition::{SameDim, SameKind, SameSet},
    Fp, Rule, law,
    site::{Guard, Site, Tree, apply, order},
};
use crate::{
    groups::{GroupId, Groups},
    op::{Kind, Op},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C1t",
        statement: "all_reduce . layout = layout . all_reduce, for a transpose, reshape, slice or broadcast_in_dim",
        why: "A reduction works element by element, wherever they are; so reduce only what is kept or not repeated.",
        class: Fp::Reassociate,
        forward: law(&[], |site| site.exchange(c1t)),
        backward: Some(law(&[], |site| {
            site.exchange(|site, guard, outer, inner| c1t(site, guard, inner, outer));
        })),
    },
    Rule {
        name: "C1r",
        statement: "all_reduce . reduce_j = reduce_j . all_reduce, of one kind",
        why: "Terms are added over devices and over a dimension, in either order.",
        class: Fp::Reassociate,
        forward: law(&[SameKind], |site| site.exchange(c1r)),
        backward: Some(law(&[SameKind], |site| {
            site.exchange(|site, guard, outer, inner| c1r(site, guard, inner, outer));
        })),
    },
    Rule {
        name: "C1c",
        statement: "concat_j (all_reduce x, all_reduce y, ...) = all_reduce (concat_j (x, y, ...))",
        why: "A bucket along a dimension: one collective in place of several.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, SameSet], c1c_forward),
        backward: Some(law(&[], c1c_backward)),
    },
    Rule {
        name: "C6",
        statement: "reduce_k . all_gather_k = all_reduce . reduce_k, of one kind",
        why: "Each part is reduced before it is sent.",
        class: Fp::Reassociate,
        forward: law(&[SameDim], c6),
        backward: None,
    },
];

fn layout(op: &Op) -> bool {
    matches!(
        op,
        Op::Transpose(_) | Op::Reshape(_) | Op::Slice { .. } | Op::BroadcastInDim { .. }
    )
}

fn c1t(site: &mut Site, _: &mut Guard, reduce: &Op, moved: &Op) -> Option<Fp> {
    match *reduce {
        Op::AllReduce { kind, .. } if layout(moved) => Some(order(kind, site.own_type().element)),
        _ => None,
    }
}

fn c1r(site: &mut Site, guard: &mut Guard, all_reduce: &Op, local: &Op) -> Option<Fp> {
    let (&Op::AllReduce { kind, .. }, Op::Reduce { kind: other, .. }) = (all_reduce, local) else {
        return None;
    };
    let is_one = guard.require(SameKind, kind == *other);
    is_one.then(|| order(kind, site.own_type().element))
}

/// The all-reduce of a value, the first of these groups as sets; with a condition waived any.
fn c1c_forward(site: &mut Site) {
    let Op::Concat(_) = site.term.op else { return };
    if site.arity() < 2 {
        return;
    }
    for first in site.inner() {
        let Op::AllReduce { kind, group } = first.op else {
            continue;
        };
        let mut guard = site.guard();
        let mut parts = vec![Tree::Class(first.operands[0])];
        for &operand in &site.term.operands[1..] {
            let reductions = || {
                site.terms(operand).filter_map(|term| match term.op {
                    Op::AllReduce { kind, group } => Some((kind, group, term.operands[0])),
                    _ => None,
                })
            };
            let fits = |groups: &mut Groups, (other, second, _): (Kind, GroupId, Id)| {
                other == kind && groups.same_set(group, second)
            };
            let candidates: Vec<(Kind, GroupId, Id)> = reductions().collect();
            let exact = candidates
                .iter()
                .copied()
                .find(|&candidate| fits(site.groups, candidate));
            let Some((other, second, part)) = exact.or(candidates.first().copied()) else {
                break;
            };
            if !guard.require(SameKind, other == kind)
                || !guard.require(SameSet, site.groups.same_set(group, second))
            {
                break;
            }
            parts.push(Tree::Class(part));
        }
        if parts.len() == site.arity() {
            let joined = Tree::Apply(site.term.op.clone(), parts);
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllReduce { kind, group }, joined));
        }
    }
}

fn c1c_backward(site: &mut Site) {
    let Op::AllReduce { kind, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        if let Op::Concat(_) = inner.op {
            let parts = inner
                .operands
                .iter()
                .map(|&part| apply(site.term.op.clone(), part))
                .collect();
            let fp = order(kind, site.own_type().element);
            site.emit(site.guard(), fp, Tree::Apply(inner.op.clone(), parts));
        }
    }
}

fn c6(site: &mut Site) {
    let Op::Reduce { kind, dim } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather { dim: grown, group } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == grown) {
            let reduced = apply(Op::Reduce { kind, dim }, inner.operands[0]);
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllReduce { kind, group }, reduced));
        }
    }
}
