// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, layout: transposes, reshapes, slices, joins and local reductions around collectives that name a dimension.

use super::{
    Condition::{DifferentDim, Divides, OuterKept, SameDim, SameOrder},
    Fp, Rule, law,
    site::{Site, Tree, apply, order},
};
use crate::{groups::Groups, op::Op, types::Element};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C7",
        statement: "reduce_j . all_gather_k = all_gather_k . reduce_j, for j other than k",
        why: "No sum crosses the seam between two parts, so each part is reduced before it is sent.",
        class: Fp::Exact,
        forward: law(&[DifferentDim], c7_forward),
        backward: Some(law(&[], c7_backward)),
    },
    Rule {
        name: "C12",
        statement: "transpose . collective = collective . transpose, with the collective's dimensions renamed",
        why: "A collective names its dimensions, so they can be anywhere.",
        class: Fp::Reassociate,
        forward: law(&[], c12_forward),
        backward: Some(law(&[], c12_backward)),
    },
    Rule {
        name: "C13",
        statement: "reshape . all_gather_k = all_gather_j . reshape; the same for reduce_scatter and shard",
        why: "With as many elements in front of k as in front of j, the parts are the same runs of memory.",
        class: Fp::Reassociate,
        forward: law(&[OuterKept, Divides], c13_forward),
        backward: Some(law(&[OuterKept, Divides], c13_backward)),
    },
    Rule {
        name: "C15",
        statement: "broadcast_in_dim . all_gather_k = all_gather . broadcast_in_dim",
        why: "Repeat what has arrived, not what is sent.",
        class: Fp::Exact,
        forward: law(&[], c15_forward),
        backward: Some(law(&[], c15_backward)),
    },
    Rule {
        name: "C30",
        statement: "slice_j . all_gather_k = all_gather_k . slice_j, for j other than k",
        why: "Send only what is kept.",
        class: Fp::Exact,
        forward: law(&[DifferentDim], c30_forward),
        backward: Some(law(&[DifferentDim], c30_backward)),
    },
    Rule {
        name: "C31",
        statement: "concat_j (all_gather_k x, all_gather_k y, ...) = all_gather_k (concat_j (x, y, ...)), for j other than k",
        why: "A bucket that needs no copy after the gather.",
        class: Fp::Exact,
        forward: law(&[DifferentDim, SameDim, SameOrder], c31_forward),
        backward: Some(law(&[DifferentDim], c31_backward)),
    },
];

fn c7_forward(site: &mut Site) {
    let Op::Reduce { dim, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather { dim: grown, group } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != grown) {
            let reduced = apply(site.term.op.clone(), inner.operands[0]);
            let dim = grown - usize::from(dim < grown);
            site.emit(guard, Fp::Exact, apply(Op::AllGather { dim, group }, reduced));
        }
    }
}

fn c7_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Reduce { dim: reduced, .. } = inner.op else {
            continue;
        };
        let dim = dim + usize::from(reduced <= dim);
        let gathered = apply(Op::AllGather { dim, group }, inner.operands[0]);
        site.emit(site.guard(), Fp::Exact, apply(inner.op.clone(), gathered));
    }
}

/// The op with its dimensions renamed, and what changes in its order of sums; nothing for ops without dimensions.
fn renamed(op: &Op, element: Element, name: impl Fn(usize) -> Option<usize>) -> Option<(Op, Fp)> {
    Some(match *op {
        Op::AllGather { dim, group } => (
            Op::AllGather {
                dim: name(dim)?,
                group,
            },
            Fp::Exact,
        ),
        Op::Shard { dim, group } => (
            Op::Shard {
                dim: name(dim)?,
                group,
            },
            Fp::Exact,
        ),
        Op::AllToAll { split, concat, group } => (
            Op::AllToAll {
                split: name(split)?,
                concat: name(concat)?,
                group,
            },
            Fp::Exact,
        ),
        Op::ReduceScatter { kind, dim, group } => (
            Op::ReduceScatter {
                kind,
                dim: name(dim)?,
                group,
            },
            order(kind, element),
        ),
        _ => return None,
    })
}

fn c12_forward(site: &mut Site) {
    let Op::Transpose(permutation) = &site.term.op else {
        return;
    };
    for inner in site.inner() {
        let place = |dim| permutation.iter().position(|&own| own == dim);
        if let Some((op, fp)) = renamed(&inner.op, site.own_type().element, place) {
            let moved = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(site.guard(), fp, apply(op, moved));
        }
    }
}

fn c12_backward(site: &mut Site) {
    for inner in site
        .term
        .operands
        .first()
        .map(|&id| site.terms(id))
        .into_iter()
        .flatten()
    {
        let Op::Transpose(permutation) = &inner.op else {
            continue;
        };
        if let Some((op, fp)) = renamed(&site.term.op, site.own_type().element, |dim| {
            permutation.get(dim).copied()
        }) {
            let moved = apply(op, inner.operands[0]);
            site.emit(site.guard(), fp, apply(inner.op.clone(), moved));
        }
    }
}

/// Elements in front of a dimension.
fn outer(shape: &[usize], dim: usize) -> usize {
    shape[..dim].iter().product()
}

/// What C13 knows of the three ops it takes: dimension, members, whether the op multiplies the dimension by them (else
/// divides), and the class of cutting it elsewhere.
fn parts(op: &Op, groups: &Groups, element: Element) -> Option<(usize, usize, bool, Fp)> {
    let (dim, group, grows, fp) = match *op {
        Op::AllGather { dim, group } => (dim, group, true, Fp::Exact),
        Op::Shard { dim, group } => (dim, group, false, Fp::Exact),
        Op::ReduceScatter { kind, dim, group } => (dim, group, false, order(kind, element)),
        _ => return None,
    };
    Some((dim, groups.size(group), grows, fp))
}

fn c13_forward(site: &mut Site) {
    let Op::Reshape(shape) = &site.term.op else { return };
    for inner in site.inner() {
        let Some((dim, members, grows, fp)) = parts(&inner.op, site.groups, site.own_type().element) else {
            continue;
        };
        let before = &site.ty(site.operand(0)).shape;
        for place in 0..shape.len() {
            let mut guard = site.guard();
            if !guard.require(OuterKept, outer(shape, place) == outer(before, dim))
                || !guard.require(Divides, !grows || shape[place] % members == 0)
            {
                continue;
            }
            let mut inside = shape.clone();
            inside[place] = if grows {
                shape[place] / members
            } else {
                shape[place] * members
            };
            let Some((op, _)) = renamed(&inner.op, site.own_type().element, |_| Some(place)) else {
                continue;
            };
            site.emit(
                guard,
                fp,
                apply(op, apply(Op::Reshape(inside), inner.operands[0])),
            );
        }
    }
}

fn c13_backward(site: &mut Site) {
    let Some((place, members, grows, fp)) = parts(&site.term.op, site.groups, site.own_type().element) else {
        return;
    };
    for inner in site.inner() {
        let Op::Reshape(shape) = &inner.op else { continue };
        let before = &site.ty(inner.operands[0]).shape;
        for dim in 0..before.len() {
            let mut guard = site.guard();
            if guard.require(OuterKept, outer(shape, place) == outer(before, dim))
                && guard.require(Divides, grows || before[dim].is_multiple_of(members))
                && let Some((op, _)) = renamed(&site.term.op, site.own_type().element, |_| Some(dim))
            {
                let moved = apply(op, inner.operands[0]);
                site.emit(
                    guard,
                    fp,
                    apply(Op::Reshape(site.own_type().shape.clone()), moved),
                );
            }
        }
    }
}

fn c15_forward(site: &mut Site) {
    let Op::BroadcastInDim { shape, dims } = &site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather { dim, group } = inner.op else {
            continue;
        };
        let place = dims[dim];
        let mut part = shape.clone();
        part[place] /= site.groups.size(group);
        let repeated = apply(
            Op::BroadcastInDim {
                shape: part,
                dims: dims.clone(),
            },
            inner.operands[0],
        );
        site.emit(
            site.guard(),
            Fp::Exact,
            apply(Op::AllGather { dim: place, group }, repeated),
        );
    }
}

fn c15_backward(site: &mut Site) {
    let Op::AllGather { dim: place, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::BroadcastInDim { dims, .. } = &inner.op else {
            continue;
        };
        let Some(dim) = dims.iter().position(|&own| own == place) else {
            continue;
        };
        let gathered = apply(Op::AllGather { dim, group }, inner.operands[0]);
        let whole = Op::BroadcastInDim {
            shape: site.own_type().shape.clone(),
            dims: dims.clone(),
        };
        site.emit(site.guard(), Fp::Exact, apply(whole, gathered));
    }
}

fn c30_forward(site: &mut Site) {
    let Op::Slice { dim, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather { dim: grown, .. } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != grown) {
            let part = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(guard, Fp::Exact, apply(inner.op.clone(), part));
        }
    }
}

fn c30_backward(site: &mut Site) {
    let Op::AllGather { dim: grown, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Slice { dim, .. } = inner.op else { continue };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != grown) {
            let gathered = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(guard, Fp::Exact, apply(inner.op.clone(), gathered));
        }
    }
}

fn c31_forward(site: &mut Site) {
    let Op::Concat(joined) = site.term.op else { return };
    if site.arity() < 2 {
        return;
    }
    for first in site.inner() {
        let Op::AllGather { dim, group } = first.op else {
            continue;
        };
        let mut guard = site.guard();
        if !guard.require(DifferentDim, dim != joined) {
            continue;
        }
        let mut parts = vec![Tree::Class(first.operands[0])];
        for &operand in &site.term.operands[1..] {
            let gathers = || {
                site.terms(operand)
                    .filter(|term| matches!(term.op, Op::AllGather { .. }))
            };
            let exact = gathers().find(|term| term.op == first.op);
            let Some(term) = exact.or(gathers().next()) else {
                break;
            };
            let Op::AllGather {
                dim: other,
                group: second,
            } = term.op
            else {
                break;
            };
            if !guard.require(SameDim, dim == other) || !guard.require(SameOrder, group == second) {
                break;
            }
            parts.push(Tree::Class(term.operands[0]));
        }
        if parts.len() == site.arity() {
            site.emit(
                guard,
                Fp::Exact,
                apply(first.op.clone(), Tree::Apply(site.term.op.clone(), parts)),
            );
        }
    }
}

fn c31_backward(site: &mut Site) {
    let Op::AllGather { dim, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Concat(joined) = inner.op else { continue };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != joined) {
            let gathered = inner
                .operands
                .iter()
                .map(|&part| apply(site.term.op.clone(), part))
                .collect();
            site.emit(guard, Fp::Exact, Tree::Apply(inner.op.clone(), gathered));
        }
    }
}
