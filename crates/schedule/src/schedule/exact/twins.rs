// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! An order among equal units, so that only one of the orders that differ by exchanging them is tried.
//!
//! Units that can be exchanged with no difference to anything (with their waits) get an order among themselves: the first
//! before the second, and likewise their waits. By exchange that loses no point: of two equal collectives on one link
//! the one issued first ends first, so it may be awaited first.

use super::table::{Action, BEHIND, Set, Table, Unit};

/// Adds the order among units that can be exchanged. O(n^3).
pub(super) fn order(table: &mut Table) {
    let wait_of = |units: &[Unit], start: usize| {
        units
            .iter()
            .position(|unit| unit.action == Action::Wait(start as u8))
    };
    let mut edges = Vec::new();
    for first in 0..table.units.len() {
        let unit = &table.units[first];
        // What stands behind may tell two units apart.
        let is_needed_behind =
            (unit.uses | unit.end_needed | unit.flight.map_or(0, |flight| flight.1)) & BEHIND != 0;
        let is_wait = matches!(unit.action, Action::Wait(_));
        if is_wait || is_needed_behind || table.first >> first & 1 == 1 {
            continue;
        }
        let twin = (first + 1..table.units.len()).find(|&second| {
            let waits = (wait_of(&table.units, first), wait_of(&table.units, second));
            match waits {
                (None, None) => is_exchangeable(table, &[(first, second)]),
                (Some(one), Some(other)) => is_exchangeable(table, &[(first, second), (one, other)]),
                _ => false,
            }
        });
        if let Some(second) = twin {
            edges.push((first, second));
            edges.extend(wait_of(&table.units, first).zip(wait_of(&table.units, second)));
        }
    }
    for (first, second) in edges {
        table.units[second].needs |= 1 << first;
    }
}

/// Whether exchanging the pairs leaves the table as it is.
fn is_exchangeable(table: &Table, pairs: &[(usize, usize)]) -> bool {
    let to = |unit: usize| {
        pairs.iter().fold(unit, |unit, &(a, b)| match unit {
            unit if unit == a => b,
            unit if unit == b => a,
            unit => unit,
        })
    };
    let set = |of: Set| {
        pairs.iter().fold(of, |set, &(a, b)| {
            let differs = (set >> a ^ set >> b) & 1;
            set ^ (differs << a | differs << b)
        })
    };
    let first = &table.units[pairs[0].0];
    let second = &table.units[pairs[0].1];
    if (first.ns, first.bytes, &first.links) != (second.ns, second.bytes, &second.links) {
        return false;
    }
    table.units.iter().enumerate().all(|(index, unit)| {
        let other = &table.units[to(index)];
        let exchanged = Unit {
            node: other.node,
            action: match unit.action {
                Action::Wait(start) => Action::Wait(to(start as usize) as u8),
                action => action,
            },
            links: unit.links.clone(),
            needs: set(unit.needs),
            reads: set(unit.reads),
            end_needed: set(unit.end_needed),
            uses: set(unit.uses),
            flight: unit.flight.map(|(stream, awaited)| (stream, set(awaited))),
            ..*unit
        };
        exchanged == *other
    })
}
