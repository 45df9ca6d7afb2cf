// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group C, reductions: a reduction and the elementwise functions and converts around it.

use egg::Id;

use super::{
    Condition::{Divides, IsExtreme, IsSum, Linear, Monotone, Replicated},
    Fp, Rule, law,
    site::{Guard, Site, Tree, apply, order, sums},
};
use crate::{
    function::Function,
    groups::GroupId,
    op::{Kind, Op},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "C1",
        statement: "reduction . h = h . reduction, for a sum and a linear elementwise h of one operand",
        why: "A sum of multiples is the multiple of the sum; so a mean can be taken before or after, on fewer bytes.",
        class: Fp::Reassociate,
        forward: law(&[IsSum, Linear], c1_forward),
        backward: Some(law(&[IsSum, Linear], c1_backward)),
    },
    Rule {
        name: "C1m",
        statement: "all_reduce (h (x, c)) = h (all_reduce x, c), for h linear in x and c equal in the group",
        why: "The factor is the same for all terms of the sum.",
        class: Fp::Reassociate,
        forward: law(&[IsSum, Linear, Replicated], c1m_forward),
        backward: Some(law(&[IsSum, Linear, Replicated], c1m_backward)),
    },
    Rule {
        name: "C1x",
        statement: "reduction . h = h . reduction, for a maximum or minimum and a monotone elementwise h",
        why: "A monotone function keeps the largest largest.",
        class: Fp::Exact,
        forward: law(&[IsExtreme, Monotone], c1x_forward),
        backward: Some(law(&[IsExtreme, Monotone], c1x_backward)),
    },
    Rule {
        name: "C1n",
        statement: "all_reduce max . negate = negate . all_reduce min, in floating point",
        why: "Negation turns the order around; wrapping integers have one number without a negative.",
        class: Fp::Exact,
        forward: law(&[IsExtreme], c1n_forward),
        backward: Some(law(&[IsExtreme], c1n_backward)),
    },
    Rule {
        name: "C26",
        statement: "h (w, all_reduce g) = all_gather_k (h (shard_k w, reduce_scatter_k g)), for w equal in the group",
        why: "Each device updates its slice of the weights alone (ZeRO, Rajbhandari et al. 2020; XLA's weight-update \
              sharding, Xu et al. 2020).",
        class: Fp::Reassociate,
        forward: law(&[Divides, Replicated], c26),
        backward: None,
    },
    Rule {
        name: "P1",
        statement: "convert . reduction = reduction . convert, between floating-point types",
        why: "Narrower sums move fewer bytes and lose digits; rounding is monotone, so maxima and minima lose nothing.",
        class: Fp::Precision,
        forward: law(&[], p1_forward),
        backward: Some(law(&[], p1_backward)),
    },
];

/// How an op reduces over devices, if it does.
pub(super) fn reduction(op: &Op) -> Option<Kind> {
    match *op {
        Op::AllReduce { kind, .. } | Op::ReduceScatter { kind, .. } => Some(kind),
        _ => None,
    }
}

fn c1_forward(site: &mut Site) {
    let Some(kind) = reduction(&site.term.op) else {
        return;
    };
    for inner in site.inner() {
        let (Op::Map(function), [operand]) = (&inner.op, inner.operands.as_slice()) else {
            continue;
        };
        pass_linear(
            site,
            kind,
            *function,
            (&Op::Map(*function), &site.term.op),
            *operand,
        );
    }
}

fn c1_backward(site: &mut Site) {
    let (Op::Map(function), 1) = (&site.term.op, site.arity()) else {
        return;
    };
    for inner in site.inner() {
        let Some(kind) = reduction(&inner.op) else {
            continue;
        };
        pass_linear(
            site,
            kind,
            *function,
            (&inner.op, &Op::Map(*function)),
            inner.operands[0],
        );
    }
}

/// Emits `outer (inner operand)` if a linear function may change places with the reduction.
fn pass_linear(site: &mut Site, kind: Kind, function: Function, (outer, inner): (&Op, &Op), operand: Id) {
    let element = site.own_type().element;
    // Of a function without a property it is not even known that it keeps the element type.
    if function.result(site.ty(operand).element) != Some(site.ty(operand).element) {
        return;
    }
    let mut guard = site.guard();
    if guard.require(IsSum, kind == Kind::Sum) && guard.require(Linear, function.is_linear()) {
        let exact = function.is_exactly_linear(element);
        let fp = if exact { Fp::Exact } else { sums(element) };
        // A reduce-scatter and an all-reduce are the same op on both sides, so the order of their terms is kept.
        site.emit(guard, fp, apply(outer.clone(), apply(inner.clone(), operand)));
    }
}

/// Whether a function of two operands is linear in the one of that number.
fn linear_in(function: Function, operand: usize, site: &Site) -> bool {
    match function {
        Function::Multiply => true,
        Function::Divide => operand == 0 && site.own_type().element.is_float(),
        _ => false,
    }
}

fn c1m_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let (Op::Map(function), &[a, b]) = (&inner.op, inner.operands.as_slice()) else {
            continue;
        };
        for (number, (reduced, factor)) in [(a, b), (b, a)].into_iter().enumerate() {
            let mut guard = site.guard();
            if guard.require(IsSum, kind == Kind::Sum)
                && guard.require(Linear, linear_in(*function, number, site))
                && guard.require(Replicated, site.replicated(factor, group))
            {
                let mut operands = vec![Tree::Class(a), Tree::Class(b)];
                operands[number] = apply(Op::AllReduce { kind, group }, reduced);
                let fp = sums(site.own_type().element);
                site.emit(guard, fp, Tree::Apply(inner.op.clone(), operands));
            }
        }
    }
}

fn c1m_backward(site: &mut Site) {
    let (Op::Map(function), &[a, b]) = (&site.term.op, site.term.operands.as_slice()) else {
        return;
    };
    for (number, (reduced, factor)) in [(a, b), (b, a)].into_iter().enumerate() {
        for inner in site.terms(reduced) {
            let Op::AllReduce { kind, group } = inner.op else {
                continue;
            };
            let mut guard = site.guard();
            if guard.require(IsSum, kind == Kind::Sum)
                && guard.require(Linear, linear_in(*function, number, site))
                && guard.require(Replicated, site.replicated(factor, group))
            {
                let mut operands = vec![Tree::Class(a), Tree::Class(b)];
                operands[number] = inner.operands[0].into();
                let product = Tree::Apply(site.term.op.clone(), operands);
                let fp = sums(site.own_type().element);
                site.emit(guard, fp, apply(inner.op.clone(), product));
            }
        }
    }
}

fn extreme(kind: Kind) -> bool {
    matches!(kind, Kind::Max | Kind::Min)
}

fn c1x_forward(site: &mut Site) {
    let Some(kind) = reduction(&site.term.op) else {
        return;
    };
    for inner in site.inner() {
        let (Op::Map(function), [operand]) = (&inner.op, inner.operands.as_slice()) else {
            continue;
        };
        pass_monotone(site, kind, *function, (&inner.op, &site.term.op), *operand);
    }
}

fn c1x_backward(site: &mut Site) {
    let (Op::Map(function), 1) = (&site.term.op, site.arity()) else {
        return;
    };
    for inner in site.inner() {
        let Some(kind) = reduction(&inner.op) else {
            continue;
        };
        pass_monotone(
            site,
            kind,
            *function,
            (&inner.op, &site.term.op),
            inner.operands[0],
        );
    }
}

fn pass_monotone(site: &mut Site, kind: Kind, function: Function, (outer, inner): (&Op, &Op), operand: Id) {
    let element = site.ty(operand).element;
    if function.result(element) != Some(element) {
        return;
    }
    let mut guard = site.guard();
    if guard.require(IsExtreme, extreme(kind)) && guard.require(Monotone, function.is_monotone(element)) {
        site.emit(
            guard,
            Fp::Exact,
            apply(outer.clone(), apply(inner.clone(), operand)),
        );
    }
}

/// The other extreme; other kinds as they are, for when the condition is waived.
fn opposite(kind: Kind) -> Kind {
    match kind {
        Kind::Max => Kind::Min,
        Kind::Min => Kind::Max,
        other => other,
    }
}

fn c1n_forward(site: &mut Site) {
    let Op::AllReduce { kind, group } = site.term.op else {
        return;
    };
    for inner in site.inner() {
        if inner.op == Op::Map(Function::Negate) && site.own_type().element.is_float() {
            let mut guard = site.guard();
            // The negated sum is the sum of the negated, by C1: this condition is there for products.
            if kind != Kind::Sum && guard.require(IsExtreme, extreme(kind)) {
                let reduced = apply(
                    Op::AllReduce {
                        kind: opposite(kind),
                        group,
                    },
                    inner.operands[0],
                );
                site.emit(guard, Fp::Exact, apply(inner.op.clone(), reduced));
            }
        }
    }
}

fn c1n_backward(site: &mut Site) {
    if site.term.op != Op::Map(Function::Negate) || !site.own_type().element.is_float() {
        return;
    }
    for inner in site.inner() {
        let Op::AllReduce { kind, group } = inner.op else {
            continue;
        };
        let mut guard = site.guard();
        if kind != Kind::Sum && guard.require(IsExtreme, extreme(kind)) {
            let negated = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(
                guard,
                Fp::Exact,
                apply(
                    Op::AllReduce {
                        kind: opposite(kind),
                        group,
                    },
                    negated,
                ),
            );
        }
    }
}

fn c26(site: &mut Site) {
    let Op::Map(_) = site.term.op else { return };
    if !site.may_split() {
        return;
    }
    for (pivot, &operand) in site.term.operands.iter().enumerate() {
        for inner in site.terms(operand) {
            let Op::AllReduce { kind, group } = inner.op else {
                continue;
            };
            for dim in 0..site.own_type().rank() {
                let mut guard = site.guard();
                if guard.require(
                    Divides,
                    site.own_type().shape[dim].is_multiple_of(site.groups.size(group)),
                ) && others_replicated(site, &mut guard, pivot, group)
                {
                    let sharded = |operand: Id| apply(Op::Shard { dim, group }, operand);
                    let mut operands: Vec<Tree> = site.term.operands.iter().map(|&id| sharded(id)).collect();
                    operands[pivot] = apply(Op::ReduceScatter { kind, dim, group }, inner.operands[0]);
                    let fp = order(kind, site.ty(operand).element);
                    let updated = Tree::Apply(site.term.op.clone(), operands);
                    site.emit(guard, fp, apply(Op::AllGather { dim, group }, updated));
                }
            }
        }
    }
}

fn others_replicated(site: &mut Site, guard: &mut Guard, pivot: usize, group: GroupId) -> bool {
    (0..site.arity()).all(|number| {
        number == pivot || guard.require(Replicated, site.replicated(site.operand(number), group))
    })
}

fn p1_forward(site: &mut Site) {
    let Op::Convert(element) = site.term.op else {
        return;
    };
    for inner in site.inner() {
        let Some(kind) = reduction(&inner.op) else {
            continue;
        };
        let before = site.ty(inner.operands[0]).element;
        if element.is_float() && before.is_float() && element != before {
            let fp = if extreme(kind) { Fp::Exact } else { Fp::Precision };
            let converted = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(site.guard(), fp, apply(inner.op.clone(), converted));
        }
    }
}

fn p1_backward(site: &mut Site) {
    let Some(kind) = reduction(&site.term.op) else {
        return;
    };
    for inner in site.inner() {
        let Op::Convert(element) = inner.op else { continue };
        let before = site.ty(inner.operands[0]).element;
        if element.is_float() && before.is_float() && element != before {
            let fp = if extreme(kind) { Fp::Exact } else { Fp::Precision };
            let reduced = apply(site.term.op.clone(), inner.operands[0]);
            site.emit(site.guard(), fp, apply(inner.op.clone(), reduced));
        }
    }
}
