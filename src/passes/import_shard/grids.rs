// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Grids of the `shard` dialect and the meshes that stand for them.
//!
//! A grid lists sizes of axes without names; its devices are numbered row-major, the last axis fastest, as in a mesh. Axis
//! `k` is named `axisk`. The devices of a group are ordered row-major over `grid_axes` in the order in which they are listed
//! (upstream lowers `all_slice` that way), which is the order of the named axes of a mesh too.

use std::collections::{HashMap, HashSet};

use crate::mlir::{self, Attr, Op, OpBuilder, PassResult};

/// Most devices of a mesh, which the dialect checks too; permutations list every device.
const MOST_DEVICES: i64 = 1 << 20;

/// A grid.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) op: Op,
    pub(super) shape: Vec<i64>,
}

impl Grid {
    /// Why no mesh can stand for the grid, if so.
    pub(super) fn refusal(&self) -> Option<&'static str> {
        if self.shape.iter().any(|&size| size < 0) {
            return Some("has a dimension of unknown size; groups are formed at compile time");
        }
        if self.shape.contains(&0) {
            return Some("has no devices");
        }
        let devices = self
            .shape
            .iter()
            .try_fold(1i64, |devices, &size| devices.checked_mul(size));
        if devices.is_none_or(|devices| devices > MOST_DEVICES) {
            return Some("has more than 1048576 devices");
        }
        None
    }

    /// Names of axes, by number.
    pub(super) fn axis_names(axes: &[usize]) -> Vec<String> {
        axes.iter().map(|axis| format!("axis{axis}")).collect()
    }
}

/// All grids of a module, by the op around them and their name.
pub(super) struct Grids {
    by_name: HashMap<(Op, String), Grid>,
}

impl Grids {
    /// Finds the grids among `ops`.
    pub(super) fn new(ops: &[Op]) -> Self {
        let by_name = ops
            .iter()
            .filter(|op| op.name() == "shard.grid")
            .filter_map(|&op| {
                let shape = op.attr("shape")?.as_i64_array()?;
                Some(((op.parent_op()?, op.symbol_name()?), Grid { op, shape }))
            })
            .collect();
        Self { by_name }
    }

    /// The grid that an op names.
    pub(super) fn of(&self, op: Op) -> Option<&Grid> {
        let name = op.attr("grid")?.as_symbol()?.to_owned();
        let around = std::iter::successors(op.parent_op(), |op| op.parent_op());
        around
            .filter_map(|parent| self.by_name.get(&(parent, name.clone())))
            .next()
    }
}

/// Makes a mesh for a grid and gives its name. Where `replace`, nothing else refers to the grid: the mesh takes its name
/// and the grid is erased.
pub(super) fn make_mesh(grid: &Grid, replace: bool) -> PassResult<String> {
    let op = grid.op;
    let context = op.context();
    let own = op.symbol_name().unwrap_or_default();
    let name = if replace {
        own
    } else {
        unused_name(op, &format!("{own}_mesh"))
    };
    let axes: Vec<usize> = (0..grid.shape.len()).collect();
    let names: Vec<Attr> = Grid::axis_names(&axes)
        .iter()
        .map(|axis| Attr::string(context, axis))
        .collect();
    OpBuilder::new("comm.mesh", op.location())
        .attr("sym_name", Attr::string(context, &name))
        .attr("axes", Attr::array(context, &names))
        .attr("shape", Attr::i64_array(context, &grid.shape))
        .insert_after(op)?;
    if replace {
        op.erase();
    }
    Ok(name)
}

/// A name that starts with `wish` and that no symbol beside `op` has.
fn unused_name(op: Op, wish: &str) -> String {
    let taken: HashSet<String> = op
        .parent_op()
        .into_iter()
        .flat_map(|parent| parent.blocks())
        .flat_map(|block| block.ops())
        .filter_map(Op::symbol_name)
        .collect();
    std::iter::once(wish.to_owned())
        .chain((0..=taken.len()).map(|number| format!("{wish}_{number}")))
        .find(|name| !taken.contains(name))
        .unwrap_or_else(|| wish.to_owned())
}

/// Groups over some axes of a mesh.
pub(super) fn groups(op: Op, mesh: &str, axes: &[usize]) -> PassResult<Attr> {
    mlir::axes(op.context(), mesh, &Grid::axis_names(axes))
}
