// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Loops that issue on streams and whose length is not known: proved for 0, 1, 2 and 3 rounds, and by that for any number,
//! where all rounds are alike.
//!
//! *Alike* means of each rank: the rounds issue the same steps on the same streams, with the same accesses of the same buffers,
//! where buffers and events that a round makes are its own (a round uses none of the round before) and epochs grow by one
//! amount for each counter. Of all ranks together: barriers and collectives meet in the same round, signals are put and awaited
//! in the same round, and their counters are used in no other place.
//!
//! Then edges of the order, and waits, go from a round to the same or a later one. For n > 3 rounds:
//! - *Order.* Let `a` and `b` conflict. If they are in rounds i < j, the program of 2 rounds has them in rounds 1 and 2, and
//!   orders them (1 before 2, since no edge goes back). Moved to rounds i and i + 1 the same edges are there, and `b` of round
//!   i + 1 comes before `b` of round j on its stream. In one round: as in the program of one. One of them before or after the
//!   loop: as in the programs of one and two rounds, with the last round in the place of the second, since what is reached in
//!   round 2 comes before the same step in the last. Both outside: as in 2 rounds, where any path through the loop is such a
//!   one.
//! - *Waits.* A cycle would have to stay in one round or outside, where it is one in the program of one round as well.
//! - *Partners.* Rounds bring as many of each as in the program of 3 rounds.
//!
//! Several such loops, one after the other, are proved for all combinations. Not accepted: one within another loop or in what is
//! called repeatedly, symmetric buffers allocated in one, and streams or buffers that take turns from round to round.

use std::collections::{BTreeMap, BTreeSet};

use comm_happens::{Access, Action, Group, Pad, Rank};

use super::{
    machine::{Known, Machine},
    world::{Planned, not_proved},
};
use crate::mlir::{Block, Failed, Op, PassResult};

/// Rounds of a loop of unknown length that one rank has followed: its first steps and the first event and buffer made in each,
/// and at the end.
#[derive(Debug)]
pub(super) struct Window {
    op: Op,
    marks: Vec<Mark>,
}

impl Window {
    pub(super) fn op(&self) -> Op {
        self.op
    }
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    step: usize,
    event: u32,
    buffer: u32,
}

impl Machine<'_, '_> {
    fn mark(&mut self) -> Mark {
        let made = self.world.trace.made();
        Mark {
            step: self.steps.len(),
            event: made.events,
            buffer: made.buffers,
        }
    }

    /// Follows a loop of unknown length for the number of rounds that is tried.
    pub(super) fn unknown_rounds(
        &mut self,
        op: Op,
        body: Block,
        bounds: [Option<i64>; 3],
        first: Vec<Known>,
    ) -> PassResult<Vec<Known>> {
        if self.level != (0, 0) || self.loops.iter().any(|window| window.op == op) {
            return Err(not_proved(
                op,
                "how often it runs is not known, and it runs within another such loop or several times",
            ));
        }
        let Some(&rounds) = self.world.trips.get(&op) else {
            if !self.world.open_loops.contains(&op) {
                self.world.open_loops.push(op);
            }
            return Ok(first);
        };
        let mut marks = vec![self.mark()];
        let mut handed = first;
        let number = self.loops.len() as u32 + 1;
        for round in 0..rounds {
            self.level = (number, round as u32 + 1);
            handed = self.round(body, bounds, round, handed)?;
            marks.push(self.mark());
        }
        self.level = (0, 0);
        self.loops.push(Window { op, marks });
        Ok(handed)
    }
}

type Counter = (Pad, i64, Rank, Rank);

/// Checks that the rounds of each loop are alike on one rank.
pub(super) fn check_rounds(rank: Rank, steps: &[Planned], windows: &[Window]) -> PassResult {
    let mut growth: BTreeMap<Counter, i64> = BTreeMap::new();
    for Window { op, marks } in windows {
        let refuse = |what: &str| {
            not_proved(
                *op,
                &format!("how often it runs is not known, and on rank {rank} its rounds differ: {what}"),
            )
        };
        for pair in marks.windows(2).collect::<Vec<_>>().windows(2) {
            let (before, [middle, end]) = (pair[0][0], [pair[1][0], pair[1][1]]);
            let (one, other) = (&steps[before.step..middle.step], &steps[middle.step..end.step]);
            if one.len() != other.len() {
                return Err(refuse("they issue unequally many steps"));
            }
            for (a, b) in one.iter().zip(other) {
                let is_alike = a.stream == b.stream
                    && a.tag == b.tag
                    && same_accesses(&a.accesses, &b.accesses, marks[0], before, middle)
                    && same_action(&a.action, &b.action, marks[0], before, middle);
                if !is_alike {
                    return Err(refuse(
                        "a step uses another stream, buffer, part or event than one round before",
                    ));
                }
                let (Some((counter, first)), Some((_, second))) = (signal_of(rank, a), signal_of(rank, b))
                else {
                    continue;
                };
                let grows = second - first;
                if grows <= 0 || *growth.entry(counter).or_insert(grows) != grows {
                    return Err(refuse("the epochs of a counter do not grow by one amount"));
                }
            }
        }
    }
    Ok(())
}

/// Counter and epoch of a signal.
fn signal_of(rank: Rank, step: &Planned) -> Option<(Counter, i64)> {
    match step.action {
        Action::Put {
            pad,
            channel,
            to,
            epoch,
        } => Some(((pad, channel, rank, to), epoch)),
        Action::WaitSignal {
            pad,
            channel,
            from,
            epoch,
        } => Some(((pad, channel, from, rank), epoch)),
        _ => None,
    }
}

/// Whether numbers of things name the same from before the loop, or their own round's by the same order of making.
fn same_number(a: u32, b: u32, outside: u32, before: u32, middle: u32) -> bool {
    if a < outside {
        a == b
    } else {
        a >= before && b >= middle && a - before == b - middle
    }
}

fn same_accesses(a: &[Access], b: &[Access], outside: Mark, before: Mark, middle: Mark) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let (one, other) = (a.buffer.number(), b.buffer.number());
            a.kind == b.kind
                && a.region == b.region
                && same_number(one, other, outside.buffer, before.buffer, middle.buffer)
        })
}

fn same_action(a: &Action, b: &Action, outside: Mark, before: Mark, middle: Mark) -> bool {
    match (a, b) {
        (Action::Record(a), Action::Record(b)) | (Action::WaitEvent(a), Action::WaitEvent(b)) => {
            same_number(a.number(), b.number(), outside.event, before.event, middle.event)
        }
        (
            Action::Put { pad, channel, to, .. },
            Action::Put {
                pad: pad_b,
                channel: channel_b,
                to: to_b,
                ..
            },
        ) => (pad, channel, to) == (pad_b, channel_b, to_b),
        (
            Action::WaitSignal {
                pad, channel, from, ..
            },
            Action::WaitSignal {
                pad: pad_b,
                channel: channel_b,
                from: from_b,
                ..
            },
        ) => (pad, channel, from) == (pad_b, channel_b, from_b),
        _ => a == b,
    }
}

/// Checks that ranks meet, and signal each other, in the same round of the same loop.
pub(super) fn check_meetings(ranks: &[Vec<Planned>], loops: &[Op]) -> PassResult {
    let refuse = |level: (u32, u32), what: &str| -> Failed {
        let op = loops[(level.0 as usize).saturating_sub(1).min(loops.len() - 1)];
        not_proved(op, &format!("how often it runs is not known, and {what}"))
    };
    if loops.is_empty() {
        return Ok(());
    }
    // Rounds of all meetings of one kind, in order, by member.
    type RoundsOf = BTreeMap<Rank, Vec<(u32, u32)>>;
    let mut meetings: BTreeMap<(Group, Option<i64>), RoundsOf> = BTreeMap::new();
    let mut signals: BTreeMap<Counter, BTreeMap<i64, BTreeSet<(u32, u32)>>> = BTreeMap::new();
    for (rank, steps) in (0..).zip(ranks) {
        for step in steps {
            let key = match step.action {
                Action::Barrier { group, channel } => Some((group, Some(channel))),
                Action::Collective { group, .. } => Some((group, None)),
                _ => None,
            };
            if let Some(key) = key {
                meetings
                    .entry(key)
                    .or_default()
                    .entry(rank)
                    .or_default()
                    .push(step.level);
            }
            if let Some((counter, epoch)) = signal_of(rank, step) {
                signals
                    .entry(counter)
                    .or_default()
                    .entry(epoch)
                    .or_default()
                    .insert(step.level);
            }
        }
    }
    for by_rank in meetings.values() {
        let mut members = by_rank.values();
        let Some(first) = members.next() else { continue };
        if let Some(other) = members.find(|levels| *levels != first) {
            let level = first.iter().chain(other).copied().max().unwrap_or_default();
            return Err(refuse(level, "ranks meet in different rounds"));
        }
    }
    for by_epoch in signals.values() {
        let levels: BTreeSet<(u32, u32)> = by_epoch.values().flatten().copied().collect();
        let loops: BTreeSet<u32> = levels.iter().map(|level| level.0).collect();
        let level = levels.last().copied().unwrap_or_default();
        if loops.len() > 1 {
            return Err(refuse(
                level,
                "a counter that it signals with is used elsewhere too",
            ));
        }
        if by_epoch.values().any(|levels| levels.len() > 1) {
            return Err(refuse(
                level,
                "a signal is put in one round and awaited in another",
            ));
        }
    }
    Ok(())
}
