// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Groups C and D, products: gathers, reductions and shards of the operands of a matrix product.
//!
//! Every law works on either operand. A product of parts runs the same sums as a part of the product, but a kernel may
//! choose its order by the shape, so in floating point none of these is exact.

use egg::Id;

use super::{
    Condition::{IsSum, Replicated, SameOrder, SameSet},
    Fp, Rule, law,
    site::{Site, Tree, apply, sums},
};
use crate::op::{Dot, Kind, Op, Role, Side};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C1d",
        statement: "all_reduce (x . w) = all_reduce (x) . w, for a sum and w equal in the group",
        why: "A product is linear in each operand.",
        class: Fp::Reassociate,
        forward: law(&[IsSum, Replicated], c1d_forward),
        backward: Some(law(&[IsSum, Replicated], c1d_backward)),
    },
    Rule {
        name: "C8",
        statement: "all_gather (x) . w = all_gather (x . w), for the left operand, a free dimension and w equal in the group",
        why: "Rows of a product are products of rows; work is divided and other bytes are sent.",
        class: Fp::Reassociate,
        forward: law(&[Replicated], |site| free_forward(site, Side::Left)),
        backward: Some(law(&[Replicated], |site| free_backward(site, Side::Left))),
    },
    Rule {
        name: "C9",
        statement: "x . all_gather (w) = all_gather (x . w), for the right operand, a free dimension and x equal in the group",
        why: "Columns of a product are products with columns.",
        class: Fp::Reassociate,
        forward: law(&[Replicated], |site| free_forward(site, Side::Right)),
        backward: Some(law(&[Replicated], |site| free_backward(site, Side::Right))),
    },
    Rule {
        name: "C8b",
        statement: "all_gather_b (x) . all_gather_b (y) = all_gather_b (x . y), for a batch dimension b",
        why: "The products of a batch know nothing of each other.",
        class: Fp::Reassociate,
        forward: law(&[SameOrder], batch_forward),
        backward: Some(law(&[], batch_backward)),
    },
    Rule {
        name: "C10",
        statement: "all_gather_k (x) . w = all_reduce sum (x . shard_k w), for a contracting dimension k and w equal in the group",
        why: "Each device has the part of w that its part of x meets; partial sums are sent instead of x (the row- \
              parallel half of Megatron-LM, Shoeybi et al. 2019).",
        class: Fp::Reassociate,
        forward: law(&[Replicated], c10_forward),
        backward: Some(law(&[IsSum, SameSet, Replicated], c10_backward)),
    },
    Rule {
        name: "C11",
        statement: "reduce_scatter_n (x . w) = all_reduce (x) . shard_n w, for a sum, w's free dimension n and w equal in the group",
        why: "Reduce before the product or after it, whichever is smaller.",
        class: Fp::Reassociate,
        forward: law(&[IsSum, Replicated], c11_forward),
        backward: Some(law(&[IsSum, SameSet, Replicated], c11_backward)),
    },
    Rule {
        name: "C32",
        statement: "(x . w) and (x . v) joined = x . (w and v joined), along a free dimension",
        why: "One larger product hides more communication than two small ones.",
        class: Fp::Reassociate,
        forward: law(&[], c32_forward),
        backward: Some(law(&[], c32_backward)),
    },
    Rule {
        name: "D8",
        statement: "all_gather (x) . all_gather (y) = all_reduce sum (x . y), both gathered along one contracting dimension",
        why: "Weight gradients: sums over the batch are reduced, and two gathers go.",
        class: Fp::Reassociate,
        forward: law(&[SameOrder], d8),
        backward: None,
    },
];

/// The product with one operand replaced.
fn with(dot: &Dot, side: Side, replaced: impl Into<Tree>, other: impl Into<Tree>) -> Tree {
    let operands = match side {
        Side::Left => vec![replaced.into(), other.into()],
        Side::Right => vec![other.into(), replaced.into()],
    };
    Tree::Apply(Op::Dot(dot.clone()), operands)
}

fn ranks(site: &Site, operands: &[Id]) -> [usize; 2] {
    [site.ty(operands[0]).rank(), site.ty(operands[1]).rank()]
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];

fn c1d_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Dot(dot) = &inner.op else { continue };
        for side in SIDES {
            let (reduced, other) = (inner.operands[side.index()], inner.operands[side.other().index()]);
            // Sums of the product's type would become sums of a narrower one.
            if site.ty(reduced).element != dot.element {
                continue;
            }
            let mut guard = site.guard();
            if guard.require(IsSum, kind == Kind::Sum)
                && guard.require(Replicated, site.replicated(other, group))
            {
                let fp = sums(dot.element);
                site.emit(
                    guard,
                    fp,
                    with(dot, side, apply(Op::AllReduce { kind, group }, reduced), other),
                );
            }
        }
    }
}

fn c1d_backward(site: &mut Site) {
    let Op::Dot(dot) = &site.term.op else { return };
    for side in SIDES {
        let other = site.operand(side.other().index());
        for inner in site.terms(site.operand(side.index())) {
            let Op::AllReduce { kind, group } = inner.op else {
                continue;
            };
            // Sums of a narrower type would become sums of the product's.
            if site.ty(inner.operands[0]).element != dot.element {
                continue;
            }
            let mut guard = site.guard();
            if guard.require(IsSum, kind == Kind::Sum)
                && guard.require(Replicated, site.replicated(other, group))
            {
                let product = with(dot, side, inner.operands[0], other);
                site.emit(guard, sums(dot.element), apply(inner.op.clone(), product));
            }
        }
    }
}

fn free_forward(site: &mut Site, side: Side) {
    let Op::Dot(dot) = &site.term.op else { return };
    let other = site.operand(side.other().index());
    for inner in site.terms(site.operand(side.index())) {
        let Op::AllGather { dim, group } = inner.op else {
            continue;
        };
        let Some(Role::Free(dim)) = dot.role(side, dim, ranks(site, &site.term.operands)) else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(Replicated, site.replicated(other, group)) {
            let product = with(dot, side, inner.operands[0], other);
            site.emit(
                guard,
                sums(dot.element),
                apply(Op::AllGather { dim, group }, product),
            );
        }
    }
}

fn free_backward(site: &mut Site, side: Side) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Dot(dot) = &inner.op else { continue };
        let Some((found, dim)) = dot.free_source(dim, ranks(site, &inner.operands)) else {
            continue;
        };
        let (gathered, other) = (inner.operands[side.index()], inner.operands[side.other().index()]);
        let mut guard = site.guard();
        if found == side && guard.require(Replicated, site.replicated(other, group)) {
            let gathered = apply(Op::AllGather { dim, group }, gathered);
            site.emit(guard, sums(dot.element), with(dot, side, gathered, other));
        }
    }
}

fn batch_forward(site: &mut Site) {
    let Op::Dot(dot) = &site.term.op else { return };
    let ranks = ranks(site, &site.term.operands);
    for left in site.inner() {
        let Op::AllGather { dim, group } = left.op else {
            continue;
        };
        let Some(Role::Batch(result, partner)) = dot.role(Side::Left, dim, ranks) else {
            continue;
        };
        for right in site.terms(site.operand(1)) {
            let Op::AllGather {
                dim: other,
                group: second,
            } = right.op
            else {
                continue;
            };
            let mut guard = site.guard();
            if other == partner && guard.require(SameOrder, group == second) {
                let product = with(dot, Side::Left, left.operands[0], right.operands[0]);
                site.emit(
                    guard,
                    sums(dot.element),
                    apply(Op::AllGather { dim: result, group }, product),
                );
            }
        }
    }
}

fn batch_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Dot(dot) = &inner.op else { continue };
        let Some(&(left, right)) = dot.batch.get(dim) else {
            continue;
        };
        let gathered = |dim, operand: usize| apply(Op::AllGather { dim, group }, inner.operands[operand]);
        let product = with(dot, Side::Left, gathered(left, 0), gathered(right, 1));
        site.emit(site.guard(), sums(dot.element), product);
    }
}

fn c10_forward(site: &mut Site) {
    let Op::Dot(dot) = &site.term.op else { return };
    for side in SIDES {
        let other = site.operand(side.other().index());
        for inner in site.terms(site.operand(side.index())) {
            let Op::AllGather { dim, group } = inner.op else {
                continue;
            };
            let role = dot.role(side, dim, ranks(site, &site.term.operands));
            let Some(Role::Contract(partner)) = role else {
                continue;
            };
            let mut guard = site.guard();
            if guard.require(Replicated, site.replicated(other, group)) {
                let shard = apply(Op::Shard { dim: partner, group }, other);
                let product = with(dot, side, inner.operands[0], shard);
                site.emit(
                    guard,
                    sums(dot.element),
                    apply(
                        Op::AllReduce {
                            kind: Kind::Sum,
                            group,
                        },
                        product,
                    ),
                );
            }
        }
    }
}

fn c10_backward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Dot(dot) = &inner.op else { continue };
        for side in SIDES {
            let part = inner.operands[side.index()];
            for shard in site.terms(inner.operands[side.other().index()]) {
                let Op::Shard { dim, group: own } = shard.op else {
                    continue;
                };
                let role = dot.role(side.other(), dim, ranks(site, &inner.operands));
                let Some(Role::Contract(partner)) = role else {
                    continue;
                };
                let whole = shard.operands[0];
                let mut guard = site.guard();
                if guard.require(IsSum, kind == Kind::Sum)
                    && guard.require(SameSet, site.groups.same_set(group, own))
                    && guard.require(Replicated, site.replicated(whole, group))
                {
                    let gathered = apply(
                        Op::AllGather {
                            dim: partner,
                            group: own,
                        },
                        part,
                    );
                    site.emit(guard, sums(dot.element), with(dot, side, gathered, whole));
                }
            }
        }
    }
}

fn c11_forward(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Dot(dot) = &inner.op else { continue };
        let Some((side, dim)) = dot.free_source(dim, ranks(site, &inner.operands)) else {
            continue;
        };
        let (split, reduced) = (inner.operands[side.index()], inner.operands[side.other().index()]);
        let mut guard = site.guard();
        if site.ty(reduced).element == dot.element
            && guard.require(IsSum, kind == Kind::Sum)
            && guard.require(Replicated, site.replicated(split, group))
        {
            let shard = apply(Op::Shard { dim, group }, split);
            let reduced = apply(Op::AllReduce { kind, group }, reduced);
            site.emit(guard, sums(dot.element), with(dot, side, shard, reduced));
        }
    }
}

fn c11_backward(site: &mut Site) {
    let Op::Dot(dot) = &site.term.op else { return };
    for side in SIDES {
        for reduction in site.terms(site.operand(side.other().index())) {
            let Op::AllReduce { kind, group } = reduction.op else {
                continue;
            };
            for shard in site.terms(site.operand(side.index())) {
                let Op::Shard { dim, group: own } = shard.op else {
                    continue;
                };
                let role = dot.role(side, dim, ranks(site, &site.term.operands));
                let Some(Role::Free(result)) = role else { continue };
                let (whole, summed) = (shard.operands[0], reduction.operands[0]);
                let mut guard = site.guard();
                if site.ty(summed).element == dot.element
                    && guard.require(IsSum, kind == Kind::Sum)
                    && guard.require(SameSet, site.groups.same_set(group, own))
                    && guard.require(Replicated, site.replicated(whole, group))
                {
                    let product = with(dot, side, whole, summed);
                    let scatter = Op::ReduceScatter {
                        kind,
                        dim: result,
                        group: own,
                    };
                    site.emit(guard, sums(dot.element), apply(scatter, product));
                }
            }
        }
    }
}

fn c32_forward(site: &mut Site) {
    let Op::Concat(result) = site.term.op else { return };
    for first in site.inner() {
        let Op::Dot(dot) = &first.op else { continue };
        let Some((side, dim)) = dot.free_source(result, ranks(site, &first.operands)) else {
            continue;
        };
        let shared = first.operands[side.other().index()];
        let parts: Option<Vec<Tree>> = site
            .term
            .operands
            .iter()
            .map(|&operand| {
                let fits = |operands: &[Id]| {
                    site.same_class(operands[side.other().index()], shared)
                        && site.ty(operands[side.index()]).rank()
                            == site.ty(first.operands[side.index()]).rank()
                };
                let found = site
                    .terms(operand)
                    .find(|term| term.op == first.op && fits(&term.operands));
                found.map(|term| Tree::Class(term.operands[side.index()]))
            })
            .collect();
        if let Some(parts) = parts {
            let joined = Tree::Apply(Op::Concat(dim), parts);
            site.emit(site.guard(), sums(dot.element), with(dot, side, joined, shared));
        }
    }
}

fn c32_backward(site: &mut Site) {
    let Op::Dot(dot) = &site.term.op else { return };
    for side in SIDES {
        let shared = site.operand(side.other().index());
        for inner in site.terms(site.operand(side.index())) {
            let Op::Concat(dim) = inner.op else { continue };
            let role = dot.role(side, dim, ranks(site, &site.term.operands));
            let Some(Role::Free(result)) = role else { continue };
            let parts = inner
                .operands
                .iter()
                .map(|&part| with(dot, side, part, shared))
                .collect();
            site.emit(
                site.guard(),
                sums(dot.element),
                Tree::Apply(Op::Concat(result), parts),
            );
        }
    }
}

fn d8(site: &mut Site) {
    let Op::Dot(dot) = &site.term.op else { return };
    let ranks = ranks(site, &site.term.operands);
    for left in site.inner() {
        let Op::AllGather { dim, group } = left.op else {
            continue;
        };
        let Some(Role::Contract(partner)) = dot.role(Side::Left, dim, ranks) else {
            continue;
        };
        for right in site.terms(site.operand(1)) {
            let Op::AllGather {
                dim: other,
                group: second,
            } = right.op
            else {
                continue;
            };
            let mut guard = site.guard();
            if other == partner && guard.require(SameOrder, group == second) {
                let product = with(dot, Side::Left, left.operands[0], right.operands[0]);
                site.emit(
                    guard,
                    sums(dot.element),
                    apply(
                        Op::AllReduce {
                            kind: Kind::Sum,
                            group,
                        },
                        product,
                    ),
                );
            }
        }
    }
}
