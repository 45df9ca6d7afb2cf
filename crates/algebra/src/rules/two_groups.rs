// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group B: collectives over two groupings, and reductions of values that are equal already.
//!
//! All conditions are about the groupings as lists; for axes of one mesh they say that the axes differ.

use super::{
    Condition::{
        Contributors, DifferentDim, Disjoint, Divides, Nested, PositionConstant, Replicated, SameDim,
        SameKind, SameOrder, SameSet, Square, SquareByBlocks,
    },
    Fp, Law, Rule,
    site::{Guard, Site, Tree, apply, order},
};
use crate::{
    function::{Factor, Function},
    groups::GroupId,
    op::{Kind, Op},
    types::Element,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "B1",
        statement: "all_reduce over H . all_reduce over G = all_reduce over their union",
        why: "Each contribution is counted once, in whatever order; overlapping groups would count some twice.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameKind, Disjoint],
            apply: b1_forward,
        },
        backward: Some(Law {
            conditions: &[Disjoint],
            apply: b1_backward,
        }),
    },
    Rule {
        name: "B2",
        statement: "all_gather_k over H . all_gather_k over G = all_gather_k over (H major, G minor)",
        why: "The outer gather lines up blocks that the inner one has made.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[SameDim, Nested],
            apply: b2_forward,
        },
        backward: Some(Law {
            conditions: &[Nested],
            apply: b2_backward,
        }),
    },
    Rule {
        name: "B3",
        statement: "reduce_scatter_k over H . reduce_scatter_k over G = reduce_scatter_k over (G major, H minor)",
        why: "The first scatter picks the large slice, the second one a part of it.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameKind, SameDim, Nested],
            apply: b3_forward,
        },
        backward: Some(Law {
            conditions: &[Nested],
            apply: b3_backward,
        }),
    },
    Rule {
        name: "B3s",
        statement: "shard_k over H . shard_k over G = shard_k over (G major, H minor)",
        why: "The first one picks the large slice, the second one a part of it.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[SameDim, Nested],
            apply: b3s_forward,
        },
        backward: Some(Law {
            conditions: &[Nested],
            apply: b3s_backward,
        }),
    },
    Rule {
        name: "B4",
        statement: "all_gather_j over G . all_gather_k over H = all_gather_k over H . all_gather_j over G",
        why: "Rows and columns of a table of blocks can be joined in either order if the devices form such a table.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[DifferentDim, Square],
            apply: b4,
        },
        backward: None,
    },
    Rule {
        name: "B5",
        statement: "all_reduce over G . all_gather_k over H = all_gather_k over H . all_reduce over G",
        why: "Each block can be reduced before it is gathered, which reduces fewer bytes (HSDP's order).",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SquareByBlocks],
            apply: b5_forward,
        },
        backward: Some(Law {
            conditions: &[SquareByBlocks],
            apply: b5_backward,
        }),
    },
    Rule {
        name: "B6",
        statement: "reduce_scatter_k over H . all_reduce over G = all_reduce over G . reduce_scatter_k over H",
        why: "The members of a list of G own the same slice, so the other slices need not be reduced among them.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameKind, PositionConstant, Contributors],
            apply: b6_forward,
        },
        backward: Some(Law {
            conditions: &[SameKind, PositionConstant, Contributors],
            apply: b6_backward,
        }),
    },
    Rule {
        name: "B6s",
        statement: "shard_k over H . all_reduce over G = all_reduce over G . shard_k over H",
        why: "The members of a list of G keep the same slice, so it can be taken before the reduction.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[PositionConstant],
            apply: b6s_forward,
        },
        backward: Some(Law {
            conditions: &[PositionConstant],
            apply: b6s_backward,
        }),
    },
    Rule {
        name: "B7",
        statement: "reduce_scatter_j over H . all_gather_k over G = all_gather_k over G . reduce_scatter_j over H",
        why: "Each block can be reduced before it is gathered, if all members of a list of G own the same slice.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[DifferentDim, SquareByBlocks, PositionConstant],
            apply: b7_forward,
        },
        backward: Some(Law {
            conditions: &[DifferentDim, SquareByBlocks, PositionConstant],
            apply: b7_backward,
        }),
    },
    Rule {
        name: "B7s",
        statement: "shard_j over H . all_gather_k over G = all_gather_k over G . shard_j over H",
        why: "All members of a list of G keep the same slice, so it can be taken before the gather.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[DifferentDim, PositionConstant],
            apply: b7s_forward,
        },
        backward: Some(Law {
            conditions: &[DifferentDim, PositionConstant],
            apply: b7s_backward,
        }),
    },
    Rule {
        name: "B9",
        statement: "all_reduce . all_reduce over the same sets = a multiple of the inner one, or the inner one",
        why: "What is reduced already, in whatever way, is equal in the group: the outer one combines it with itself.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[SameSet],
            apply: b9,
        },
        backward: None,
    },
    Rule {
        name: "B10",
        statement: "all_reduce (x) = a multiple of x, or x, for x equal in the group",
        why: "As many equal terms as the list has members.",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[Replicated],
            apply: b10,
        },
        backward: None,
    },
    Rule {
        name: "B11",
        statement: "all_gather_k (x) = x repeated along k, for x equal in the group",
        why: "Every device has all parts already.",
        class: Fp::Exact,
        forward: Law {
            conditions: &[Replicated],
            apply: b11,
        },
        backward: None,
    },
    Rule {
        name: "B12",
        statement: "all_reduce over G x H = all_gather_k over G . all_reduce over H . reduce_scatter_k over G",
        why: "Only a slice crosses the slow links (BlueConnect, Cho et al. 2019).",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[Disjoint, PositionConstant, Divides],
            apply: b12_forward,
        },
        backward: Some(Law {
            conditions: &[SameKind, SameDim, SameOrder, Disjoint, PositionConstant],
            apply: b12_backward,
        }),
    },
    Rule {
        name: "B13",
        statement: "shard_k over G . all_reduce over G x H = all_reduce over H . reduce_scatter_k over G",
        why: "The slices that are not kept need not be reduced over H (PyTorch's hybrid sharding).",
        class: Fp::Reassociate,
        forward: Law {
            conditions: &[Disjoint, PositionConstant],
            apply: b13_forward,
        },
        backward: Some(Law {
            conditions: &[SameKind, Disjoint, PositionConstant],
            apply: b13_backward,
        }),
    },
];

fn element(site: &Site) -> Element {
    site.own_type().element
}

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
            let fp = order(kind, element(site));
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
            let fp = order(kind, element(site));
            site.emit(guard, fp, apply(Op::AllReduce { kind, group: b }, first));
        }
    }
}

fn b2_forward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather {
            dim: first,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == first)
            && let Some(product) = site.product(&mut guard, (group, own), None)
        {
            site.emit(
                guard,
                Fp::Exact,
                apply(Op::AllGather { dim, group: product }, inner.operands[0]),
            );
        }
    }
}

fn b2_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for (major, minor) in site.factors(group) {
        let mut guard = site.guard();
        if site.product(&mut guard, (major, minor), Some(group)).is_some() {
            let first = apply(Op::AllGather { dim, group: minor }, site.operand(0));
            site.emit(
                guard,
                Fp::Exact,
                apply(Op::AllGather { dim, group: major }, first),
            );
        }
    }
}

fn b3_forward(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::ReduceScatter {
            kind: inner_kind,
            dim: first,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameKind, kind == inner_kind)
            && guard.require(SameDim, dim == first)
            && let Some(product) = site.product(&mut guard, (own, group), None)
        {
            let fp = order(kind, element(site));
            site.emit(
                guard,
                fp,
                apply(
                    Op::ReduceScatter {
                        kind,
                        dim,
                        group: product,
                    },
                    inner.operands[0],
                ),
            );
        }
    }
}

fn b3_backward(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
        return;
    };
    for (major, minor) in site.factors(group) {
        let mut guard = site.guard();
        if site.product(&mut guard, (major, minor), Some(group)).is_some() {
            let first = apply(
                Op::ReduceScatter {
                    kind,
                    dim,
                    group: major,
                },
                site.operand(0),
            );
            let fp = order(kind, element(site));
            site.emit(
                guard,
                fp,
                apply(
                    Op::ReduceScatter {
                        kind,
                        dim,
                        group: minor,
                    },
                    first,
                ),
            );
        }
    }
}

fn b3s_forward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Shard {
            dim: first,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == first)
            && let Some(product) = site.product(&mut guard, (own, group), None)
        {
            site.emit(
                guard,
                Fp::Exact,
                apply(Op::Shard { dim, group: product }, inner.operands[0]),
            );
        }
    }
}

fn b3s_backward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for (major, minor) in site.factors(group) {
        let mut guard = site.guard();
        if site.product(&mut guard, (major, minor), Some(group)).is_some() {
            let first = apply(Op::Shard { dim, group: major }, site.operand(0));
            site.emit(guard, Fp::Exact, apply(Op::Shard { dim, group: minor }, first));
        }
    }
}

fn b4(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather {
            dim: first,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != first) && guard.require(Square, site.groups.square(group, own))
        {
            let gathered = apply(Op::AllGather { dim, group }, inner.operands[0]);
            site.emit(
                guard,
                Fp::Exact,
                apply(
                    Op::AllGather {
                        dim: first,
                        group: own,
                    },
                    gathered,
                ),
            );
        }
    }
}

fn b5_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather { dim, group: blocks } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SquareByBlocks, site.groups.square_by_blocks(blocks, group)) {
            let reduced = apply(Op::AllReduce { kind, group }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(guard, fp, apply(Op::AllGather { dim, group: blocks }, reduced));
        }
    }
}

fn b5_backward(site: &mut Site) {
    let Op::AllGather { dim, group: blocks } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce { kind, group } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SquareByBlocks, site.groups.square_by_blocks(blocks, group)) {
            let gathered = apply(Op::AllGather { dim, group: blocks }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(guard, fp, apply(Op::AllReduce { kind, group }, gathered));
        }
    }
}

fn scatter_commutes(site: &mut Site, guard: &mut Guard, scatter: GroupId, reduce: GroupId) -> bool {
    guard.require(PositionConstant, site.groups.position_constant(scatter, reduce))
        && guard.require(Contributors, site.groups.contributors(reduce, scatter))
}

fn b6_forward(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
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
        if guard.require(SameKind, kind == first) && scatter_commutes(site, &mut guard, group, own) {
            let scattered = apply(Op::ReduceScatter { kind, dim, group }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(
                guard,
                fp,
                apply(
                    Op::AllReduce {
                        kind: first,
                        group: own,
                    },
                    scattered,
                ),
            );
        }
    }
}

fn b6_backward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::ReduceScatter {
            kind: first,
            dim,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameKind, kind == first) && scatter_commutes(site, &mut guard, own, group) {
            let reduced = apply(Op::AllReduce { kind, group }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(
                guard,
                fp,
                apply(
                    Op::ReduceScatter {
                        kind: first,
                        dim,
                        group: own,
                    },
                    reduced,
                ),
            );
        }
    }
}

fn b6s_forward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce { kind, group: own } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(PositionConstant, site.groups.position_constant(group, own)) {
            let sharded = apply(Op::Shard { dim, group }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(guard, fp, apply(Op::AllReduce { kind, group: own }, sharded));
        }
    }
}

fn b6s_backward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Shard { dim, group: own } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(PositionConstant, site.groups.position_constant(own, group)) {
            let reduced = apply(Op::AllReduce { kind, group }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(guard, fp, apply(Op::Shard { dim, group: own }, reduced));
        }
    }
}

fn blocks_commute(site: &mut Site, guard: &mut Guard, blocks: GroupId, scatter: GroupId) -> bool {
    guard.require(SquareByBlocks, site.groups.square_by_blocks(blocks, scatter))
        && guard.require(PositionConstant, site.groups.position_constant(scatter, blocks))
}

fn b7_forward(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather {
            dim: first,
            group: blocks,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != first) && blocks_commute(site, &mut guard, blocks, group) {
            let scattered = apply(Op::ReduceScatter { kind, dim, group }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(
                guard,
                fp,
                apply(
                    Op::AllGather {
                        dim: first,
                        group: blocks,
                    },
                    scattered,
                ),
            );
        }
    }
}

fn b7_backward(site: &mut Site) {
    let Op::AllGather { dim, group: blocks } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::ReduceScatter {
            kind,
            dim: first,
            group,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != first) && blocks_commute(site, &mut guard, blocks, group) {
            let gathered = apply(Op::AllGather { dim, group: blocks }, inner.operands[0]);
            let fp = order(kind, element(site));
            site.emit(
                guard,
                fp,
                apply(
                    Op::ReduceScatter {
                        kind,
                        dim: first,
                        group,
                    },
                    gathered,
                ),
            );
        }
    }
}

fn b7s_forward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather {
            dim: first,
            group: blocks,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != first)
            && guard.require(PositionConstant, site.groups.position_constant(group, blocks))
        {
            let sharded = apply(Op::Shard { dim, group }, inner.operands[0]);
            site.emit(
                guard,
                Fp::Exact,
                apply(
                    Op::AllGather {
                        dim: first,
                        group: blocks,
                    },
                    sharded,
                ),
            );
        }
    }
}

fn b7s_backward(site: &mut Site) {
    let Op::AllGather { dim, group: blocks } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Shard { dim: first, group } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != first)
            && guard.require(PositionConstant, site.groups.position_constant(group, blocks))
        {
            let gathered = apply(Op::AllGather { dim, group: blocks }, inner.operands[0]);
            site.emit(guard, Fp::Exact, apply(Op::Shard { dim: first, group }, gathered));
        }
    }
}

/// A value combined `count` times with itself, and the class of saying so. Not for products, whose powers the language
/// lacks.
fn multiple(kind: Kind, count: usize, element: Element, value: Tree) -> Option<(Fp, Tree)> {
    let scale = |factor: usize| {
        apply(
            Op::Map(Function::Scale(Factor::new(factor as f64))),
            value.clone(),
        )
    };
    match kind {
        // Two equal terms add up exactly; three are rounded where a multiple is rounded once.
        Kind::Sum if count <= 2 || !element.is_float() => Some((Fp::Exact, scale(count))),
        Kind::Sum => Some((Fp::Reassociate, scale(count))),
        Kind::Max | Kind::Min | Kind::And | Kind::Or => Some((Fp::Exact, value)),
        Kind::Xor if count % 2 == 1 => Some((Fp::Exact, value)),
        Kind::Xor if element.is_integer() => Some((Fp::Exact, scale(0))),
        Kind::Xor | Kind::Product => None,
    }
}

fn b9(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce { group: own, .. } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        let reduced = Tree::Apply(inner.op.clone(), vec![inner.operands[0].into()]);
        if guard.require(SameSet, site.groups.same_set(group, own))
            && let Some((fp, tree)) = multiple(kind, site.groups.size(group), element(site), reduced)
        {
            site.emit(guard, fp, tree);
        }
    }
}

fn b10(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    let operand = site.operand(0);
    let mut guard = site.guard();
    if guard.require(Replicated, site.replicated(operand, group))
        && let Some((fp, tree)) = multiple(kind, site.groups.size(group), element(site), operand.into())
    {
        site.emit(guard, fp, tree);
    }
}

fn b11(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    let operand = site.operand(0);
    let mut guard = site.guard();
    if guard.require(Replicated, site.replicated(operand, group)) {
        let mut shape = site.ty(operand).shape.clone();
        shape.insert(dim, site.groups.size(group));
        let dims = (0..shape.len()).filter(|&own| own != dim).collect();
        let repeated = apply(Op::BroadcastInDim { shape, dims }, operand);
        site.emit(
            guard,
            Fp::Exact,
            apply(Op::Reshape(site.own_type().shape.clone()), repeated),
        );
    }
}

fn b12_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
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
            let fp = order(kind, element(site));
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
                let fp = order(kind, element(site));
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
                let fp = order(kind, element(site));
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
            let fp = order(kind, element(site));
            site.emit(guard, fp, apply(Op::Shard { dim, group }, reduced));
        }
    }
}
