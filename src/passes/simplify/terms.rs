// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The ops of a block that the algebra knows, as terms over the block's values.
//!
//! A term is a local op of the [`Vocabulary`], a blocking collective, or a start together with its wait, of one tensor of
//! static shape. Everything else is opaque: its results are given values, its operands are needed ones. A *segment* is what
//! stands between two fences; nothing of one segment is rewritten together with anything of another, so no communication
//! crosses a fence.
//!
//! With the terms goes what is known of where each value is equal: followed from op to op over the whole block, since a
//! piece of it alone does not show that.

use comm_algebra::{
    GroupId, Kind as Reduction, Op as AlgebraOp, groups::PartitionId, infer::infer, language::replicated,
};
use comm_schedule::Kind as NodeKind;
use rustc_hash::FxHashMap;

use super::{
    devices::Devices,
    shard,
    vocabulary::{Style, Vocabulary},
};
use crate::{
    collective::{Collective, Kind, is_wait},
    mlir::{Attr, Op, PassResult, Value},
    problem::BlockProblem,
    uniform::Uniformity,
};

/// An op that the algebra knows.
pub(super) struct Term {
    pub(super) op: AlgebraOp,
    /// Whether the op takes the mean: the sum that `op` says, scaled by one over the members of a group.
    pub(super) is_mean: bool,
    /// What it computes from, in the order of the algebra.
    pub(super) operands: Vec<Value>,
    pub(super) value: Value,
    /// Position of the start, where the op at this position is its wait.
    pub(super) start: Option<usize>,
    /// How to spell ops like this one; nothing for a collective, nor for a part by the device's position.
    pub(super) style: Option<Style>,
    pub(super) segment: usize,
}

/// The terms of a block, by the position of the op that yields the value.
pub(super) struct Terms {
    pub(super) terms: Vec<Option<Term>>,
    positions: FxHashMap<Op, usize>,
    equal: FxHashMap<Value, PartitionId>,
    everywhere: PartitionId,
    nowhere: PartitionId,
    /// Whether no device runs the block but those that it names. A permute gives zeros to a device that no pair names, and
    /// the block may be run by more devices than its permutes name.
    all_take_part: bool,
}

impl Terms {
    /// Reads a block. Without an analysis of uniform values nothing from outside is known to be equal. Fails, after an error at the op, where the groups of a collective cannot be resolved.
    pub(super) fn read(
        block: &BlockProblem,
        vocabulary: &mut Vocabulary,
        devices: &mut Devices,
        uniformity: Option<&Uniformity>,
    ) -> PassResult<Self> {
        let positions: FxHashMap<Op, usize> = block.ops.iter().copied().zip(0..).collect();
        let mut segment = 0;
        let mut segments = Vec::with_capacity(block.ops.len());
        for position in 0..block.ops.len() {
            segment += usize::from(block.problem.node(block.node_at(position)).fence);
            segments.push(segment);
        }
        let mut read = Self {
            terms: Vec::with_capacity(block.ops.len()),
            positions,
            equal: FxHashMap::default(),
            everywhere: devices.groups.coarsest(),
            nowhere: devices.groups.finest(),
            all_take_part: all_take_part(block, devices)?,
        };
        for (position, &op) in block.ops.iter().enumerate() {
            let mut term = read.term(block, position, &segments, vocabulary, devices)?;
            if let Some(term) = &mut term {
                term.segment = segments[position];
                let operands: Vec<PartitionId> = term
                    .operands
                    .iter()
                    .map(|&value| read.equal(value, uniformity))
                    .collect();
                let equal = replicated(&term.op, &operands, &mut devices.groups);
                read.equal.insert(term.value, equal);
            } else {
                for result in op.results() {
                    let equal = read.equal(result, uniformity);
                    read.equal.insert(result, equal);
                }
            }
            read.terms.push(term);
        }
        Ok(read)
    }

    /// The term at a position.
    pub(super) fn at(&self, position: usize) -> Option<&Term> {
        self.terms[position].as_ref()
    }

    /// Position of an op of the block.
    pub(super) fn position(&self, op: Op) -> Option<usize> {
        self.positions.get(&op).copied()
    }

    /// Position of the term that yields a value.
    pub(super) fn of(&self, value: Value) -> Option<usize> {
        let position = self.position(value.defining_op()?)?;
        let term = self.at(position)?;
        (term.value == value).then_some(position)
    }

    /// Where a value is equal that was read.
    pub(super) fn is_equal_on(&self, value: Value) -> PartitionId {
        self.equal.get(&value).copied().unwrap_or(self.nowhere)
    }

    fn equal(&mut self, value: Value, uniformity: Option<&Uniformity>) -> PartitionId {
        let otherwise = if uniformity.is_some_and(|uniformity| uniformity.is_uniform(value)) {
            self.everywhere
        } else {
            self.nowhere
        };
        *self.equal.entry(value).or_insert(otherwise)
    }

    fn term(
        &self,
        block: &BlockProblem,
        position: usize,
        segments: &[usize],
        vocabulary: &mut Vocabulary,
        devices: &mut Devices,
    ) -> PassResult<Option<Term>> {
        let op = block.ops[position];
        let (start, collective) = if is_wait(op) {
            let start = op.operand(0).defining_op().and_then(|start| self.position(start));
            let Some(start) = start.filter(|&start| segments[start] == segments[position]) else {
                return Ok(None);
            };
            (Some(start), Collective::new(block.ops[start]))
        } else {
            (
                None,
                Collective::new(op).filter(|collective| !collective.is_async()),
            )
        };
        let Some(collective) = collective else {
            if Collective::new(op).is_some() {
                // A start: its wait is the term.
                return Ok(None);
            }
            let term = |op, operands, value, style| Term {
                op,
                is_mean: false,
                operands,
                value,
                start: None,
                style,
                segment: 0,
            };
            if let Some(shard) = shard::read(op, vocabulary, devices)? {
                return Ok(Some(term(shard, vec![op.operand(0)], op.result(0), None)));
            }
            let local = vocabulary.read(op);
            return Ok(local.map(|local| term(local.op, local.operands, op.result(0), Some(local.style))));
        };
        let at = start.unwrap_or(position);
        let moves = matches!(
            block.problem.kind(block.node_at(at)),
            NodeKind::Start | NodeKind::Blocking
        );
        if !moves || collective.op.num_operands() != 1 {
            return Ok(None);
        }
        let operand = collective.op.operand(0);
        let types = [operand, op.result(0)].map(|value| vocabulary.type_of(value.ty()));
        let ([Some(from), Some(to)], Some((algebra, is_mean))) = (types, collective_op(collective, devices)?)
        else {
            return Ok(None);
        };
        // Not all that the dialect takes has a meaning to the algebra: sums of its unknown elements have none.
        let has_meaning = infer(&algebra, &[&from], &devices.groups).as_ref() == Ok(&to);
        if !has_meaning || (collective.kind == Kind::Permute && !self.all_take_part) {
            return Ok(None);
        }
        Ok(Some(Term {
            op: algebra,
            is_mean,
            operands: vec![operand],
            value: op.result(0),
            start,
            style: None,
            segment: 0,
        }))
    }
}

/// Whether an op of the block can be run by the devices that the function names alone: it asks each for its place in a group.
fn all_take_part(block: &BlockProblem, devices: &mut Devices) -> PassResult<bool> {
    for &op in &block.ops {
        let asks = op.name() == "comm.rank"
            || Collective::new(op).is_some_and(|collective| collective.kind != Kind::Permute);
        if asks && devices.read(op)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The factor of a mean over the lists of a grouping, where multiplying by it rounds as dividing does.
pub(super) fn mean_factor(members: usize) -> Option<comm_algebra::Factor> {
    members
        .is_power_of_two()
        .then(|| comm_algebra::Factor::new(1.0 / members as f64))
}

/// A collective of one tensor as an op of the algebra, and whether it is the mean of what that says.
fn collective_op(collective: Collective, devices: &mut Devices) -> PassResult<Option<(AlgebraOp, bool)>> {
    let op = collective.op;
    let index = |name: &str| {
        op.attr(name)
            .and_then(Attr::as_i64)
            .and_then(|value| usize::try_from(value).ok())
    };
    let dim = || -> Option<usize> {
        let dims = op.attr("dims").and_then(Attr::as_i64_array)?;
        usize::try_from(*dims.first()?).ok()
    };
    if collective.kind == Kind::Permute {
        return Ok(permute(op, devices.count()).map(|op| (op, false)));
    }
    let Some(group) = devices.read(op)? else {
        return Ok(None);
    };
    let made = match collective.kind {
        Kind::AllGather => dim().map(|dim| AlgebraOp::AllGather { dim, group }),
        Kind::ReduceScatter | Kind::AllReduce => {
            return Ok(reduction(collective, dim(), group, devices.groups.size(group)));
        }
        Kind::AllToAll => index("split")
            .zip(index("concat"))
            .map(|(split, concat)| AlgebraOp::AllToAll { split, concat, group }),
        Kind::Broadcast => index("root").map(|root| AlgebraOp::Broadcast { root, group }),
        Kind::Permute => None,
    };
    Ok(made.map(|op| (op, false)))
}

fn reduction(
    collective: Collective,
    dim: Option<usize>,
    group: GroupId,
    members: usize,
) -> Option<(AlgebraOp, bool)> {
    let (kind, is_mean) = match crate::mlir::reduction_name(collective.op.attr("kind")?)?.as_str() {
        "sum" => (Reduction::Sum, false),
        "avg" => (Reduction::Sum, true),
        "prod" => (Reduction::Product, false),
        "max" => (Reduction::Max, false),
        "min" => (Reduction::Min, false),
        "and" => (Reduction::And, false),
        "or" => (Reduction::Or, false),
        "xor" => (Reduction::Xor, false),
        _ => return None,
    };
    // A mean of integers is rounded in a way that the algebra does not say.
    let is_float = collective.op.operand(0).ty().element().float_width().is_some();
    if is_mean && (!is_float || mean_factor(members).is_none()) {
        return None;
    }
    let op = match (collective.kind, dim) {
        (Kind::ReduceScatter, Some(dim)) => AlgebraOp::ReduceScatter { kind, dim, group },
        (Kind::AllReduce, _) => AlgebraOp::AllReduce { kind, group },
        _ => return None,
    };
    Some((op, is_mean))
}

/// A permute, where it names no more devices than there are.
fn permute(op: Op, devices: usize) -> Option<AlgebraOp> {
    let ranks = op.attr("pairs").and_then(Attr::as_i64_array)?;
    let rank = |&rank: &i64| u32::try_from(rank).ok().filter(|&rank| (rank as usize) < devices);
    let pairs: Option<Vec<(u32, u32)>> = ranks
        .chunks_exact(2)
        .map(|pair| rank(&pair[0]).zip(rank(&pair[1])))
        .collect();
    Some(AlgebraOp::permute(pairs?))
}
