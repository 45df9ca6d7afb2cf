// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The devices of a function, and its groups of them as the algebra and the IR know them.
//!
//! The algebra takes groupings that name every device once. What names only some of the devices, or groups of several
//! sizes, is no grouping to it, and the collective stays as it is. Groups that rules make of the program's are spelt as
//! lists of ranks.

use comm_algebra::{GroupId, Grouping, Groups as AlgebraGroups};
use rustc_hash::FxHashMap;

use crate::{
    groups::Groups,
    mlir::{self, Attr, Op, PassResult},
};

/// Groups of a function, by their numbers in the algebra.
pub(super) struct Devices {
    pub(super) groups: AlgebraGroups,
    /// The attribute that spells a grouping in the function, the first one where there are several.
    spelt: FxHashMap<GroupId, Attr>,
    /// By the identity of attributes; none where the algebra takes no such groups.
    read: FxHashMap<usize, Option<GroupId>>,
}

impl Devices {
    /// Nothing where the algebra does not take so many devices.
    pub(super) fn new(count: usize) -> Option<Self> {
        Some(Self {
            groups: AlgebraGroups::new(count).ok()?,
            spelt: FxHashMap::default(),
            read: FxHashMap::default(),
        })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.groups.devices()
    }

    /// The groups that an op names by its attribute `groups`. Fails, after an error at the op, where a mesh is missing.
    pub(super) fn read(&mut self, op: Op) -> PassResult<Option<GroupId>> {
        let Some(attr) = op.attr("groups") else {
            return Ok(None);
        };
        if let Some(&known) = self.read.get(&attr.id()) {
            return Ok(known);
        }
        let lists: Option<Vec<Vec<usize>>> = Groups::of(op)?
            .0
            .iter()
            .map(|list| list.iter().map(|&rank| usize::try_from(rank).ok()).collect())
            .collect();
        let id = lists.and_then(|lists| self.groups.add_lists(&lists).ok());
        if let Some(id) = id {
            self.spelt.entry(id).or_insert(attr);
        }
        self.read.insert(attr.id(), id);
        Ok(id)
    }

    /// The attribute for a grouping of a program that was made from these groups. Fails after an error at `at`.
    pub(super) fn spell(&self, id: GroupId, grouping: &Grouping, at: Op) -> PassResult<Attr> {
        match self.spelt.get(&id) {
            Some(&attr) => Ok(attr),
            None => mlir::groups(at.location(), &lists(grouping)),
        }
    }

    /// Names of the mesh axes that spell a grouping, where that is how the function spells it.
    pub(super) fn axes(&self, id: GroupId) -> Option<Vec<&str>> {
        mlir::axis_names(*self.spelt.get(&id)?)
    }
}

/// Ranks of a grouping, list by list.
pub(super) fn lists(grouping: &Grouping) -> Vec<Vec<i64>> {
    let ranks = |list: &[u32]| list.iter().map(|&rank| i64::from(rank)).collect();
    grouping.lists().map(ranks).collect()
}
