// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What ops are by their names: views, cheap ops, scalings, collectives. Tables of their own, not those of the passes.

use super::super::ir::OpRecord;

/// What a collective is to the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Gather,
    Reduction,
    Other,
}

pub(super) const VIEWS: &[&str] = &[
    "builtin.unrealized_conversion_cast",
    "stablehlo.bitcast_convert",
    "stablehlo.get_tuple_element",
    "stablehlo.reshape",
    "stablehlo.tuple",
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.extract_slice",
    "tensor.reshape",
    "thunder.expand",
    "thunder.permute",
    "thunder.reshape",
    "thunder.split",
    "thunder.squeeze",
    "thunder.torch_prims_reshape_impl",
    "thunder.torch_slice_prim_impl",
    "thunder.transpose",
    "thunder.unsqueeze",
    "torch.aten._unsafe_view",
    "torch.aten.alias",
    "torch.aten.detach",
    "torch.aten.expand",
    "torch.aten.permute",
    "torch.aten.slice.Tensor",
    "torch.aten.split.Tensor",
    "torch.aten.squeeze",
    "torch.aten.squeeze.dim",
    "torch.aten.t",
    "torch.aten.transpose.int",
    "torch.aten.unsqueeze",
    "torch.aten.view",
    "torch.prim.ListConstruct",
    "torch.prim.ListUnpack",
];

pub(super) const CHEAP: &[&str] = &[
    "arith.bitcast",
    "arith.constant",
    "arith.extf",
    "arith.extsi",
    "arith.extui",
    "arith.fptosi",
    "arith.fptoui",
    "arith.sitofp",
    "arith.truncf",
    "arith.trunci",
    "arith.uitofp",
    "linalg.broadcast",
    "linalg.fill",
    "linalg.transpose",
    "stablehlo.broadcast",
    "stablehlo.broadcast_in_dim",
    "stablehlo.concatenate",
    "stablehlo.constant",
    "stablehlo.convert",
    "stablehlo.dynamic_slice",
    "stablehlo.iota",
    "stablehlo.pad",
    "stablehlo.reduce_precision",
    "stablehlo.reverse",
    "stablehlo.slice",
    "stablehlo.transpose",
    "tensor.concat",
    "tensor.empty",
    "tensor.pad",
    "tensor.splat",
    "thunder.arange",
    "thunder.cat",
    "thunder.full",
    "thunder.mul_scalar",
    "thunder.to",
    "thunder.torch_pad_prim_impl",
    "thunder.true_divide_scalar",
    "torch.aten._to_copy",
    "torch.aten.cat",
    "torch.aten.clone",
    "torch.aten.div.Scalar",
    "torch.aten.mul.Scalar",
    "torch.aten.ones",
    "torch.aten.to.dtype",
    "torch.aten.zeros",
    "torch.constant.bool",
    "torch.constant.device",
    "torch.constant.float",
    "torch.constant.int",
    "torch.constant.none",
    "torch.constant.str",
    "torch.prims.convert_element_type",
];

pub(super) const SCALINGS: &[&str] = &[
    "arith.divf",
    "arith.mulf",
    "stablehlo.divide",
    "stablehlo.multiply",
];

/// Whether an op computes an offset: integers of rank 0 alone. (Real programs compare nothing else at rank 0.)
pub(super) fn is_index_arithmetic(op: &OpRecord) -> bool {
    let is_integer = |ty: &String| ty.starts_with("tensor<i") || ty.starts_with("tensor<ui");
    op.name.starts_with("stablehlo.")
        && op.regions == 0
        && !op.types.is_empty()
        && op.types.iter().all(is_integer)
}

/// The collective that an op is.
pub fn class(op: &OpRecord) -> Option<Class> {
    Some(match op.name.strip_prefix("comm.")? {
        "all_gather" => Class::Gather,
        "reduce_scatter" | "all_reduce" => Class::Reduction,
        "all_to_all" | "permute" | "broadcast" => Class::Other,
        _ => return None,
    })
}

pub fn is_start(op: &OpRecord) -> bool {
    class(op).is_some() && op.types[0].starts_with("!comm.future")
}

pub fn communicates(op: &OpRecord) -> bool {
    class(op).is_some() || op.name == "comm.wait"
}
