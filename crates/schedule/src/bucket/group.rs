// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives of one form, and what a bucket of some of them costs.
//!
//! What a machine model says of a bucket is the time for the bytes of all its tensors together. A member that was measured
//! knows better how long it takes, but not how much of that is latency: the model's latency (its time for no bytes) is taken
//! for it, or all of the measured time where that is less. So a bucket of measured members takes the longest latency of
//! one and all the rest of the others, never less than its longest member.

use crate::node::NodeId;

/// Collectives that may be sent as one as far as their form goes: one kind, one stream, one reduction.
pub struct Group<'a> {
    /// The members in source order.
    pub members: Vec<Member>,
    /// How long one such collective of this many bytes takes.
    pub cost: Box<dyn Fn(u64) -> u64 + 'a>,
}

/// A collective of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its start, or the node itself where it blocks.
    pub node: NodeId,
    /// Bytes by which the machine model knows it.
    pub full_bytes: u64,
    /// How long it takes by itself, where that was measured.
    pub measured_ns: Option<u64>,
    /// What it belongs to, for buckets by name.
    pub name: Option<String>,
}

/// Costs of runs of neighbours.
pub(super) struct RunCosts<'a> {
    cost: &'a dyn Fn(u64) -> u64,
    /// Sums over the members before each: bytes of those that were not measured, how many those are, and measured time beyond
    /// latency.
    before: Vec<(u64, usize, u64)>,
    /// Latency of each measured member, 0 for others.
    latencies: Vec<u64>,
    latency: u64,
}

impl<'a> RunCosts<'a> {
    pub(super) fn new(members: &[&Member], cost: &'a dyn Fn(u64) -> u64) -> Self {
        let latency = cost(0);
        let mut before = vec![(0_u64, 0, 0_u64)];
        let mut latencies = Vec::with_capacity(members.len());
        for member in members {
            let (mut bytes, mut unmeasured, mut rest) = before[before.len() - 1];
            match member.measured_ns {
                Some(ns) => {
                    latencies.push(ns.min(latency));
                    rest = rest.saturating_add(ns - ns.min(latency));
                }
                None => {
                    latencies.push(0);
                    bytes = bytes.saturating_add(member.full_bytes);
                    unmeasured += 1;
                }
            }
            before.push((bytes, unmeasured, rest));
        }
        RunCosts {
            cost,
            before,
            latencies,
            latency,
        }
    }

    /// How long the members from `begin` up to `end` take as one. O(1) unless some are measured.
    pub(super) fn of(&self, begin: usize, end: usize) -> u64 {
        let (from, to) = (self.before[begin], self.before[end]);
        let unmeasured = to.1 - from.1;
        if unmeasured == end - begin {
            return (self.cost)(to.0 - from.0);
        }
        let longest = self.latencies[begin..end].iter().copied().max().unwrap_or(0);
        let modelled = if unmeasured > 0 {
            (self.cost)(to.0 - from.0)
        } else {
            0
        };
        // The model's time holds its latency already.
        let latency = if unmeasured > 0 {
            longest.saturating_sub(self.latency)
        } else {
            longest
        };
        modelled.saturating_add(latency).saturating_add(to.2 - from.2)
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, RunCosts};
    use crate::node::NodeId;

    fn member(full_bytes: u64, measured_ns: Option<u64>) -> Member {
        Member {
            node: NodeId(0),
            full_bytes,
            measured_ns,
            name: None,
        }
    }

    #[test]
    fn a_bucket_saves_latencies_and_nothing_else() {
        let cost = |bytes: u64| 10 + bytes;
        let members = [
            member(5, None),
            member(7, None),
            member(9, Some(100)),
            member(9, Some(4)),
        ];
        let members: Vec<&Member> = members.iter().collect();
        let costs = RunCosts::new(&members, &cost);
        let singles: Vec<u64> = (0..4).map(|index| costs.of(index, index + 1)).collect();
        assert_eq!(singles, [15, 17, 100, 4]);
        assert_eq!(costs.of(0, 2), 22);
        assert_eq!(costs.of(2, 4), 100);
        assert_eq!(costs.of(0, 4), 22 + 90);
    }
}
