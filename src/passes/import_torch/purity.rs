// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which torch ops have no side effect.
//!
//! The torch dialect is not loaded, so MLIR knows no effects of its ops and a scheduler may not move anything across
//! them. An op is marked `comm.pure` where its operands and results are values (no `!torch.tensor`, which may be an
//! alias, and no lists that could change), its name is one of arithmetic or views, and it neither draws random numbers
//! nor writes in place (a name that ends in `_`) nor asserts. Attention draws random numbers only where its dropout is not
//! zero, so that operand is looked at. Anything else stays unmarked: a fence.

use std::collections::HashMap;

use super::constants::operator_name;
use crate::mlir::{Attr, Op, Ty};

/// Starts of names that draw random numbers, assert, or keep state.
const IMPURE: &[&str] = &[
    "alpha_dropout",
    "bernoulli",
    "binomial",
    "cauchy",
    "dropout",
    "exponential",
    "feature_dropout",
    "feature_alpha_dropout",
    "geometric",
    "log_normal",
    "multinomial",
    "native_dropout",
    "normal",
    "poisson",
    "rand",
    "random",
    "rrelu",
    "uniform",
    "_assert",
    "_fused_dropout",
    "_print",
    "sym_constrain",
    "_batch_norm_impl",
    "batch_norm",
    "native_batch_norm",
    "_native_batch_norm",
    "append",
    "_set_item",
    "insert",
    "extend",
    "pop",
    "remove",
    "clear",
    "sort.int",
    "reverse",
    "Delete",
    "copy",
    "set_",
    "warn",
    "backward",
    "manual_seed",
    "get_rng_state",
    "set_rng_state",
];

/// Names outside `torch.aten` that have no side effect.
const PURE: &[&str] = &[
    "torch.prim.ListConstruct",
    "torch.prim.ListUnpack",
    "torch.prim.TupleConstruct",
    "torch.prim.TupleUnpack",
    "torch.prim.TupleIndex",
    "torch.prim.NumToTensor.Scalar",
    "torch.prim.dtype",
    "torch.prim.device",
    "torch.prim.layout",
    "torch.prims.convert_element_type",
    "torch.vtensor.literal",
    "torch.tensor_static_info_cast",
    "torch.derefine",
];

/// Remembers names and types that were judged.
#[derive(Default)]
pub(super) struct Purity {
    names: HashMap<String, bool>,
    types: HashMap<usize, bool>,
}

impl Purity {
    /// Marks an op of the torch dialect that has no side effect; whether it did.
    pub(super) fn mark(&mut self, op: Op) -> bool {
        let name = operator_name(op);
        if !name.starts_with("torch.") || op.is_registered() || op.num_regions() > 0 || op.num_results() == 0
        {
            return false;
        }
        let pure_name = match self.names.get(name) {
            Some(&known) => known,
            None => *self
                .names
                .entry(name.to_owned())
                .or_insert_with(|| is_pure_name(name)),
        };
        let pure = pure_name
            && (!name.contains("scaled_dot_product") || name.contains("_backward") || has_no_dropout(op))
            && op
                .operands()
                .chain(op.results())
                .all(|value| self.is_value(value.ty()));
        if pure {
            op.set_discardable_attr("comm.pure", Attr::unit(op.context()));
        }
        pure
    }

    /// Whether what is of this type cannot change once made.
    fn is_value(&mut self, ty: Ty) -> bool {
        *self.types.entry(ty.id()).or_insert_with(|| {
            let text = ty.to_text();
            !["!torch.tensor", "<tensor", "Generator", "!torch.nn", "!torch.any"]
                .iter()
                .any(|mutable| text.contains(mutable))
        })
    }
}

/// Whether the dropout of an attention is the constant 0. In all its signatures that is the first operand which is a
/// `float`.
fn has_no_dropout(op: Op) -> bool {
    op.operands()
        .find(|value| value.ty().to_text() == "!torch.float")
        .and_then(|value| value.defining_op()?.attr("value"))
        .is_some_and(|dropout| dropout.to_text().starts_with("0.000000e+00"))
}

fn is_pure_name(name: &str) -> bool {
    if name.starts_with("torch.constant.") || PURE.contains(&name) {
        return true;
    }
    let Some(operator) = name.strip_prefix("torch.aten.") else {
        return false;
    };
    let in_place = operator
        .split('.')
        .next()
        .is_some_and(|base| base.ends_with('_') && !base.ends_with("__"));
    // What differentiates a random op takes its numbers as operands.
    let backward = operator.contains("_backward");
    !in_place && (backward || !IMPURE.iter().any(|impure| operator.starts_with(impure)))
}

#[cfg(test)]
mod tests {
    use super::is_pure_name;

    #[test]
    fn tells_arithmetic_from_effects() {
        for pure in [
            "torch.aten.mm",
            "torch.aten._softmax_backward_data",
            "torch.aten.t",
            "torch.aten.__and__.Tensor",
            "torch.constant.int",
            "torch.prim.ListUnpack",
            "torch.aten._to_copy",
            "torch.aten.clone",
            "torch.aten.native_dropout_backward",
        ] {
            assert!(is_pure_name(pure), "{pure}");
        }
        for impure in [
            "torch.aten.add_.Tensor",
            "torch.aten.rand_like",
            "torch.aten.native_dropout",
            "torch.prim.Print",
            "torch.aten.append.t",
            "torch.operator",
            "torch.aten._assert_tensor_metadata",
            "torch.prim.RaiseException",
            "torch.aten.zero_",
            "torch.overwrite.tensor.contents",
        ] {
            assert!(!is_pure_name(impure), "{impure}");
        }
    }
}
