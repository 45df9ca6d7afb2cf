// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Partitions that frameworks make without a cost model: by a number of bytes, and by what the tensors are called.
//!
//! Both keep dependences and the limits of the chain: a run that may not be one bucket is cut where it first may not.

use super::chain::Chain;

/// Fills buckets in the order of the chain up to `threshold` bytes; an item that alone has more is alone. This is how
/// gradient buckets of data parallelism are filled (PyTorch, *PyTorch Distributed: Experiences on Accelerating Data
/// Parallel Training*, 2020; 25 MB by default) and how compilers combine collectives under a threshold. O(n²) at most.
pub fn by_bytes(chain: &Chain<'_>, threshold: u64) -> Vec<usize> {
    filled(chain, |begin, end| chain.bytes(begin, end) <= threshold)
}

/// One bucket for each run of neighbours of the same name; items without a name are alone. O(n²) at most.
///
/// # Panics
/// When there are not as many names as items.
pub fn by_name(chain: &Chain<'_>, names: &[Option<&str>]) -> Vec<usize> {
    assert_eq!(names.len(), chain.items().len(), "one name for each item");
    filled(chain, |begin, end| {
        names[begin].is_some() && names[end - 1] == names[begin]
    })
}

/// Adds each item to the bucket before it where it fits and the bucket is allowed.
fn filled(chain: &Chain<'_>, fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut begin = 0;
    for end in 1..=chain.items().len() {
        let is_bucket = || chain.buckets_before(end).any(|bucket| bucket.0 == begin);
        if end - begin > 1 && !(fits(begin, end) && is_bucket()) {
            begin = end - 1;
            ends.push(begin);
        }
    }
    ends.extend((begin < chain.items().len()).then_some(chain.items().len()));
    separated(chain, &ends)
}

/// The partition with those buckets taken apart that, with a neighbour, keep more alive than allowed.
fn separated(chain: &Chain<'_>, ends: &[usize]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut begin = 0;
    for (index, &end) in ends.iter().enumerate() {
        let next = ends.get(index + 1).copied().unwrap_or(end);
        let own = chain.bytes(begin, end);
        let before = kept.len().checked_sub(2).map_or(0, |index| kept[index]);
        let exceeds = |from, to| from < to && chain.exceeds_live(own, chain.bytes(from, to));
        if end - begin > 1 && (exceeds(before, begin) || exceeds(end, next)) {
            kept.extend(begin + 1..=end);
        } else {
            kept.push(end);
        }
        begin = end;
    }
    kept
}
