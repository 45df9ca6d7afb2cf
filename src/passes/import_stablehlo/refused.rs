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
const COLLECTIVES: [&str; 6] = [
    "allgather",
    "reducescatter",
    "allreduce",
    "alltoall",
    "collectivepermute",
    "collectivebroadcast",
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
    let plain: String = target
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    if !COLLECTIVES.iter().any(|collective| plain.contains(collective)) {
        return Ok(());
    }
    let reason = if plain.contains("ragged") {
        "sends parts whose sizes are known at run time only, and comm collectives have static shapes"
    } else {
        "hides its groups from MLIR; expected the StableHLO op"
    };
    Err(diagnostics::op_error(
        op,
        &format!("calls the collective '{target}', which {reason}"),
    ))
}
