// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is known of ops of other dialects: whether they are pure, and how much work they are.
//!
//! Registered ops say themselves whether they have effects. Ops of unregistered dialects (StableHLO, torch-mlir, traces
//! of Thunder) are pure only if a table here says so, or if they carry the unit attribute `comm.pure`, by which a front
//! end vouches for them; anything else is a fence. The work of an op is never taken on trust: what is in no table is
//! real computation, whose order the sorts keep.
//!
//! The tables hold names, not semantics. They deliberately do not say what an op computes.

use crate::{
    collective::{Collective, is_wait},
    ffi::effect,
    mlir::{Op, Value},
    torch_purity,
};

/// How much work an op is on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// None: the result shares the operand's memory.
    View,
    /// Little: converts, transposes, broadcasts, scalings, packing, constants. Moves with the collective it serves.
    Cheap,
    /// Computation, whose order is kept.
    Real,
}

/// Whether an op and all in it have no side effect, so that it may move freely between its operands and its users.
/// Collectives and waits are not pure.
pub(crate) fn is_pure(op: Op) -> bool {
    effects(op) == 0
}

/// Effects of an op with all that is nested in it, as bits of [`effect`].
pub(crate) fn effects(op: Op) -> u32 {
    let mut all = own_effects(op);
    if op.num_regions() > 0 {
        // They are asked for op by op, since an unregistered op may be nested in a registered one.
        let mut stack = vec![op];
        while let Some(op) = stack.pop() {
            let nested = op.blocks().flat_map(|block| block.ops());
            for op in nested.filter(|op| !is_terminator(op.name())) {
                all |= own_effects(op);
                stack.push(op);
            }
        }
    }
    all
}

/// Effects of an op without what is nested in it.
fn own_effects(op: Op) -> u32 {
    if op.is_registered() {
        op.own_effects()
    } else if unregistered_is_pure(op) || op.discardable_attr("comm.pure").is_some() {
        0
    } else {
        effect::UNKNOWN
    }
}

/// Terminators yield values and have no effects of their own.
pub(crate) fn is_terminator(name: &str) -> bool {
    name.ends_with(".yield")
        || name.ends_with(".return")
        || name == "scf.condition"
        || name == "scf.forall.in_parallel"
}

fn unregistered_is_pure(op: Op) -> bool {
    let name = op.name();
    if let Some(stablehlo) = name.strip_prefix("stablehlo.") {
        return match stablehlo {
            "custom_call" => op.attr("has_side_effect").and_then(|attr| attr.as_bool()) != Some(true),
            _ => STABLEHLO_PURE.binary_search(&stablehlo).is_ok(),
        };
    }
    if name.starts_with("chlo.") || name == "sdy.sharding_constraint" {
        return true;
    }
    name.starts_with("torch.") && torch_purity::is_pure(op)
}

/// StableHLO ops without side effects, those with regions included (what is nested is checked too). Sorted.
const STABLEHLO_PURE: &[&str] = &[
    "abs",
    "add",
    "and",
    "atan2",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "bitcast_convert",
    "broadcast",
    "broadcast_in_dim",
    "case",
    "cbrt",
    "ceil",
    "cholesky",
    "clamp",
    "compare",
    "complex",
    "concatenate",
    "constant",
    "convert",
    "convolution",
    "cosine",
    "count_leading_zeros",
    "create_token",
    "divide",
    "dot",
    "dot_general",
    "dynamic_broadcast_in_dim",
    "dynamic_conv",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "dynamic_slice",
    "dynamic_update_slice",
    "exponential",
    "exponential_minus_one",
    "fft",
    "floor",
    "gather",
    "get_dimension_size",
    "get_tuple_element",
    "if",
    "imag",
    "iota",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "map",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "optimization_barrier",
    "or",
    "pad",
    "partition_id",
    "popcnt",
    "power",
    "real",
    "real_dynamic_slice",
    "reduce",
    "reduce_precision",
    "reduce_window",
    "remainder",
    "replica_id",
    "reshape",
    "reverse",
    "rng_bit_generator",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "scatter",
    "select",
    "select_and_scatter",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sine",
    "slice",
    "sort",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "torch_index_select",
    "transpose",
    "triangular_solve",
    "tuple",
    "uniform_dequantize",
    "uniform_quantize",
    "while",
    "xor",
];

/// Ops whose result shares the memory of an operand. Sorted.
const VIEWS: &[&str] = &[
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

/// Ops that are little work. Sorted.
const CHEAP: &[&str] = &[
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
    "tosa.cast",
    "tosa.const",
    "tosa.pad",
    "tosa.reshape",
    "tosa.tile",
    "tosa.transpose",
];

/// Products and quotients, cheap where one side is a constant.
const SCALINGS: &[&str] = &[
    "arith.divf",
    "arith.mulf",
    "stablehlo.divide",
    "stablehlo.multiply",
    "tosa.mul",
];

/// Dense matrix products, for tables and remarks: what is worth hiding a collective behind. Sorted.
pub(crate) const MATMULS: &[&str] = &[
    "linalg.batch_matmul",
    "linalg.contract",
    "linalg.matmul",
    "linalg.matmul_transpose_a",
    "linalg.matmul_transpose_b",
    "stablehlo.convolution",
    "stablehlo.dot",
    "stablehlo.dot_general",
    "thunder.linear",
    "thunder.matmul",
    "torch.aten.addmm",
    "torch.aten.bmm",
    "torch.aten.linear",
    "torch.aten.matmul",
    "torch.aten.mm",
    "tosa.matmul",
];

/// Whether an op touches a buffer. Then it has a place among the ops that write it, whatever its kind.
fn touches_buffer(op: Op) -> bool {
    op.operands()
        .chain(op.results())
        .any(|value| value.ty().is_buffer())
}

/// Whether a pure op is no work at all, see [`Work::View`].
pub(crate) fn is_view(op: Op) -> bool {
    is_view_name(op.name()) && !touches_buffer(op)
}

/// Whether ops of a name are views where they touch no buffer.
pub(crate) fn is_view_name(name: &str) -> bool {
    VIEWS.binary_search(&name).is_ok()
}

/// How much work a pure op is.
pub(crate) fn work(op: Op) -> Work {
    let name = op.name();
    if touches_buffer(op) {
        Work::Real
    } else if is_view_name(name) {
        Work::View
    } else if CHEAP.binary_search(&name).is_ok()
        || is_scalar_arithmetic(op)
        || (SCALINGS.contains(&name) && op.operands().any(is_constant))
    {
        Work::Cheap
    } else {
        Work::Real
    }
}

/// Whether all that goes in and out are integers of rank 0, as in the computation of a loop's index or of an offset. It is no
/// work, and without it a slice of stacked weights by a loop's counter would not count as a view of an argument.
fn is_scalar_arithmetic(op: Op) -> bool {
    let is_scalar = |value: Value| value.ty().rank() == Some(0) && value.ty().element().is_integer();
    op.num_regions() == 0
        && op.num_results() > 0
        && op.operands().all(is_scalar)
        && op.results().all(is_scalar)
}

/// Whether an op is a dense matrix product.
pub(crate) fn is_matmul(op: Op) -> bool {
    MATMULS.binary_search(&op.name()).is_ok()
}

/// Whether a value is a constant, also one broadcast, converted or reshaped.
pub(crate) fn is_constant(value: Value) -> bool {
    let mut value = value;
    // Front ends put at most a broadcast and a convert or two around a constant.
    for _ in 0..4 {
        let Some(op) = value.defining_op() else {
            return false;
        };
        match op.name() {
            "arith.constant" | "stablehlo.constant" | "tosa.const" => return true,
            "stablehlo.broadcast_in_dim"
            | "stablehlo.broadcast"
            | "stablehlo.convert"
            | "stablehlo.reshape"
            | "tensor.splat"
                if op.num_operands() == 1 =>
            {
                value = op.operand(0);
            }
            _ => return false,
        }
    }
    false
}

/// What an op does besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interference {
    /// Nothing: the op is pure, see [`is_pure`].
    None,
    /// It communicates, or reads or allocates memory, which does not interfere with a transfer between tensors.
    Some,
    /// It writes memory, may do anything, or communicates in a region: no collective may move across it.
    Fence,
}

/// How an op interferes with others.
pub(crate) fn interference(op: Op) -> Interference {
    if Collective::new(op).is_some() || is_wait(op) {
        return Interference::Some;
    }
    if op.num_regions() > 0 && op.walk().into_iter().any(|op| Collective::new(op).is_some()) {
        return Interference::Fence;
    }
    match effects(op) {
        0 => Interference::None,
        effects if effects & !(effect::READ | effect::ALLOCATE) == 0 => Interference::Some,
        _ => Interference::Fence,
    }
}

/// Whether no collective may move across an op.
pub(crate) fn is_fence(op: Op) -> bool {
    interference(op) == Interference::Fence
}

#[cfg(test)]
mod tests {
    use super::{CHEAP, MATMULS, STABLEHLO_PURE, VIEWS};

    #[test]
    fn tables_are_sorted_for_binary_search() {
        for table in [STABLEHLO_PURE, VIEWS, CHEAP, MATMULS] {
            assert!(table.is_sorted(), "{table:?}");
        }
    }
}
