// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group B, nested: collectives over two groupings that together are one over their union or product.

use super::{
    Condition::{Disjoint, Divides, Nested, PositionConstant, SameDim, SameKind, SameOrder},
    Fp, Rule, law,
    site::{Site, apply, order},
};
use crate::{
    groups::GroupId,
    op::{Kind, Op},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "B1",
        statement: "all_reduce over H . all_reduce over G = all_reduce over their union",
        why: "Each contribution is counted once, in whatever order; overlapping groups would count some twice.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, Disjoint], b1_forward),
        backward: Some(law(&[Disjoint], b1_backward)),
    },
    Rule {
        name: "B2",
        statement: "all_gather_k over H . all_gather_k over G = all_gather_k over (H major, G minor)",
        why: "The outer gather lines up blocks that the inner one has made.",
        class: Fp::Exact,
        forward: law(&[SameDim, Nested], |site| join(site, Nestable::gather)),
        backward: Some(law(&[Nested], |site| split(site, Nestable::gather))),
    },
    Rule {
        name: "B3",
        statement: "reduce_scatter_k over H . reduce_scatter_k over G = reduce_scatter_k over (G major, H minor)",
        why: "The first scatter picks the large slice, the second one a part of it.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, SameDim, Nested], |site| join(site, Nestable::scatter)),
        backward: Some(law(&[Nested], |site| split(site, Nestable::scatter))),
    },
    Rule {
        name: "B3s",
        statement: "shard_k over H . shard_k over G = shard_k over (G major, H minor)",
        why: "The first one picks the large slice, the second one a part of it.",
        class: Fp::Exact,
        forward: law(&[SameDim, Nested], |site| join(site, Nestable::shard)),
        backward: Some(law(&[Nested], |site| split(site, Nestable::shard))),
    },
    Rule {
        name: "B12",
        statement: "all_reduce over G x H = all_gather_k over G . all_reduce over H . reduce_scatter_k over G",
        why: "Only a slice crosses the slow links (BlueConnect, Cho et al. 2019).",
        class: Fp::Reassociate,
        forward: law(&[Disjoint, PositionConstant, Divides], b12_forward),
        backward: Some(law(
            &[SameKind, SameDim, SameOrder, Disjoint, PositionConstant],
            b12_backward,
        )),
    },
    Rule {
        name: "B13",
        statement: "shard_k over G . all_reduce over G x H = all_reduce over H . reduce_scatter_k over G",
        why: "The slices that are not kept need not be reduced over H (PyTorch's hybrid sharding).",
        class: Fp::Reassociate,
        forward: law(&[Disjoint, PositionConstant], b13_forward),
        backward: Some(law(&[SameKind, Disjoint, PositionConstant], b13_backward)),
    },
];

fn b1_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce {
            kind: first,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameKind, kind == first)
            && let Some(union) = site.union(&mut guard, (own, group), None)
        {
            let fp = order(kind, site.own_type().element);
            site.emit(
                guard,
                fp,
                apply(Op::AllReduce { kind, group: union }, inner.operands[0]),
            );
        }
    }
}

fn b1_backward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for (a, b) in site.factors(group) {
        let mut guard = site.guard();
        if site.union(&mut guard, (a, b), Some(group)).is_some() {
            let first = apply(Op::AllReduce { kind, group: a }, site.operand(0));
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllReduce { kind, group: b }, first));
        }
    }
}

/// What two of a kind, one inside the other, must agree in, and over which lists.
struct Nestable {
    kind: Option<Kind>,
    dim: usize,
    group: GroupId,
}

impl Nestable {
    fn gather(op: &Op) -> Option<Self> {
        match *op {
            Op::AllGather { dim, group } => Some(Nestable {
                kind: None,
                dim,
                group,
            }),
            _ => None,
        }
    }

    fn scatter(op: &Op) -> Option<Self> {
        match *op {
            Op::ReduceScatter { kind, dim, group } => Some(Nestable {
                kind: Some(kind),
                dim,
                group,
            }),
            _ => None,
        }
    }

    fn shard(op: &Op) -> Option<Self> {
        match *op {
            Op::Shard { dim, group } => Some(Nestable {
                kind: None,
                dim,
                group,
            }),
            _ => None,
        }
    }

    fn class(&self, site: &Site) -> Fp {
        self.kind
            .map_or(Fp::Exact, |kind| order(kind, site.own_type().element))
    }
}

/// The same op over other lists.
fn over(op: &Op, lists: GroupId) -> Op {
    let mut op = op.clone();
    match &mut op {
        Op::AllGather { group, .. } | Op::ReduceScatter { group, .. } | Op::Shard { group, .. } => {
            *group = lists
        }
        _ => {}
    }
    op
}

/// Two nested ones become one over the product of their lists; a gather's outer lists are the major ones, else the inner.
fn join(site: &mut Site, of: fn(&Op) -> Option<Nestable>) {
    let term = &site.term.op;
    let Some(outer) = of(term) else { return };
    for inner in site.inner() {
        let Some(first) = of(&inner.op) else { continue };
        let mut guard = site.guard();
        if (outer.kind.is_none() || guard.require(SameKind, outer.kind == first.kind))
            && guard.require(SameDim, outer.dim == first.dim)
            && let Some(product) = site.product(&mut guard, by_size(term, outer.group, first.group), None)
        {
            let class = outer.class(site);
            site.emit(guard, class, apply(over(term, product), inner.operands[0]));
        }
    }
}

/// One over a product of lists becomes two nested ones.
fn split(site: &mut Site, of: fn(&Op) -> Option<Nestable>) {
    let term = &site.term.op;
    let Some(whole) = of(term) else { return };
    for (major, minor) in site.factors(whole.group) {
        let mut guard = site.guard();
        if site
            .product(&mut guard, (major, minor), Some(whole.group))
            .is_some()
        {
            let (outer, inner) = by_size(term, major, minor);
            let class = whole.class(site);
            let first = apply(over(term, inner), site.operand(0));
            site.emit(guard, class, apply(over(term, outer), first));
        }
    }
}

/// A pair in order of (major, minor) from (outer, inner), or the other way round: a gather lines up the blocks that the inner one
/// has made, any other takes a part of the slice that the inner one has taken.
fn by_size(op: &Op, one: GroupId, other: GroupId) -> (GroupId, GroupId) {
    match op {
        Op::AllGather { .. } => (one, other),
        _ => (other, one),
    }
}

fn b12_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    if !site.may_split() {
        return;
    }
    for (inner, outer) in site.factors(group) {
        let shape = &site.own_type().shape;
        let size = site.groups.size(inner);
        let mut guard = site.guard();
        if site.union(&mut guard, (inner, outer), Some(group)).is_none()
            || !guard.require(PositionConstant, site.groups.position_constant(inner, outer))
        {
            continue;
        }
        // One dimension will do: A11 and A10 reach the others.
        let divided = shape.iter().position(|extent| extent % size == 0);
        let Some(dim) = divided.or((!shape.is_empty()).then_some(0)) else {
            continue;
        };
        if guard.require(Divides, divided.is_some()) {
            let scattered = apply(
                Op::ReduceScatter {
                    kind,
                    dim,
                    group: inner,
                },
                site.operand(0),
            );
            let reduced = apply(Op::AllReduce { kind, group: outer }, scattered);
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllGather { dim, group: inner }, reduced));
        }
    }
}

fn b12_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for reduce in site.inner() {
        let Op::AllReduce { kind, group: outer } = reduce.op else {
            continue;
        };
        for scatter in site.terms(reduce.operands[0]) {
            let Op::ReduceScatter {
                kind: first,
                dim: split,
                group: own,
            } = scatter.op
            else {
                continue;
            };
            let mut guard = site.guard();
            if guard.require(SameKind, kind == first)
                && guard.require(SameDim, dim == split)
                && guard.require(SameOrder, group == own)
                && guard.require(PositionConstant, site.groups.position_constant(own, outer))
                && let Some(union) = site.union(&mut guard, (own, outer), None)
            {
                let fp = order(kind, site.own_type().element);
                site.emit(
                    guard,
                    fp,
                    apply(Op::AllReduce { kind, group: union }, scatter.operands[0]),
                );
            }
        }
    }
}

fn b13_forward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce { kind, group: all } = inner.op else {
            continue;
        };
        for (own, outer) in site.factors(all) {
            let mut guard = site.guard();
            if own == group
                && site.union(&mut guard, (own, outer), Some(all)).is_some()
                && guard.require(PositionConstant, site.groups.position_constant(own, outer))
            {
                let scattered = apply(Op::ReduceScatter { kind, dim, group }, inner.operands[0]);
                let fp = order(kind, site.own_type().element);
                site.emit(guard, fp, apply(Op::AllReduce { kind, group: outer }, scattered));
            }
        }
    }
}

fn b13_backward(site: &mut Site) {
    let Op::AllReduce { kind, group: outer } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::ReduceScatter {
            kind: first,
            dim,
            group,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameKind, kind == first)
            && guard.require(PositionConstant, site.groups.position_constant(group, outer))
            && let Some(union) = site.union(&mut guard, (group, outer), None)
        {
            let reduced = apply(Op::AllReduce { kind, group: union }, inner.operands[0]);
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::Shard { dim, group }, reduced));
        }
    }
}
