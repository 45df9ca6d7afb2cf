// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How good a combination of decisions is: the problem with them in it, scheduled.
//!
//! Combinations are compared by what they are above the memory limit, then by step time, by how much is changed, and by
//! peak: a change that saves no time is not made, not even for less memory within the limit, since what it costs on the
//! link is hidden only in the model. Each is scheduled once; what was found is remembered.

use super::alternatives::{Alternatives, Decision};
use super::apply::{Rewritten, apply};
use super::choose::Figures;
use crate::problem::Problem;
use crate::schedule::{Effort, Limited, ScheduleError, ScheduleOptions, ScheduleOutcome, schedule};
use std::collections::HashMap;

/// For each set, which of its decisions is taken.
pub(super) type Levels = Vec<usize>;

/// What combinations are compared by; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Score {
    /// By how much the least peak that was found exceeds the limit; zero where it is kept.
    over_bytes: u64,
    /// Step time within the limit; zero where it is not kept.
    time_ns: u64,
    changes: usize,
    peak_bytes: u64,
}

/// See the [module](self) documentation.
pub(super) struct Evaluator<'a> {
    problem: &'a Problem,
    alternatives: &'a [Alternatives],
    limit: Option<u64>,
    effort: Effort,
    seen: HashMap<Levels, Score>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        alternatives: &'a [Alternatives],
        limit: Option<u64>,
        effort: Effort,
    ) -> Self {
        Evaluator {
            problem,
            alternatives,
            limit,
            effort,
            seen: HashMap::new(),
        }
    }

    /// How many combinations were scheduled.
    pub(super) fn tried(&self) -> usize {
        self.seen.len()
    }

    /// Whether asking for a combination costs a schedule.
    pub(super) fn is_new(&self, levels: &Levels) -> bool {
        !self.seen.contains_key(levels)
    }

    pub(super) fn score(&mut self, levels: &Levels) -> Result<Score, ScheduleError> {
        if let Some(score) = self.seen.get(levels) {
            return Ok(*score);
        }
        let (over_bytes, time_ns, peak_bytes) = match self.scheduled(&self.rewritten(levels), self.limit)? {
            Ok(outcome) => (0, outcome.point.time_ns, outcome.point.peak_bytes),
            Err(Missed { over_bytes, least }) => (over_bytes, 0, least),
        };
        let score = Score {
            over_bytes,
            time_ns,
            changes: self.decisions(levels).map(Decision::changes).sum(),
            peak_bytes,
        };
        self.seen.insert(levels.clone(), score);
        Ok(score)
    }

    /// What a combination takes within the limit, or with the least peak that was found where that is above it.
    pub(super) fn figures(&self, levels: &Levels) -> Result<Figures, ScheduleError> {
        let rewritten = self.rewritten(levels);
        let (meets_limit, outcome) = match self.scheduled(&rewritten, self.limit)? {
            Ok(outcome) => (true, outcome),
            Err(Missed { least, .. }) => {
                let options = self.options(Some(least));
                (false, schedule(&rewritten.problem, &options)?)
            }
        };
        Ok(Figures {
            point: outcome.point,
            meets_limit,
        })
    }

    pub(super) fn rewritten(&self, levels: &Levels) -> Rewritten {
        apply(self.problem, self.decisions(levels))
    }

    pub(super) fn decisions(&self, levels: &Levels) -> impl Iterator<Item = &'a Decision> {
        let chosen = self.alternatives.iter().zip(levels);
        chosen.map(|(of, level)| &of.decisions[*level])
    }

    fn options(&self, memory_limit: Option<u64>) -> ScheduleOptions {
        ScheduleOptions {
            effort: self.effort,
            memory_limit,
            ..ScheduleOptions::default()
        }
    }

    fn scheduled(
        &self,
        rewritten: &Rewritten,
        limit: Option<u64>,
    ) -> Result<Result<ScheduleOutcome, Missed>, ScheduleError> {
        match schedule(&rewritten.problem, &self.options(limit)) {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(ScheduleError::LimitNotMet {
                limited: Limited::Memory,
                limit,
                least,
                ..
            }) => Ok(Err(Missed {
                over_bytes: least.saturating_sub(limit),
                least,
            })),
            Err(error) => Err(error),
        }
    }
}

/// The limit is not kept.
struct Missed {
    over_bytes: u64,
    least: u64,
}
