// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is too short to be seen alone becomes one mark with its neighbours, so that a picture of a million nodes has no
//! more marks than it has pixels.
//!
//! A stretch of at least a pixel is a mark of its own. Shorter ones that begin within a pixel of the first of them share a
//! mark, which has the category that fills most of it. O(n).

use super::category::Category;
use super::model::{Bar, Gap};
use crate::node::NodeId;

/// One thing to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// Where the first begins.
    pub begin_ns: u64,
    /// Where the last ends.
    pub end_ns: u64,
    /// The sum of their lengths.
    pub busy_ns: u64,
    /// How many there are.
    pub count: usize,
    /// The first of them, by its index.
    pub first: usize,
    /// The category that fills most.
    pub category: Category,
}

/// The marks of bars, which stand by time, for pixels of that length. Zero merges nothing.
pub(super) fn bars(bars: &[Bar], pixel_ns: u64) -> Vec<Mark> {
    merge(
        bars.iter().map(|bar| (bar.begin_ns, bar.end_ns, bar.category)),
        pixel_ns,
    )
}

/// The marks of gaps, which stand by time. `category` is asked what a gap waits for.
pub(super) fn gaps(gaps: &[Gap], pixel_ns: u64, category: impl Fn(NodeId) -> Category) -> Vec<Mark> {
    merge(
        gaps.iter()
            .map(|gap| (gap.begin_ns, gap.end_ns, category(gap.collective))),
        pixel_ns,
    )
}

fn merge(stretches: impl Iterator<Item = (u64, u64, Category)>, pixel_ns: u64) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut filled = [0u64; Category::ALL.len()];
    for (index, (begin_ns, end_ns, category)) in stretches.enumerate() {
        let ns = end_ns - begin_ns;
        let is_short = |length: u64| length < pixel_ns;
        match marks.last_mut() {
            Some(mark) if is_short(ns) && is_short(mark.busy_ns) && is_short(begin_ns - mark.begin_ns) => {
                mark.end_ns = end_ns;
                mark.busy_ns += ns;
                mark.count += 1;
                filled[category.index()] += ns;
                if filled[category.index()] > filled[mark.category.index()] {
                    mark.category = category;
                }
            }
            _ => {
                filled = [0; Category::ALL.len()];
                filled[category.index()] = ns;
                marks.push(Mark {
                    begin_ns,
                    end_ns,
                    busy_ns: ns,
                    count: 1,
                    first: index,
                    category,
                });
            }
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(begin: u64, end: u64) -> (u64, u64, Category) {
        (begin, end, Category::Compute)
    }

    #[test]
    fn long_ones_stay_alone_and_nothing_is_lost() {
        let stretches = [
            stretch(0, 3),
            stretch(3, 4),
            stretch(5, 9),
            stretch(9, 40),
            stretch(40, 41),
            stretch(60, 61),
        ];
        let marks = merge(stretches.into_iter(), 10);
        let shape: Vec<_> = marks
            .iter()
            .map(|mark| (mark.begin_ns, mark.end_ns, mark.count, mark.first))
            .collect();
        assert_eq!(
            shape,
            [(0, 9, 3, 0), (9, 40, 1, 3), (40, 41, 1, 4), (60, 61, 1, 5)]
        );
        assert_eq!(
            marks.iter().map(|mark| mark.busy_ns).sum::<u64>(),
            3 + 1 + 4 + 31 + 1 + 1
        );
        assert_eq!(merge(stretches.into_iter(), 0).len(), 6);
    }

    #[test]
    fn the_category_that_fills_most_wins() {
        let marks = merge(
            [(0, 1, Category::AllGather), (1, 4, Category::Other)].into_iter(),
            10,
        );
        assert_eq!((marks.len(), marks[0].category), (1, Category::Other));
    }

    #[test]
    fn marks_are_no_more_than_twice_the_pixels() {
        let marks = merge((0..100_000).map(|index| stretch(index * 7, index * 7 + 5)), 1000);
        assert!(marks.len() <= 2 * 700, "{} marks", marks.len());
    }
}
