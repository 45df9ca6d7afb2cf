// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What becomes of an op of the `shard` dialect. Nothing is changed here.

use super::grids::{Grid, Grids};
use crate::{
    collective::Kind,
    dialect::Reduction,
    mlir::{Attr, Op, Ty},
};

/// What one op becomes.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// A collective over axes of the grid.
    Collective {
        kind: Kind,
        axes: Vec<usize>,
        reduction: Option<Reduction>,
        root: Option<i64>,
    },
    /// A permutation of all devices.
    Permute { pairs: Vec<i64> },
    /// This device's slice of a dimension.
    Slice { axes: Vec<usize>, dim: usize },
    /// This device's index along each of some axes.
    MultiIndex { axes: Vec<usize> },
    /// This device's number.
    LinearIndex,
    /// Sizes of axes.
    Shape { axes: Vec<usize> },
    /// Its operand: the group has one device.
    Operand,
}

/// An op with what it becomes.
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) grid: Grid,
    pub(super) action: Action,
}

/// Whether `shard.NAME` is a collective on all devices of its groups.
pub(super) fn is_collective(name: &str) -> bool {
    matches!(
        name,
        "all_gather" | "all_reduce" | "reduce_scatter" | "all_to_all" | "broadcast" | "shift" | "all_slice"
    )
}

/// Plans one op: nothing for an op that stays, or why it can be nothing of `comm`.
pub(super) fn plan(op: Op, grids: &Grids) -> Result<Option<Step>, String> {
    let Some(name) = op.name().strip_prefix("shard.") else {
        return Ok(None);
    };
    let refusal = match name {
        "gather" | "scatter" | "reduce" => {
            "moves data to or from one root, which no collective of comm does; use its \
                                            all_ form"
        }
        "send" | "recv" => "is one side of a point-to-point transfer; a permutation (shard.shift) has both",
        "update_halo" => "exchanges parts of shards in place, which no collective of comm does",
        _ => "",
    };
    if !refusal.is_empty() {
        return Err(refusal.to_owned());
    }
    let index_op = matches!(
        name,
        "process_multi_index" | "process_linear_index" | "grid_shape"
    );
    if !index_op && !is_collective(name) {
        return Ok(None);
    }
    let grid = grids.of(op).ok_or("refers to no shard.grid in this module")?;
    if let Some(reason) = grid.refusal() {
        // An index is no communication: it may stay.
        return if index_op {
            Ok(None)
        } else {
            Err(format!("is over a grid that {reason}"))
        };
    }
    let action = if index_op {
        plan_index(op, name, grid)?
    } else {
        plan_collective(op, name, grid)?
    };
    Ok(Some(Step {
        op,
        grid: grid.clone(),
        action,
    }))
}

fn plan_index(op: Op, name: &str, grid: &Grid) -> Result<Action, String> {
    if name == "process_linear_index" {
        return Ok(Action::LinearIndex);
    }
    let mut axes = read_axes(op, "axes", grid)?;
    if axes.is_empty() {
        axes = (0..grid.shape.len()).collect();
    }
    Ok(if name == "grid_shape" {
        Action::Shape { axes }
    } else {
        Action::MultiIndex { axes }
    })
}

fn plan_collective(op: Op, name: &str, grid: &Grid) -> Result<Action, String> {
    let axes = read_axes(op, "grid_axes", grid)?;
    let (source, target) = (op.operand(0).ty(), op.result(0).ty());
    if !source.is_ranked_tensor() || !target.is_ranked_tensor() {
        return Err(format!(
            "is on {}; only tensors have collectives of comm",
            source.to_text()
        ));
    }
    if axes.is_empty() && source == target {
        return Ok(Action::Operand);
    }
    if axes.is_empty() {
        return Err("is over no axes of the grid, but yields another type than it takes".to_owned());
    }
    let kind = match name {
        "all_gather" => Kind::AllGather,
        "all_reduce" => Kind::AllReduce,
        "reduce_scatter" => Kind::ReduceScatter,
        "all_to_all" => Kind::AllToAll,
        "broadcast" => Kind::Broadcast,
        "shift" => {
            return Ok(Action::Permute {
                pairs: shift_pairs(op, grid)?,
            });
        }
        _ => return plan_slice(op, axes),
    };
    let reduction = match kind {
        Kind::AllReduce | Kind::ReduceScatter => Some(read_reduction(op)?),
        _ => None,
    };
    check_conversion(source, target)?;
    if let Some(reduction) = reduction {
        check_reduction(reduction, target.element())?;
    }
    let root = match kind {
        Kind::Broadcast => Some(read_root(op, &axes, grid)?),
        _ => None,
    };
    Ok(Action::Collective {
        kind,
        axes,
        reduction,
        root,
    })
}

fn plan_slice(op: Op, axes: Vec<usize>) -> Result<Action, String> {
    let dim = op
        .attr("slice_axis")
        .and_then(Attr::as_i64)
        .and_then(|dim| usize::try_from(dim).ok());
    let dim = dim.ok_or("has no slice_axis")?;
    let size = op
        .result(0)
        .ty()
        .shape()
        .and_then(|shape| shape.get(dim).copied().flatten());
    if size.is_none() {
        return Err(format!(
            "slices dimension {dim} to an unknown size; a static one is expected"
        ));
    }
    Ok(Action::Slice { axes, dim })
}

/// Axes of the grid that an attribute lists, in its order.
fn read_axes(op: Op, attribute: &str, grid: &Grid) -> Result<Vec<usize>, String> {
    let listed = op
        .attr(attribute)
        .and_then(Attr::as_i16_array)
        .unwrap_or_default();
    listed
        .into_iter()
        .map(|axis| {
            usize::try_from(axis)
                .ok()
                .filter(|&axis| axis < grid.shape.len())
                .ok_or_else(|| format!("names axis {axis} of a grid of {} axes", grid.shape.len()))
        })
        .collect()
}

/// The reduction; the sum where none is given.
fn read_reduction(op: Op) -> Result<Reduction, String> {
    let Some(attr) = op.attr("reduction") else {
        return Ok(Reduction::Sum);
    };
    let text = attr.to_text();
    let name = text
        .trim_start_matches("#shard<partial")
        .trim_end_matches('>')
        .trim();
    Ok(match name {
        "sum" => Reduction::Sum,
        "max" => Reduction::Max,
        "min" => Reduction::Min,
        "product" => Reduction::Prod,
        "average" => Reduction::Avg,
        "bitwise_and" => Reduction::And,
        "bitwise_or" => Reduction::Or,
        "bitwise_xor" => Reduction::Xor,
        _ => return Err(format!("has the reduction '{name}', of which nothing is known")),
    })
}

/// Refuses a reduction that elements of a type do not have.
fn check_reduction(reduction: Reduction, element: Ty) -> Result<(), String> {
    let integer = element.is_integer() || element == Ty::index(element.context());
    match reduction {
        Reduction::And | Reduction::Or | Reduction::Xor if !integer => Err(format!(
            "combines {} bit by bit; integers are expected",
            element.to_text()
        )),
        Reduction::Avg if integer => Err(format!(
            "takes the average of {}; floating-point numbers are expected",
            element.to_text()
        )),
        _ => Ok(()),
    }
}

/// A reduction may compute in another element type than it reads; comm does not, so a conversion comes before.
fn check_conversion(source: Ty, target: Ty) -> Result<(), String> {
    let (from, to) = (source.element(), target.element());
    if from == to || conversion(from, to).is_some() {
        return Ok(());
    }
    Err(format!(
        "reduces {} in {}; only floating-point types of different widths are converted",
        from.to_text(),
        to.to_text()
    ))
}

/// The op that converts elements.
pub(super) fn conversion(from: Ty, to: Ty) -> Option<&'static str> {
    match from.float_width()?.cmp(&to.float_width()?) {
        std::cmp::Ordering::Less => Some("arith.extf"),
        std::cmp::Ordering::Greater => Some("arith.truncf"),
        std::cmp::Ordering::Equal => None,
    }
}

/// Position of the root in its group, from its index along each axis.
fn read_root(op: Op, axes: &[usize], grid: &Grid) -> Result<i64, String> {
    let root = op
        .attr("root")
        .and_then(Attr::as_i64_array)
        .ok_or("has no root")?;
    if op.num_operands() > 1 {
        return Err("has a root that is computed; a constant one is expected".to_owned());
    }
    if root.len() != axes.len() {
        return Err(format!(
            "has a root of {} indices in a group of {} axes",
            root.len(),
            axes.len()
        ));
    }
    Ok(axes
        .iter()
        .zip(&root)
        .fold(0, |position, (&axis, &index)| position * grid.shape[axis] + index))
}

/// Pairs (source, target) of a shift of all devices along one axis.
///
/// The data moves by `offset`: device i sends to i + offset. Without `rotate`, what leaves the grid is lost; devices that get
/// nothing hold an undefined value upstream and zeros here.
fn shift_pairs(op: Op, grid: &Grid) -> Result<Vec<i64>, String> {
    let axis = op
        .attr("shift_axis")
        .and_then(Attr::as_i64)
        .and_then(|axis| usize::try_from(axis).ok())
        .filter(|&axis| axis < grid.shape.len())
        .ok_or("has a shift_axis that is no axis of its grid")?;
    let offset = op.attr("offset").and_then(Attr::as_i64).ok_or("has no offset")?;
    let rotate = op.attr("rotate").is_some();
    let size = grid.shape[axis];
    let stride: i64 = grid.shape[axis + 1..].iter().product();
    let devices: i64 = grid.shape.iter().product();
    let mut pairs = Vec::new();
    for device in 0..devices {
        let index = device / stride % size;
        // Offsets beyond the grid come round to within it, or lose everything.
        let to = if rotate {
            (index + offset.rem_euclid(size)) % size
        } else {
            index.saturating_add(offset)
        };
        if (0..size).contains(&to) {
            pairs.extend([device, device + (to - index) * stride]);
        }
    }
    Ok(pairs)
}
