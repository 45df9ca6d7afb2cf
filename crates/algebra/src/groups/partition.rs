// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is known of where a value is equal: a partition of the devices into blocks that hold the same value.
//!
//! Partitions, ordered by refinement, are a lattice; facts only ever join (two facts about one value are both true, so
//! their blocks that touch are one), so an analysis by partitions reaches a fixed point. Every function here is exact
//! for an op of which nothing but its definition is known: two devices end in one block just when the definition gives
//! them the same value for every value that respects the operand's partition.

use super::Grouping;

/// For each device the number of its block; blocks are numbered by their first device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition(Vec<u32>);

impl Partition {
    /// Devices that share a key are in one block. O(n log n).
    pub fn by_key<K: Ord>(devices: usize, key: impl Fn(usize) -> K) -> Self {
        let mut numbers = std::collections::BTreeMap::new();
        Self(
            (0..devices)
                .map(|device| {
                    let next = numbers.len() as u32;
                    *numbers.entry(key(device)).or_insert(next)
                })
                .collect(),
        )
    }

    /// Nothing known: every device alone. O(n).
    pub fn finest(devices: usize) -> Self {
        Self((0..devices as u32).collect())
    }

    /// One value everywhere. O(n).
    pub fn coarsest(devices: usize) -> Self {
        Self(vec![0; devices])
    }

    /// The lists of a grouping as blocks. O(n log n).
    pub fn of_lists(grouping: &Grouping) -> Self {
        Self::by_key(grouping.devices(), |device| grouping.list(device)[0])
    }

    /// Number of the block of a device.
    pub fn block(&self, device: usize) -> u32 {
        self.0[device]
    }

    /// Number of devices.
    pub fn devices(&self) -> usize {
        self.0.len()
    }

    /// Whether the value is equal inside each list. O(n).
    pub fn covers(&self, grouping: &Grouping) -> bool {
        grouping.lists().all(|list| {
            list.iter()
                .all(|&device| self.0[device as usize] == self.0[list[0] as usize])
        })
    }

    /// Both facts hold: blocks that touch are one. O(n log n).
    pub fn join(&self, other: &Self) -> Self {
        // Union-find on the block numbers of `self`, linked through blocks of `other`.
        let mut parent: Vec<u32> = (0..self.0.len() as u32).collect();
        fn root(parent: &mut [u32], mut node: u32) -> u32 {
            while parent[node as usize] != node {
                parent[node as usize] = parent[parent[node as usize] as usize];
                node = parent[node as usize];
            }
            node
        }
        let mut first = vec![None; self.0.len()];
        for (&own, &block) in self.0.iter().zip(&other.0) {
            match first[block as usize] {
                None => first[block as usize] = Some(own),
                Some(earlier) => {
                    let (a, b) = (root(&mut parent, earlier), root(&mut parent, own));
                    parent[b as usize] = a;
                }
            }
        }
        let roots: Vec<u32> = self.0.iter().map(|&own| root(&mut parent, own)).collect();
        Self::by_key(self.0.len(), |device| roots[device])
    }

    /// What a function of two values keeps: devices equal in both. O(n log n).
    pub fn meet(&self, other: &Self) -> Self {
        Self::by_key(self.0.len(), |device| (self.0[device], other.0[device]))
    }

    /// After an all-gather or all-reduce. O(n |G| log n).
    pub fn gathered(&self, grouping: &Grouping) -> Self {
        Self::by_key(self.0.len(), |device| self.contributions(grouping, device))
    }

    /// After taking the slice at one's position. O(n log n).
    pub fn sharded(&self, grouping: &Grouping) -> Self {
        Self::by_key(self.0.len(), |device| (self.0[device], grouping.position(device)))
    }

    /// After a reduce-scatter or all-to-all. O(n |G| log n).
    pub fn exchanged(&self, grouping: &Grouping) -> Self {
        Self::by_key(self.0.len(), |device| {
            (self.contributions(grouping, device), grouping.position(device))
        })
    }

    /// After each device has received the value of `source(device)`, or zero. O(n log n).
    pub fn moved(&self, source: impl Fn(usize) -> Option<usize>) -> Self {
        Self::by_key(self.0.len(), |device| source(device).map(|source| self.0[source]))
    }

    fn contributions(&self, grouping: &Grouping, device: usize) -> Vec<u32> {
        grouping
            .list(device)
            .iter()
            .map(|&member| self.0[member as usize])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partition(blocks: &[u32]) -> Partition {
        Partition::by_key(blocks.len(), |device| blocks[device])
    }

    #[test]
    fn join_closes_and_meet_refines() {
        let (a, b) = (partition(&[0, 0, 1, 1, 2, 3]), partition(&[0, 1, 1, 2, 3, 3]));
        assert_eq!(a.join(&b), partition(&[0, 0, 0, 0, 1, 1]));
        assert_eq!(a.meet(&b), Partition::finest(6));
        assert_eq!(a.join(&a), a);
        assert_eq!(a.meet(&Partition::coarsest(6)), a);
        assert_eq!(a.join(&Partition::finest(6)), a);
    }

    #[test]
    fn a_gather_equals_inside_the_lists_and_across_equal_lists() {
        let rows = Grouping::of_mesh(&[2, 2], &[1]).unwrap();
        let columns = Grouping::of_mesh(&[2, 2], &[0]).unwrap();
        assert_eq!(Partition::finest(4).gathered(&rows), Partition::of_lists(&rows));
        let down = Partition::of_lists(&columns);
        assert_eq!(down.gathered(&rows), Partition::coarsest(4));
        assert_eq!(down.exchanged(&rows), down);
        assert_eq!(Partition::coarsest(4).sharded(&rows), down);
        assert!(down.covers(&columns) && !down.covers(&rows));
    }

    #[test]
    fn devices_that_receive_nothing_are_equal() {
        let moved = Partition::finest(4).moved(|device| (device == 1).then_some(0));
        assert_eq!(moved, partition(&[0, 1, 0, 0]));
    }
}
