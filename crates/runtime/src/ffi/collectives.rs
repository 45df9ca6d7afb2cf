// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives on streams. Each takes `count` inputs and as many outputs.

use std::ffi::c_char;

use super::{TensorDescriptor, at, natural, naturals, refuse, tensors, text, with};
use crate::{
    error::Error,
    handles::{Group, Stream},
    rank::{At, Rank},
    reduce::Reduction,
    tensor::Tensor,
};

/// Where and on what.
struct Operands {
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
}

/// Reads the operands and issues the collective; `issue` says what is wrong with the other arguments as text.
#[allow(clippy::too_many_arguments)] // What all collectives of the interface have in common.
unsafe fn issue(
    rank: *const Rank,
    what: &str,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    timeout_ms: i64,
    location: *const c_char,
    issue: impl FnOnce(&Rank, &Operands, At<'_>) -> Result<Result<(), Error>, String>,
) -> i32 {
    // SAFETY: null or a text.
    let location = unsafe { text(location) };
    with(rank, what, |rank| {
        let refuse = |message: String| refuse(rank, what, &location, message);
        // SAFETY: as promised for all functions.
        let (inputs, outputs) = unsafe { (tensors(inputs, count), tensors(outputs, count)) };
        let operands = Operands {
            inputs: inputs.map_err(refuse)?,
            outputs: outputs.map_err(refuse)?,
        };
        issue(rank, &operands, at(&location, timeout_ms)).map_err(refuse)?
    })
}

fn reduction(number: i32) -> Result<Reduction, String> {
    Reduction::from_number(number).ok_or_else(|| format!("reduction {number}"))
}

/// Concatenates the members' tensors in the order of positions, tensor `i` along dimension `dims[i]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_all_gather(
    rank: *const Rank,
    stream: u64,
    group: u64,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    dims: *const i64,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: as promised for all functions.
    unsafe {
        issue(
            rank,
            "all_gather",
            count,
            inputs,
            outputs,
            timeout_ms,
            location,
            |rank, operands, at| {
                let dims = naturals(dims, count, "dimensions")?;
                let Operands { inputs, outputs } = operands;
                Ok(rank.all_gather(Stream(stream), Group(group), inputs, outputs, &dims, at))
            },
        )
    }
}

/// Combines the members' tensors by `reduction`, one of `comm_rt_reduction`, and gives each member its part of
/// dimension `dims[i]`. The member at position `p` of `n` takes the operands in the order `p+1, ..., n-1, 0, ..., p`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_reduce_scatter(
    rank: *const Rank,
    stream: u64,
    group: u64,
    reduction: i32,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    dims: *const i64,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    let number = reduction;
    // SAFETY: as promised for all functions.
    unsafe {
        issue(
            rank,
            "reduce_scatter",
            count,
            inputs,
            outputs,
            timeout_ms,
            location,
            |rank, operands, at| {
                let dims = naturals(dims, count, "dimensions")?;
                let kind = self::reduction(number)?;
                let Operands { inputs, outputs } = operands;
                Ok(rank.reduce_scatter(Stream(stream), Group(group), kind, inputs, outputs, &dims, at))
            },
        )
    }
}

/// Combines the members' tensors by `reduction`, one of `comm_rt_reduction`, from position 0 on. An output may be its
/// own input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_all_reduce(
    rank: *const Rank,
    stream: u64,
    group: u64,
    reduction: i32,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    let number = reduction;
    // SAFETY: as promised for all functions.
    unsafe {
        issue(
            rank,
            "all_reduce",
            count,
            inputs,
            outputs,
            timeout_ms,
            location,
            |rank, operands, at| {
                let kind = self::reduction(number)?;
                let Operands { inputs, outputs } = operands;
                Ok(rank.all_reduce(Stream(stream), Group(group), kind, inputs, outputs, at))
            },
        )
    }
}

/// Sends piece `j` of dimension `split_dim` to position `j`, and concatenates what arrives along `concat_dim`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_all_to_all(
    rank: *const Rank,
    stream: u64,
    group: u64,
    split_dim: i64,
    concat_dim: i64,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: as promised for all functions.
    unsafe {
        issue(
            rank,
            "all_to_all",
            count,
            inputs,
            outputs,
            timeout_ms,
            location,
            |rank, operands, at| {
                let (split, concat) = (
                    natural(split_dim, "dimension")?,
                    natural(concat_dim, "dimension")?,
                );
                let Operands { inputs, outputs } = operands;
                Ok(rank.all_to_all(Stream(stream), Group(group), split, concat, inputs, outputs, at))
            },
        )
    }
}

/// Sends tensors from rank to rank: `pairs` holds `pair_count` pairs of source and target. A member that is no target
/// gets zeros. All members of the group call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_permute(
    rank: *const Rank,
    stream: u64,
    group: u64,
    pairs: *const i64,
    pair_count: i64,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: as promised for all functions.
    unsafe {
        issue(
            rank,
            "permute",
            count,
            inputs,
            outputs,
            timeout_ms,
            location,
            |rank, operands, at| {
                let pairs = naturals(pairs, pair_count.saturating_mul(2), "ranks of pairs")?;
                let pairs: Vec<(usize, usize)> =
                    pairs.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
                let Operands { inputs, outputs } = operands;
                Ok(rank.permute(Stream(stream), Group(group), &pairs, inputs, outputs, at))
            },
        )
    }
}

/// Gives the tensors at position `root` to all. An output may be its own input.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn comm_rt_broadcast(
    rank: *const Rank,
    stream: u64,
    group: u64,
    root: i64,
    count: i64,
    inputs: *const TensorDescriptor,
    outputs: *const TensorDescriptor,
    timeout_ms: i64,
    location: *const c_char,
) -> i32 {
    // SAFETY: as promised for all functions.
    unsafe {
        issue(
            rank,
            "broadcast",
            count,
            inputs,
            outputs,
            timeout_ms,
            location,
            |rank, operands, at| {
                let root = natural(root, "root")?;
                let Operands { inputs, outputs } = operands;
                Ok(rank.broadcast(Stream(stream), Group(group), root, inputs, outputs, at))
            },
        )
    }
}
