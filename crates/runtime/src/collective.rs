// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the members of a group do together: kinds, their shape rules, and when two members mean the same.

use std::{fmt, sync::Arc, time::Duration};

use crate::{
    error::{Error, Site},
    group::Members,
    reduce::Reduction,
    tensor::Tensor,
};

/// A collective. Dimensions are one for each tensor.
#[cfg_attr(feature = "mpi", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Parts of all members, one behind the other along a dimension.
    AllGather { dims: Vec<usize> },
    /// Combines from the position behind the owner of a part, around the group, to the owner; each member gets its
    /// part of the dimension.
    ReduceScatter { kind: Reduction, dims: Vec<usize> },
    /// Combines from position 0 to the last.
    AllReduce { kind: Reduction },
    /// Piece `j` of the split dimension goes to position `j`; pieces stand along the other in the order of their
    /// senders.
    AllToAll { split: usize, concat: usize },
    /// From rank to rank; zeros for who is no target.
    Permute { pairs: Vec<(usize, usize)> },
    /// The tensors of one position for all.
    Broadcast { root: usize },
    /// Nothing but meeting.
    Barrier { channel: u64 },
    /// Memory of one size on each member.
    Allocate { bytes: usize },
    /// The end of memory that was allocated together, known by number.
    Free { buffer: u64 },
}

impl Kind {
    /// As the op is called.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::AllGather { .. } => "all_gather",
            Self::ReduceScatter { .. } => "reduce_scatter",
            Self::AllReduce { .. } => "all_reduce",
            Self::AllToAll { .. } => "all_to_all",
            Self::Permute { .. } => "permute",
            Self::Broadcast { .. } => "broadcast",
            Self::Barrier { .. } => "barrier",
            Self::Allocate { .. } => "symmetric_alloc",
            Self::Free { .. } => "symmetric_free",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())?;
        match self {
            Self::AllGather { dims } => write!(formatter, " dim {dims:?}"),
            Self::ReduceScatter { kind, dims } => write!(formatter, " {kind} dim {dims:?}"),
            Self::AllReduce { kind } => write!(formatter, " {kind}"),
            Self::AllToAll { split, concat } => write!(formatter, " split {split} concat {concat}"),
            Self::Permute { pairs } => write!(formatter, " pairs {pairs:?}"),
            Self::Broadcast { root } => write!(formatter, " root {root}"),
            Self::Barrier { channel } => write!(formatter, " on channel {channel}"),
            Self::Allocate { bytes } => write!(formatter, " of {bytes} bytes"),
            Self::Free { buffer } => write!(formatter, " of buffer {buffer}"),
        }
    }
}

/// What one member issued.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) site: Site,
    pub(crate) members: Arc<Members>,
    /// Number of this call among those of its rank in its group, from 0.
    pub(crate) number: u64,
    pub(crate) kind: Kind,
    pub(crate) inputs: Vec<Tensor>,
    pub(crate) outputs: Vec<Tensor>,
    /// How long it waits for the other members.
    pub(crate) timeout: Duration,
}

impl Call {
    /// This rank's position in the group.
    pub(crate) fn position(&self) -> usize {
        // A group is made for a rank that is in it.
        self.members.position(self.site.rank).unwrap_or_default()
    }

    /// Whether two members issued the same: kind, order of the group, element types and sizes.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let same = |a: &[Tensor], b: &[Tensor]| {
            let same = |(a, b): (&Tensor, &Tensor)| a.element == b.element && a.sizes == b.sizes;
            a.len() == b.len() && a.iter().zip(b).all(same)
        };
        self.kind == other.kind
            && self.members.ranks() == other.members.ranks()
            && same(&self.inputs, &other.inputs)
    }

    /// Bytes that come in over the link of this member: a member's share of the wire bytes of a ring.
    pub(crate) fn wire_bytes(&self) -> usize {
        let size = self.members.size();
        let input: usize = self.inputs.iter().map(Tensor::bytes).sum();
        match &self.kind {
            Kind::AllGather { .. } => input * (size - 1),
            Kind::ReduceScatter { .. } | Kind::AllToAll { .. } => input / size * (size - 1),
            Kind::AllReduce { .. } => 2 * input * (size - 1) / size,
            Kind::Permute { pairs } => {
                let rank = self.site.rank;
                let arrives = pairs
                    .iter()
                    .any(|&(source, target)| target == rank && source != rank);
                if arrives { input } else { 0 }
            }
            Kind::Broadcast { root } if *root != self.position() => input,
            _ => 0,
        }
    }

    /// Checks the tensors before anything is issued.
    ///
    /// # Errors
    /// What is wrong, and what was expected.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.check_kind()
            .and_then(|()| self.check_shapes())
            .and_then(|()| self.check_overlap())
            .map_err(|message| Error::invalid(self.site.clone(), message))
    }

    fn check_kind(&self) -> Result<(), String> {
        let (tensors, size) = (self.inputs.len(), self.members.size());
        match &self.kind {
            Kind::AllGather { dims } | Kind::ReduceScatter { dims, .. } if dims.len() != tensors => {
                return Err(format!("{} dimensions for {tensors} tensors", dims.len()));
            }
            Kind::Broadcast { root } if *root >= size => {
                return Err(format!("root {root} is no position in a group of {size}"));
            }
            Kind::Permute { pairs } => self.check_pairs(pairs)?,
            _ => {}
        }
        if let Kind::ReduceScatter { kind, .. } | Kind::AllReduce { kind } = &self.kind {
            let refused = self.inputs.iter().find(|tensor| !kind.accepts(tensor.element));
            if let Some(tensor) = refused {
                return Err(format!("cannot combine {tensor} by {kind}"));
            }
        }
        Ok(())
    }

    fn check_pairs(&self, pairs: &[(usize, usize)]) -> Result<(), String> {
        for (index, &(source, target)) in pairs.iter().enumerate() {
            let outside = [source, target]
                .into_iter()
                .find(|&rank| self.members.position(rank).is_none());
            if let Some(rank) = outside {
                return Err(format!(
                    "pair {source} -> {target}: rank {rank} is not in the group {}",
                    self.members
                ));
            }
            let twice = pairs[..index].iter().any(|&(s, t)| s == source || t == target);
            if twice {
                return Err(format!(
                    "pair {source} -> {target}: a rank is twice a source or twice a target"
                ));
            }
        }
        Ok(())
    }

    fn check_shapes(&self) -> Result<(), String> {
        if self.inputs.len() != self.outputs.len() {
            return Err(format!(
                "{} inputs, but {} outputs",
                self.inputs.len(),
                self.outputs.len()
            ));
        }
        for (index, (input, output)) in self.inputs.iter().zip(&self.outputs).enumerate() {
            let sizes = self
                .result_sizes(index, input)
                .map_err(|why| format!("input {index}, {input}: {why}"))?;
            if output.sizes != sizes || output.element != input.element {
                let expected = Tensor::contiguous(std::ptr::null_mut(), input.element, &sizes);
                return Err(format!("output {index} is {output}, but {expected} is expected"));
            }
        }
        Ok(())
    }

    fn result_sizes(&self, index: usize, input: &Tensor) -> Result<Vec<usize>, String> {
        let size = self.members.size();
        let mut sizes = input.sizes.clone();
        let extent = |sizes: &[usize], dim: usize| {
            let extent = sizes.get(dim).copied();
            extent.ok_or_else(|| format!("it has no dimension {dim}"))
        };
        let divided = |sizes: &[usize], dim: usize| {
            let whole = extent(sizes, dim)?;
            if whole % size == 0 {
                return Ok(whole / size);
            }
            Err(format!(
                "dimension {dim} is not divisible by the group size {size}"
            ))
        };
        match &self.kind {
            Kind::AllGather { dims } => sizes[dims[index]] = extent(&sizes, dims[index])? * size,
            Kind::ReduceScatter { dims, .. } => sizes[dims[index]] = divided(&sizes, dims[index])?,
            Kind::AllToAll { split, concat } => {
                sizes[*split] = divided(&sizes, *split)?;
                sizes[*concat] = extent(&sizes, *concat)? * size;
            }
            _ => {}
        }
        Ok(sizes)
    }

    /// Members read each other's inputs while they write their own outputs. Only where each element is read before
    /// the same member writes it, or never read, may an output be its own input.
    fn check_overlap(&self) -> Result<(), String> {
        let in_place = matches!(self.kind, Kind::AllReduce { .. } | Kind::Broadcast { .. });
        for (index, output) in self.outputs.iter().enumerate() {
            for (other, input) in self.inputs.iter().enumerate() {
                let allowed = in_place && index == other && input == output;
                if !allowed && output.overlaps(input) {
                    return Err(format!("output {index} overlaps input {other}"));
                }
            }
            if let Some(other) = (0..index).find(|&other| output.overlaps(&self.outputs[other])) {
                return Err(format!("output {index} overlaps output {other}"));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.kind)?;
        for (index, tensor) in self.inputs.iter().enumerate() {
            write!(formatter, "{}{tensor}", if index == 0 { " of " } else { ", " })?;
        }
        write!(formatter, " over {}", self.members)
    }
}
