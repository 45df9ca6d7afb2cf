// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The kinds of bars that a reader can tell apart: their names, letters and colours.
//!
//! The colours of common collectives are those of Okabe and Ito ("Color Universal Design", 2008), which stay apart for
//! readers with the common forms of colour blindness; computation is grey, so that communication and lost time stand out.

use crate::node::{Collective, Kind, NodeId};
use crate::problem::Problem;

/// What a bar shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Category {
    /// Computation.
    Compute,
    /// An all-gather.
    AllGather,
    /// A reduce-scatter.
    ReduceScatter,
    /// An all-reduce.
    AllReduce,
    /// An all-to-all.
    AllToAll,
    /// A permute.
    Permute,
    /// A broadcast.
    Broadcast,
    /// A collective that nobody named.
    Other,
    /// A stream that an op with regions uses within itself.
    Occupied,
}

impl Category {
    /// All of them, in the order of a legend.
    pub const ALL: [Category; 9] = [
        Category::Compute,
        Category::AllGather,
        Category::ReduceScatter,
        Category::AllReduce,
        Category::AllToAll,
        Category::Permute,
        Category::Broadcast,
        Category::Other,
        Category::Occupied,
    ];

    /// The category of a node that takes time. Where the problem does not say which collective a node performs, its
    /// name may: that decides a colour here and nothing anywhere else.
    pub fn of(problem: &Problem, id: NodeId) -> Category {
        if problem.kind(id) == Kind::Compute {
            return Category::Compute;
        }
        match problem.collective(id).or_else(|| told_by_name(problem.name(id))) {
            Some(Collective::AllGather) => Category::AllGather,
            Some(Collective::ReduceScatter) => Category::ReduceScatter,
            Some(Collective::AllReduce) => Category::AllReduce,
            Some(Collective::AllToAll) => Category::AllToAll,
            Some(Collective::Permute) => Category::Permute,
            Some(Collective::Broadcast) => Category::Broadcast,
            None => Category::Other,
        }
    }

    /// The name in legends and traces.
    pub fn name(self) -> &'static str {
        match self {
            Category::Compute => "compute",
            Category::AllGather => "all-gather",
            Category::ReduceScatter => "reduce-scatter",
            Category::AllReduce => "all-reduce",
            Category::AllToAll => "all-to-all",
            Category::Permute => "permute",
            Category::Broadcast => "broadcast",
            Category::Other => "unnamed collective",
            Category::Occupied => "used inside an op",
        }
    }

    /// The letter in text.
    pub(super) fn letter(self) -> char {
        match self {
            Category::Compute => '#',
            Category::AllGather => 'G',
            Category::ReduceScatter => 'S',
            Category::AllReduce => 'R',
            Category::AllToAll => 'A',
            Category::Permute => 'P',
            Category::Broadcast => 'B',
            Category::Other => 'x',
            Category::Occupied => '=',
        }
    }

    /// The colour of its bars.
    pub(super) fn colour(self) -> &'static str {
        match self {
            Category::Compute => "#a9b4c2",
            Category::AllGather => "#56b4e9",
            Category::ReduceScatter => "#00a67d",
            Category::AllReduce => "#cc79a7",
            Category::AllToAll => "#f0e442",
            Category::Permute => "#e6ab6b",
            Category::Broadcast => "#b9a7e0",
            Category::Other => "#d8cbb0",
            Category::Occupied => "#dfe3e8",
        }
    }

    /// The class of its bars in SVG.
    pub(super) fn class(self) -> &'static str {
        match self {
            Category::Compute => "c",
            Category::AllGather => "g",
            Category::ReduceScatter => "s",
            Category::AllReduce => "r",
            Category::AllToAll => "a",
            Category::Permute => "p",
            Category::Broadcast => "d",
            Category::Other => "o",
            Category::Occupied => "u",
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }
}

fn told_by_name(name: &str) -> Option<Collective> {
    let plain = name.replace('-', "_").to_ascii_lowercase();
    [
        Collective::AllGather,
        Collective::ReduceScatter,
        Collective::AllReduce,
        Collective::AllToAll,
        Collective::Permute,
        Collective::Broadcast,
    ]
    .into_iter()
    .find(|collective| plain.contains(collective.name()))
}
