// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Largest values of ranges: a complete binary tree over the values, O(n) to build and O(log n) a question.

use std::ops::Range;

/// Values whose maxima can be asked for.
pub(super) struct RangeMax {
    /// Node `i` has the children `2 i` and `2 i + 1`; the values are the second half.
    tree: Vec<u64>,
}

impl RangeMax {
    pub(super) fn new(values: Vec<u64>) -> Self {
        let count = values.len();
        let mut tree = vec![0; count];
        tree.extend(values);
        for node in (1..count).rev() {
            tree[node] = tree[2 * node].max(tree[2 * node + 1]);
        }
        RangeMax { tree }
    }

    /// The largest value in a range within the values; 0 for an empty one.
    pub(super) fn over(&self, range: Range<usize>) -> u64 {
        let count = self.tree.len() / 2;
        let (mut low, mut high) = (range.start + count, range.end + count);
        let mut most = 0;
        while low < high {
            if low % 2 == 1 {
                most = most.max(self.tree[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                most = most.max(self.tree[high]);
            }
            low /= 2;
            high /= 2;
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::RangeMax;

    #[test]
    fn every_range_of_every_length() {
        for count in 0..20u64 {
            let values: Vec<u64> = (0..count).map(|index| index * 7919 % 13).collect();
            let maxima = RangeMax::new(values.clone());
            for low in 0..=values.len() {
                for high in low..=values.len() {
                    let expected = values[low..high].iter().copied().max().unwrap_or(0);
                    assert_eq!(maxima.over(low..high), expected, "{values:?} {low}..{high}");
                }
            }
        }
    }
}
