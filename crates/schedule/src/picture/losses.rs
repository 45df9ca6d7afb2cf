// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Exposed time summed up: by kind of collective, and by what limits it.

use super::category::Category;
use super::model::{Gap, Picture};
use crate::explain::Cause;
use std::collections::BTreeMap;

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
    let mut losses: BTreeMap<Cause, Loss> = BTreeMap::new();
    for gap in &picture.gaps {
        losses.entry(gap.cause).or_default().add(gap);
    }
    sorted(losses.into_iter())
}

fn sorted<T>(losses: impl Iterator<Item = (T, Loss)>) -> Vec<(T, Loss)> {
    let mut losses: Vec<_> = losses.filter(|(_, loss)| loss.count > 0).collect();
    losses.sort_by_key(|(_, loss)| std::cmp::Reverse(loss.ns));
    losses
}
