// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which combination of decisions is the fastest within a memory limit.
//!
//! Tried are the program as given, the two fixed strategies (everything shared as far as possible, everything gathered
//! again), and mixtures of the two: prefixes of a few orders of the sets, by halving the step around the best, and then
//! what is close to the best of all, until nothing close is better. Which one is better is asked of
//! [`schedule()`](crate::schedule()) with little effort for the whole block, so a gather that is hidden anyway is worth nothing, and a value
//! that is alive where memory is not short costs nothing.
//!
//! The result meets the limit if what was given, or a fixed strategy, does; and then it is no slower than any of these that
//! does. Where none that was tried meets it, the result is the one with the least peak and says so. Finding the best
//! mixture is a knapsack problem already when every gather is exposed, so the search is bounded, by a number of schedules.

use super::alternatives::{Alternatives, Decision, alternatives};
use super::apply::Rewritten;
use super::evaluate::{Evaluator, Levels, Score};
use super::neighbours::Neighbours;
use super::sets::{RegatherError, Regathered};
use crate::problem::Problem;
use crate::schedule::{Effort, Point, ScheduleError};

/// Most nodes times combinations that are scheduled; fewer combinations of a large block are tried.
pub const MOST_VISITED: usize = 1 << 20;

/// Into how many parts an order of the sets is cut first.
const PARTS: usize = 8;

/// Options of [`choose`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegatherOptions {
    /// Most live bytes at any position, arguments apart, as in [`ScheduleOptions`](crate::ScheduleOptions); none: any number.
    pub memory_limit: Option<u64>,
    /// How many combinations may be scheduled, within [`MOST_VISITED`]. The program as given and the fixed strategies always
    /// are.
    pub most_tried: usize,
    /// How the program as given, the fixed strategies and the best combination are scheduled at the end, to choose among
    /// them; combinations are scheduled with [`Effort::Fast`]. Whoever schedules the result with more effort asks for it here,
    /// since what is slow to schedulers of little effort may be hidden by one of more.
    pub effort: Effort,
}

impl Default for RegatherOptions {
    /// No memory limit, 400 combinations, no more effort at the end.
    fn default() -> Self {
        RegatherOptions {
            memory_limit: None,
            most_tried: 400,
            effort: Effort::Fast,
        }
    }
}

/// What a combination of decisions takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Step time and peak memory of the schedule within the limit, or of the one with the least peak where none is.
    pub point: Point,
    /// Whether that keeps the memory limit.
    pub meets_limit: bool,
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What becomes of each set, in the order in which they were given.
    pub decisions: Vec<Decision>,
    /// The problem with all of that in it.
    pub rewritten: Rewritten,
    /// The program as given.
    pub before: Figures,
    /// The program as chosen. Does not meet the limit only if nothing that was tried does.
    pub after: Figures,
    /// Everything shared as far as possible, as ZeRO stage 2 does.
    pub shared: Figures,
    /// Everything gathered again, as ZeRO stage 3 does.
    pub again: Figures,
    /// How many combinations were scheduled.
    pub tried: usize,
}

/// Decides for all sets: the fastest combination found within the memory limit, or the one with the least peak. Never worse
/// than the program as given and the two fixed strategies at the same limit. O(t (n + e) log n) for t combinations that
/// are tried. Fails where the problem is none, or a set is none of it.
pub fn choose(
    problem: &Problem,
    sets: &[Regathered],
    options: &RegatherOptions,
) -> Result<Choice, RegatherError> {
    let given = alternatives(problem, sets)?;
    // No set is empty, and no node is in two.
    let first = |set: usize| sets[set].gathers.iter().copied().min();
    let mut order: Vec<usize> = (0..sets.len()).collect();
    order.sort_by_key(|set| first(*set));
    let streams: Vec<_> = order
        .iter()
        .map(|set| first(*set).and_then(|node| problem.stream_of(node)))
        .collect();
    let of_sets: Vec<Alternatives> = order.iter().map(|set| given[*set].clone()).collect();

    let neighbours = Neighbours::new(&of_sets, &streams);
    let mut search = Search {
        evaluator: Evaluator::new(problem, &of_sets, options.memory_limit, Effort::Fast),
        most_tried: options.most_tried.min(MOST_VISITED / problem.len().max(1)),
        best: None,
    };
    let as_given: Levels = of_sets.iter().map(|of| of.given).collect();
    let shared = vec![0; of_sets.len()];
    let again: Levels = of_sets.iter().map(|of| of.again).collect();
    for fixed in [&as_given, &shared, &again] {
        search.look(fixed)?;
    }
    for order in neighbours.orders() {
        search.prefixes(&neighbours, &order)?;
    }
    search.descend(&neighbours)?;

    let tried = search.evaluator.tried();
    let mut levels = search.best.map_or(as_given.clone(), |(_, levels)| levels);
    let mut evaluator = search.evaluator;
    if options.effort != Effort::Fast {
        evaluator = Evaluator::new(problem, &of_sets, options.memory_limit, options.effort);
        let mut best = evaluator.score(&levels)?;
        for fixed in [&as_given, &shared, &again] {
            let score = evaluator.score(fixed)?;
            if score < best {
                (best, levels) = (score, fixed.clone());
            }
        }
    }
    let mut decisions = vec![Decision::default(); sets.len()];
    for (set, decision) in order.iter().zip(evaluator.decisions(&levels)) {
        decisions[*set] = decision.clone();
    }
    Ok(Choice {
        rewritten: evaluator.rewritten(&levels),
        before: evaluator.figures(&as_given)?,
        after: evaluator.figures(&levels)?,
        shared: evaluator.figures(&shared)?,
        again: evaluator.figures(&again)?,
        tried,
        decisions,
    })
}

struct Search<'a> {
    evaluator: Evaluator<'a>,
    most_tried: usize,
    best: Option<(Score, Levels)>,
}

impl Search<'_> {
    /// Scores a combination, which becomes the best if no other is as good.
    fn look(&mut self, levels: &Levels) -> Result<Score, ScheduleError> {
        let score = self.evaluator.score(levels)?;
        if self.best.as_ref().is_none_or(|(best, _)| score < *best) {
            self.best = Some((score, levels.clone()));
        }
        Ok(score)
    }

    /// Whether a combination may be looked at.
    fn may_look(&self, levels: &Levels) -> bool {
        !self.evaluator.is_new(levels) || self.evaluator.tried() < self.most_tried
    }

    /// Prefixes of an order: first some at equal distances, then halfway to either side of the best, down to its neighbours.
    /// Neither time nor least peak needs to be monotone in the length, since what is kept leaves less memory to prefetch with.
    fn prefixes(&mut self, neighbours: &Neighbours<'_>, order: &[usize]) -> Result<(), ScheduleError> {
        let count = order.len();
        let mut step = count.div_ceil(PARTS).max(1);
        let mut lengths: Vec<usize> = (0..=count).step_by(step).chain([count]).collect();
        let mut best: Option<(Score, usize)> = None;
        loop {
            for length in lengths {
                let levels = neighbours.prefix(order, length);
                if !self.may_look(&levels) {
                    return Ok(());
                }
                let score = self.look(&levels)?;
                if best.is_none_or(|(least, _)| score < least) {
                    best = Some((score, length));
                }
            }
            if step == 1 {
                return Ok(());
            }
            step = step.div_ceil(2);
            let at = best.map_or(0, |(_, length)| length);
            lengths = vec![at.saturating_sub(step), (at + step).min(count)];
        }
    }

    /// Moves to what is close and better until nothing is: within classes first, since few moves tell most.
    fn descend(&mut self, neighbours: &Neighbours<'_>) -> Result<(), ScheduleError> {
        let mut by_class = true;
        while let Some((best, levels)) = self.best.clone() {
            let mut is_better = false;
            for next in neighbours.around(&levels, by_class) {
                if !self.may_look(&next) {
                    return Ok(());
                }
                if self.look(&next)? < best {
                    is_better = true;
                    break;
                }
            }
            if !is_better && !by_class {
                return Ok(());
            }
            by_class = is_better;
        }
        Ok(())
    }
}
