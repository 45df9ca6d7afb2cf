// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Groups of a collective, in all of StableHLO's encodings.
//!
//! `replica_groups` is a matrix with a group in each row, `dense<[[0, 1], [2, 3]]>`, possibly a splat; rows may be
//! padded with -1; a matrix without elements stands for one group of all processes; and newer programs name axes of a
//! mesh ([`mesh_axes`](super::mesh_axes)).
//!
//! `comm` has groups of one size only: rows that differ in length once their padding is gone are refused. Every
//! process must be in exactly one group, as StableHLO demands of all collectives but the broadcast, and as `comm`
//! does of that too (a device outside all groups would get zeros there).
//!
//! Near linear in the number of ranks; decoded once for each attribute.

use mlir_sys::MlirLocation;

use super::{
    Importer,
    devices::{Ids, MAX_DEVICES},
    mesh_axes, required,
};
use crate::{
    diagnostics, ffi,
    mlir::{Attr, Failed, Op, PassResult},
};

/// Decoded groups.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    /// `#comm.groups<...>`.
    pub(super) attr: Attr,
    /// Ranks in each group.
    pub(super) size: i64,
}

/// Groups of processes before they are ranks: one after the other, each of `size`.
pub(super) struct Processes {
    pub(super) list: Vec<i64>,
    pub(super) size: usize,
}

/// Reads the groups of a collective whose numbers are `ids`.
pub(super) fn read(importer: &mut Importer, op: Op, ids: Ids) -> PassResult<Groups> {
    let attr = required(op, "replica_groups")?;
    let key = (attr.id(), ids);
    if let Some(&groups) = importer.groups.get(&key) {
        return Ok(groups);
    }
    let count = importer.devices.count(ids);
    let processes = match attr.element_count() {
        Some(0) => everybody(op, ids, count)?,
        Some(elements) => from_matrix(op, attr, elements)?,
        None => mesh_axes::read(op, attr, &importer.meshes)?,
    };
    check_processes(op, ids, &processes.list, count)?;
    if let Some(missing) = missing(&processes.list, count) {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "has {} {missing} in no group; every {} must be in one",
                ids.noun(),
                ids.noun()
            ),
        ));
    }
    let ranks = importer.devices.ranks(ids, &processes.list);
    let size = importer.devices.group_size(ids, processes.size as i64);
    let groups = Groups {
        attr: groups_attr(op.location(), size, &ranks)?,
        size,
    };
    importer.groups.insert(key, groups);
    Ok(groups)
}

/// One group of all processes.
fn everybody(op: Op, ids: Ids, count: Option<i64>) -> PassResult<Processes> {
    let count = count.ok_or_else(|| {
        diagnostics::op_error(
            op,
            &format!(
                "has empty 'replica_groups', which stands for all {}s; how many there are follows from the module's \
                 attributes 'mhlo.num_replicas' and 'mhlo.num_partitions', which it lacks",
                ids.noun()
            ),
        )
    })?;
    Ok(Processes {
        list: (0..count).collect(),
        size: count as usize,
    })
}

/// A group in each row, padding taken off.
fn from_matrix(op: Op, attr: Attr, elements: i64) -> PassResult<Processes> {
    let (rows, numbers) = matrix(op, "replica_groups", attr, elements)?;
    let width = numbers.len() / rows;
    let mut list = Vec::with_capacity(numbers.len());
    let mut size = None;
    for (index, row) in numbers.chunks(width).enumerate() {
        let before = list.len();
        list.extend(row.iter().filter(|id| **id != -1));
        let members = list.len() - before;
        match size {
            None => size = Some(members),
            Some(first) if first != members => {
                return Err(diagnostics::op_error(
                    op,
                    &format!(
                        "has ragged groups: {first} member(s) in group 0, {members} in group {index}; comm collectives \
                         have groups of one size"
                    ),
                ));
            }
            Some(_) => {}
        }
    }
    match size {
        Some(size) if size > 0 => Ok(Processes { list, size }),
        _ => Err(diagnostics::op_error(op, "has groups without members")),
    }
}

/// Number of rows and all elements of a two-dimensional `dense` attribute that has any.
pub(super) fn matrix(op: Op, name: &str, attr: Attr, elements: i64) -> PassResult<(usize, Vec<i64>)> {
    // A splat of any size is a few bytes of text, so look at the number before spelling it out.
    if elements > 2 * MAX_DEVICES {
        return Err(diagnostics::op_error(
            op,
            &format!("has {elements} numbers in '{name}'; at most {MAX_DEVICES} devices are supported"),
        ));
    }
    match attr.as_dense_i64() {
        Some((shape, numbers)) if shape.len() == 2 && shape[0] > 0 => Ok((shape[0] as usize, numbers)),
        _ => Err(diagnostics::op_error(
            op,
            &format!(
                "expects a two-dimensional i64 matrix as '{name}', but it is {}",
                shortened(&attr.to_text())
            ),
        )),
    }
}

/// Whether all numbers are of processes that exist and none is listed twice.
fn check_processes(op: Op, ids: Ids, list: &[i64], count: Option<i64>) -> PassResult {
    for &id in list {
        check_id(op, ids, id, count)?;
    }
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(diagnostics::op_error(
            op,
            &format!("has {} {} in its groups twice", ids.noun(), pair[0]),
        )),
        None => Ok(()),
    }
}

/// Whether a number is of a process that exists.
pub(super) fn check_id(op: Op, ids: Ids, id: i64, count: Option<i64>) -> PassResult {
    let end = count.unwrap_or(MAX_DEVICES);
    if (0..end).contains(&id) {
        return Ok(());
    }
    Err(diagnostics::op_error(
        op,
        &format!("names {} {id}; there are {end}, numbered from 0", ids.noun()),
    ))
}

/// The first process that is not listed.
fn missing(list: &[i64], count: Option<i64>) -> Option<i64> {
    let count = count?;
    let mut listed = vec![false; count as usize];
    for &id in list {
        listed[id as usize] = true;
    }
    listed.iter().position(|listed| !listed).map(|index| index as i64)
}

fn groups_attr(location: MlirLocation, size: i64, ranks: &[i64]) -> PassResult<Attr> {
    // SAFETY: the array is alive during the call, which copies it.
    Attr::from_nullable(unsafe { ffi::commGroupsAttrGet(location, size, ranks.len(), ranks.as_ptr()) })
        .ok_or(Failed)
}

/// A text that fits into a diagnostic.
pub(super) fn shortened(text: &str) -> String {
    const LENGTH: usize = 200;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
