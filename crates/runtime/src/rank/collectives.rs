// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives of a rank, on streams.
//!
//! Members of a group issue the same collectives in the same order; the k-th of one member meets the k-th of every
//! other, on whatever streams they run. Each carries one tensor or several, and has ended on all members at the same
//! time. Results are the same bits whatever the threads do: reductions take the operands in a fixed order.

use std::sync::Arc;

use super::{At, Rank};
use crate::{
    collective::{Call, Kind},
    error::Error,
    handles::{Group, Stream},
    reduce::Reduction,
    tensor::Tensor,
    trace::Category,
};

impl Rank {
    /// Issues a call that is checked and numbered.
    ///
    /// # Safety
    /// The tensors are valid until the op has ended; no other access conflicts meanwhile.
    pub(super) unsafe fn issue_call(
        &self,
        stream: Stream,
        call: Arc<Call>,
        category: Category,
    ) -> Result<(), Error> {
        let bytes = call.inputs.iter().map(Tensor::bytes).sum();
        let (shared, site) = (self.shared.clone(), call.site.clone());
        // SAFETY: promised by the caller for as long as the op runs.
        let run = move || unsafe { shared.transport.collective(&call) };
        self.issue(stream, site, category, bytes, Box::new(run))
    }

    unsafe fn collective(
        &self,
        stream: Stream,
        group: Group,
        kind: Kind,
        inputs: &[Tensor],
        outputs: &[Tensor],
        at: At<'_>,
    ) -> Result<(), Error> {
        let site = self.begin(kind.name(), at.location)?;
        let call = self.call(group, site, kind, inputs, outputs, at)?;
        // SAFETY: promised by the caller.
        unsafe { self.issue_call(stream, call, Category::Collective) }
    }

    /// Concatenates the members' tensors, in the order of positions, each along its dimension.
    ///
    /// # Errors
    /// Shapes or dimensions do not fit, an output overlaps an input or another output, there is no such stream or
    /// group, or there was a failure.
    ///
    /// # Safety
    /// The tensors are valid until the op has ended; nobody writes an input or touches an output meanwhile.
    pub unsafe fn all_gather(
        &self,
        stream: Stream,
        group: Group,
        inputs: &[Tensor],
        outputs: &[Tensor],
        dims: &[usize],
        at: At<'_>,
    ) -> Result<(), Error> {
        let kind = Kind::AllGather { dims: dims.to_vec() };
        // SAFETY: promised by the caller.
        unsafe { self.collective(stream, group, kind, inputs, outputs, at) }
    }

    /// Combines the members' tensors and gives each member its part of a dimension. The operands of the member at
    /// position `p` of `n` are taken in the order `p+1, ..., n-1, 0, ..., p`, as they meet on a ring that ends at
    /// their owner.
    ///
    /// # Errors
    /// As [`Rank::all_gather`], and an element type that cannot be combined so.
    ///
    /// # Safety
    /// As [`Rank::all_gather`].
    #[allow(clippy::too_many_arguments)] // The same as its siblings, and the reduction.
    pub unsafe fn reduce_scatter(
        &self,
        stream: Stream,
        group: Group,
        kind: Reduction,
        inputs: &[Tensor],
        outputs: &[Tensor],
        dims: &[usize],
        at: At<'_>,
    ) -> Result<(), Error> {
        let dims = dims.to_vec();
        let kind = Kind::ReduceScatter { kind, dims };
        // SAFETY: promised by the caller.
        unsafe { self.collective(stream, group, kind, inputs, outputs, at) }
    }

    /// Combines the members' tensors in the order of positions, from 0 on. An output may be its own input.
    ///
    /// # Errors
    /// As [`Rank::reduce_scatter`].
    ///
    /// # Safety
    /// As [`Rank::all_gather`].
    pub unsafe fn all_reduce(
        &self,
        stream: Stream,
        group: Group,
        kind: Reduction,
        inputs: &[Tensor],
        outputs: &[Tensor],
        at: At<'_>,
    ) -> Result<(), Error> {
        let kind = Kind::AllReduce { kind };
        // SAFETY: promised by the caller.
        unsafe { self.collective(stream, group, kind, inputs, outputs, at) }
    }

    /// Sends piece `j` of dimension `split` to position `j`, and concatenates what arrives along `concat`.
    ///
    /// # Errors
    /// As [`Rank::all_gather`].
    ///
    /// # Safety
    /// As [`Rank::all_gather`].
    #[allow(clippy::too_many_arguments)] // The same as its siblings, and the two dimensions.
    pub unsafe fn all_to_all(
        &self,
        stream: Stream,
        group: Group,
        split: usize,
        concat: usize,
        inputs: &[Tensor],
        outputs: &[Tensor],
        at: At<'_>,
    ) -> Result<(), Error> {
        let kind = Kind::AllToAll { split, concat };
        // SAFETY: promised by the caller.
        unsafe { self.collective(stream, group, kind, inputs, outputs, at) }
    }

    /// Sends tensors from rank to rank, by pairs of source and target; a member that is no target gets zeros. All
    /// members of the group call it, whether they are in a pair or not.
    ///
    /// # Errors
    /// As [`Rank::all_gather`], and pairs with a rank outside the group, or one that is twice a source or twice a
    /// target.
    ///
    /// # Safety
    /// As [`Rank::all_gather`].
    pub unsafe fn permute(
        &self,
        stream: Stream,
        group: Group,
        pairs: &[(usize, usize)],
        inputs: &[Tensor],
        outputs: &[Tensor],
        at: At<'_>,
    ) -> Result<(), Error> {
        let pairs = pairs.to_vec();
        // SAFETY: promised by the caller.
        unsafe { self.collective(stream, group, Kind::Permute { pairs }, inputs, outputs, at) }
    }

    /// Gives the tensors at position `root` to all. An output may be its own input.
    ///
    /// # Errors
    /// As [`Rank::all_gather`], and a root that is no position.
    ///
    /// # Safety
    /// As [`Rank::all_gather`].
    pub unsafe fn broadcast(
        &self,
        stream: Stream,
        group: Group,
        root: usize,
        inputs: &[Tensor],
        outputs: &[Tensor],
        at: At<'_>,
    ) -> Result<(), Error> {
        // SAFETY: promised by the caller.
        unsafe { self.collective(stream, group, Kind::Broadcast { root }, inputs, outputs, at) }
    }
}
