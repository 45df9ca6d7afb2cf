// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Group L: local ops alone. They pay little by themselves and let the others meet: shards sink towards arguments, so
//! that work shrinks and shards of gathers and reductions are found; layouts cancel.
//!
//! All of them shrink terms or values, so none has a backward direction.

use egg::Id;

use super::{
    Condition::{Embeds, Linear},
    Fp, Rule, law,
    site::{Site, Tree, apply, sums},
};
use crate::{
    function::{Factor, Function},
    op::{Op, Side},
};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "L1",
        statement: "transpose . transpose = transpose; a transpose that keeps the order = its operand",
        why: "Permutations compose.",
        class: Fp::Exact,
        forward: law(&[], transposes),
        backward: None,
    },
    Rule {
        name: "L2",
        statement: "reshape . reshape = reshape; a reshape to the same shape = its operand",
        why: "The order of elements never changes.",
        class: Fp::Exact,
        forward: law(&[], reshapes),
        backward: None,
    },
    Rule {
        name: "L3",
        statement: "convert . convert = the outer convert, if the inner one loses nothing",
        why: "A value that was widened is still the same value.",
        class: Fp::Exact,
        forward: law(&[Embeds], converts),
        backward: None,
    },
    Rule {
        name: "L4",
        statement: "a reduction over one element = a reshape",
        why: "There is nothing to combine.",
        class: Fp::Exact,
        forward: law(&[], reduce_one),
        backward: None,
    },
    Rule {
        name: "L5",
        statement: "shard . f = f . shards, for a local f that works along the dimension element by element",
        why: "Compute only the part that is kept.",
        class: Fp::Reassociate,
        forward: law(&[], sink_shard),
        backward: None,
    },
    Rule {
        name: "L6",
        statement: "scale . scale = scale by the product",
        why: "Multiplication associates, but for rounding.",
        class: Fp::Reassociate,
        forward: law(&[Linear], scales),
        backward: None,
    },
];

fn transposes(site: &mut Site) {
    let Op::Transpose(outer) = &site.term.op else {
        return;
    };
    if outer.is_sorted() {
        site.emit(site.guard(), Fp::Exact, site.operand(0));
        return;
    }
    for inner in site.inner() {
        let Op::Transpose(first) = &inner.op else { continue };
        let composed = outer.iter().map(|&dim| first[dim]).collect();
        site.emit(
            site.guard(),
            Fp::Exact,
            apply(Op::Transpose(composed), inner.operands[0]),
        );
    }
}

fn reshapes(site: &mut Site) {
    let Op::Reshape(shape) = &site.term.op else { return };
    if *shape == site.ty(site.operand(0)).shape {
        site.emit(site.guard(), Fp::Exact, site.operand(0));
        return;
    }
    for inner in site.inner() {
        if let Op::Reshape(_) = inner.op {
            site.emit(
                site.guard(),
                Fp::Exact,
                apply(site.term.op.clone(), inner.operands[0]),
            );
        }
    }
}

fn converts(site: &mut Site) {
    let Op::Convert(element) = site.term.op else {
        return;
    };
    if element == site.ty(site.operand(0)).element {
        site.emit(site.guard(), Fp::Exact, site.operand(0));
        return;
    }
    for inner in site.inner() {
        let Op::Convert(middle) = inner.op else { continue };
        let source = inner.operands[0];
        let mut guard = site.guard();
        if guard.require(Embeds, site.ty(source).element.embeds_in(middle)) {
            site.emit(guard, Fp::Exact, apply(site.term.op.clone(), source));
        }
    }
}

fn reduce_one(site: &mut Site) {
    let Op::Reduce { dim, .. } = site.term.op else {
        return;
    };
    if site.ty(site.operand(0)).shape[dim] == 1 {
        let shape = site.own_type().shape.clone();
        site.emit(
            site.guard(),
            Fp::Exact,
            apply(Op::Reshape(shape), site.operand(0)),
        );
    }
}

fn sink_shard(site: &mut Site) {
    let Op::Shard { dim, group } = site.term.op else {
        return;
    };
    let members = site.groups.size(group);
    let shard = |dim: usize, operand: Id| apply(Op::Shard { dim, group }, operand);
    for inner in site.inner() {
        let operands = &inner.operands;
        let mut fp = Fp::Exact;
        let tree = match &inner.op {
            Op::Map(_) | Op::Convert(_) => {
                let parts = operands.iter().map(|&operand| shard(dim, operand)).collect();
                Tree::Apply(inner.op.clone(), parts)
            }
            Op::Constant { bits, .. } => Tree::Apply(
                Op::Constant {
                    bits: *bits,
                    ty: site.own_type().clone(),
                },
                Vec::new(),
            ),
            Op::Transpose(permutation) => apply(inner.op.clone(), shard(permutation[dim], operands[0])),
            Op::BroadcastInDim { shape, dims } => {
                let mut part = shape.clone();
                part[dim] /= members;
                let op = Op::BroadcastInDim {
                    shape: part,
                    dims: dims.clone(),
                };
                match dims.iter().position(|&place| place == dim) {
                    Some(source) => apply(op, shard(source, operands[0])),
                    None => apply(op, operands[0]),
                }
            }
            Op::Reduce { dim: reduced, .. } => apply(
                inner.op.clone(),
                shard(dim + usize::from(*reduced <= dim), operands[0]),
            ),
            Op::Slice { dim: cut, .. } if *cut != dim => apply(inner.op.clone(), shard(dim, operands[0])),
            Op::Concat(joined) if *joined != dim => {
                let parts = operands.iter().map(|&operand| shard(dim, operand)).collect();
                Tree::Apply(inner.op.clone(), parts)
            }
            Op::Dot(dot) => {
                fp = sums(dot.element);
                let ranks = [site.ty(operands[0]).rank(), site.ty(operands[1]).rank()];
                let parts = if let Some(&(left, right)) = dot.batch.get(dim) {
                    vec![shard(left, operands[0]), shard(right, operands[1])]
                } else {
                    match dot.free_source(dim, ranks) {
                        Some((Side::Left, dim)) => vec![shard(dim, operands[0]), operands[1].into()],
                        Some((Side::Right, dim)) => vec![operands[0].into(), shard(dim, operands[1])],
                        None => continue,
                    }
                };
                Tree::Apply(inner.op.clone(), parts)
            }
            _ => continue,
        };
        site.emit(site.guard(), fp, tree);
    }
}

fn scales(site: &mut Site) {
    let Op::Map(Function::Scale(outer)) = site.term.op else {
        return;
    };
    let element = site.own_type().element;
    for inner in site.inner() {
        let Op::Map(Function::Scale(first)) = inner.op else {
            continue;
        };
        let product = Factor::new(outer.value() * first.value());
        let integral = |factor: Factor| factor.value() as i64 as f64 == factor.value();
        // Integers take whole factors only, and cut off the rest; one product would cut off less.
        let mut guard = site.guard();
        if !guard.require(
            Linear,
            element.is_float() || (integral(outer) && integral(first) && integral(product)),
        ) {
            continue;
        }
        let exact = !element.is_float() || outer.is_power_of_two() || first.is_power_of_two();
        let fp = if exact { Fp::Exact } else { Fp::Reassociate };
        site.emit(
            guard,
            fp,
            apply(Op::Map(Function::Scale(product)), inner.operands[0]),
        );
    }
}
