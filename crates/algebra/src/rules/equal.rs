// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group B, equal values: collectives of what is equal in the group already.

use super::{
    Condition::{Replicated, SameSet},
    Fp, Rule, law,
    site::{Site, Tree, apply},
};
use crate::{
    function::{Factor, Function},
    op::{Kind, Op},
    types::Element,
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "B9",
        statement: "all_reduce . all_reduce over the same sets = a multiple of the inner one, or the inner one",
        why: "What is reduced already, in whatever way, is equal in the group: the outer one combines it with itself.",
        class: Fp::Reassociate,
        forward: law(&[SameSet], b9),
        backward: None,
    },
    Rule {
        name: "B10",
        statement: "all_reduce (x) = a multiple of x, or x, for x equal in the group",
        why: "As many equal terms as the list has members.",
        class: Fp::Reassociate,
        forward: law(&[Replicated], b10),
        backward: None,
    },
    Rule {
        name: "B11",
        statement: "all_gather_k (x) = x repeated along k, for x equal in the group",
        why: "Every device has all parts already.",
        class: Fp::Exact,
        forward: law(&[Replicated], b11),
        backward: None,
    },
];

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
            && let Some((fp, tree)) =
                multiple(kind, site.groups.size(group), site.own_type().element, reduced)
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
        && let Some((fp, tree)) = multiple(
            kind,
            site.groups.size(group),
            site.own_type().element,
            operand.into(),
        )
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
