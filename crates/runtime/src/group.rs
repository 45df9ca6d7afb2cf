// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Groups of ranks. The order of the list is the order of positions, and so of gathered and scattered parts.

use std::fmt;

/// An ordered list of different ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Members {
    ranks: Vec<usize>,
    sorted: Vec<usize>,
}

impl Members {
    /// A list of ranks of a world of `world` ranks that has `own` in it; else what is wrong with it.
    pub(crate) fn new(ranks: &[usize], world: usize, own: usize) -> Result<Self, String> {
        let mut sorted = ranks.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("rank {} is twice in the group {ranks:?}", pair[0]));
        }
        if let Some(rank) = sorted.last().filter(|rank| **rank >= world) {
            return Err(format!(
                "the group {ranks:?} has rank {rank}, but there are {world} ranks"
            ));
        }
        if sorted.binary_search(&own).is_err() {
            return Err(format!("rank {own} is not in its group {ranks:?}"));
        }
        Ok(Self {
            ranks: ranks.to_vec(),
            sorted,
        })
    }

    /// Ranks by position.
    pub(crate) fn ranks(&self) -> &[usize] {
        &self.ranks
    }

    /// Ranks in ascending order: what the group is, apart from its order.
    pub(crate) fn sorted(&self) -> &[usize] {
        &self.sorted
    }

    /// Number of members.
    pub(crate) fn size(&self) -> usize {
        self.ranks.len()
    }

    /// Position of a rank.
    pub(crate) fn position(&self, rank: usize) -> Option<usize> {
        self.ranks.iter().position(|&member| member == rank)
    }
}

impl fmt::Display for Members {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.ranks)
    }
}
