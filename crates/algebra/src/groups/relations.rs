// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How two groupings of the same devices relate: the side conditions of the identities.
//!
//! Notation of all definitions: `f(G, d, i)` is member `i` of the list of `d` in grouping `G`, `P(G, d)` the position of
//! `d` in it. Groupings of different numbers of devices are related in no way. For groupings by axes of one mesh, all of
//! them hold when the two sets of axes are disjoint.

use super::Grouping;

/// Equal as sets of sets. Enough for an all-reduce, which asks for no order. O(n log n).
pub fn same_set(a: &Grouping, b: &Grouping) -> bool {
    a.as_sets() == b.as_sets()
}

/// Equal with the order in the lists: what the shards of a gather, scatter or exchange need. O(n).
pub fn same_order(a: &Grouping, b: &Grouping) -> bool {
    a == b
}

/// For every device `d` the lists of `a` through the members of its list in `b` are pairwise disjoint, and their union
/// is the same set for all members of that union. Then a reduction over `a` and one over `b` count everything once.
/// O(n |a| |b|).
pub fn disjoint(a: &Grouping, b: &Grouping) -> bool {
    union(a, b).is_some()
}

/// The grouping, lists ascending, by the unions of [`disjoint`], or nothing. O(n |a| |b|).
pub fn union(a: &Grouping, b: &Grouping) -> Option<Grouping> {
    let through = |device: usize| {
        b.list(device)
            .iter()
            .flat_map(|&member| a.list(member as usize))
            .copied()
            .collect::<Vec<u32>>()
    };
    split(a, b, |device| {
        let mut list = through(device);
        list.sort_unstable();
        list
    })
}

/// The grouping whose list of `d` is `f(minor, f(major, d, j), i)` for all `j` (slow) and `i` (fast), or nothing where
/// these lists hold a device twice or differ between their own members. Nested gathers of one dimension, minor first,
/// are one gather over it. O(n |major| |minor|).
pub fn product(major: &Grouping, minor: &Grouping) -> Option<Grouping> {
    split(major, minor, |device| {
        major
            .list(device)
            .iter()
            .flat_map(|&member| minor.list(member as usize))
            .copied()
            .collect()
    })
}

/// The lists of all devices as a grouping, if each is the list of all its members.
fn split(a: &Grouping, b: &Grouping, list: impl Fn(usize) -> Vec<u32>) -> Option<Grouping> {
    let devices = a.devices();
    if devices != b.devices() {
        return None;
    }
    let mut lists: Vec<Vec<usize>> = Vec::new();
    let mut seen = vec![false; devices];
    for device in 0..devices {
        if seen[device] {
            continue;
        }
        let own = list(device);
        for &member in &own {
            if std::mem::replace(&mut seen[member as usize], true) || list(member as usize) != own {
                return None;
            }
        }
        lists.push(own.into_iter().map(|device| device as usize).collect());
    }
    Grouping::new(devices, &lists).ok()
}

/// `f(a, f(b, d, j), i) = f(b, f(a, d, i), j)` for all `d`, `i`, `j`: the groupings behave as rows and columns.
/// O(n |a| |b|).
pub fn square(a: &Grouping, b: &Grouping) -> bool {
    a.devices() == b.devices()
        && (0..a.devices()).all(|device| {
            (0..a.size()).all(|i| {
                (0..b.size()).all(|j| a.member(b.member(device, j), i) == b.member(a.member(device, i), j))
            })
        })
}

/// For every `d` and `j` the set `{ f(blocks, f(reduced, d, i), j) : i }` is the list of `f(blocks, d, j)` in `reduced`:
/// [`square`] up to the order in the lists of `reduced`. Then block `j` of a gather may be reduced before it is gathered.
/// O(n |reduced| |blocks|).
pub fn square_by_blocks(blocks: &Grouping, reduced: &Grouping) -> bool {
    blocks.devices() == reduced.devices()
        && (0..blocks.devices()).all(|device| {
            (0..blocks.size()).all(|j| {
                let list = reduced.list(blocks.member(device, j));
                let block: Vec<usize> = (0..reduced.size())
                    .map(|i| blocks.member(reduced.member(device, i), j))
                    .collect();
                // As many as the list has, so they are the list if they are in it and differ.
                block.iter().enumerate().all(|(number, &member)| {
                    list.contains(&(member as u32)) && !block[..number].contains(&member)
                })
            })
        })
}

/// `P(positions, d)` is constant on every list of `lists`: all members of a list hold the same slice. O(n).
pub fn position_constant(positions: &Grouping, lists: &Grouping) -> bool {
    positions.devices() == lists.devices()
        && lists.lists().all(|list| {
            list.iter()
                .all(|&device| positions.position(device as usize) == positions.position(list[0] as usize))
        })
}

/// The multisets `{ f(a, f(b, d, j), i) }` and `{ f(b, f(a, d, i), j) }` are equal for every `d`: reducing over one and
/// then over the other adds the same terms in either order. O(n |a| |b| log(|a| |b|)).
pub fn contributors(a: &Grouping, b: &Grouping) -> bool {
    let through = |outer: &Grouping, inner: &Grouping, device: usize| {
        let list = outer
            .list(device)
            .iter()
            .flat_map(|&member| inner.list(member as usize));
        let mut list: Vec<u32> = list.copied().collect();
        list.sort_unstable();
        list
    };
    a.devices() == b.devices()
        && (0..a.devices()).all(|device| through(a, b, device) == through(b, a, device))
}
