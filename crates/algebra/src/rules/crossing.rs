// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group B, crossing: collectives over two groupings change places.
//!
//! All conditions are about the groupings as lists; for axes of one mesh they say that the axes differ.

use super::{
    Condition::{Contributors, DifferentDim, PositionConstant, SameKind, Square, SquareByBlocks},
    Fp, Rule, law,
    site::{Guard, Site, order},
};
use crate::{groups::GroupId, op::Op};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "B4",
        statement: "all_gather_j over G . all_gather_k over H = all_gather_k over H . all_gather_j over G",
        why: "Rows and columns of a table of blocks can be joined in either order if the devices form such a table.",
        class: Fp::Exact,
        forward: law(&[DifferentDim, Square], |site| site.exchange(b4)),
        backward: None,
    },
    Rule {
        name: "B5",
        statement: "all_reduce over G . all_gather_k over H = all_gather_k over H . all_reduce over G",
        why: "Each block can be reduced before it is gathered, which reduces fewer bytes (HSDP's order).",
        class: Fp::Reassociate,
        forward: law(&[SquareByBlocks], |site| site.exchange(b5)),
        backward: Some(law(&[SquareByBlocks], |site| {
            site.exchange(|site, guard, outer, inner| b5(site, guard, inner, outer));
        })),
    },
    Rule {
        name: "B6",
        statement: "reduce_scatter_k over H . all_reduce over G = all_reduce over G . reduce_scatter_k over H",
        why: "The members of a list of G own the same slice, so the other slices need not be reduced among them.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, PositionConstant, Contributors], |site| {
            site.exchange(b6)
        }),
        backward: Some(law(&[SameKind, PositionConstant, Contributors], |site| {
            site.exchange(|site, guard, outer, inner| b6(site, guard, inner, outer));
        })),
    },
    Rule {
        name: "B6s",
        statement: "shard_k over H . all_reduce over G = all_reduce over G . shard_k over H",
        why: "The members of a list of G keep the same slice, so it can be taken before the reduction.",
        class: Fp::Reassociate,
        forward: law(&[PositionConstant], |site| site.exchange(b6s)),
        backward: Some(law(&[PositionConstant], |site| {
            site.exchange(|site, guard, outer, inner| b6s(site, guard, inner, outer));
        })),
    },
    Rule {
        name: "B7",
        statement: "reduce_scatter_j over H . all_gather_k over G = all_gather_k over G . reduce_scatter_j over H",
        why: "Each block can be reduced before it is gathered, if all members of a list of G own the same slice.",
        class: Fp::Reassociate,
        forward: law(&[DifferentDim, SquareByBlocks, PositionConstant], |site| {
            site.exchange(b7)
        }),
        backward: Some(law(&[DifferentDim, SquareByBlocks, PositionConstant], |site| {
            site.exchange(|site, guard, outer, inner| b7(site, guard, inner, outer))
        })),
    },
    Rule {
        name: "B7s",
        statement: "shard_j over H . all_gather_k over G = all_gather_k over G . shard_j over H",
        why: "All members of a list of G keep the same slice, so it can be taken before the gather.",
        class: Fp::Exact,
        forward: law(&[DifferentDim, PositionConstant], |site| site.exchange(b7s)),
        backward: Some(law(&[DifferentDim, PositionConstant], |site| {
            site.exchange(|site, guard, outer, inner| b7s(site, guard, inner, outer));
        })),
    },
];

/// Conditions under which a scatter and a reduction over two groupings change places.
fn scatter_commutes(site: &mut Site, guard: &mut Guard, scatter: GroupId, reduce: GroupId) -> bool {
    guard.require(PositionConstant, site.groups.position_constant(scatter, reduce))
        && guard.require(Contributors, site.groups.contributors(reduce, scatter))
}

/// Conditions under which a gather of blocks and a reduction that scatters within them do.
fn blocks_commute(site: &mut Site, guard: &mut Guard, blocks: GroupId, scatter: GroupId) -> bool {
    guard.require(SquareByBlocks, site.groups.square_by_blocks(blocks, scatter))
        && guard.require(PositionConstant, site.groups.position_constant(scatter, blocks))
}

// Each of these takes the two ops in the order of the left side of its rule, whichever is outside in the term.

fn b4(site: &mut Site, guard: &mut Guard, outer: &Op, inner: &Op) -> Option<Fp> {
    let (
        &Op::AllGather { dim, group },
        &Op::AllGather {
            dim: first,
            group: own,
        },
    ) = (outer, inner)
    else {
        return None;
    };
    let commutes =
        guard.require(DifferentDim, dim != first) && guard.require(Square, site.groups.square(group, own));
    commutes.then_some(Fp::Exact)
}

fn b5(site: &mut Site, guard: &mut Guard, reduce: &Op, gather: &Op) -> Option<Fp> {
    let (&Op::AllReduce { kind, group }, &Op::AllGather { group: blocks, .. }) = (reduce, gather) else {
        return None;
    };
    let commutes = guard.require(SquareByBlocks, site.groups.square_by_blocks(blocks, group));
    commutes.then(|| order(kind, site.own_type().element))
}

fn b6(site: &mut Site, guard: &mut Guard, scatter: &Op, reduce: &Op) -> Option<Fp> {
    let (
        &Op::ReduceScatter { kind, group, .. },
        &Op::AllReduce {
            kind: other,
            group: own,
        },
    ) = (scatter, reduce)
    else {
        return None;
    };
    let commutes = guard.require(SameKind, kind == other) && scatter_commutes(site, guard, group, own);
    commutes.then(|| order(kind, site.own_type().element))
}

fn b6s(site: &mut Site, guard: &mut Guard, shard: &Op, reduce: &Op) -> Option<Fp> {
    let (&Op::Shard { group, .. }, &Op::AllReduce { kind, group: own }) = (shard, reduce) else {
        return None;
    };
    let commutes = guard.require(PositionConstant, site.groups.position_constant(group, own));
    commutes.then(|| order(kind, site.own_type().element))
}

fn b7(site: &mut Site, guard: &mut Guard, scatter: &Op, gather: &Op) -> Option<Fp> {
    let (
        &Op::ReduceScatter { kind, dim, group },
        &Op::AllGather {
            dim: other,
            group: blocks,
        },
    ) = (scatter, gather)
    else {
        return None;
    };
    let commutes = guard.require(DifferentDim, dim != other) && blocks_commute(site, guard, blocks, group);
    commutes.then(|| order(kind, site.own_type().element))
}

fn b7s(site: &mut Site, guard: &mut Guard, shard: &Op, gather: &Op) -> Option<Fp> {
    let (
        &Op::Shard { dim, group },
        &Op::AllGather {
            dim: other,
            group: blocks,
        },
    ) = (shard, gather)
    else {
        return None;
    };
    let commutes = guard.require(DifferentDim, dim != other)
        && guard.require(PositionConstant, site.groups.position_constant(group, blocks));
    commutes.then_some(Fp::Exact)
}
