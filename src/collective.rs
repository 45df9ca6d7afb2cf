// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives of the `comm` dialect as the passes see them.
//!
//! Invariant: ops that are looked at have passed the dialect's verifier.

/// Which collective an op is.
pub(crate) use comm_schedule::Collective as Kind;

use crate::mlir::{Op, Ty, Value};

/// The kind of an op of this name; nothing for other ops.
pub(crate) fn kind_of_name(name: &str) -> Option<Kind> {
    Kind::from_name(name.strip_prefix("comm.")?)
}

/// A collective, blocking or started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) op: Op,
    pub(crate) kind: Kind,
}

impl Collective {
    /// The op as a collective, if it is one.
    pub(crate) fn new(op: Op) -> Option<Self> {
        Some(Self {
            op,
            kind: kind_of_name(op.name())?,
        })
    }

    /// Whether the op starts the collective instead of blocking.
    pub(crate) fn is_async(self) -> bool {
        self.op.num_results() == 1 && self.op.result(0).ty().is_future()
    }

    /// The future, where the op starts the collective.
    pub(crate) fn future(self) -> Option<Value> {
        self.is_async().then(|| self.op.result(0))
    }

    /// The one wait of a started collective.
    pub(crate) fn wait(self) -> Option<Op> {
        self.future()?.uses().next().map(|r#use| r#use.op())
    }

    /// Types of the tensors that the collective yields, now or at its wait.
    pub(crate) fn yielded(self) -> Vec<Ty> {
        match self.future() {
            Some(future) => future.ty().future_types().unwrap_or_default(),
            None => self.op.results().map(Value::ty).collect(),
        }
    }
}

/// Whether an op communicates as part of matrix products. Such an op blocks, and its groups are those of a collective, but
/// passes that move or merge collectives leave it alone.
pub(crate) fn is_fused(op: Op) -> bool {
    matches!(op.name(), "comm.all_gather_matmul" | "comm.matmul_reduce_scatter")
}

/// Whether an op waits for a collective.
pub(crate) fn is_wait(op: Op) -> bool {
    op.name() == "comm.wait"
}
