// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group B, crossing: collectives over two groupings change places.
//!
//! All conditions are about the groupings as lists; for axes of one mesh they say that the axes differ.

use super::{
    Condition::{Contributors, DifferentDim, PositionConstant, SameKind, Square, SquareByBlocks},
    Fp, Rule, law,
    site::{Guard, Site, apply, order},
};
use crate::{groups::GroupId, op::Op};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "B4",
        statement: "all_gather_j over G . all_gather_k over H = all_gather_k over H . all_gather_j over G",
        why: "Rows and columns of a table of blocks can be joined in either order if the devices form such a table.",
        class: Fp::Exact,
        forward: law(&[DifferentDim, Square], b4),
        backward: None,
    },
    Rule {
        name: "B5",
        statement: "all_reduce over G . all_gather_k over H = all_gather_k over H . all_reduce over G",
        why: "Each block can be reduced before it is gathered, which reduces fewer bytes (HSDP's order).",
        class: Fp::Reassociate,
        forward: law(&[SquareByBlocks], b5_forward),
        backward: Some(law(&[SquareByBlocks], b5_backward)),
    },
    Rule {
        name: "B6",
        statement: "reduce_scatter_k over H . all_reduce over G = all_reduce over G . reduce_scatter_k over H",
        why: "The members of a list of G own the same slice, so the other slices need not be reduced among them.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, PositionConstant, Contributors], b6_forward),
        backward: Some(law(&[SameKind, PositionConstant, Contributors], b6_backward)),
    },
    Rule {
        name: "B6s",
        statement: "shard_k over H . all_reduce over G = all_reduce over G . shard_k over H",
        why: "The members of a list of G keep the same slice, so it can be taken before the reduction.",
        class: Fp::Reassociate,
        forward: law(&[PositionConstant], b6s_forward),
        backward: Some(law(&[PositionConstant], b6s_backward)),
    },
    Rule {
        name: "B7",
        statement: "reduce_scatter_j over H . all_gather_k over G = all_gather_k over G . reduce_scatter_j over H",
        why: "Each block can be reduced before it is gathered, if all members of a list of G own the same slice.",
        class: Fp::Reassociate,
        forward: law(&[DifferentDim, SquareByBlocks, PositionConstant], b7_forward),
        backward: Some(law(
            &[DifferentDim, SquareByBlocks, PositionConstant],
            b7_backward,
        )),
    },
    Rule {
        name: "B7s",
        statement: "shard_j over H . all_gather_k over G = all_gather_k over G . shard_j over H",
        why: "All members of a list of G keep the same slice, so it can be taken before the gather.",
        class: Fp::Exact,
        forward: law(&[DifferentDim, PositionConstant], b7s_forward),
        backward: Some(law(&[DifferentDim, PositionConstant], b7s_backward)),
    },
];

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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
            let fp = order(kind, site.own_type().element);
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
