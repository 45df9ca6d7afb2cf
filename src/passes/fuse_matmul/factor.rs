// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What products read of a gather: the gathered tensor, without its padding, or what is made of it elementwise.
//!
//! Nothing is changed.

use std::cell::RefCell;

use super::{
    contraction::Contraction,
    elementwise::{Index, Pointwise, Tracer, identity, is_elementwise},
    placement::Placement,
    single_tensor,
    unpadded::Unpadded,
};
use crate::{
    collective::{Collective, Kind, is_wait},
    mlir::{Attr, Op, Value},
};

/// A gather of one tensor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gather {
    pub(super) collective: Collective,
    pub(super) wait: Option<Op>,
    pub(super) shard: Value,
    pub(super) whole: Value,
    pub(super) dim: usize,
    /// What cuts padding off before products read the tensor.
    pub(super) unpadded: Option<Unpadded>,
}

impl Gather {
    pub(super) fn of(collective: Collective) -> Result<Self, String> {
        let (whole, wait) = single_tensor(collective)?;
        let dims = collective.op.attr("dims").and_then(Attr::as_i64_array);
        let dim = dims.and_then(|dims| usize::try_from(*dims.first()?).ok());
        Ok(Self {
            collective,
            wait,
            shard: collective.op.operand(0),
            whole,
            dim: dim.ok_or("has no dimension")?,
            unpadded: None,
        })
    }

    /// The gather that yields a value.
    pub(super) fn yielding(value: Value) -> Option<Self> {
        let op = value.defining_op()?;
        let start = if is_wait(op) {
            op.operand(0).defining_op()?
        } else {
            op
        };
        let collective = Collective::new(start).filter(|collective| collective.kind == Kind::AllGather)?;
        Self::of(collective).ok()
    }

    pub(super) fn groups(&self) -> Option<Attr> {
        self.collective.op.attr("groups")
    }

    /// What products are looked for that read it.
    pub(super) fn read(&self) -> Value {
        self.unpadded.map_or(self.whole, Unpadded::result)
    }

    /// What of the gathered dimension one device has.
    pub(super) fn part(&self) -> Option<u64> {
        u64::try_from(self.shard.ty().shape()?.get(self.dim).copied()??).ok()
    }
}

/// What the factor of the products is made of.
pub(super) struct Factor {
    pub(super) value: Value,
    pub(super) prologue: Pointwise,
    /// Gathers of scales, and by what they are read.
    pub(super) travelling: Vec<(Gather, Vec<Index>)>,
}

impl Factor {
    /// Whether the prologue reads anything along a dimension.
    pub(super) fn reads_along(&self, dim: usize) -> bool {
        let mut scales = self.travelling.iter().map(|(_, indices)| indices);
        self.prologue.reads_along(dim) || scales.any(|indices| indices.contains(&Index::Dim(dim)))
    }
}

/// Whether a matrix product reads a value.
pub(super) fn reads_product(value: Value) -> bool {
    value.uses().any(|r#use| Contraction::of(r#use.op()).is_some())
}

/// What products read of the gather: the tensor itself, or what is made of it elementwise for products alone.
pub(super) fn factor(gather: &Gather, users: &[Op], placement: &Placement) -> Option<Factor> {
    if reads_product(gather.read()) {
        return Some(Factor {
            value: gather.read(),
            prologue: Pointwise::default(),
            travelling: Vec::new(),
        });
    }
    let mut starts: Vec<(usize, Op)> = users
        .iter()
        .filter_map(|user| placement.in_block(*user).filter(|(_, op)| op == user))
        .collect();
    starts.sort_by_key(|(position, _)| *position);
    starts
        .into_iter()
        .find_map(|(_, start)| scaled_factor(gather, start))
}

/// The factor that a chain of elementwise ops beginning with `start` ends in.
fn scaled_factor(gather: &Gather, start: Op) -> Option<Factor> {
    let shape = gather.read().ty().shape()?;
    let whole = identity(shape.len());
    let mut chain: Vec<Op> = Vec::new();
    let mut next = start;
    loop {
        if !is_elementwise(next) || next.result(0).ty().shape()? != shape || chain.contains(&next) {
            return None;
        }
        chain.push(next);
        let result = next.result(0);
        let mut users = result.uses().map(|r#use| r#use.op());
        let user = users.next()?;
        if Contraction::of(user).is_some() {
            break;
        }
        if users.any(|other| other != user) {
            return None;
        }
        next = user;
    }
    let value = next.result(0);
    let travelling: RefCell<Vec<(Gather, Vec<Index>)>> = RefCell::default();
    let is_inside = |op: Op| {
        let feeds_one = op.result(0).uses().count() == 1;
        chain.contains(&op) || (feeds_one && op.operands().any(|operand| Gather::yielding(operand).is_some()))
    };
    let first = |read: Value, indices: &[Index]| {
        if read == gather.read() && indices == whole {
            return Some(0);
        }
        let scale = Gather::yielding(read).filter(|scale| scale.groups() == gather.groups())?;
        let is_cut_alike = indices
            .iter()
            .enumerate()
            .all(|(dim, index)| (*index == Index::Dim(gather.dim)) == (dim == scale.dim));
        if !is_cut_alike || read == gather.read() {
            return None;
        }
        let mut travelling = travelling.borrow_mut();
        let known = travelling
            .iter()
            .position(|(other, at)| other.whole == read && at == indices);
        Some(
            1 + known.unwrap_or_else(|| {
                travelling.push((scale, indices.to_vec()));
                travelling.len() - 1
            }),
        )
    };
    let prologue = Tracer::new(&is_inside, &first).trace(value, &whole)?;
    // A gathered tensor that is read in another way too would have to be there as a whole.
    let reads_whole = prologue.operands.iter().any(|(value, _)| *value == gather.read());
    (!reads_whole).then(|| Factor {
        value,
        prologue,
        travelling: travelling.into_inner(),
    })
}
