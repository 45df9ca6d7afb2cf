// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a sort did, in numbers.

use super::Prepared;
use super::classes::Role;
use super::options::SortReport;
use crate::in_flight::{InFlight, in_flight};
use crate::memory;
use crate::node::{Class, NodeId};

/// The report on `order`.
pub(super) fn report(
    prepared: &Prepared<'_>,
    order: &[NodeId],
    in_flight_after: InFlight,
    ties_resolved: u32,
    ties_over_budget: u32,
) -> SortReport {
    let Prepared { problem, classes, .. } = prepared;
    let source: Vec<NodeId> = problem.ids().collect();
    let placed = |id: NodeId| {
        matches!(
            classes.role(id),
            Role::GatherStart | Role::GatherBlocking | Role::EarlyStart | Role::EarlyBlocking
        )
    };
    let count = |class: Class| {
        let of_class = |id: &NodeId| placed(*id) && problem.class(*id) == Some(class);
        problem.ids().filter(of_class).count() as u32
    };
    let takes_slot = |id: &NodeId| classes.role(*id) == Role::GatherStart && classes.slots[id.index()];
    SortReport {
        gathers: count(Class::Gather),
        slot_gathers: problem.ids().filter(takes_slot).count() as u32,
        reductions: count(Class::Reduction),
        others: count(Class::Other),
        anchors: classes.anchors.len() as u32,
        moved: (order.len() - longest_increasing(order)) as u32,
        ties_resolved,
        ties_over_budget,
        peak_before: memory::peak(problem, &source),
        peak_after: memory::peak(problem, order),
        in_flight_before: in_flight(problem, &source),
        in_flight_after,
    }
}

/// The length of the longest increasing subsequence: the most nodes that can stay where they are while the others
/// move around them. Patience sorting (Fredman, Discrete Mathematics 11, 1975), O(n log n).
fn longest_increasing(order: &[NodeId]) -> usize {
    let mut smallest_end: Vec<NodeId> = Vec::new();
    for &id in order {
        let length = smallest_end.partition_point(|&end| end < id);
        match smallest_end.get_mut(length) {
            Some(end) => *end = id,
            None => smallest_end.push(id),
        }
    }
    smallest_end.len()
}

#[cfg(test)]
mod tests {
    use super::longest_increasing;
    use crate::node::NodeId;

    #[test]
    fn counts_what_can_stay() {
        let of = |ids: &[u32]| longest_increasing(&ids.iter().map(|&id| NodeId(id)).collect::<Vec<_>>());
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[0, 1, 2]), 3);
        assert_eq!(of(&[1, 2, 3, 0]), 3);
        assert_eq!(of(&[3, 2, 1, 0]), 1);
        assert_eq!(of(&[2, 0, 3, 1, 4]), 3);
    }
}
