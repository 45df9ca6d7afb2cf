// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Moves the data of a collective for one member, who reads the others' tensors where they lie.
//!
//! Each member makes its own results. An all-reduce is made in two steps, so that no member adds up more than its
//! share: in the first each member reduces one part of the elements into its own output, in the second all fetch the
//! other parts. The order of operands is that of positions in both all-reduces and, from the position behind the
//! owner on around the group, reduce-scatters; it depends on no thread.

use std::sync::Arc;

use crate::{
    collective::{Call, Kind},
    reduce::fold,
    strided::{copy, zero},
    tensor::Tensor,
};

/// Number of steps; all members have ended a step before any begins the next.
pub(super) fn steps(kind: &Kind) -> usize {
    match kind {
        Kind::AllReduce { .. } => 2,
        _ => 1,
    }
}

/// A step of the member whose call this is; `calls` are those of all members by position, and agree.
///
/// # Safety
/// All tensors of all calls are valid, and no one but the members in these steps touches them.
pub(super) unsafe fn step(number: usize, call: &Call, calls: &[Arc<Call>]) {
    let own = call.position();
    for (index, output) in call.outputs.iter().enumerate() {
        let input = |position: usize| &calls[position].inputs[index];
        let size = calls.len();
        // SAFETY: shapes were checked when the calls were made, and agree between members; a member writes nothing
        // but its own output, and, where that is an input, only elements that no other member reads in this step.
        unsafe {
            match &call.kind {
                Kind::AllGather { dims } => {
                    let extent = input(0).sizes[dims[index]];
                    for position in 0..size {
                        copy(
                            &output.slice(dims[index], position * extent, extent),
                            input(position),
                        );
                    }
                }
                Kind::ReduceScatter { kind, dims } => {
                    let extent = output.sizes[dims[index]];
                    let part =
                        |offset: usize| input((own + offset) % size).slice(dims[index], own * extent, extent);
                    fold(*kind, output, &(1..=size).map(part).collect::<Vec<_>>());
                }
                Kind::AllReduce { kind } if number == 0 => {
                    let share = Share::new(output, size);
                    let parts: Vec<Tensor> =
                        (0..size).map(|position| share.of(input(position), own)).collect();
                    fold(*kind, &share.of(output, own), &parts);
                }
                Kind::AllReduce { .. } => {
                    let share = Share::new(output, size);
                    for position in (0..size).filter(|&position| position != own) {
                        let made = &calls[position].outputs[index];
                        copy(&share.of(output, position), &share.of(made, position));
                    }
                }
                Kind::AllToAll { split, concat } => {
                    let (piece, extent) = (input(0).sizes[*split] / size, input(0).sizes[*concat]);
                    // With one dimension for both, pieces are what is concatenated.
                    let extent = if split == concat { piece } else { extent };
                    for position in 0..size {
                        let sent = input(position).slice(*split, own * piece, piece);
                        copy(&output.slice(*concat, position * extent, extent), &sent);
                    }
                }
                Kind::Permute { pairs } => {
                    let source = pairs.iter().find(|&&(_, target)| target == call.site.rank);
                    match source.and_then(|&(source, _)| call.members.position(source)) {
                        Some(position) => copy(output, input(position)),
                        None => zero(output),
                    }
                }
                Kind::Broadcast { root } => copy(output, input(*root)),
                Kind::Barrier { .. } | Kind::Allocate { .. } | Kind::Free { .. } => {}
            }
        }
    }
}

/// How the elements of a tensor are shared among members: along its longest dimension.
struct Share {
    dim: Option<usize>,
    extent: usize,
    size: usize,
}

impl Share {
    fn new(tensor: &Tensor, size: usize) -> Self {
        let dim = (0..tensor.sizes.len()).max_by_key(|&dim| (tensor.sizes[dim], std::cmp::Reverse(dim)));
        let extent = dim.map_or(1, |dim| tensor.sizes[dim]);
        Self { dim, extent, size }
    }

    /// The part of a member; a tensor without dimensions is the first member's.
    fn of(&self, tensor: &Tensor, position: usize) -> Tensor {
        let bound = |position: usize| self.extent * position / self.size;
        let (start, end) = (bound(position), bound(position + 1));
        match self.dim {
            Some(dim) => tensor.slice(dim, start, end - start),
            None if end > start => tensor.clone(),
            None => Tensor::contiguous(tensor.data, tensor.element, &[0]),
        }
    }
}
