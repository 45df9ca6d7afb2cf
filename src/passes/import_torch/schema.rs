// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Signatures of PyTorch's functional collectives (`torch/csrc/distributed/c10d/Functional.cpp`).
//!
//! Gathers concatenate and reductions scatter along dimension 0, always. A name that ends in `_` writes into its
//! operand, one that ends in `_out` into its last operand, and a `_coalesced` one takes and yields lists.

use crate::collective::Kind;

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The tensor that is communicated.
    Tensor,
    /// A list of such tensors.
    Tensors,
    /// Name of a reduction.
    Reduction,
    /// Number of ranks in the group.
    Size,
    /// Name of the group.
    Group,
    /// Position of the broadcasting rank in the group.
    Root,
    /// How much of dimension 0 comes from, or goes to, each rank.
    Splits,
    /// The tensor that is written to.
    Out,
}

/// One collective.
#[derive(Debug)]
pub(super) struct Schema {
    /// Name after the namespace.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) operands: &'static [Slot],
}

impl Schema {
    /// Whether the result is the operand, written to.
    pub(super) fn is_in_place(&self) -> bool {
        self.name.ends_with('_')
    }
}

use Slot::{Group, Out, Reduction, Root, Size, Splits, Tensor, Tensors};

const SCHEMAS: &[Schema] = &[
    Schema {
        name: "all_reduce",
        kind: Kind::AllReduce,
        operands: &[Tensor, Reduction, Group],
    },
    Schema {
        name: "all_reduce_",
        kind: Kind::AllReduce,
        operands: &[Tensor, Reduction, Group],
    },
    Schema {
        name: "all_reduce_coalesced",
        kind: Kind::AllReduce,
        operands: &[Tensors, Reduction, Group],
    },
    Schema {
        name: "all_reduce_coalesced_",
        kind: Kind::AllReduce,
        operands: &[Tensors, Reduction, Group],
    },
    Schema {
        name: "all_gather_into_tensor",
        kind: Kind::AllGather,
        operands: &[Tensor, Size, Group],
    },
    Schema {
        name: "all_gather_into_tensor_out",
        kind: Kind::AllGather,
        operands: &[Tensor, Size, Group, Out],
    },
    Schema {
        name: "all_gather_into_tensor_coalesced",
        kind: Kind::AllGather,
        operands: &[Tensors, Size, Group],
    },
    Schema {
        name: "reduce_scatter_tensor",
        kind: Kind::ReduceScatter,
        operands: &[Tensor, Reduction, Size, Group],
    },
    Schema {
        name: "reduce_scatter_tensor_out",
        kind: Kind::ReduceScatter,
        operands: &[Tensor, Reduction, Size, Group, Out],
    },
    Schema {
        name: "reduce_scatter_tensor_coalesced",
        kind: Kind::ReduceScatter,
        operands: &[Tensors, Reduction, Size, Group],
    },
    Schema {
        name: "all_to_all_single",
        kind: Kind::AllToAll,
        operands: &[Tensor, Splits, Splits, Group],
    },
    Schema {
        name: "broadcast",
        kind: Kind::Broadcast,
        operands: &[Tensor, Root, Group],
    },
    Schema {
        name: "broadcast_",
        kind: Kind::Broadcast,
        operands: &[Tensor, Root, Group],
    },
];

/// What an op is to this pass.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// Starts a collective.
    Start(&'static Schema),
    /// `wait_tensor`.
    Wait,
    /// Communicates in a way that this pass does not read.
    Foreign(&'static str),
    /// Does not communicate.
    Other,
}

/// Namespaces that communicate outside the functional collectives, and what to do about them.
const FOREIGN: &[(&str, &str)] = &[
    (
        "c10d_functional.",
        "is of the older functional collectives; those of torch._c10d_functional are expected",
    ),
    (
        "_c10d_functional_autograd.",
        "is a collective before differentiation; export the graph that AOTAutograd makes of it",
    ),
    (
        "_dtensor.",
        "redistributes a DTensor; export the graph of local tensors",
    ),
    (
        "c10d.",
        "is no functional collective; those of torch._c10d_functional are expected",
    ),
    (
        "symm_mem.",
        "communicates through symmetric memory, which this pass does not read",
    ),
];

/// What an operator of this name (`torch._c10d_functional.all_reduce`) is.
pub(super) fn role(operator: &str) -> Role {
    let Some(name) = operator.strip_prefix("torch.") else {
        return Role::Other;
    };
    let Some(name) = name.strip_prefix("_c10d_functional.") else {
        return FOREIGN
            .iter()
            .find(|(namespace, _)| name.starts_with(namespace))
            .map_or(Role::Other, |(_, reason)| Role::Foreign(reason));
    };
    let name = name.strip_suffix(".default").unwrap_or(name);
    if name == "wait_tensor" {
        return Role::Wait;
    }
    match SCHEMAS.iter().find(|schema| schema.name == name) {
        Some(schema) => Role::Start(schema),
        None => Role::Foreign("is no collective that this pass knows"),
    }
}
