// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm-import-shard`: collectives of the upstream `shard` dialect become `comm` ops.
//!
//! Before: a per-device program with `shard` collectives over axes of a `shard.grid`, as `shard-partition` makes it. After:
//! blocking `comm` collectives over axes of a `comm.mesh`; `all_slice` is an `extract_slice` at this device's position, and
//! indices of the process are `comm.rank`. The mesh takes the grid's name where nothing else refers to it, else a derived
//! one. The pass reads the whole module first and changes nothing where it refuses something.
//!
//! Annotations (`sharding`, `shard`) stay: partitioning is upstream's work, to be done before. Cost: O(ops), and O(devices)
//! for each shift.

mod convert;
mod grids;
mod plan;

use std::collections::{HashMap, HashSet, hash_map::Entry};

use self::{
    grids::Grids,
    plan::{Action, Step},
};
use crate::{
    diagnostics::{self, Remark},
    mlir::{Op, PassResult},
};

const PASS: &str = "comm-import-shard";

/// Whether an op is a collective that this pass converts, if its grid allows it. A slice does not communicate.
pub(super) fn is_collective(op: Op) -> bool {
    op.name()
        .strip_prefix("shard.")
        .is_some_and(|name| plan::is_collective(name) && name != "all_slice")
}

/// Runs the pass on a module.
pub(super) fn run(module: Op) -> PassResult {
    let ops = module.walk();
    let grids = Grids::new(&ops);
    let mut steps: Vec<Step> = Vec::new();
    // Grids that something refers to which stays.
    let mut kept: HashSet<Op> = HashSet::new();
    let mut result = Ok(());
    for &op in &ops {
        match plan::plan(op, &grids) {
            Ok(Some(step)) => steps.push(step),
            Ok(None) if op.name().starts_with("shard.") => kept.extend(grids.of(op).map(|grid| grid.op)),
            Ok(None) => {}
            Err(message) => result = Err(diagnostics::op_error(op, &message)),
        }
    }
    result?;

    let mut meshes: HashMap<Op, String> = HashMap::new();
    for step in &steps {
        let grid = step.grid.op;
        let mesh = match meshes.entry(grid) {
            Entry::Occupied(mesh) => mesh.into_mut(),
            Entry::Vacant(entry) => entry.insert(grids::make_mesh(&step.grid, !kept.contains(&grid))?),
        };
        convert::convert(step, mesh)?;
    }
    report(module, &steps, meshes.len());
    Ok(())
}

fn report(module: Op, steps: &[Step], meshes: usize) {
    diagnostics::remark(module, Remark::Passed, PASS, "imported", || {
        let count = |wanted: fn(&Action) -> bool| steps.iter().filter(|step| wanted(&step.action)).count();
        let collectives =
            count(|action| matches!(action, Action::Collective { .. } | Action::Permute { .. }));
        let slices = count(|action| matches!(action, Action::Slice { .. }));
        let indices = count(|action| {
            matches!(
                action,
                Action::MultiIndex { .. } | Action::LinearIndex | Action::Shape { .. }
            )
        });
        let dropped = count(|action| matches!(action, Action::Operand));
        format!(
            "imported {collectives} collective(s), {slices} slice(s) and {indices} index op(s) over {meshes} mesh(es); \
             dropped {dropped} over no axes"
        )
    });
}
