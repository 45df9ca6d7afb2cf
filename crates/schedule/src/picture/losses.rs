// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Exposed time summed up: by kind of collective, and by why it could not hide.

use super::category::Category;
use super::model::{Gap, Picture};

/// Why computation had to wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cause {
    /// The collective was issued where it was needed.
    IssuedWhenNeeded,
    /// It was issued earlier, or at the end of the step, but less early than it takes.
    IssuedTooLate,
    /// Other collectives on its link, or what it reads, came first.
    Queued,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 3] = [Cause::IssuedWhenNeeded, Cause::IssuedTooLate, Cause::Queued];

    /// Why a gap is there.
    pub fn of(gap: &Gap) -> Cause {
        match (gap.queued_ns, gap.lead_ns) {
            (0, 0) => Cause::IssuedWhenNeeded,
            (0, _) => Cause::IssuedTooLate,
            _ => Cause::Queued,
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Cause::IssuedWhenNeeded => "issued only when needed",
            Cause::IssuedTooLate => "issued too late to hide",
            Cause::Queued => "queued behind others",
        }
    }
}

/// Some gaps together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Loss {
    /// Their length.
    pub ns: u64,
    /// Their number.
    pub count: usize,
}

impl Loss {
    fn add(&mut self, gap: &Gap) {
        self.ns += gap.ns();
        self.count += 1;
    }
}

/// What was lost to each kind of collective, most first; kinds without loss are left out.
pub(super) fn by_kind(picture: &Picture<'_>) -> Vec<(Category, Loss)> {
    let mut losses = [Loss::default(); Category::ALL.len()];
    for gap in &picture.gaps {
        losses[Category::of(picture.problem, gap.collective).index()].add(gap);
    }
    sorted(Category::ALL.into_iter().zip(losses))
}

/// What was lost for each cause, most first; causes without loss are left out.
pub(super) fn by_cause(picture: &Picture<'_>) -> Vec<(Cause, Loss)> {
    let mut losses = [Loss::default(); Cause::ALL.len()];
    for gap in &picture.gaps {
        losses[Cause::of(gap) as usize].add(gap);
    }
    sorted(Cause::ALL.into_iter().zip(losses))
}

fn sorted<T>(losses: impl Iterator<Item = (T, Loss)>) -> Vec<(T, Loss)> {
    let mut losses: Vec<_> = losses.filter(|(_, loss)| loss.count > 0).collect();
    losses.sort_by_key(|(_, loss)| std::cmp::Reverse(loss.ns));
    losses
}
