// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The type of an op's result, and why an op has none.
//!
//! This is the one definition of a legal op: programs, terms of rules and the interpreter all ask here.

use thiserror::Error;

use crate::{
    function::Function,
    groups::Groups,
    op::{Dot, Op, Side},
    types::{Element, Type},
};

/// Why an op cannot be applied to operands of some types.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TypeError {
    /// Too few or too many operands.
    #[error("{op} takes {expected} operands, found {found}")]
    Operands {
        /// The op.
        op: String,
        /// What it takes.
        expected: usize,
        /// What it got.
        found: usize,
    },
    /// A dimension that the operand lacks.
    #[error("{op}: dimension {dim} of an operand of rank {rank}")]
    Dimension {
        /// The op.
        op: String,
        /// The dimension.
        dim: usize,
        /// What there is.
        rank: usize,
    },
    /// A dimension that is not a multiple of the members of a list.
    #[error("{op}: {parts} equal slices of extent {extent}")]
    Divides {
        /// The op.
        op: String,
        /// Extent of the dimension.
        extent: usize,
        /// Members.
        parts: usize,
    },
    /// Operands that do not go together.
    #[error("{op}: operand types {first} and {second} do not go together")]
    Mismatch {
        /// The op.
        op: String,
        /// One type.
        first: Type,
        /// The other.
        second: Type,
    },
    /// An element type of which the op has no meaning.
    #[error("{op} has no meaning for {element}")]
    Element {
        /// The op.
        op: String,
        /// The element type.
        element: Element,
    },
    /// Attributes that contradict each other or the operand.
    #[error("{op} does not fit an operand of type {ty}")]
    Attributes {
        /// The op.
        op: String,
        /// The operand's type.
        ty: Type,
    },
    /// A group that is not in the table.
    #[error("{op} names a group that the program does not have")]
    Group {
        /// The op.
        op: String,
    },
    /// A device that does not exist, or one that receives twice.
    #[error("{op}: every target is one of {devices} devices and receives from one device")]
    Pairs {
        /// The op.
        op: String,
        /// Number of devices.
        devices: usize,
    },
    /// A tensor with more elements than can be counted, or with none.
    #[error("{op}: a tensor of type {ty} is empty or too large")]
    Size {
        /// The op.
        op: String,
        /// The type.
        ty: Type,
    },
}

/// What an op's errors and checks need.
struct Check<'a> {
    op: &'a Op,
    groups: &'a Groups,
}

impl Check<'_> {
    fn name(&self) -> String {
        self.op.to_string()
    }

    fn dim(&self, ty: &Type, dim: usize) -> Result<usize, TypeError> {
        ty.shape.get(dim).copied().ok_or_else(|| TypeError::Dimension {
            op: self.name(),
            dim,
            rank: ty.rank(),
        })
    }

    fn split(&self, ty: &Type, dim: usize, parts: usize) -> Result<Type, TypeError> {
        let extent = self.dim(ty, dim)?;
        if extent % parts != 0 {
            return Err(TypeError::Divides {
                op: self.name(),
                extent,
                parts,
            });
        }
        Ok(ty.with(dim, extent / parts))
    }

    fn grow(&self, ty: &Type, dim: usize, parts: usize) -> Result<Type, TypeError> {
        let extent = self.dim(ty, dim)?;
        let extent = extent.checked_mul(parts).ok_or_else(|| self.size(ty))?;
        self.sized(ty.with(dim, extent))
    }

    fn size(&self, ty: &Type) -> TypeError {
        TypeError::Size {
            op: self.name(),
            ty: ty.clone(),
        }
    }

    /// The type, if it has elements and they can be counted with room for a cost.
    fn sized(&self, ty: Type) -> Result<Type, TypeError> {
        if ty.shape.contains(&0) || ty.count() > 1 << 48 {
            return Err(self.size(&ty));
        }
        Ok(ty)
    }

    fn attributes(&self, ty: &Type) -> TypeError {
        TypeError::Attributes {
            op: self.name(),
            ty: ty.clone(),
        }
    }

    fn mismatch(&self, first: &Type, second: &Type) -> TypeError {
        TypeError::Mismatch {
            op: self.name(),
            first: first.clone(),
            second: second.clone(),
        }
    }

    fn members(&self) -> Result<usize, TypeError> {
        match self.op.group() {
            Some(group) if self.groups.contains(group) => Ok(self.groups.size(group)),
            _ => Err(TypeError::Group { op: self.name() }),
        }
    }

    fn kind(&self, accepted: bool, element: Element) -> Result<(), TypeError> {
        if accepted {
            return Ok(());
        }
        Err(TypeError::Element {
            op: self.name(),
            element,
        })
    }
}

/// The type of the result on every device. O(rank) besides the pairs of a permute and the dimensions of a dot.
pub fn infer(op: &Op, operands: &[&Type], groups: &Groups) -> Result<Type, TypeError> {
    let check = Check { op, groups };
    let expected = match op {
        Op::Argument(_) | Op::Constant { .. } => 0,
        Op::Opaque { .. } => operands.len(),
        Op::Map(function) => function.operands(),
        Op::Concat(_) => operands.len().max(1),
        Op::Dot(_) => 2,
        _ => 1,
    };
    if operands.len() != expected {
        return Err(TypeError::Operands {
            op: op.to_string(),
            expected,
            found: operands.len(),
        });
    }
    match op {
        Op::Argument(argument) => {
            if !groups.contains_partition(argument.replicated) {
                return Err(TypeError::Group { op: op.to_string() });
            }
            check.sized(argument.ty.clone())
        }
        Op::Constant { ty, .. } | Op::Opaque { ty, .. } => check.sized(ty.clone()),
        Op::Map(function) => map(&check, *function, operands),
        Op::Concat(dim) => concat(&check, *dim, operands),
        Op::Dot(dot) => product(&check, dot, operands[0], operands[1]),
        _ => unary(&check, operands[0]),
    }
}

/// Ops with one operand.
fn unary(check: &Check, ty: &Type) -> Result<Type, TypeError> {
    match check.op {
        Op::AllGather { dim, .. } => check.grow(ty, *dim, check.members()?),
        Op::ReduceScatter { kind, dim, .. } => {
            check.kind(kind.accepts(ty.element), ty.element)?;
            check.split(ty, *dim, check.members()?)
        }
        Op::AllReduce { kind, .. } => {
            check.members()?;
            check.kind(kind.accepts(ty.element), ty.element)?;
            Ok(ty.clone())
        }
        Op::AllToAll { split, concat, .. } => {
            let members = check.members()?;
            let split = check.split(ty, *split, members)?;
            check.grow(&split, *concat, members)
        }
        Op::Shard { dim, .. } => check.split(ty, *dim, check.members()?),
        Op::Broadcast { root, .. } if *root < check.members()? => Ok(ty.clone()),
        Op::Permute { pairs } => {
            let devices = check.groups.devices();
            let exist = pairs
                .iter()
                .all(|&(a, b)| (a as usize) < devices && (b as usize) < devices);
            if !exist || !pairs.is_sorted_by(|a, b| a.1 < b.1) {
                return Err(TypeError::Pairs {
                    op: check.name(),
                    devices,
                });
            }
            Ok(ty.clone())
        }
        Op::Convert(element) => {
            let number = |element: Element| !matches!(element, Element::Other { .. });
            check.kind(number(ty.element), ty.element)?;
            check.kind(number(*element), *element)?;
            Ok(Type {
                element: *element,
                shape: ty.shape.clone(),
            })
        }
        Op::Transpose(permutation) => {
            let mut sorted = permutation.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(0..ty.rank()) {
                return Err(check.attributes(ty));
            }
            let shape: Vec<usize> = permutation.iter().map(|&dim| ty.shape[dim]).collect();
            Ok(Type::new(ty.element, &shape))
        }
        Op::Reshape(shape) => {
            let reshaped = check.sized(Type::new(ty.element, shape))?;
            if reshaped.count() != ty.count() {
                return Err(check.attributes(ty));
            }
            Ok(reshaped)
        }
        Op::BroadcastInDim { shape, dims } => {
            let fits = dims.len() == ty.rank()
                && dims.is_sorted_by(|a, b| a < b)
                && dims
                    .iter()
                    .zip(&ty.shape)
                    .all(|(&dim, extent)| shape.get(dim) == Some(extent));
            if !fits {
                return Err(check.attributes(ty));
            }
            check.sized(Type::new(ty.element, shape))
        }
        Op::Slice { dim, start, end } => {
            if start >= end || *end > check.dim(ty, *dim)? {
                return Err(check.attributes(ty));
            }
            Ok(ty.with(*dim, end - start))
        }
        Op::Reduce { kind, dim } => {
            check.dim(ty, *dim)?;
            check.kind(kind.accepts(ty.element), ty.element)?;
            let mut reduced = ty.clone();
            reduced.shape.remove(*dim);
            Ok(reduced)
        }
        _ => Err(check.attributes(ty)),
    }
}

fn map(check: &Check, function: Function, operands: &[&Type]) -> Result<Type, TypeError> {
    let values = if function == Function::Select {
        let predicate = operands[0];
        if predicate.element != Element::Bool || predicate.shape != operands[1].shape {
            return Err(check.mismatch(predicate, operands[1]));
        }
        &operands[1..]
    } else {
        operands
    };
    let Some(&first) = values.first() else {
        return Err(TypeError::Operands {
            op: check.name(),
            expected: 1,
            found: 0,
        });
    };
    let mixed = matches!(function, Function::Named { .. });
    for &other in values {
        if other.shape != first.shape || (!mixed && other.element != first.element) {
            return Err(check.mismatch(first, other));
        }
    }
    match function.result(first.element) {
        Some(element) => Ok(Type {
            element,
            shape: first.shape.clone(),
        }),
        None => Err(TypeError::Element {
            op: check.name(),
            element: first.element,
        }),
    }
}

fn concat(check: &Check, dim: usize, operands: &[&Type]) -> Result<Type, TypeError> {
    let first = operands[0];
    let mut extent = check.dim(first, dim)?;
    for &other in &operands[1..] {
        if other.rank() != first.rank() || other.with(dim, 1) != first.with(dim, 1) {
            return Err(check.mismatch(first, other));
        }
        extent = extent.saturating_add(other.shape[dim]);
    }
    check.sized(first.with(dim, extent))
}

fn product(check: &Check, dot: &Dot, left: &Type, right: &Type) -> Result<Type, TypeError> {
    let pairs = || dot.batch.iter().chain(&dot.contract);
    for (number, &(l, r)) in pairs().enumerate() {
        if check.dim(left, l)? != check.dim(right, r)? {
            return Err(check.mismatch(left, right));
        }
        if pairs().take(number).any(|&(a, b)| a == l || b == r) {
            return Err(check.attributes(left));
        }
    }
    let number = |element: Element| element.is_float() || element.is_integer();
    for element in [left.element, right.element, dot.element] {
        check.kind(number(element), element)?;
    }
    let mut shape: Vec<usize> = dot.batch.iter().map(|&(dim, _)| left.shape[dim]).collect();
    shape.extend(
        dot.free(Side::Left, left.rank())
            .iter()
            .map(|&dim| left.shape[dim]),
    );
    shape.extend(
        dot.free(Side::Right, right.rank())
            .iter()
            .map(|&dim| right.shape[dim]),
    );
    check.sized(Type::new(dot.element, &shape))
}
