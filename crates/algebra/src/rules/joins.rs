// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, joined reductions: one reduction in place of several that are combined afterwards.

use egg::Id;

use super::{
    Condition::{Distributes, SameDim, SameKind, SameOrder, SameSet},
    Fp, Rule, law,
    reductions::reduction,
    site::{Guard, Site, Tree, apply, order},
};
use crate::{
    function::Function,
    language::Term,
    op::{Kind, Op},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C2",
        statement: "h (all_reduce x, all_reduce y) = all_reduce (h (x, y)), for the h that the reduction combines with",
        why: "One collective in place of two.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, SameSet, Distributes], c2_forward),
        backward: Some(law(&[Distributes], c2_backward)),
    },
    Rule {
        name: "C3",
        statement: "h (reduce_scatter x, reduce_scatter y) = reduce_scatter (h (x, y)), for the h that it combines with",
        why: "One collective in place of two; the slices must be the same ones.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, SameDim, SameOrder, Distributes], c3_forward),
        backward: Some(law(&[Distributes], c3_backward)),
    },
    Rule {
        name: "C28",
        statement: "h (h (a, R x), R y) = h (a, R (h (x, y))), for R a reduction and h what it combines with",
        why: "Contributions are accumulated first and reduced once (XLA sinks all-reduces out of accumulations); the \
              start value a must stay outside.",
        class: Fp::Reassociate,
        forward: law(&[SameKind, SameSet, SameDim, SameOrder, Distributes], c28),
        backward: None,
    },
];

/// Whether the elementwise function of two operands passes through a reduction of this kind of both.
fn distributes(function: Function, kind: Kind) -> bool {
    function == kind.function() || (function == Function::Subtract && kind == Kind::Sum)
}

fn c2_forward(site: &mut Site) {
    let (Op::Map(function), &[a, b]) = (&site.term.op, site.term.operands.as_slice()) else {
        return;
    };
    for left in site.terms(a) {
        let Op::AllReduce { kind, group } = left.op else {
            continue;
        };
        for right in site.terms(b) {
            let Op::AllReduce {
                kind: other,
                group: second,
            } = right.op
            else {
                continue;
            };
            let mut guard = site.guard();
            if guard.require(SameKind, kind == other)
                && guard.require(SameSet, site.groups.same_set(group, second))
                && guard.require(Distributes, distributes(*function, kind))
            {
                let combined = Tree::Apply(
                    site.term.op.clone(),
                    vec![left.operands[0].into(), right.operands[0].into()],
                );
                let fp = order(kind, site.own_type().element);
                site.emit(guard, fp, apply(Op::AllReduce { kind, group }, combined));
            }
        }
    }
}

fn c2_backward(site: &mut Site) {
    let Op::AllReduce { .. } = site.term.op else {
        return;
    };
    split_reduction(site);
}

fn c3_backward(site: &mut Site) {
    let Op::ReduceScatter { .. } = site.term.op else {
        return;
    };
    split_reduction(site);
}

fn split_reduction(site: &mut Site) {
    let Some(kind) = reduction(&site.term.op) else {
        return;
    };
    for inner in site.inner() {
        let (Op::Map(function), &[a, b]) = (&inner.op, inner.operands.as_slice()) else {
            continue;
        };
        let mut guard = site.guard();
        if guard.require(Distributes, distributes(*function, kind)) {
            let parts = [a, b].map(|part| apply(site.term.op.clone(), part));
            let fp = order(kind, site.own_type().element);
            site.emit(guard, fp, Tree::Apply(inner.op.clone(), parts.to_vec()));
        }
    }
}

fn c3_forward(site: &mut Site) {
    let (Op::Map(function), &[a, b]) = (&site.term.op, site.term.operands.as_slice()) else {
        return;
    };
    for left in site.terms(a) {
        let Op::ReduceScatter { kind, dim, group } = left.op else {
            continue;
        };
        for right in site.terms(b) {
            let Op::ReduceScatter {
                kind: other,
                dim: split,
                group: second,
            } = right.op
            else {
                continue;
            };
            let mut guard = site.guard();
            if guard.require(SameKind, kind == other)
                && guard.require(SameDim, dim == split)
                && guard.require(SameOrder, group == second)
                && guard.require(Distributes, distributes(*function, kind))
            {
                let combined = Tree::Apply(
                    site.term.op.clone(),
                    vec![left.operands[0].into(), right.operands[0].into()],
                );
                let fp = order(kind, site.own_type().element);
                site.emit(guard, fp, apply(Op::ReduceScatter { kind, dim, group }, combined));
            }
        }
    }
}

/// Whether two reductions can be one: conditions of C2 or C3.
fn joins(site: &mut Site, guard: &mut Guard, a: &Op, b: &Op) -> bool {
    match (a, b) {
        (
            Op::AllReduce { kind, group },
            Op::AllReduce {
                kind: other,
                group: second,
            },
        ) => {
            guard.require(SameKind, kind == other)
                && guard.require(SameSet, site.groups.same_set(*group, *second))
        }
        (
            Op::ReduceScatter { kind, dim, group },
            Op::ReduceScatter {
                kind: other,
                dim: split,
                group: second,
            },
        ) => {
            guard.require(SameKind, kind == other)
                && guard.require(SameDim, dim == split)
                && guard.require(SameOrder, group == second)
        }
        _ => false,
    }
}

/// Whether a reduction's operand combines values that are also reduced apart: then it was joined by these rules, and to
/// join it once more would make every association of a long accumulation, not only the one from the left.
fn is_joined(site: &Site, reduction: &Term) -> bool {
    site.terms(reduction.operands[0]).any(|term| {
        let apart = |&operand: &Id| site.exists(&reduction.op, operand);
        term.op == site.term.op && term.operands.iter().all(apart)
    })
}

fn c28(site: &mut Site) {
    let (Op::Map(function), &[sum, last]) = (&site.term.op, site.term.operands.as_slice()) else {
        return;
    };
    for second in site.terms(last) {
        let Some(kind) = reduction(&second.op) else {
            continue;
        };
        if is_joined(site, second) {
            continue;
        }
        for earlier in site.terms(sum) {
            let &[start, middle] = earlier.operands.as_slice() else {
                continue;
            };
            if earlier.op != site.term.op || *function == Function::Subtract {
                continue;
            }
            for first in site.terms(middle) {
                let mut guard = site.guard();
                if joins(site, &mut guard, &second.op, &first.op)
                    && guard.require(Distributes, distributes(*function, kind))
                {
                    let combined = Tree::Apply(
                        site.term.op.clone(),
                        vec![first.operands[0].into(), second.operands[0].into()],
                    );
                    let reduced = apply(second.op.clone(), combined);
                    let fp = order(kind, site.own_type().element);
                    site.emit(
                        guard,
                        fp,
                        Tree::Apply(site.term.op.clone(), vec![start.into(), reduced]),
                    );
                }
            }
        }
    }
}
