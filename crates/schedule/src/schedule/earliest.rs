// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Collectives as early as two orders allow: that of computation and that on each link.
//!
//! A collective is issued as soon as its operands are there and its predecessor on the link has been issued; a wait right
//! before the first computation that needs it. No order with the same two orders takes less time. O(n + e).

use super::units::{NONE, UnitKind, Units};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// The earliest form of an order. See the [module](self) documentation.
pub(crate) fn earliest(units: &Units, order: &[u32]) -> Vec<u32> {
    let count = units.len();
    let mut issue = Issue {
        units,
        ranks: vec![0; count],
        missing: (0..count as u32)
            .map(|unit| units.before.of(unit).len() as u32)
            .collect(),
        is_done: vec![false; count],
        starts: vec![VecDeque::new(); units.link_count],
        order: Vec::with_capacity(count),
    };
    for (rank, &unit) in order.iter().enumerate() {
        issue.ranks[unit as usize] = rank as u32;
        if units.kind[unit as usize] == UnitKind::Start {
            issue.starts[units.link[unit as usize] as usize].push_back(unit);
        }
    }
    issue.starts_that_can_run();
    let is_led = |unit: &u32| {
        matches!(
            units.kind[*unit as usize],
            UnitKind::Compute | UnitKind::Blocking | UnitKind::StreamBlocking
        )
    };
    for unit in order.iter().copied().filter(is_led) {
        issue.unit_with_needs(unit);
        issue.starts_that_can_run();
    }
    // What nothing needs.
    for &unit in order {
        issue.unit_with_needs(unit);
    }
    issue.order
}

struct Issue<'a> {
    units: &'a Units,
    /// The place of each unit in the order given.
    ranks: Vec<u32>,
    /// How much of what must stand before a unit is still to be issued.
    missing: Vec<u32>,
    is_done: Vec<bool>,
    /// Starts by link, in order.
    starts: Vec<VecDeque<u32>>,
    order: Vec<u32>,
}

impl Issue<'_> {
    fn unit(&mut self, unit: u32) {
        self.is_done[unit as usize] = true;
        self.order.push(unit);
        for &user in self.units.after.of(unit) {
            self.missing[user as usize] -= 1;
        }
    }

    /// Issues a unit after what it needs and lacks, in the order given.
    fn unit_with_needs(&mut self, unit: u32) {
        // A unit is pushed once to be opened and once to be issued, so that many needs are looked at once each.
        let mut stack = vec![(unit, false)];
        while let Some((top, is_open)) = stack.pop() {
            if self.is_done[top as usize] {
                continue;
            }
            if is_open {
                self.unit(top);
                continue;
            }
            stack.push((top, true));
            let first = stack.len();
            let before = self.units.before.of(top).iter();
            let needs = before.filter(|unit| !self.is_done[**unit as usize]);
            stack.extend(needs.map(|unit| (*unit, false)));
            stack[first..].sort_unstable_by_key(|(unit, _)| Reverse(self.ranks[*unit as usize]));
        }
    }

    /// Issues all starts at the heads of their links that lack nothing.
    fn starts_that_can_run(&mut self) {
        loop {
            let before = self.order.len();
            for link in 0..self.starts.len() {
                while let Some(&start) = self.starts[link].front() {
                    if !self.is_done[start as usize] && !self.start(start) {
                        break;
                    }
                    self.starts[link].pop_front();
                }
            }
            if self.order.len() == before {
                return;
            }
        }
    }

    /// Issues a start, with views and stream waits before it, if it lacks nothing else.
    fn start(&mut self, start: u32) -> bool {
        for &before in self.units.before.of(start) {
            let is_free = self.units.link[before as usize] == NONE
                && matches!(
                    self.units.kind[before as usize],
                    UnitKind::StreamWait | UnitKind::View
                );
            if is_free && !self.is_done[before as usize] && self.missing[before as usize] == 0 {
                self.unit(before);
            }
        }
        if self.missing[start as usize] > 0 {
            return false;
        }
        self.unit(start);
        true
    }
}
