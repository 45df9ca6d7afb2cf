// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which shapes to compute in another way: those that make the block as a whole faster, by the timing model.
//!
//! A linear proxy does not see what overlaps, so each way of each shape is tried in its block, scheduled fast. Shapes are
//! decided on one after the other, the one with the most to gain by the proxy first. A way is taken where it makes the
//! block faster without raising its peak memory, or takes less memory, or moves fewer bytes, and nothing else gets worse:
//! neither scheduled, nor as it stands for whoever does not schedule it. Under a memory limit the peak may rise to the
//! limit. So no block gets worse by any of these figures, whatever the order of decisions.
//!
//! The number of schedules is bounded by [`MOST_SCHEDULES`] and never by time.

use comm_schedule::{Effort, NodeId, Point, ScheduleOptions, memory, schedule, timeline};

use super::draft::{Decisions, Draft, Drafts};

/// Schedules of one block at most.
const MOST_SCHEDULES: usize = 64;

/// What a block needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) time_ns: u64,
    pub(super) peak_bytes: u64,
    /// Time and peak in the order that the block has, in which each collective is awaited where it starts if it is new.
    as_it_stands: Point,
    /// Bytes that each device sends in the pieces.
    pub(super) sent_bytes: i128,
    /// Collectives in the pieces.
    pub(super) collectives: i128,
    /// Price of local work in the pieces, by the proxy.
    local: i128,
}

/// What was decided on.
pub(super) struct Choice {
    pub(super) decisions: Decisions,
    pub(super) before: Figures,
    pub(super) after: Figures,
    /// The block with the decisions; nothing where it stays as it is.
    pub(super) draft: Option<Draft>,
    /// Whether every way was tried.
    pub(super) is_complete: bool,
}

/// Decides for one block. O(schedules). Nothing where no way is cheaper by the proxy, or the block cannot be scheduled.
pub(super) fn choose(drafts: &Drafts<'_>, memory_limit: Option<u64>) -> Option<Choice> {
    let mut by_gain: Vec<usize> = (0..drafts.shapes.len())
        .filter(|&shape| !drafts.shapes[shape].ways.is_empty())
        .collect();
    if by_gain.is_empty() {
        return None;
    }
    by_gain.sort_by_key(|&shape| (std::cmp::Reverse(drafts.shapes[shape].gain), shape));
    let mut decisions: Decisions = vec![None; drafts.shapes.len()];
    let (before, _) = figures(drafts, &decisions, memory_limit)?;
    let limit = before.peak_bytes.max(memory_limit.unwrap_or(0));
    let mut after = before;
    let mut best = None;
    let mut left = MOST_SCHEDULES;
    let mut is_complete = true;
    for shape in by_gain {
        let mut taken = None;
        for way in 0..drafts.shapes[shape].ways.len() {
            if left == 0 {
                is_complete = false;
                break;
            }
            left -= 1;
            decisions[shape] = Some(way);
            let Some((found, draft)) = figures(drafts, &decisions, Some(limit)) else {
                continue;
            };
            if is_better(&found, &after, memory_limit) {
                after = found;
                taken = Some(way);
                best = Some(draft);
            }
        }
        decisions[shape] = taken;
    }
    Some(Choice {
        decisions,
        before,
        after,
        draft: best,
        is_complete,
    })
}

/// Whether one is an improvement over the other.
fn is_better(one: &Figures, other: &Figures, memory_limit: Option<u64>) -> bool {
    let allowed = other.peak_bytes.max(memory_limit.unwrap_or(0));
    let allowed_as_it_stands = other.as_it_stands.peak_bytes.max(memory_limit.unwrap_or(0));
    if one.peak_bytes > allowed
        || one.time_ns > other.time_ns
        || one.as_it_stands.peak_bytes > allowed_as_it_stands
        || one.as_it_stands.time_ns > other.as_it_stands.time_ns
    {
        return false;
    }
    let rank = |figures: &Figures| {
        (
            figures.time_ns,
            // Below the limit memory is free, until all else is equal.
            figures.peak_bytes.max(memory_limit.unwrap_or(0)),
            figures.sent_bytes,
            figures.collectives,
            figures.local,
            figures.peak_bytes,
        )
    };
    one.sent_bytes <= other.sent_bytes && rank(one) < rank(other)
}

/// What the block needs with some decisions, of all schedules that were found the fastest within the limit; the one with
/// the least memory where none is.
fn figures(drafts: &Drafts<'_>, decisions: &Decisions, limit: Option<u64>) -> Option<(Figures, Draft)> {
    let draft = drafts.draft(decisions)?;
    let options = ScheduleOptions {
        effort: Effort::Fast,
        ..ScheduleOptions::default()
    };
    let outcome = schedule(&draft.problem, &options).ok()?;
    let prices = drafts.estimate.prices();
    let order: Vec<NodeId> = draft.problem.ids().collect();
    let within = |point: &&Point| limit.is_none_or(|limit| point.peak_bytes <= limit);
    let points = || outcome.front.iter().chain([&outcome.point]);
    let fastest = points()
        .filter(within)
        .min_by_key(|point| (point.time_ns, point.peak_bytes));
    let point = fastest.or_else(|| points().min_by_key(|point| (point.peak_bytes, point.time_ns)))?;
    let mut figures = Figures {
        time_ns: point.time_ns,
        peak_bytes: point.peak_bytes,
        as_it_stands: Point {
            time_ns: timeline(&draft.problem, &order).step_ns,
            peak_bytes: memory::peak(&draft.problem, &order),
        },
        sent_bytes: 0,
        collectives: 0,
        local: 0,
    };
    for (shape, decision) in drafts.shapes.iter().zip(decisions) {
        let work = decision.map_or(shape.work, |way| shape.ways[way].work);
        let count = shape.pieces.len() as i128;
        figures.sent_bytes += count * i128::from(work.sent);
        figures.collectives += count * i128::from(work.collectives);
        let local = comm_algebra::Work {
            sent: 0,
            collectives: 0,
            ..work
        };
        figures.local += count * i128::try_from(local.price(&prices)).unwrap_or(i128::MAX / 2 / (count + 1));
    }
    Some((figures, draft))
}
