// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, layout: transposes, reshapes, slices, joins and local reductions around collectives.

use egg::Id;

use super::{
    Condition::{DifferentDim, Divides, OuterKept, SameDim, SameKind, SameOrder, SameSet},
    Fp, Law, Rule,
    site::{Site, Tree, apply, order},
};
use crate::{
    groups::{GroupId, Groups},
    op::{Kind, Op},
    types::Element,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C1t",
        statement: "all_reduce . layout = layout . all_reduce, for a transpose, reshape, slice or broadcast_in_dim",
        why: "A reduction works element by element, wherever they are; so reduce only what is kept or not repeated.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[],
            apply: c1t_forward,
        },
        backward: Some(Law {
            conditions: &[],
            apply: c1t_backward,
        }),
    },
    Rule {
        name: "C1r",
        statement: "all_reduce . reduce_j = reduce_j . all_reduce, of one kind",
        why: "Terms are added over devices and over a dimension, in either order.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameKind],
            apply: c1r_forward,
        },
        backward: Some(Law {
            conditions: &[SameKind],
            apply: c1r_backward,
        }),
    },
    Rule {
        name: "C1c",
        statement: "concat_j (all_reduce x, all_reduce y, ...) = all_reduce (concat_j (x, y, ...))",
        why: "A bucket along a dimension: one collective in place of several.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameKind, SameSet],
            apply: c1c_forward,
        },
        backward: Some(Law {
            conditions: &[],
            apply: c1c_backward,
        }),
    },
    Rule {
        name: "C6",
        statement: "reduce_k . all_gather_k = all_reduce . reduce_k, of one kind",
        why: "Each part is reduced before it is sent.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameDim],
            apply: c6,
        },
        backward: None,
    },
    Rule {
        name: "C7",
        statement: "reduce_j . all_gather_k = all_gather_k . reduce_j, for j other than k",
        why: "No sum crosses the seam between two parts, so each part is reduced before it is sent.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[DifferentDim],
            apply: c7_forward,
        },
        backward: Some(Law {
            conditions: &[],
            apply: c7_backward,
        }),
    },
    Rule {
        name: "C12",
        statement: "transpose . collective = collective . transpose, with the collective's dimensions renamed",
        why: "A collective names its dimensions, so they can be anywhere.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[],
            apply: c12_forward,
        },
        backward: Some(Law {
            conditions: &[],
            apply: c12_backward,
        }),
    },
    Rule {
        name: "C13",
        statement: "reshape . all_gather_k = all_gather_j . reshape; the same for reduce_scatter and shard",
        why: "With as many elements in front of k as in front of j, the parts are the same runs of memory.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[OuterKept, Divides],
            apply: c13_forward,
        },
        backward: Some(Law {
            conditions: &[OuterKept, Divides],
            apply: c13_backward,
        }),
    },
    Rule {
        name: "C15",
        statement: "broadcast_in_dim . all_gather_k = all_gather . broadcast_in_dim",
        why: "Repeat what has arrived, not what is sent.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[],
            apply: c15_forward,
        },
        backward: Some(Law {
            conditions: &[],
            apply: c15_backward,
        }),
    },
    Rule {
        name: "C30",
        statement: "slice_j . all_gather_k = all_gather_k . slice_j, for j other than k",
        why: "Send only what is kept.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[DifferentDim],
            apply: c30_forward,
        },
        backward: Some(Law {
            conditions: &[DifferentDim],
            apply: c30_backward,
        }),
    },
    Rule {
        name: "C31",
        statement: "concat_j (all_gather_k x, all_gather_k y, ...) = all_gather_k (concat_j (x, y, ...)), for j other than k",
        why: "A bucket that needs no copy after the gather.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[DifferentDim, SameDim, SameOrder],
            apply: c31_forward,
        },
        backward: Some(Law {
            conditions: &[DifferentDim],
            apply: c31_backward,
        }),
    },
];

fn layout(op: &Op) -> bool {
    matches!(
        op,
        Op::Transpose(_) | Op::Reshape(_) | Op::Slice { .. } | Op::BroadcastInDim { .. }
    )
}

fn c1t_forward(site: &mut Site) {
    let Op::AllReduce { kind, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        if layout(&inner.op) {
            let fp = order(kind, site.own_type().element);
            let reduced = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(site.guard(), fp, apply(inner.op.clone(), reduced));
        }
    }
}

fn c1t_backward(site: &mut Site) {
    if !layout(&site.term.op) {
        return;
    }
    for inner in site.inner() {
        let Op::AllReduce { kind, .. } = inner.op else {
            continue;
        };
        let fp = order(kind, site.own_type().element);
        let moved = apply(site.term.op.clone(), inner.operands[0]);
        site.emit(site.guard(), fp, apply(inner.op.clone(), moved));
    }
}

fn c1r_forward(site: &mut Site) {
    let Op::AllReduce { kind, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Reduce { kind: other, .. } = inner.op else {
            continue;
        };
        exchange_reductions(
            site,
            kind == other,
            kind,
            (&inner.op, &site.term.op),
            inner.operands[0],
        );
    }
}

fn c1r_backward(site: &mut Site) {
    let Op::Reduce { kind, .. } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce { kind: other, .. } = inner.op else {
            continue;
        };
        exchange_reductions(
            site,
            kind == other,
            kind,
            (&inner.op, &site.term.op),
            inner.operands[0],
        );
    }
}

fn exchange_reductions(site: &mut Site, same: bool, kind: Kind, (outer, inner): (&Op, &Op), operand: Id) {
    let mut guard = site.guard();
    if guard.require(SameKind, same) {
        let fp = order(kind, site.own_type().element);
        site.emit(guard, fp, apply(outer.clone(), apply(inner.clone(), operand)));
    }
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
                && guard.require(Divides, grows || before[dim] % members == 0)
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
