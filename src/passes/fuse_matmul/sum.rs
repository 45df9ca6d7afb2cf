// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a device contributes to a reduction: a sum of products, and what is done elementwise with it before it is sent.
//!
//! The value of every step but the last is used by the next step alone, so all of it can go.

use super::{
    contraction::Contraction,
    elementwise::{Index, Pointwise, Tracer, identity, is_elementwise},
};
use crate::{
    collective::is_wait,
    mlir::{Op, Value, indexing_maps},
};

/// Elementwise steps between the sum and the reduction, at most.
const MOST: usize = 16;

/// A contribution.
#[derive(Debug)]
pub(super) struct Contribution {
    /// Products, in the order in which the program adds them.
    pub(super) products: Vec<Contraction>,
    /// Their sum.
    pub(super) sum: Value,
    /// What is sent, of an element of the sum.
    pub(super) partial: Pointwise,
    /// Elementwise steps and additions, the last first.
    pub(super) steps: Vec<Op>,
}

impl Contribution {
    /// The contribution that `sent` is, which only the reduction uses; why it is none, else.
    pub(super) fn of(sent: Value) -> Result<Self, &'static str> {
        if !has_one_user(sent) && leads_to_product(sent, 0) {
            return Err("what is reduced is used by others too");
        }
        Self::of_pieces(sent)
    }

    /// As above, where pieces of `sent`, all used for the reduction alone, are sent.
    pub(super) fn of_pieces(sent: Value) -> Result<Self, &'static str> {
        let mut value = sent;
        let mut chain: Vec<Op> = Vec::new();
        let (products, additions) = loop {
            if let Some(sum) = sum(value) {
                break sum;
            }
            if let Some(op) = value.defining_op()
                && matches!(op.name(), "tensor.pad" | "stablehlo.pad")
                && leads_to_product(op.operand(0), chain.len())
            {
                return Err("its product is padded otherwise than at the end of the scattered dimension");
            }
            let step = value
                .defining_op()
                .filter(|op| is_elementwise(*op) && chain.len() < MOST)
                .ok_or("no matrix product makes what is reduced")?;
            let mut towards = step.operands().filter(|operand| {
                operand.ty().shape() == value.ty().shape() && leads_to_product(*operand, chain.len())
            });
            let next = towards.next().ok_or("no matrix product makes what is reduced")?;
            if towards.next().is_some() {
                return Err("products are combined otherwise than by a sum before they are reduced");
            }
            if next.uses().nth(1).is_some() {
                return Err("a product is used by others too");
            }
            chain.push(step);
            value = next;
        };
        let agree = products.iter().all(|product| {
            product.accumulated == products[0].accumulated
                && product.result().ty().element() == value.ty().element()
        });
        if !agree {
            return Err("its products have different element types");
        }
        let whole = identity(products[0].maps[2].len());
        let is_inside = |op: Op| chain.contains(&op);
        let first = |read: Value, indices: &[Index]| (read == value && indices == whole).then_some(0);
        let rounds = products[0].accumulated != value.ty().element();
        let partial = match (chain.is_empty(), rounds) {
            (true, true) => Some(Pointwise::rounding(value.ty().element())),
            (true, false) => Some(Pointwise::default()),
            (false, _) => Tracer::new(&is_inside, &first).trace(sent, &whole),
        };
        chain.extend(additions);
        Ok(Self {
            products,
            sum: value,
            partial: partial.ok_or("what is done with the product before it is reduced reads no tensor")?,
            steps: chain,
        })
    }
}

/// Whether one op alone uses a value, a wait that keeps it for that op apart.
pub(super) fn has_one_user(value: Value) -> bool {
    let mut users = value.uses().filter(|r#use| !is_wait(r#use.op()));
    users.next().is_some() && users.next().is_none()
}

/// Whether elementwise steps lead from a product to a value.
fn leads_to_product(value: Value, depth: usize) -> bool {
    let Some(op) = value.defining_op() else {
        return false;
    };
    Contraction::of(op).is_some()
        || (depth < MOST
            && is_elementwise(op)
            && op.operands().any(|operand| {
                operand.ty().shape() == value.ty().shape() && leads_to_product(operand, depth + 1)
            }))
}

/// The products that a value is the sum of, and the additions; nothing where it is another sum or used within.
fn sum(value: Value) -> Option<(Vec<Contraction>, Vec<Op>)> {
    let (mut products, mut additions) = (Vec::new(), Vec::new());
    let mut stack = vec![value];
    while let Some(term) = stack.pop() {
        let op = term.defining_op()?;
        if term != value && term.uses().nth(1).is_some() {
            return None;
        }
        if let Some(product) = Contraction::of(op) {
            products.push(product);
        } else if is_addition(op) && additions.len() < MOST {
            additions.push(op);
            stack.extend([op.operand(1), op.operand(0)]);
        } else {
            return None;
        }
    }
    Some((products, additions))
}

/// Whether an op adds two tensors of its result's shape.
fn is_addition(op: Op) -> bool {
    let same = |count: usize| {
        op.operands()
            .take(count)
            .all(|operand| operand.ty() == op.result(0).ty())
    };
    match op.name() {
        "stablehlo.add" | "arith.addf" | "arith.addi" => op.num_operands() == 2 && same(2),
        "linalg.generic" => op.num_operands() == 3 && is_elementwise(op) && same(2) && adds_its_arguments(op),
        _ => false,
    }
}

/// Whether the body of a generic op on two tensors yields the sum of their elements, each read at its own place.
fn adds_its_arguments(op: Op) -> bool {
    let in_place = indexing_maps(op)
        .is_some_and(|maps| maps.iter().all(|(loops, map)| map.iter().copied().eq(0..*loops)));
    let Some(body) = op.region(0).next() else {
        return false;
    };
    let ops: Vec<Op> = body.ops().collect();
    let arguments: Vec<Value> = body.arguments().take(2).collect();
    in_place
        && matches!(ops[..], [add, r#yield]
            if matches!(add.name(), "arith.addf" | "arith.addi")
                && add.operands().eq(arguments)
                && r#yield.operands().eq([add.result(0)]))
}
