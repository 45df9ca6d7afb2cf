// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Bucketing against brute force over all partitions, against recurrences from elsewhere, and against fixed thresholds.

mod blocks;
mod chains;

use comm_schedule::bucket::{Chain, Item, Limits};
use fastrand::Rng;

/// All partitions of `count` items that the chain allows.
pub(crate) fn partitions(chain: &Chain<'_>) -> Vec<Vec<usize>> {
    let count = chain.items().len();
    let cuts = 0..1_u32 << (count - 1);
    let ends = cuts.map(|cuts| {
        let inner = (1..count).filter(|at| cuts >> (at - 1) & 1 == 1);
        inner.chain([count]).collect::<Vec<_>>()
    });
    ends.filter(|ends| chain.is_allowed(ends)).collect()
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// Ready at 0, needed in turn.
    Gathers,
    /// Ready in turn, needed at the end.
    Reductions,
    /// Anything in between.
    Mixed,
}

pub(crate) fn items(rng: &mut Rng, count: usize, shape: Shape) -> (Vec<Item>, u64) {
    let mut at = rng.u64(0..30);
    let mut items: Vec<Item> = (0..count)
        .map(|_| {
            let item = Item {
                ready_ns: match shape {
                    Shape::Gathers => 0,
                    Shape::Reductions => at,
                    Shape::Mixed => rng.u64(0..=at),
                },
                need_ns: at,
                bytes: rng.u64(1..60),
                earliest: 0,
            };
            at += rng.u64(0..40);
            item
        })
        .collect();
    if shape == Shape::Reductions {
        items.iter_mut().for_each(|item| item.need_ns = at);
    }
    (items, at)
}

fn sums(items: &[Item]) -> Vec<u64> {
    let mut sums = vec![0];
    sums.extend(items.iter().scan(0, |sum, item| {
        *sum += item.bytes;
        Some(*sum)
    }));
    sums
}

/// A cost of the bytes of a bucket: affine, or any that grows.
pub(crate) fn chain<'a>(
    rng: &mut Rng,
    items: &[Item],
    compute_ns: u64,
    is_affine: bool,
    limits: Limits,
) -> (Chain<'a>, u64, u64) {
    let (alpha, beta) = (rng.u64(0..40), rng.u64(0..4));
    let sums = sums(items);
    let mut table = vec![alpha];
    for _ in 0..sums[sums.len() - 1] {
        let step = if is_affine {
            beta
        } else {
            rng.u64(0..20).saturating_sub(14)
        };
        table.push(table[table.len() - 1] + step);
    }
    let cost = move |begin: usize, end: usize| table[(sums[end] - sums[begin]) as usize];
    (Chain::new(items.to_vec(), compute_ns, limits, cost), alpha, beta)
}
