// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives that write into a tensor.
//!
//! The collectives of `comm` yield new tensors. One that writes in place can become such a one only if nobody else sees the
//! tensor that is written: it is made in the same block, by an op whose result never shares memory with an operand, and
//! the collective is its only user. Which ops those are is listed; of all others it is not known, and torch has too many
//! that yield an alias, some only at times (`type_as`, `reshape`, `to`, `contiguous`), to list those instead.

use crate::{
    mlir::{Op, Value},
    torch_purity::{operator_name, writes_operand},
};

/// `torch.aten` operators, without their overloads, whose result is always a new tensor. Sorted.
const FRESH: &[&str] = &[
    "__and__",
    "__or__",
    "__xor__",
    "_log_softmax",
    "_log_softmax_backward_data",
    "_softmax",
    "_softmax_backward_data",
    "_to_copy",
    "abs",
    "add",
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "amax",
    "amin",
    "arange",
    "argmax",
    "argmin",
    "baddbmm",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "bmm",
    "cat",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clone",
    "constant_pad_nd",
    "convolution",
    "convolution_backward",
    "copy",
    "cos",
    "cumsum",
    "div",
    "dot",
    "embedding",
    "embedding_dense_backward",
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "eq",
    "erf",
    "exp",
    "fill",
    "flip",
    "full",
    "full_like",
    "gather",
    "ge",
    "gelu",
    "gelu_backward",
    "gt",
    "index_add",
    "index_put",
    "index_select",
    "le",
    "linear",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "logsumexp",
    "lt",
    "masked_fill",
    "matmul",
    "maximum",
    "mean",
    "minimum",
    "mm",
    "mul",
    "mv",
    "native_dropout_backward",
    "native_group_norm",
    "native_group_norm_backward",
    "native_layer_norm",
    "native_layer_norm_backward",
    "ne",
    "neg",
    "new_empty",
    "new_empty_strided",
    "new_full",
    "new_ones",
    "new_zeros",
    "nll_loss_backward",
    "nll_loss_forward",
    "ones",
    "ones_like",
    "pow",
    "prod",
    "rand",
    "rand_like",
    "randn",
    "randn_like",
    "reciprocal",
    "relu",
    "repeat",
    "rsqrt",
    "rsub",
    "scatter",
    "scatter_add",
    "select_backward",
    "select_scatter",
    "sigmoid",
    "sigmoid_backward",
    "silu",
    "silu_backward",
    "sin",
    "slice_backward",
    "slice_scatter",
    "sqrt",
    "stack",
    "sub",
    "sum",
    "tanh",
    "tanh_backward",
    "threshold_backward",
    "tril",
    "triu",
    "var",
    "where",
    "zeros",
    "zeros_like",
];

/// Makes sure that nobody but `op` sees a tensor that it writes to.
pub(super) fn check(op: Op, value: Value, role: &str) -> Result<(), String> {
    let owner = value
        .defining_op()
        .filter(|owner| owner.parent_block() == op.parent_block())
        .ok_or_else(|| {
            format!("writes into its {role}, which others may see: it is made outside this block")
        })?;
    let name = operator_name(owner);
    if !makes_new_tensors(name) {
        return Err(format!(
            "writes into its {role}, which may share memory with operands of '{name}'; it is not known to make a new \
             tensor"
        ));
    }
    let mut uses = value.uses().map(|r#use| r#use.op());
    let is_only_user = |user: Op| user == op || is_list_for(user, op);
    if !uses.next().is_some_and(is_only_user) || uses.next().is_some() {
        return Err(format!(
            "writes into its {role}, which has other uses; export a functionalized graph"
        ));
    }
    Ok(())
}

fn makes_new_tensors(name: &str) -> bool {
    if name == "torch.prims.convert_element_type" {
        return true;
    }
    name.strip_prefix("torch.aten.").is_some_and(|operator| {
        let base = operator.split('.').next().unwrap_or(operator);
        FRESH.binary_search(&base).is_ok() && !writes_operand(operator)
    })
}

/// Whether `list` only collects operands of `op`.
fn is_list_for(list: Op, op: Op) -> bool {
    list.name() == "torch.prim.ListConstruct" && list.uses().all(|r#use| r#use.op() == op)
}

#[cfg(test)]
mod tests {
    use super::{FRESH, makes_new_tensors};

    #[test]
    fn the_table_is_sorted_for_binary_search() {
        assert!(FRESH.is_sorted());
    }

    #[test]
    fn tells_new_tensors_from_aliases() {
        for new in [
            "torch.aten.mm",
            "torch.aten.add.Tensor",
            "torch.aten.sum.dim_IntList",
            "torch.aten._to_copy",
            "torch.aten.empty.memory_format",
            "torch.prims.convert_element_type",
        ] {
            assert!(makes_new_tensors(new), "{new}");
        }
        for alias in [
            "torch.aten.view",
            "torch.aten.type_as",
            "torch.aten.add_.Tensor",
            "torch.aten.add.out",
            "torch.aten.sum.IntList_out",
            "torch.aten.to.device",
            "torch._c10d_functional.wait_tensor",
            "torch.mylib.custom",
            "builtin.unrealized_conversion_cast",
        ] {
            assert!(!makes_new_tensors(alias), "{alias}");
        }
    }
}
