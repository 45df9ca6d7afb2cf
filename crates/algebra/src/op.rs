// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The ops of the language: collectives and the local ops around them.
//!
//! All ops are functions of their operands, on all devices at once: a value is one tensor of the same type per device.
//! Collectives take a grouping; local ops look at their own device alone. What each computes is stated here and
//! implemented, as directly as possible, by [`crate::interpreter`].

use std::fmt;

use crate::{
    function::Function,
    groups::{GroupId, PartitionId},
    types::{Element, Type},
};

/// How a reduction combines two elements. A mean is a [`Kind::Sum`] followed by a [`Function::Scale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Sum,
    Product,
    Max,
    Min,
    And,
    Or,
    Xor,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Sum,
        Self::Product,
        Self::Max,
        Self::Min,
        Self::And,
        Self::Or,
        Self::Xor,
    ];

    /// Whether `x ∘ x = x`.
    pub fn is_idempotent(self) -> bool {
        matches!(self, Self::Max | Self::Min | Self::And | Self::Or)
    }

    /// Whether elements of this type can be combined so. And, or and xor take integers and booleans; sums and products of
    /// booleans have no one meaning and are refused.
    pub fn accepts(self, element: Element) -> bool {
        match self {
            Self::Sum | Self::Product | Self::Max | Self::Min => element.is_float() || element.is_integer(),
            Self::And | Self::Or | Self::Xor => element.is_integer() || element == Element::Bool,
        }
    }

    /// Whether another association of the same terms gives the same bits. Maxima and minima are taken in a total order,
    /// so zeros of both signs do no harm; quiet NaNs of different payloads are not told apart.
    pub fn is_exact(self, element: Element) -> bool {
        !element.is_float() || matches!(self, Self::Max | Self::Min)
    }

    /// The elementwise function that combines two values.
    pub fn function(self) -> Function {
        match self {
            Self::Sum => Function::Add,
            Self::Product => Function::Multiply,
            Self::Max => Function::Maximum,
            Self::Min => Function::Minimum,
            Self::And => Function::And,
            Self::Or => Function::Or,
            Self::Xor => Function::Xor,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Sum => "sum",
            Self::Product => "product",
            Self::Max => "max",
            Self::Min => "min",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        };
        write!(formatter, "{name}")
    }
}

/// A value that the program is given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Argument {
    /// Which of the caller's values.
    pub number: u32,
    /// Which copy of it. Values built from different instances are never found equal, although they are: that keeps
    /// two gathers of one parameter apart, since sharing one costs memory between its uses.
    pub instance: u32,
    /// Type on every device.
    pub ty: Type,
    /// Where it is known to be equal.
    pub replicated: PartitionId,
}

/// Dimensions of a matrix product, as pairs of a left and a right dimension.
///
/// The result has the batch dimensions in the order given, then the free dimensions of the left operand in their order,
/// then those of the right one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dot {
    /// Dimensions that run in parallel.
    pub batch: Vec<(usize, usize)>,
    /// Dimensions that are summed over.
    pub contract: Vec<(usize, usize)>,
    /// Element type of the sums and of the result.
    pub element: Element,
}

/// Which operand of a [`Dot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

/// What a dimension of an operand of a [`Dot`] is, and where it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In the result at this dimension, and at this dimension of the other operand.
    Batch(usize, usize),
    /// In the result at this dimension.
    Free(usize),
    /// Summed over, against this dimension of the other operand.
    Contract(usize),
}

impl Side {
    /// Number of the operand.
    pub fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    fn of<T: Copy>(self, (left, right): (T, T)) -> T {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }
}

impl Dot {
    /// The product of matrices.
    pub fn matmul(element: Element) -> Self {
        Self {
            batch: Vec::new(),
            contract: vec![(1, 0)],
            element,
        }
    }

    /// Dimensions of one operand that are neither batch nor contracting, in order.
    pub fn free(&self, side: Side, rank: usize) -> Vec<usize> {
        let taken = |dim| {
            self.batch
                .iter()
                .chain(&self.contract)
                .any(|&pair| side.of(pair) == dim)
        };
        (0..rank).filter(|&dim| !taken(dim)).collect()
    }

    /// What a dimension of an operand is, for operands of these ranks.
    pub fn role(&self, side: Side, dim: usize, ranks: [usize; 2]) -> Option<Role> {
        if let Some(position) = self.batch.iter().position(|&pair| side.of(pair) == dim) {
            return Some(Role::Batch(position, side.other().of(self.batch[position])));
        }
        if let Some(&pair) = self.contract.iter().find(|&&pair| side.of(pair) == dim) {
            return Some(Role::Contract(side.other().of(pair)));
        }
        let position = self
            .free(side, ranks[side.index()])
            .iter()
            .position(|&free| free == dim)?;
        let before = match side {
            Side::Left => 0,
            Side::Right => self.free(Side::Left, ranks[0]).len(),
        };
        Some(Role::Free(self.batch.len() + before + position))
    }

    /// The operand's free dimension that is dimension `result` of the result, if it is one.
    pub fn free_source(&self, result: usize, ranks: [usize; 2]) -> Option<(Side, usize)> {
        let position = result.checked_sub(self.batch.len())?;
        let left = self.free(Side::Left, ranks[0]);
        if let Some(&dim) = left.get(position) {
            return Some((Side::Left, dim));
        }
        let right = self.free(Side::Right, ranks[1]);
        right.get(position - left.len()).map(|&dim| (Side::Right, dim))
    }
}

/// One op. Dimensions count from the outermost, 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Op {
    /// A given value.
    Argument(Argument),
    /// The same number in every element, rounded to the element type.
    Constant {
        /// Bits of a double.
        bits: u64,
        /// Type of the result.
        ty: Type,
    },
    /// Something that no rule looks into. Two opaque ops are the same function just when all four fields agree.
    Opaque {
        /// Which one, for the caller.
        number: u32,
        /// Which of its results.
        result: u32,
        /// Type of that result.
        ty: Type,
        /// Whether it computes the same on every device that gives it the same operands.
        uniform: bool,
    },
    /// The values of the device's list, one after the other along a dimension.
    AllGather {
        /// Dimension that grows.
        dim: usize,
        /// Lists.
        group: GroupId,
    },
    /// The slice at the device's position of what [`Op::AllReduce`] computes.
    ReduceScatter {
        /// How it combines.
        kind: Kind,
        /// Dimension that is split.
        dim: usize,
        /// Lists.
        group: GroupId,
    },
    /// The combination of the values of the device's list.
    AllReduce {
        /// How it combines.
        kind: Kind,
        /// Lists.
        group: GroupId,
    },
    /// From each member of the list its slice at the device's position, one after the other.
    AllToAll {
        /// Dimension that is split.
        split: usize,
        /// Dimension along which the slices are joined.
        concat: usize,
        /// Lists.
        group: GroupId,
    },
    /// The value of the source, zero without one. Pairs `(source, target)` by ascending target; see [`Op::permute`].
    Permute {
        /// No target twice.
        pairs: Vec<(u32, u32)>,
    },
    /// The value of one member of the list.
    Broadcast {
        /// Position of that member.
        root: usize,
        /// Lists.
        group: GroupId,
    },
    /// The slice at the device's position: local, although it takes a group.
    Shard {
        /// Dimension that is split into as many slices as a list has members.
        dim: usize,
        /// Lists.
        group: GroupId,
    },
    /// An elementwise function of operands of one shape.
    Map(Function),
    /// Another element type, rounded to nearest.
    Convert(Element),
    /// Sum of products.
    Dot(Dot),
    /// Dimension `i` of the result is dimension `permutation[i]` of the operand.
    Transpose(Vec<usize>),
    /// The same elements in row-major order.
    Reshape(Vec<usize>),
    /// Dimension `i` of the operand is dimension `dims[i]` of the result (ascending); the others repeat.
    BroadcastInDim {
        /// Shape of the result.
        shape: Vec<usize>,
        /// Where the operand's dimensions went.
        dims: Vec<usize>,
    },
    /// Operands one after the other along a dimension.
    Concat(usize),
    /// Part of a dimension.
    Slice {
        /// Dimension.
        dim: usize,
        /// First index.
        start: usize,
        /// One past the last.
        end: usize,
    },
    /// Combination over one dimension, which goes.
    Reduce {
        /// How it combines.
        kind: Kind,
        /// Dimension.
        dim: usize,
    },
}

impl Op {
    /// A permute of these pairs in the order that equality needs.
    pub fn permute(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable_by_key(|&(source, target)| (target, source));
        Self::Permute { pairs }
    }

    /// A constant.
    pub fn constant(value: f64, ty: Type) -> Self {
        Self::Constant {
            bits: value.to_bits(),
            ty,
        }
    }

    /// Whether devices exchange data.
    pub fn is_collective(&self) -> bool {
        matches!(
            self,
            Self::AllGather { .. }
                | Self::ReduceScatter { .. }
                | Self::AllReduce { .. }
                | Self::AllToAll { .. }
                | Self::Permute { .. }
                | Self::Broadcast { .. }
        )
    }

    /// The groups it names.
    pub fn group(&self) -> Option<GroupId> {
        match *self {
            Self::AllGather { group, .. }
            | Self::ReduceScatter { group, .. }
            | Self::AllReduce { group, .. }
            | Self::AllToAll { group, .. }
            | Self::Broadcast { group, .. }
            | Self::Shard { group, .. } => Some(group),
            _ => None,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(argument) => {
                write!(
                    formatter,
                    "argument {}.{} {}",
                    argument.number, argument.instance, argument.ty
                )
            }
            Self::Constant { bits, ty } => write!(formatter, "constant {} {ty}", f64::from_bits(*bits)),
            Self::Opaque {
                number, result, ty, ..
            } => write!(formatter, "opaque {number}.{result} {ty}"),
            Self::AllGather { dim, group } => write!(formatter, "all_gather dim={dim} {group}"),
            Self::ReduceScatter { kind, dim, group } => {
                write!(formatter, "reduce_scatter {kind} dim={dim} {group}")
            }
            Self::AllReduce { kind, group } => write!(formatter, "all_reduce {kind} {group}"),
            Self::AllToAll { split, concat, group } => {
                write!(formatter, "all_to_all split={split} concat={concat} {group}")
            }
            Self::Permute { pairs } => write!(formatter, "permute {pairs:?}"),
            Self::Broadcast { root, group } => write!(formatter, "broadcast root={root} {group}"),
            Self::Shard { dim, group } => write!(formatter, "shard dim={dim} {group}"),
            Self::Map(function) => write!(formatter, "{function}"),
            Self::Convert(element) => write!(formatter, "convert {element}"),
            Self::Dot(dot) => write!(formatter, "dot batch={:?} contract={:?}", dot.batch, dot.contract),
            Self::Transpose(permutation) => write!(formatter, "transpose {permutation:?}"),
            Self::Reshape(shape) => write!(formatter, "reshape {shape:?}"),
            Self::BroadcastInDim { shape, dims } => {
                write!(formatter, "broadcast_in_dim {shape:?} dims={dims:?}")
            }
            Self::Concat(dim) => write!(formatter, "concat dim={dim}"),
            Self::Slice { dim, start, end } => write!(formatter, "slice dim={dim} {start}..{end}"),
            Self::Reduce { kind, dim } => write!(formatter, "reduce {kind} dim={dim}"),
        }
    }
}
