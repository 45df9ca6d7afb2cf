// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which groups of devices share a link, on which their collectives take turns.
//!
//! A link lists conditions, all of which hold for the groups it carries; without conditions it carries all that no link
//! before it carries. It may have costs of its own, for a machine whose groups talk over different networks.

use super::curve::Curves;

/// A link and the groups it carries.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    pub(super) name: String,
    /// Names of mesh axes: the groups lie along these and no others.
    pub(super) axes: Option<Vec<String>>,
    /// Every group lies within one aligned block of this many ranks.
    pub(super) domain: Option<i64>,
    pub(super) curves: Curves,
}

impl Link {
    /// The name in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether all conditions hold for these groups. `axes` are the names of the mesh axes that they lie along, nothing for
    /// groups that are lists of ranks. O(ranks + axes).
    pub fn carries(&self, axes: Option<&[&str]>, groups: &[Vec<i64>]) -> bool {
        let along = self.axes.as_ref().is_none_or(|own| {
            axes.is_some_and(|axes| axes.iter().all(|axis| own.iter().any(|name| name == axis)))
        });
        let within = self.domain.is_none_or(|domain| {
            groups.iter().all(|group| {
                let mut blocks = group.iter().map(|rank| rank.div_euclid(domain));
                let first = blocks.next();
                blocks.all(|block| Some(block) == first)
            })
        });
        along && within
    }
}
