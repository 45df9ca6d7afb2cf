// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The devices that some ops speak of: how many there are, and which collectives leave all of them with the same tensors.
//!
//! O(ops), and each mesh or list of groups is laid out once.

use std::collections::{HashMap, HashSet};

use crate::{
    collective::{Kind, is_fused, kind_of_name},
    groups::Groups,
    mlir::{Attr, Op},
};

/// See the [module](self) documentation.
pub(super) struct Devices {
    pub(super) count: usize,
    /// Collectives over one group of all devices that leave all of them with the same tensors.
    equalizing: HashSet<Op>,
}

impl Devices {
    pub(super) fn of(ops: &[Op]) -> Self {
        // By attribute and module: number of groups, and largest rank and one. A large mesh is laid out once.
        let mut sizes: HashMap<(usize, Option<Op>), (usize, usize)> = HashMap::new();
        let mut devices = Self {
            count: 1,
            equalizing: HashSet::new(),
        };
        let mut over_one_group = Vec::new();
        for &op in ops {
            if op.name() == "comm.mesh" {
                let shape = op.attr("shape").and_then(Attr::as_i64_array).unwrap_or_default();
                let product = shape
                    .iter()
                    .try_fold(1_usize, |all, &size| all.checked_mul(usize::try_from(size).ok()?));
                devices.count = devices.count.max(product.unwrap_or(1));
                continue;
            }
            let attribute = match kind_of_name(op.name()) {
                Some(Kind::Permute) => "pairs",
                None if op.name() != "comm.rank" && !is_fused(op) => continue,
                _ => "groups",
            };
            let Some(attr) = op.attr(attribute) else { continue };
            let (groups, named) = *sizes.entry((attr.id(), op.symbol_table())).or_insert_with(|| {
                // Where a mesh is missing the dialect's verifier has said so; nothing is known of such an op.
                let groups = Groups::of(op).map(|groups| groups.0).unwrap_or_default();
                let largest = groups
                    .iter()
                    .flatten()
                    .max()
                    .map_or(0, |&rank| usize::try_from(rank).unwrap_or(0) + 1);
                (groups.len(), largest)
            });
            devices.count = devices.count.max(named);
            if groups == 1 {
                over_one_group.push(op);
            }
        }
        let equalizing = over_one_group.into_iter().filter(|&op| {
            let kind = kind_of_name(op.name());
            matches!(kind, Some(Kind::AllGather | Kind::AllReduce | Kind::Broadcast))
                && Groups::of(op).is_ok_and(|groups| groups.largest() == devices.count)
        });
        devices.equalizing = equalizing.collect();
        devices
    }

    pub(super) fn equalizes(&self, op: Op) -> bool {
        self.equalizing.contains(&op)
    }
}
