// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Groups of devices as ranks, and how two of them relate. The one place where passes compare groups.
//!
//! Mesh axes are laid out by the dialect (`dialect/Groups.cpp`), so that verifiers and passes agree.

use std::{collections::HashMap, ffi::c_void};

use crate::{
    collective::{Collective, Kind, kind_of_name},
    ffi,
    mlir::{Attr, Failed, Op, PassResult},
};

/// A partition of some ranks into ordered groups of one size (of any sizes for permutes).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Groups(pub(crate) Vec<Vec<i64>>);

impl Groups {
    /// Groups of a collective or of `comm.rank`; for a permute the ranks that its pairs connect. Fails, after an error at
    /// the op, where a mesh is missing. O(ranks log ranks).
    pub(crate) fn of(op: Op) -> PassResult<Self> {
        if kind_of_name(op.name()) == Some(Kind::Permute) {
            let pairs = op.attr("pairs").and_then(Attr::as_i64_array).unwrap_or_default();
            return Ok(Self::connected(&pairs));
        }
        let attr = op.attr("groups").ok_or(Failed)?;
        extern "C" fn receive(ranks: *const i64, count: usize, data: *mut c_void) {
            // SAFETY: C++ passes `count` ranks, and `data` is the vector below.
            unsafe {
                if count > 0 {
                    (*data.cast::<Vec<i64>>()).extend_from_slice(std::slice::from_raw_parts(ranks, count));
                }
            }
        }
        let mut ranks: Vec<i64> = Vec::new();
        let mut size = 0;
        // SAFETY: the callback gets the vector it expects and runs during the call only.
        let resolved = unsafe {
            ffi::commResolveGroups(
                op.raw(),
                attr.raw(),
                &mut size,
                receive,
                std::ptr::from_mut(&mut ranks).cast(),
            )
        };
        let size = usize::try_from(size).unwrap_or(0).max(1);
        if resolved {
            Ok(Self(ranks.chunks(size).map(<[i64]>::to_vec).collect()))
        } else {
            Err(Failed)
        }
    }

    /// The ranks that (source, target) pairs connect, each set in ascending order.
    pub(crate) fn connected(pairs: &[i64]) -> Self {
        connected(pairs)
    }

    /// The communication stream of these groups: one a partition of the devices, whatever the order of the members.
    pub(crate) fn stream_name(&self) -> String {
        format!("{:?}", self.as_sets().0)
    }

    /// The same groups with members and groups in ascending order: equal for equal sets.
    pub(crate) fn as_sets(&self) -> Self {
        let mut groups = self.0.clone();
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        Self(groups)
    }

    /// Members of a group, and so the devices among which a value becomes equal.
    pub(crate) fn largest(&self) -> usize {
        self.0.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// Ranks connected by (source, target) pairs, each set in ascending order.
fn connected(pairs: &[i64]) -> Groups {
    let mut sets = petgraph::unionfind::UnionFind::<usize>::new_empty();
    let mut numbers = HashMap::new();
    let mut ranks = Vec::new();
    for &rank in pairs {
        numbers.entry(rank).or_insert_with(|| {
            ranks.push(rank);
            sets.new_set()
        });
    }
    for pair in pairs.chunks_exact(2) {
        sets.union(numbers[&pair[0]], numbers[&pair[1]]);
    }
    ranks.sort_unstable();
    let mut groups: Vec<Vec<i64>> = Vec::new();
    let mut group_of_root = HashMap::new();
    for rank in ranks {
        let group = *group_of_root.entry(sets.find(numbers[&rank])).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(rank);
    }
    Groups(groups)
}

/// Names the communication stream of each collective: one a partition of the devices, however it is spelt and in
/// whatever order a group lists its members.
#[derive(Default)]
pub(crate) struct Streams {
    /// By the identity of the attribute that spells the groups.
    by_attribute: HashMap<usize, String>,
}

impl Streams {
    /// The stream's name: the partition itself, so that it does not depend on what was asked before.
    pub(crate) fn name(&mut self, collective: Collective) -> PassResult<&str> {
        let attribute = if collective.kind == Kind::Permute {
            "pairs"
        } else {
            "groups"
        };
        let id = collective.op.attr(attribute).ok_or(Failed)?.id();
        Ok(match self.by_attribute.entry(id) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(Groups::of(collective.op)?.stream_name())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Groups, connected};

    #[test]
    fn pairs_connect_rings_and_leave_others_apart() {
        assert_eq!(
            connected(&[0, 1, 1, 2, 2, 0, 5, 4]),
            Groups(vec![vec![0, 1, 2], vec![4, 5]])
        );
        assert_eq!(connected(&[]), Groups(vec![]));
    }

    #[test]
    fn the_order_of_members_is_no_part_of_a_stream() {
        let one = Groups(vec![vec![1, 0], vec![2, 3]]);
        let other = Groups(vec![vec![3, 2], vec![0, 1]]);
        assert_eq!(one.as_sets(), other.as_sets());
        assert_ne!(one, other);
    }
}
