// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Communication that `comm` has no op for.
//!
//! Left alone, such an op would look like one that runs on its device only, and the order of collectives could be
//! changed around it. So what communicates between devices is refused, with a reason: collectives hidden in custom
//! calls (`ragged_all_to_all`, start and done pairs like `all-gather-start`, wrappers of MPI or NCCL), `send` and
//! `recv` between devices, and the deprecated `cross-replica-sum`. Transfers between a device and its host stay as
//! they are; they concern no other device, and their tokens, or their unknown effects, keep them in place.

use crate::{
    diagnostics,
    mlir::{Attr, Op, PassResult},
};

/// Whether `stablehlo.NAME` needs [`check`].
pub(super) fn is_candidate(name: &str) -> bool {
    matches!(name, "custom_call" | "send" | "recv" | "cross-replica-sum")
}

/// Parts of custom calls' names that tell a collective, without separators and in lower case.
const COLLECTIVES: [&str; 10] = [
    "allgather",
    "reducescatter",
    "allreduce",
    "alltoall",
    "collective",
    "crossreplica",
    "pbroadcast",
    "ppermute",
    "psumscatter",
    "sendrecv",
];

/// How a word of a custom call's name begins, in lower case, that is of a library for communication. Words end at whatever is
/// neither letter nor digit.
const LIBRARIES: [&str; 10] = [
    "gloo", "hccl", "mpi4jax", "msccl", "nccl", "nvshmem", "oneccl", "rccl", "rocshmem", "xccl",
];

/// Fails on an op that communicates between devices.
pub(super) fn check(op: Op) -> PassResult {
    match op.name() {
        "stablehlo.cross-replica-sum" => Err(diagnostics::op_error(
            op,
            "is deprecated and not read; expected stablehlo.all_reduce",
        )),
        "stablehlo.custom_call" => check_custom_call(op),
        _ if op.attr("is_host_transfer").and_then(Attr::as_bool) == Some(true) => Ok(()),
        _ => Err(diagnostics::op_error(
            op,
            "communicates between two devices outside any collective, which comm cannot represent; expected \
             stablehlo.collective_permute",
        )),
    }
}

fn check_custom_call(op: Op) -> PassResult {
    let Some(target) = op.attr("call_target_name").and_then(Attr::as_str) else {
        return Ok(());
    };
    if !communicates(target) {
        return Ok(());
    }
    let reason = if target.to_ascii_lowercase().contains("ragged") {
        "sends parts whose sizes are known at run time only; comm collectives have static shapes"
    } else {
        "hides its groups from MLIR; a collective of StableHLO is expected"
    };
    Err(diagnostics::op_error(
        op,
        &format!("calls '{target}', which communicates and {reason}"),
    ))
}

/// Whether a custom call of this name communicates.
fn communicates(target: &str) -> bool {
    let lower = target.to_ascii_lowercase();
    let mut words = lower.split(|character: char| !character.is_ascii_alphanumeric());
    let plain: String = words.clone().collect();
    COLLECTIVES.iter().any(|collective| plain.contains(collective)) || words.any(is_library)
}

/// Whether a word names a library for communication. `mpi` is too short to begin other words with.
fn is_library(word: &str) -> bool {
    word == "mpi" || LIBRARIES.iter().any(|library| word.starts_with(library))
}

#[cfg(test)]
mod tests {
    use super::communicates;

    #[test]
    fn tells_communication_by_name() {
        for target in [
            "mpi_sendrecv",
            "MPI_Bcast",
            "mpi4jax.scan",
            "ncclSend",
            "xla.gpu.nccl_barrier",
            "AllGather",
            "all-reduce-start",
            "ppermute",
        ] {
            assert!(communicates(target), "{target}");
        }
        for target in [
            "Sharding",
            "tpu_custom_call",
            "impi_kernel",
            "mpirange",
            "broadcast_add",
            "gather_scale",
        ] {
            assert!(!communicates(target), "{target}");
        }
    }
}
