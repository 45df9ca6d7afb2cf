// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How chunks are cut into parts.
//!
//! A chunk is made of units that are not cut: single slices along the dimension that is cut, or, where scales of blocks
//! belong to it, so many of them that no block is cut in any tensor. Parts are whole units, as even as they can be: of 7 units
//! in 3 parts the parts have 2, 2 and 3. All tensors of an op are cut at the same units, whatever their own extents.

/// A number of parts, of a number of units in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) count: i64,
    units: i64,
}

impl Parts {
    /// Up to `wanted` parts of a chunk that is made of so many units: no part is empty.
    pub(super) fn new(wanted: i64, units: i64) -> Self {
        let units = units.max(1);
        Self {
            count: wanted.clamp(1, units),
            units,
        }
    }

    /// The chunk in one piece.
    pub(super) fn whole() -> Self {
        Self::new(1, 1)
    }

    /// Where a part begins along a dimension of this extent, which is a multiple of the units.
    pub(super) fn begin(self, part: i64, extent: i64) -> i64 {
        part * self.units / self.count * (extent / self.units)
    }

    /// Extent of a part.
    pub(super) fn len(self, part: i64, extent: i64) -> i64 {
        self.begin(part + 1, extent) - self.begin(part, extent)
    }

    /// Extent of the longest part.
    pub(super) fn longest(self, extent: i64) -> i64 {
        self.largest_units() * (extent / self.units)
    }

    /// What the longest part has of an amount that belongs to the whole chunk.
    pub(super) fn share(self, amount: u64) -> u64 {
        let share = u128::from(amount) * self.largest_units() as u128 / self.units as u128;
        // No more than the amount.
        share as u64
    }

    fn largest_units(self) -> i64 {
        (self.units + self.count - 1) / self.count
    }
}

/// The most units of a chunk: each of `extents` is a multiple of it, and so is the number of blocks of each pair of an extent
/// and the slices in a block. One where an extent cuts a block itself.
pub(super) fn units(extents: &[i64], blocks: &[(i64, i64)]) -> i64 {
    let blocks = blocks
        .iter()
        .map(|&(extent, by)| if extent % by == 0 { extent / by } else { 1 });
    extents.iter().copied().chain(blocks).fold(0, greatest_divisor)
}

/// The greatest common divisor; of nothing and a number that number.
fn greatest_divisor(left: i64, right: i64) -> i64 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::{Parts, units};

    /// Parts follow each other without gaps, none is empty, and none is longer than another by more than a unit.
    #[test]
    fn parts_tile_a_chunk() {
        for units in 1..=16 {
            for wanted in 1..=20 {
                let parts = Parts::new(wanted, units);
                assert_eq!(parts.count, wanted.min(units));
                let extent = 3 * units;
                let lens: Vec<i64> = (0..parts.count).map(|part| parts.len(part, extent)).collect();
                let [least, most] = [lens.iter().min(), lens.iter().max()].map(|len| *len.unwrap());
                assert_eq!(lens.iter().sum::<i64>(), extent);
                assert_eq!(parts.begin(0, extent), 0);
                assert_eq!(parts.longest(extent), most);
                assert_eq!(parts.share(extent as u64), most as u64);
                assert!(
                    least > 0 && most - least <= 3,
                    "{units} units in {wanted}: {lens:?}"
                );
            }
        }
        let parts = Parts::new(3, 7);
        assert_eq!([0, 1, 2].map(|part| parts.len(part, 7)), [2, 2, 3]);
    }

    #[test]
    fn units_cut_no_block() {
        assert_eq!(units(&[7], &[]), 7);
        // Four slices in two blocks, of which one scale each is there.
        assert_eq!(units(&[4, 2], &[(4, 2)]), 2);
        assert_eq!(units(&[12], &[(12, 4), (12, 6)]), 1);
        assert_eq!(units(&[24], &[(24, 4), (24, 6)]), 2);
        // A block ends outside the chunk.
        assert_eq!(units(&[5], &[(5, 2)]), 1);
        assert_eq!(Parts::new(4, units(&[0], &[])), Parts::whole());
    }
}
