// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a collective is made of, for every backend: which part of a member's tensor another member needs, and how a
//! member makes its result of such parts.
//!
//! An all-reduce is made in two steps, so that no member adds up more than its share: in the first each member reduces
//! one part of the elements into its own output, in the second all fetch the other parts. The order of operands is that
//! of positions in all-reduces and, from the position behind the owner on around the group, in reduce-scatters; it
//! depends on no thread and no message.

use crate::{
    collective::{Call, Kind},
    reduce::fold,
    strided::{copy, zero},
    tensor::Tensor,
};

/// Number of steps; all members have ended a step before any begins the next.
pub(crate) fn steps(kind: &Kind) -> usize {
    match kind {
        Kind::AllReduce { .. } => 2,
        _ => 1,
    }
}

/// The part of tensor `index` of the member at position `from` that the member at position `to` needs in a step, if
/// any. `call` is that of `from`; of another member's, shape and strides are right for that member.
pub(crate) fn part(step: usize, call: &Call, index: usize, from: usize, to: usize) -> Option<Tensor> {
    let size = call.members.size();
    let input = &call.inputs[index];
    match &call.kind {
        Kind::AllGather { .. } => Some(input.clone()),
        Kind::ReduceScatter { dims, .. } => {
            let extent = input.sizes[dims[index]] / size;
            Some(input.slice(dims[index], to * extent, extent))
        }
        Kind::AllReduce { .. } if step == 0 => Some(Share::new(input, size).of(input, to)),
        Kind::AllReduce { .. } => {
            let made = &call.outputs[index];
            (from != to).then(|| Share::new(made, size).of(made, from))
        }
        Kind::AllToAll { split, .. } => {
            let piece = input.sizes[*split] / size;
            Some(input.slice(*split, to * piece, piece))
        }
        Kind::Permute { pairs } => {
            let ranks = call.members.ranks();
            pairs.contains(&(ranks[from], ranks[to])).then(|| input.clone())
        }
        Kind::Broadcast { root } => (from == *root).then(|| input.clone()),
        Kind::Barrier { .. } | Kind::Allocate { .. } | Kind::Free { .. } => None,
    }
}

/// A step of the member whose call this is, for tensor `index`; `parts` are what [`part`] says of all members, by
/// position, its own among them.
///
/// # Safety
/// The outputs and parts are valid, and no one but the members in these steps touches them.
pub(crate) unsafe fn make(step: usize, call: &Call, index: usize, parts: &[Option<Tensor>]) {
    let (own, size) = (call.position(), call.members.size());
    let output = &call.outputs[index];
    let operands = |first: usize| -> Vec<Tensor> {
        let around = (first..first + size).map(|position| &parts[position % size]);
        around.flatten().cloned().collect()
    };
    let fetched = || {
        let parts = parts.iter().enumerate();
        parts.filter_map(|(position, part)| Some((position, part.as_ref()?)))
    };
    // SAFETY: shapes were checked when the calls were made, and agree between members; a member writes nothing but its
    // own output, and, where that is an input, only elements that no other member reads in this step.
    unsafe {
        match &call.kind {
            Kind::AllGather { dims } => concatenate(output, dims[index], fetched()),
            Kind::AllToAll { concat, .. } => concatenate(output, *concat, fetched()),
            Kind::ReduceScatter { kind, .. } => fold(*kind, output, &operands(own + 1)),
            Kind::AllReduce { kind } if step == 0 => {
                fold(*kind, &Share::new(output, size).of(output, own), &operands(0));
            }
            Kind::AllReduce { .. } => {
                let share = Share::new(output, size);
                for (position, made) in fetched() {
                    copy(&share.of(output, position), made);
                }
            }
            Kind::Permute { .. } | Kind::Broadcast { .. } => match fetched().next() {
                Some((_, sent)) => copy(output, sent),
                None => zero(output),
            },
            Kind::Barrier { .. } | Kind::Allocate { .. } | Kind::Free { .. } => {}
        }
    }
}

/// Parts of one size behind each other, by position.
unsafe fn concatenate<'a>(output: &Tensor, dim: usize, parts: impl Iterator<Item = (usize, &'a Tensor)>) {
    for (position, part) in parts {
        let extent = part.sizes[dim];
        // SAFETY: as promised to `make`.
        unsafe { copy(&output.slice(dim, position * extent, extent), part) };
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

    /// The part of a member; a tensor without dimensions is the last member's.
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
