// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group A: one collective in terms of others over the same groups.

use super::{
    Condition::{DifferentDim, Divides, Inverse, Replicated, SameDim, SameOrder, SameSet, Single},
    Fp, Rule, law,
    site::{Site, apply, order},
};
use crate::op::Op;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "A0",
        statement: "a collective or shard over lists of one device = its operand",
        why: "A list of one member has nothing to exchange.",
        class: Fp::Exact,
        forward: law(&[Single], single),
        backward: None,
    },
    Rule {
        name: "A1",
        statement: "all_reduce = all_gather_k . reduce_scatter_k",
        why: "Every slice is reduced by its owner and then given to all: how a ring all-reduce is built \
              (Patarasuk and Yuan, 2009).",
        class: Fp::Reassociate,
        forward: law(&[Divides], a1_forward),
        backward: Some(law(&[SameDim, SameOrder], a1_backward)),
    },
    Rule {
        name: "A2",
        statement: "shard_k . all_reduce = reduce_scatter_k",
        why: "That is what a reduce-scatter is; it moves half the bytes (XLA's ReduceScatterCreator).",
        class: Fp::Reassociate,
        forward: law(&[SameSet], a2_forward),
        backward: Some(law(&[], a2_backward)),
    },
    Rule {
        name: "A3",
        statement: "shard_k . all_gather_k = identity",
        why: "A device takes back the part that it gave.",
        class: Fp::Exact,
        forward: law(&[SameDim, SameOrder], a3),
        backward: None,
    },
    Rule {
        name: "A4",
        statement: "all_gather_k . shard_k (x) = x, for x equal in the group",
        why: "The parts of equal values make up that value again.",
        class: Fp::Exact,
        forward: law(&[SameDim, SameOrder, Replicated], a4),
        backward: None,
    },
    Rule {
        name: "A7",
        statement: "reduce_c . all_to_all (split s, concatenate c) = reduce_scatter_s . reduce_c",
        why: "Each device gets all contributions to its slice and adds them: that is a reduce-scatter.",
        class: Fp::Reassociate,
        forward: law(&[SameDim, DifferentDim], a7),
        backward: None,
    },
    Rule {
        name: "A7x",
        statement: "reduce_scatter_k = reduce . all_to_all (split k, concatenate a new dimension)",
        why: "One step instead of a ring's many, and an order of the terms that is fixed. It adds a dimension of extent \
              one, which every layout rule then moves about: off unless asked for.",
        class: Fp::Reassociate,
        forward: law(&[], a7_reverse),
        backward: None,
    },
    Rule {
        name: "A8",
        statement: "shard_s . all_gather_c = all_to_all (split s, concatenate c)",
        why: "Of each gathered part only the own slice is kept, so only that needs to be sent.",
        class: Fp::Exact,
        forward: law(&[DifferentDim, SameOrder], a8_forward),
        backward: Some(law(&[DifferentDim], a8_backward)),
    },
    Rule {
        name: "A9",
        statement: "all_to_all (c, s) . all_to_all (s, c) = identity",
        why: "The second exchange sends every slice back to where it came from.",
        class: Fp::Exact,
        forward: law(&[Inverse, SameOrder], a9),
        backward: None,
    },
    Rule {
        name: "A10",
        statement: "all_to_all (split j, concatenate k) . reduce_scatter_k = reduce_scatter_j",
        why: "The exchange turns slices along one dimension into slices along another.",
        class: Fp::Reassociate,
        forward: law(&[SameDim, DifferentDim, SameOrder], a10),
        backward: None,
    },
    Rule {
        name: "A11",
        statement: "all_gather_j . all_to_all (split j, concatenate k) = all_gather_k",
        why: "The exchange turns slices along one dimension into slices along another; all of them are the whole.",
        class: Fp::Exact,
        forward: law(&[SameDim, DifferentDim, SameOrder], a11_forward),
        backward: Some(law(&[Divides], a11_backward)),
    },
];

fn single(site: &mut Site) {
    let mut guard = site.guard();
    let Some(group) = site.term.op.group() else { return };
    if guard.require(Single, site.groups.size(group) == 1) {
        site.emit(guard, Fp::Exact, site.operand(0));
    }
}

fn a1_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    if !site.may_split() {
        return;
    }
    let (operand, size) = (site.operand(0), site.groups.size(group));
    for (dim, extent) in site.own_type().shape.iter().enumerate() {
        let mut guard = site.guard();
        if guard.require(Divides, extent % size == 0) {
            let scattered = apply(Op::ReduceScatter { kind, dim, group }, operand);
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllGather { dim, group }, scattered));
        }
    }
}

fn a1_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::ReduceScatter {
            kind,
            dim: split,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == split) && guard.require(SameOrder, group == own) {
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::AllReduce { kind, group }, inner.operands[0]));
        }
    }
}

fn a2_forward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllReduce { kind, group: own } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameSet, site.groups.same_set(group, own)) {
            let fp = order(kind, site.own_type().element);
            site.emit(
                guard,
                fp,
                apply(Op::ReduceScatter { kind, dim, group }, inner.operands[0]),
            );
        }
    }
}

fn a2_backward(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
        return;
    };
    let reduced = apply(Op::AllReduce { kind, group }, site.operand(0));
    let fp = order(kind, site.own_type().element);
    site.emit(site.guard(), fp, apply(Op::Shard { dim, group }, reduced));
}

fn a3(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather {
            dim: grown,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == grown) && guard.require(SameOrder, group == own) {
            site.emit(guard, Fp::Exact, inner.operands[0]);
        }
    }
}

fn a4(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::Shard {
            dim: split,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let value = inner.operands[0];
        let mut guard = site.guard();
        if guard.require(SameDim, dim == split)
            && guard.require(SameOrder, group == own)
            && guard.require(Replicated, site.replicated(value, group))
        {
            site.emit(guard, Fp::Exact, value);
        }
    }
}

fn a7_reverse(site: &mut Site) {
    let Op::ReduceScatter { kind, dim, group } = site.term.op else {
        return;
    };
    let operand = site.operand(0);
    let mut shape = site.ty(operand).shape.clone();
    shape.insert(0, 1);
    let exchange = Op::AllToAll {
        split: dim + 1,
        concat: 0,
        group,
    };
    let contributions = apply(exchange, apply(Op::Reshape(shape), operand));
    let fp = order(kind, site.own_type().element);
    site.emit(
        site.guard(),
        fp,
        apply(Op::Reduce { kind, dim: 0 }, contributions),
    );
}

fn a7(site: &mut Site) {
    let Op::Reduce { kind, dim } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllToAll { split, concat, group } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == concat) && guard.require(DifferentDim, split != dim) {
            let reduced = apply(Op::Reduce { kind, dim }, inner.operands[0]);
            let dim = split - usize::from(dim < split);
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, apply(Op::ReduceScatter { kind, dim, group }, reduced));
        }
    }
}

fn a8_forward(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllGather {
            dim: concat,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(DifferentDim, dim != concat) && guard.require(SameOrder, group == own) {
            site.emit(
                guard,
                Fp::Exact,
                apply(
                    Op::AllToAll {
                        split: dim,
                        concat,
                        group,
                    },
                    inner.operands[0],
                ),
            );
        }
    }
}

fn a8_backward(site: &mut Site) {
    let Op::AllToAll { split, concat, group } = site.term.op else {
        return;
    };
    let mut guard = site.guard();
    if guard.require(DifferentDim, split != concat) {
        let gathered = apply(Op::AllGather { dim: concat, group }, site.operand(0));
        site.emit(guard, Fp::Exact, apply(Op::Shard { dim: split, group }, gathered));
    }
}

fn a9(site: &mut Site) {
    let Op::AllToAll { split, concat, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllToAll {
            split: first,
            concat: joined,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(Inverse, split == joined && concat == first)
            && guard.require(SameOrder, group == own)
        {
            site.emit(guard, Fp::Exact, inner.operands[0]);
        }
    }
}

fn a10(site: &mut Site) {
    let Op::AllToAll { split, concat, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::ReduceScatter {
            kind,
            dim,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, concat == dim)
            && guard.require(DifferentDim, split != concat)
            && guard.require(SameOrder, group == own)
        {
            let fp = order(kind, site.own_type().element);
            let scatter = Op::ReduceScatter {
                kind,
                dim: split,
                group,
            };
            site.emit(guard, fp, apply(scatter, inner.operands[0]));
        }
    }
}

fn a11_forward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Op::AllToAll {
            split,
            concat,
            group: own,
        } = inner.op
        else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(SameDim, dim == split)
            && guard.require(DifferentDim, split != concat)
            && guard.require(SameOrder, group == own)
        {
            site.emit(
                guard,
                Fp::Exact,
                apply(Op::AllGather { dim: concat, group }, inner.operands[0]),
            );
        }
    }
}

fn a11_backward(site: &mut Site) {
    let Op::AllGather { dim, group } = site.term.op else {
        return;
    };
    if !site.may_split() {
        return;
    }
    let (operand, size) = (site.operand(0), site.groups.size(group));
    for (other, extent) in site.own_type().shape.iter().enumerate() {
        let mut guard = site.guard();
        if other != dim && guard.require(Divides, extent % size == 0) {
            let exchanged = apply(
                Op::AllToAll {
                    split: other,
                    concat: dim,
                    group,
                },
                operand,
            );
            site.emit(
                guard,
                Fp::Exact,
                apply(Op::AllGather { dim: other, group }, exchanged),
            );
        }
    }
}
