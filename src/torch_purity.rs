// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which ops of torch-mlir have no side effect.
//!
//! The torch dialect is not loaded, so MLIR knows no effects of its ops and nothing may move across one that is not known
//! here. An op is pure where its name is one of arithmetic or views that neither draws random numbers, nor keeps state,
//! nor asserts, nor writes to an operand, and where what it reads and yields cannot change: no `!torch.tensor`, which may
//! be an alias, and no list that something appends to. Attention draws random numbers only where its dropout is not zero,
//! so that operand is looked at. A type or name that is not known makes an op impure.
//!
//! This says nothing of how much work an op is, nor of ops that communicate.

use crate::mlir::{Attr, Op, Ty, Value};

/// Starts of `torch.aten` names that draw random numbers, assert, keep state, or change a list.
const IMPURE: &[&str] = &[
    // Random numbers.
    "_fused_dropout",
    "_sample_dirichlet",
    "_standard_gamma",
    "alpha_dropout",
    "bernoulli",
    "binomial",
    "cauchy",
    "dropout",
    "exponential",
    "feature_alpha_dropout",
    "feature_dropout",
    "geometric",
    "gru",
    "log_normal",
    "lstm",
    "multinomial",
    "native_dropout",
    "normal",
    "poisson",
    "rand",
    "rnn",
    "rrelu",
    "uniform",
    // Running statistics.
    "_batch_norm",
    "_native_batch_norm",
    "batch_norm",
    "cudnn_batch_norm",
    "instance_norm",
    "miopen_batch_norm",
    "native_batch_norm",
    // Assertions, text, and state of tensors or generators.
    "_assert",
    "_print",
    "backward",
    "get_rng_state",
    "manual_seed",
    "record_stream",
    "set_",
    "sym_constrain",
    "warn",
];

/// Starts of names of ops that change a list.
const LIST_WRITERS: &[&str] = &[
    "torch.aten.Delete",
    "torch.aten._set_item",
    "torch.aten.append",
    "torch.aten.clear",
    "torch.aten.extend",
    "torch.aten.insert",
    "torch.aten.pop",
    "torch.aten.remove",
    "torch.aten.reverse",
    "torch.aten.sort.",
];

/// Starts of names of ops that only read a list, unless they are in [`LIST_WRITERS`].
const LIST_READERS: &[&str] = &[
    "func.return",
    "torch._c10d_functional.",
    "torch.aten.",
    "torch.prim.ListUnpack",
];

/// Names outside `torch.aten` and `torch.constant` that have no side effect. Sorted.
const PURE: &[&str] = &[
    "torch.derefine",
    "torch.prim.ListConstruct",
    "torch.prim.ListUnpack",
    "torch.prim.NumToTensor.Scalar",
    "torch.prim.TupleConstruct",
    "torch.prim.TupleIndex",
    "torch.prim.TupleUnpack",
    "torch.prim.device",
    "torch.prim.dtype",
    "torch.prim.layout",
    "torch.prims.collapse",
    "torch.prims.convert_element_type",
    "torch.prims.iota",
    "torch.prims.split_dim",
    "torch.prims.sqrt",
    "torch.prims.squeeze",
    "torch.prims.var",
    "torch.prims.view_of",
    "torch.tensor_static_info_cast",
    "torch.vtensor.literal",
];

/// Words of which types are made whose values cannot change, element types aside (a list can; that is looked at apart).
const VALUE_TYPES: &[&str] = &[
    "Device", "bool", "complex", "float", "int", "list", "none", "number", "optional", "str", "tuple",
    "union", "unk", "vtensor",
];

/// Most uses of a list that are looked at. A list with more counts as one that may change.
const MOST_LIST_USES: usize = 1000;

/// Whether an op of the torch dialect has no side effect. Linear in its operands, and in the uses of lists among them.
pub(crate) fn is_pure(op: Op) -> bool {
    let name = operator_name(op);
    op.num_regions() == 0
        && op.num_results() > 0
        && is_pure_name(name)
        && op
            .operands()
            .chain(op.results())
            .all(|value| is_value_type(value.ty()))
        && op
            .operands()
            .all(|value| !is_list(value.ty()) || is_list_unchanged(value))
        && (!draws_for_dropout(name) || has_no_dropout(op))
}

/// Name of a torch op: that of a `torch.operator` is an attribute.
pub(crate) fn operator_name<'a>(op: Op) -> &'a str {
    match op.name() {
        "torch.operator" => op.attr("name").and_then(Attr::as_str).unwrap_or("torch.operator"),
        name => name,
    }
}

/// Whether an `aten` operator, named without `torch.aten.`, writes to an operand: its name ends in `_`, or its overload
/// takes the tensor to write to.
pub(crate) fn writes_operand(operator: &str) -> bool {
    let (base, overload) = operator.split_once('.').unwrap_or((operator, ""));
    (base.ends_with('_') && !base.ends_with("__"))
        || overload == "out"
        || overload == "grad_input"
        || overload.ends_with("_out")
}

/// Whether a user of a list is known not to change it.
pub(crate) fn reads_list(user: Op) -> bool {
    is_reader_name(operator_name(user))
}

/// Whether nothing changes a list once it is made, as far as that is looked at.
fn is_list_unchanged(list: Value) -> bool {
    let mut uses = list.uses();
    uses.by_ref()
        .take(MOST_LIST_USES)
        .all(|r#use| reads_list(r#use.op()))
        && uses.next().is_none()
}

fn is_reader_name(name: &str) -> bool {
    LIST_READERS.iter().any(|reader| name.starts_with(reader))
        && !LIST_WRITERS.iter().any(|writer| name.starts_with(writer))
}

fn is_pure_name(name: &str) -> bool {
    if name.starts_with("torch.constant.") || PURE.binary_search(&name).is_ok() {
        return true;
    }
    let Some(operator) = name.strip_prefix("torch.aten.") else {
        return false;
    };
    // What differentiates a random op takes its numbers as operands.
    let differentiates = operator.contains("_backward");
    !writes_operand(operator)
        && !LIST_WRITERS.iter().any(|writer| name.starts_with(writer))
        && (differentiates || !IMPURE.iter().any(|impure| operator.starts_with(impure)))
}

/// Whether what is of this type cannot change once made, except for lists.
fn is_value_type(ty: Ty) -> bool {
    match ty.opaque_text() {
        Some(text) => is_value_text(text),
        None => {
            ty.is_ranked_tensor()
                || ty.is_integer()
                || ty.float_width().is_some()
                || ty == Ty::index(ty.context())
        }
    }
}

/// The same of a type of the torch dialect, without `!torch.`.
fn is_value_text(text: &str) -> bool {
    let separator = |character: char| !character.is_ascii_alphanumeric();
    text.split(separator)
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic()) && *word != "torch")
        .all(|word| VALUE_TYPES.binary_search(&word).is_ok() || is_element_type(word))
}

/// Whether a word names elements of a tensor: `f32`, `bf16`, `f8E4M3FN`, `si64`, `qint8`.
fn is_element_type(word: &str) -> bool {
    ["f", "bf", "tf", "i", "si", "ui", "qint", "quint"]
        .iter()
        .filter_map(|prefix| word.strip_prefix(prefix))
        .any(|width| width.starts_with(|first: char| first.is_ascii_digit()))
}

fn is_list(ty: Ty) -> bool {
    ty.opaque_text().is_some_and(|text| text.contains("list<"))
}

fn draws_for_dropout(name: &str) -> bool {
    name.contains("attention") && !name.contains("_backward")
}

/// Whether the dropout of an attention is the constant 0. In all its signatures that is the first operand which is a
/// `float`.
fn has_no_dropout(op: Op) -> bool {
    op.operands()
        .find(|value| value.ty().opaque_text() == Some("float"))
        .and_then(|value| value.defining_op()?.attr("value"))
        .is_some_and(|dropout| dropout.to_text().starts_with("0.000000e+00"))
}

#[cfg(test)]
mod tests {
    use super::{PURE, VALUE_TYPES, is_pure_name, is_reader_name, is_value_text};

    #[test]
    fn tables_are_sorted_for_binary_search() {
        assert!(PURE.is_sorted());
        assert!(VALUE_TYPES.is_sorted());
    }

    #[test]
    fn tells_arithmetic_from_effects() {
        for pure in [
            "torch.aten.mm",
            "torch.aten._softmax_backward_data",
            "torch.aten.t",
            "torch.aten.__and__.Tensor",
            "torch.constant.int",
            "torch.prim.ListConstruct",
            "torch.prim.ListUnpack",
            "torch.prims.convert_element_type",
            "torch.aten._to_copy",
            "torch.aten.clone",
            "torch.aten.sort",
            "torch.aten.native_dropout_backward",
        ] {
            assert!(is_pure_name(pure), "{pure}");
        }
        for impure in [
            "torch.aten.add_.Tensor",
            "torch.aten.add.out",
            "torch.aten.sum.IntList_out",
            "torch.aten.silu_backward.grad_input",
            "torch.aten.rand_like",
            "torch.aten.native_dropout",
            "torch.aten.rrelu",
            "torch.aten.batch_norm",
            "torch.aten.lstm.input",
            "torch.prim.Print",
            "torch.aten.append.t",
            "torch.aten.sort.int",
            "torch.operator",
            "torch.aten._assert_async",
            "torch.aten._assert_tensor_metadata",
            "torch.prim.RaiseException",
            "torch.aten.zero_",
            "torch.overwrite.tensor.contents",
        ] {
            assert!(!is_pure_name(impure), "{impure}");
        }
    }

    #[test]
    fn tells_values_from_what_may_change() {
        for value in [
            "vtensor<[4,?],f32>",
            "vtensor<[],complex<f64>>",
            "vtensor<*,bf16>",
            "vtensor",
            "vtensor<[2],f8E4M3FN>",
            "list<vtensor<[2],si64>>",
            "optional<list<int>>",
            "tuple<vtensor<[3],i1>, float>",
            "Device",
            "none",
        ] {
            assert!(is_value_text(value), "{value}");
        }
        for mutable in [
            "tensor<[4],f32>",
            "tensor",
            "list<tensor>",
            "tuple<int, tensor>",
            "dict<str, tensor>",
            "union<float, tensor>",
            "optional<!torch.tensor>",
            "Generator",
            "nn.Module<\"m\">",
            "any",
        ] {
            assert!(!is_value_text(mutable), "{mutable}");
        }
    }

    #[test]
    fn tells_readers_of_lists_from_writers() {
        for reader in ["torch.aten.cat", "torch.aten.sort", "torch.prim.ListUnpack"] {
            assert!(is_reader_name(reader), "{reader}");
        }
        for writer in ["torch.aten.append.t", "torch.aten.sort.int", "test.op"] {
            assert!(!is_reader_name(writer), "{writer}");
        }
    }
}
