// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Groups of devices: groupings and what is known of where a value is equal, both interned, and their relations.
//!
//! [`Groups`] is the table of one program. It hands out small ids, so that terms compare groups by number, and remembers
//! each relation that it has computed. Invariants: ids of equal groupings are equal, ids count up in the order of first
//! use, and no answer depends on what was asked before.

mod grouping;
mod partition;
pub mod relations;

use std::collections::HashMap;

pub use grouping::{GroupError, Grouping};
pub use partition::Partition;

/// Number of a grouping in [`Groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(u32);

/// Number of a partition in [`Groups`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionId(u32);

/// A question about two groupings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Relation {
    SameSet,
    Square,
    SquareByBlocks,
    PositionConstant,
    Contributors,
}

/// A derived grouping of two groupings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Derived {
    Union,
    Product,
}

/// How an op changes what is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    Gathered(GroupId),
    Sharded(GroupId),
    Exchanged(GroupId),
    Join(PartitionId),
    Meet(PartitionId),
}

/// The groupings and partitions of one program.
#[derive(Clone, Debug)]
pub struct Groups {
    devices: usize,
    groupings: Vec<Grouping>,
    numbers: HashMap<Grouping, GroupId>,
    relations: HashMap<(Relation, GroupId, GroupId), bool>,
    derived: HashMap<(Derived, GroupId, GroupId), Option<GroupId>>,
    partitions: Vec<Partition>,
    partition_numbers: HashMap<Partition, PartitionId>,
    changes: HashMap<(Change, PartitionId), PartitionId>,
    covers: HashMap<(PartitionId, GroupId), bool>,
}

impl Groups {
    /// An empty table for a program that runs on this many devices.
    pub fn new(devices: usize) -> Result<Self, GroupError> {
        match u32::try_from(devices) {
            Ok(0) => return Err(GroupError::Empty),
            Ok(_) => {}
            Err(_) => return Err(GroupError::TooMany),
        }
        let mut groups = Self {
            devices,
            groupings: Vec::new(),
            numbers: HashMap::new(),
            relations: HashMap::new(),
            derived: HashMap::new(),
            partitions: Vec::new(),
            partition_numbers: HashMap::new(),
            changes: HashMap::new(),
            covers: HashMap::new(),
        };
        // The ids that `finest` and `coarsest` promise.
        groups.intern_partition(Partition::finest(devices));
        groups.intern_partition(Partition::coarsest(devices));
        Ok(groups)
    }

    /// Number of devices.
    pub fn devices(&self) -> usize {
        self.devices
    }

    /// The id of a grouping.
    pub fn add(&mut self, grouping: Grouping) -> Result<GroupId, GroupError> {
        if grouping.devices() != self.devices {
            return Err(GroupError::Devices {
                expected: self.devices,
                found: grouping.devices(),
            });
        }
        Ok(self.intern(grouping))
    }

    /// The id of the grouping of these lists.
    pub fn add_lists(&mut self, lists: &[Vec<usize>]) -> Result<GroupId, GroupError> {
        Grouping::new(self.devices, lists).map(|grouping| self.intern(grouping))
    }

    /// The id of the grouping by axes of a mesh, the first axis slowest.
    pub fn add_axes(&mut self, mesh: &[usize], axes: &[usize]) -> Result<GroupId, GroupError> {
        self.add(Grouping::of_mesh(mesh, axes)?)
    }

    fn intern(&mut self, grouping: Grouping) -> GroupId {
        if let Some(&id) = self.numbers.get(&grouping) {
            return id;
        }
        let id = GroupId(self.groupings.len() as u32);
        self.groupings.push(grouping.clone());
        self.numbers.insert(grouping, id);
        id
    }

    /// Whether the id is one of this table.
    pub fn contains(&self, id: GroupId) -> bool {
        (id.0 as usize) < self.groupings.len()
    }

    /// The grouping of an id.
    pub fn get(&self, id: GroupId) -> &Grouping {
        &self.groupings[id.0 as usize]
    }

    /// Members of each list.
    pub fn size(&self, id: GroupId) -> usize {
        self.get(id).size()
    }

    /// All ids so far.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = GroupId> + use<> {
        (0..self.groupings.len() as u32).map(GroupId)
    }

    /// [`relations::same_set`].
    pub fn same_set(&mut self, a: GroupId, b: GroupId) -> bool {
        a == b || self.relation(Relation::SameSet, a, b)
    }

    /// [`relations::same_order`]: equal ids. O(1).
    pub fn same_order(&self, a: GroupId, b: GroupId) -> bool {
        a == b
    }

    /// [`relations::disjoint`].
    pub fn disjoint(&mut self, a: GroupId, b: GroupId) -> bool {
        self.union(a, b).is_some()
    }

    /// [`relations::square`].
    pub fn square(&mut self, a: GroupId, b: GroupId) -> bool {
        self.relation(Relation::Square, a, b)
    }

    /// [`relations::square_by_blocks`].
    pub fn square_by_blocks(&mut self, blocks: GroupId, reduced: GroupId) -> bool {
        self.relation(Relation::SquareByBlocks, blocks, reduced)
    }

    /// [`relations::position_constant`].
    pub fn position_constant(&mut self, positions: GroupId, lists: GroupId) -> bool {
        self.relation(Relation::PositionConstant, positions, lists)
    }

    /// [`relations::contributors`].
    pub fn contributors(&mut self, a: GroupId, b: GroupId) -> bool {
        self.relation(Relation::Contributors, a, b)
    }

    fn relation(&mut self, relation: Relation, a: GroupId, b: GroupId) -> bool {
        let (first, second) = (&self.groupings[a.0 as usize], &self.groupings[b.0 as usize]);
        *self.relations.entry((relation, a, b)).or_insert_with(|| {
            let holds = match relation {
                Relation::SameSet => relations::same_set,
                Relation::Square => relations::square,
                Relation::SquareByBlocks => relations::square_by_blocks,
                Relation::PositionConstant => relations::position_constant,
                Relation::Contributors => relations::contributors,
            };
            holds(first, second)
        })
    }

    /// [`relations::union`].
    pub fn union(&mut self, a: GroupId, b: GroupId) -> Option<GroupId> {
        self.derive(Derived::Union, a, b)
    }

    /// [`relations::product`].
    pub fn product(&mut self, major: GroupId, minor: GroupId) -> Option<GroupId> {
        self.derive(Derived::Product, major, minor)
    }

    fn derive(&mut self, derived: Derived, a: GroupId, b: GroupId) -> Option<GroupId> {
        if let Some(&known) = self.derived.get(&(derived, a, b)) {
            return known;
        }
        let grouping = match derived {
            Derived::Union => relations::union(self.get(a), self.get(b)),
            Derived::Product => relations::product(self.get(a), self.get(b)),
        };
        let id = grouping.map(|grouping| self.intern(grouping));
        self.derived.insert((derived, a, b), id);
        id
    }

    /// The partition of a value of which nothing is known.
    pub fn finest(&self) -> PartitionId {
        PartitionId(0)
    }

    /// The partition of a value that is equal everywhere.
    pub fn coarsest(&self) -> PartitionId {
        if self.devices == 1 {
            PartitionId(0)
        } else {
            PartitionId(1)
        }
    }

    /// The partition of a value that is equal inside each list of each of these groupings.
    pub fn replicated(&mut self, over: &[GroupId]) -> PartitionId {
        over.iter().fold(self.finest(), |known, &group| {
            let lists = Partition::of_lists(self.get(group));
            let lists = self.intern_partition(lists);
            self.change(known, Change::Join(lists))
        })
    }

    /// Whether the id is one of this table.
    pub fn contains_partition(&self, id: PartitionId) -> bool {
        (id.0 as usize) < self.partitions.len()
    }

    /// The partition of an id.
    pub fn partition(&self, id: PartitionId) -> &Partition {
        &self.partitions[id.0 as usize]
    }

    /// Whether a value with this partition is equal inside each list of the grouping.
    pub fn covers(&mut self, partition: PartitionId, group: GroupId) -> bool {
        let (known, lists) = (
            &self.partitions[partition.0 as usize],
            &self.groupings[group.0 as usize],
        );
        *self
            .covers
            .entry((partition, group))
            .or_insert_with(|| known.covers(lists))
    }

    /// What is known of the result of an op that changes a value so.
    pub(crate) fn change(&mut self, partition: PartitionId, change: Change) -> PartitionId {
        if let Some(&known) = self.changes.get(&(change, partition)) {
            return known;
        }
        let before = self.partition(partition);
        let after = match change {
            Change::Gathered(group) => before.gathered(self.get(group)),
            Change::Sharded(group) => before.sharded(self.get(group)),
            Change::Exchanged(group) => before.exchanged(self.get(group)),
            Change::Join(other) => before.join(self.partition(other)),
            Change::Meet(other) => before.meet(self.partition(other)),
        };
        let after = self.intern_partition(after);
        self.changes.insert((change, partition), after);
        after
    }

    /// The id of a partition of this table's devices.
    pub(crate) fn intern_partition(&mut self, partition: Partition) -> PartitionId {
        if let Some(&id) = self.partition_numbers.get(&partition) {
            return id;
        }
        let id = PartitionId(self.partitions.len() as u32);
        self.partitions.push(partition.clone());
        self.partition_numbers.insert(partition, id);
        id
    }
}

impl std::fmt::Display for GroupId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "g{}", self.0)
    }
}

impl std::fmt::Display for PartitionId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "p{}", self.0)
    }
}
