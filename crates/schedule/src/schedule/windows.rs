// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Finishing a search: windows of an order are put in their best order exactly.
//!
//! A window slides over the fastest order, half its length at a time; each is solved by the exact method with all else in
//! its place, which finds what needs several moves at once, as a local search rarely does. It ends when a whole pass
//! changes nothing or the steps are used up.

use super::archive::Archive;
use super::exact::{Flow, InFlightLimits, exact_window};
use super::units::Units;
use crate::graph::DependenceGraph;
use crate::problem::Problem;

/// Nodes in a window.
const LENGTH: usize = 24;

/// Steps of the exact method for one window; a window that needs more stays as it is.
const STEPS: u64 = 200_000;

/// Improves the fastest order of the archive; `passes` is how often the window passes over it at most.
pub(crate) fn finish(
    problem: &Problem,
    graph: &DependenceGraph,
    units: &Units,
    archive: &mut Archive,
    limits: InFlightLimits,
    passes: usize,
) {
    if passes == 0 {
        return;
    }
    let flow = Flow::new(problem);
    for _ in 0..passes {
        let Some((before, order)) = archive.best(u64::MAX).cloned() else {
            return;
        };
        let mut order = units.order(problem, graph, &order);
        for begin in (0..order.len()).step_by(LENGTH / 2) {
            let window = begin..(begin + LENGTH).min(order.len());
            let front = exact_window(&flow, &order, window, limits, STEPS);
            if let Some((_, best)) = front.and_then(|front| front.into_iter().next()) {
                order = best;
            }
        }
        archive.offer(units.of_order(order.into_iter()));
        if archive.best(u64::MAX).is_some_and(|(point, _)| *point == before) {
            return;
        }
    }
}
